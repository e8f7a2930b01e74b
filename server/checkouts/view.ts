/** Converts a stored checkout to its view, the representation that the shopper may see. Pure. */

import type { PaymentView, CheckoutView } from '../api/view.ts'
import type { Payment } from '../payins/reported-state.ts'
import type { Checkout } from './record.ts'
import { PAYMENT_OUTCOME } from '../payins/outcome.ts'
import { environmentOf, iso } from '../transactions/record.ts'
import { determineOutcome } from './outcome.ts'

export function viewOf(checkout: Checkout, now: number): CheckoutView {
  const { id, reference, attempt, version, updated_at, record } = checkout
  const { requested, prompt } = record
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
    environment: environmentOf(checkout),
    ...(prompt && { prompt: { method: prompt.method, methods: prompt.methods } }),
    ...(session?.redirect_url &&
      !payInOutcome.settled &&
      now < expires_at && { redirect_url: session.redirect_url }),
  }
}

interface SerializedView {
  settled: boolean
  /** When the session of the hosted page expires, in milliseconds since the Unix epoch. */
  expiresAt: number
  /** Whether the view was serialized before the session expired. A later view has no `redirect_url`. */
  isBeforeExpiry: boolean
  /** The view's JSON text up to the value of `server_time`; `after` is the text after this value. */
  before: string
  after: string
}

/** A cache of serialized views, by checkout. A changed checkout is a new object, and is therefore not in the cache. */
const serialized = new WeakMap<Checkout, SerializedView>()
const SERVER_TIME = '"server_time":"'

/** Returns the view as JSON. If the cached view is still valid, only `server_time` is computed again. */
export function serializeView(checkout: Checkout, now: number): { settled: boolean; text: string } {
  let known = serialized.get(checkout)
  if (known === undefined || now < known.expiresAt !== known.isBeforeExpiry) {
    known = splitView(viewOf(checkout, now), now)
    serialized.set(checkout, known)
  }
  return { settled: known.settled, text: known.before + iso(now) + known.after }
}

function splitView(view: CheckoutView, now: number): SerializedView {
  const text = JSON.stringify(view)
  // No value in `text` contains SERVER_TIME, because JSON escapes the quotes in values.
  const at = text.indexOf(SERVER_TIME) + SERVER_TIME.length
  const expiresAt = Date.parse(view.expires_at)
  return {
    settled: view.settled,
    expiresAt,
    isBeforeExpiry: now < expiresAt,
    before: text.slice(0, at),
    after: text.slice(at + view.server_time.length),
  }
}

function paymentView({ status, amount, currency, method, paid_at }: Payment, requested: string): PaymentView {
  const outcome = PAYMENT_OUTCOME[status]
  return { status, outcome, amount, currency: currency ?? requested, method, paid_at }
}
