/** Writes the money of checkouts and charges into the books: whose it is follows from the session's custody. */

import { receivedBy } from './session.ts'
import { distribute, giveBack, giveBackHeld, hold, receive } from './movements.ts'
import type { Decimal } from '../../../server/contract/decimal.ts'
import type { CheckoutSession } from './session.ts'
import type { Receipt } from './movements.ts'
import type { Payment } from './payment.ts'
import type { World } from '../world.ts'

export function bookReceived({ ledger, agenda }: World, session: CheckoutSession, payment: Payment): void {
  const receipt = receiptOf(session, payment.amount)
  ledger.post(session.custody === 'held' ? hold(receipt) : receive(receipt), agenda.now())
}

/** [assumed] What was distributed comes from the merchant alone: partners keep their shares, the gateway its fee. */
export function bookGivenBack({ ledger, agenda }: World, session: CheckoutSession, payment: Payment): void {
  const receipt = receiptOf(session, payment.amount)
  const spendable = ledger.balanceOf(`float/${receipt.accountNumber}/${receipt.currency}`)
  const movement = session.custody === 'held' ? giveBackHeld(receipt) : giveBack(receipt, spendable)
  ledger.post(movement, agenda.now())
}

/** All that was received for the charge, and not yet given back. */
export function bookDistributed({ ledger, agenda }: World, session: CheckoutSession, fee: Decimal): void {
  const shares = session.splits.map(({ account, amount }) => ({ account, amount: String(amount) }))
  ledger.post(distribute({ ...receiptOf(session, receivedBy(session)), fee, shares }), agenda.now())
}

function receiptOf({ id, accountNumber, service }: CheckoutSession, amount: Decimal): Receipt {
  return { reference: id, accountNumber, currency: service.currency, amount }
}
