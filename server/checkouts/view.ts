/** Converts a stored checkout to its view, the representation that the shopper may see. Pure. */

import type { PaymentView, CheckoutView } from '../api/view.ts'
import type { Payment } from '../payins/reported-state.ts'
import type { Checkout } from './record.ts'
import { PAYMENT_OUTCOME } from '../payins/outcome.ts'
import { iso } from '../transactions/record.ts'
import { determineOutcome } from './outcome.ts'

export function viewOf(checkout: Checkout, now: number): CheckoutView {
  const { id, reference, attempt, version, updated_at, account, record } = checkout
  const { requested } = record
  const { session, reported } = record.phase === 'open' ? record : { session: null, reported: null }
  const payInOutcome = determineOutcome(checkout)
  const expires_at = session?.expires_at ?? checkout.created_at + requested.expires_in * 60_000
  return {
    order: requested.order,
    checkout_id: id,
    merchant_transaction_id: reference,
    attempt,
    status: reported?.status ?? null,
    ...payInOutcome,
    amount: requested.amount,
    amount_paid: reported?.amount ?? '0',
    currency: requested.currency,
    expires_at: iso(expires_at),
    updated_at: iso(updated_at),
    server_time: iso(now),
    version,
    payments: (reported?.payments ?? []).map((payment) => paymentView(payment, requested.currency)),
    environment: account.environment,
    ...(session && !payInOutcome.settled && now < expires_at && { redirect_url: session.redirect_url }),
  }
}

function paymentView({ status, amount, currency, method, paid_at }: Payment, requested: string): PaymentView {
  const outcome = PAYMENT_OUTCOME[status]
  return { status, outcome, amount, currency: currency ?? requested, method, paid_at }
}
