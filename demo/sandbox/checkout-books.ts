/** Writes the money of checkouts into the books: it reaches the merchant's float, and sometimes leaves it again. */

import { giveBack, receive } from './movements.ts'
import type { CheckoutSession } from './checkout-session.ts'
import type { Receipt } from './movements.ts'
import type { Payment } from './payment.ts'
import type { World } from './world.ts'

export function bookReceived({ ledger, agenda }: World, session: CheckoutSession, payment: Payment): void {
  ledger.post(receive(receiptOf(session, payment)), agenda.now())
}

export function bookGivenBack({ ledger, agenda }: World, session: CheckoutSession, payment: Payment): void {
  const receipt = receiptOf(session, payment)
  const held = ledger.balanceOf(`float/${receipt.accountNumber}/${receipt.currency}`)
  ledger.post(giveBack(receipt, held), agenda.now())
}

function receiptOf({ request, service }: CheckoutSession, { amount }: Payment): Receipt {
  const { merchant_transaction_id: reference, account_number: accountNumber } = request
  return { reference, accountNumber, currency: service.currency, amount }
}
