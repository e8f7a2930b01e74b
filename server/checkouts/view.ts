/** What a shopper may see of a checkout. Pure. */

import type { PaymentView, View } from '../contract/view.ts'
import type { Payment } from '../payments/seen.ts'
import type { Checkout } from './record.ts'
import { PAYMENT_OUTCOME } from '../payments/verdict.ts'
import { judge } from './outcome.ts'

export function viewOf(checkout: Checkout, now: number): View {
  const { id, reference, attempt, version, updated_at, home, record } = checkout
  const { asked } = record
  const { session, seen } = record.phase === 'open' ? record : { session: null, seen: null }
  const verdict = judge(checkout)
  const expires_at = session?.expires_at ?? checkout.created_at + asked.expires_in * 60_000
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
    expires_at: iso(expires_at),
    updated_at: iso(updated_at),
    server_time: iso(now),
    version,
    payments: (seen?.payments ?? []).map((payment) => paymentView(payment, asked.currency)),
    environment: home.environment,
    ...(session && !verdict.settled && now < expires_at && { redirect_url: session.redirect_url }),
  }
}

function paymentView({ status, amount, currency, method, paid_at }: Payment, asked: string): PaymentView {
  return { status, outcome: PAYMENT_OUTCOME[status], amount, currency: currency ?? asked, method, paid_at }
}

function iso(at: number): string {
  return new Date(at).toISOString()
}
