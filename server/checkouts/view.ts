/** What a shopper may see of a checkout. Pure. */

import type { PaymentView, CheckoutView } from '../api/view.ts'
import type { Payment } from '../payins/reported-state.ts'
import type { Checkout } from './record.ts'
import { PAYMENT_OUTCOME } from '../payins/outcome.ts'
import { determineOutcome } from './outcome.ts'

export function viewOf(checkout: Checkout, now: number): CheckoutView {
  const { id, reference, attempt, version, updated_at, account, record } = checkout
  const { asked } = record
  const { session, reported } = record.phase === 'open' ? record : { session: null, reported: null }
  const verdict = determineOutcome(checkout)
  const expires_at = session?.expires_at ?? checkout.created_at + asked.expires_in * 60_000
  return {
    order: asked.order,
    checkout_id: id,
    merchant_transaction_id: reference,
    attempt,
    status: reported?.status ?? null,
    ...verdict,
    amount: asked.amount,
    amount_paid: reported?.amount ?? '0',
    currency: asked.currency,
    expires_at: iso(expires_at),
    updated_at: iso(updated_at),
    server_time: iso(now),
    version,
    payments: (reported?.payments ?? []).map((payment) => paymentView(payment, asked.currency)),
    environment: account.environment,
    ...(session && !verdict.settled && now < expires_at && { redirect_url: session.redirect_url }),
  }
}

function paymentView({ status, amount, currency, method, paid_at }: Payment, asked: string): PaymentView {
  return { status, outcome: PAYMENT_OUTCOME[status], amount, currency: currency ?? asked, method, paid_at }
}

function iso(at: number): string {
  return new Date(at).toISOString()
}
