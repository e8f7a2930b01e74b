/** Writes the money of checkouts into the books: it reaches the merchant's float, and sometimes leaves it again. */

import { giveBack, receive } from './movements.ts'
import type { CheckoutSession } from './checkout-session.ts'
import type { Movement } from './ledger.ts'
import type { Receipt } from './movements.ts'
import type { Payment } from './payment.ts'
import type { World } from './world.ts'

export function bookReceived(world: World, session: CheckoutSession, payment: Payment): void {
  post(world, receive(receiptOf(session, payment)))
}

export function bookGivenBack(world: World, session: CheckoutSession, payment: Payment): void {
  const receipt = receiptOf(session, payment)
  const held = world.ledger.balanceOf(`float/${receipt.accountNumber}/${receipt.currency}`)
  post(world, giveBack(receipt, held))
}

function receiptOf({ request, service }: CheckoutSession, { amount }: Payment): Receipt {
  const { merchant_transaction_id: reference, account_number: accountNumber } = request
  return { reference, accountNumber, currency: service.currency, amount }
}

function post({ ledger, agenda }: World, movement: Movement): void {
  const posting = ledger.post(movement, agenda.now())
  if ('overdrawn' in posting) throw new RangeError(`${movement.what} would overdraw ${posting.overdrawn}.`)
}
