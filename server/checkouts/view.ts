/** What a shopper may see of a checkout. Pure. */

import type { PaymentView, View } from '../contract/view.ts'
import type { Checkout, OpenCheckout, Payment } from './record.ts'
import { judge, PAYMENT_OUTCOME } from './outcome.ts'

export function viewOf(checkout: Checkout<OpenCheckout>, now: number): View {
  const { id, reference, attempt, version, updated_at, home, record } = checkout
  const { asked, session, seen } = record
  const verdict = judge(seen, asked, session, reference)
  const isPayable = !verdict.settled && now < session.expires_at
  return {
    order: asked.order,
    checkout_id: id,
    merchant_transaction_id: reference,
    attempt,
    status: seen?.status ?? null,
    ...verdict,
    amount: asked.amount,
    amount_paid: seen?.amount ?? '0',
    currency: asked.currency,
    expires_at: iso(session.expires_at),
    updated_at: iso(updated_at),
    server_time: iso(now),
    version,
    payments: (seen?.payments ?? []).map((payment) => paymentView(payment, asked.currency)),
    environment: home.environment,
    ...(isPayable && { redirect_url: session.redirect_url }),
  }
}

function paymentView({ status, amount, currency, method, paid_at }: Payment, asked: string): PaymentView {
  return { status, outcome: PAYMENT_OUTCOME[status], amount, currency: currency ?? asked, method, paid_at }
}

function iso(at: number): string {
  return new Date(at).toISOString()
}
