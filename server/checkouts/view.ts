/**
 * Converts a checkout into what pages, events and the API contain of it. The shopper's page gets the least, the API the
 * most. None of them contains the payer's name, e-mail address or phone number.
 */

import { canonical } from '../contract/decimal.ts'
import { trackedFulfilmentOf } from '../payins/fulfilment.ts'
import { PAYMENT_OUTCOME } from '../payins/payment.ts'
import { moneyOf } from '../payins/reported-money.ts'
import { environmentOf, iso } from '../transactions/common-fields.ts'
import { MINUTE } from '../transactions/schedule.ts'
import { determineOutcome, isPayable } from './record.ts'
import { attentionOf } from './transition.ts'

import type { TrackedCheckout } from '../api/view-schema.ts'
import type { CheckoutView, Outcome, PaymentView, PromptView } from '../api/view.ts'
import type { Payment } from '../payins/payment.ts'
import type { Checkout, CheckoutRecord } from './record.ts'

/**
 * @param offered The operators that can ask the payer, in the answer to a request for a prompt; `null` in other
 * answers.
 */
export function viewOf(
  checkout: Checkout,
  now: number,
  offered: PromptView['methods'] | null = null,
): CheckoutView {
  const { id, reference, attempt, version, updated_at, record } = checkout
  const { requested, prompt = offered && { method: null, methods: offered } } = record
  const { session, reported } = record.phase === 'open' ? record : { session: null, reported: null }
  const payInOutcome = determineOutcome(checkout)
  const expires_at = session?.expires_at ?? checkout.created_at + requested.expires_in * MINUTE
  const isOffered = OFFERED.includes(payInOutcome.outcome) && isPayable(checkout) && now < expires_at
  return {
    order: requested.order,
    checkout_id: id,
    merchant_transaction_id: reference,
    attempt,
    status: reported?.status ?? null,
    ...payInOutcome,
    amount: requested.amount,
    amount_paid: canonical(moneyOf(reported).received),
    currency: requested.currency,
    expires_at: iso(expires_at),
    updated_at: iso(updated_at),
    server_time: iso(now),
    version,
    payments: (reported?.payments ?? []).map((payment) => paymentView(payment, requested.currency)),
    environment: environmentOf(checkout),
    ...(prompt && { prompt: { method: prompt.method, methods: prompt.methods } }),
    ...(isOffered && session?.redirect_url && { redirect_url: session.redirect_url }),
  }
}

/** Returns a checkout as the events `checkout.*` contain it. */
export function trackedCheckoutOf(checkout: Checkout, now: number): TrackedCheckout {
  const { record } = checkout
  const { confirmation, reported } = record.phase === 'open' ? record : UNCONFIRMED
  return {
    ...viewOf(checkout, now),
    link: linkIn(record),
    attention: attentionOf(checkout),
    fulfilment: confirmation && trackedFulfilmentOf(confirmation, reported),
  }
}

const UNCONFIRMED = { confirmation: null, reported: null }

/** Returns a checkout as `/api/checkouts` contains it: with the personal data that no event has. */
export function retrievedCheckoutOf(checkout: Checkout, now: number): TrackedCheckout {
  const tracked = trackedCheckoutOf(checkout, now)
  const answer = checkout.record.link?.answer
  return tracked.link && typeof answer === 'string'
    ? { ...tracked, link: { ...tracked.link, answer } }
    : tracked
}

/** Returns what the payer of a link chose, without the answer, which is personal. */
function linkIn({ link }: CheckoutRecord): TrackedCheckout['link'] {
  return link ? { id: link.id, amount: link.amount, quantity: link.quantity } : null
}

/** The outcomes with which a shopper may be led to the hosted page. With the others, a shopper could pay a second time. */
const OFFERED: readonly Outcome[] = ['waiting', 'unpaid', 'partial', 'reversed', 'refunded']

/** A cache of serialized views, by checkout. A changed checkout is a new object, and is therefore not in the cache. */
const serialized = new WeakMap<Checkout, ReturnType<typeof splitView>>()
const SERVER_TIME = '"server_time":"'

/** Returns the view as JSON. If the cached view is still valid, only `server_time` is computed again. */
export function serializeView(checkout: Checkout, now: number) {
  let view = serialized.get(checkout)
  if (view === undefined || now >= view.until) {
    view = splitView(viewOf(checkout, now))
    serialized.set(checkout, view)
  }

  const { settled, etag, before, after } = view
  return { settled, etag, text: before + iso(now) + after }
}

function splitView(view: CheckoutView) {
  const text = JSON.stringify(view)
  // No value in `text` contains SERVER_TIME, because JSON escapes the quotes in values.
  const at = text.indexOf(SERVER_TIME) + SERVER_TIME.length
  const hasPage = view.redirect_url !== undefined
  return {
    settled: view.settled,
    /** Covers all that the view shows, except `server_time`. */
    etag: hasPage ? `"${view.version}.page"` : `"${view.version}"`,
    /** When the view changes without a new version, in milliseconds since the Unix epoch. */
    until: hasPage ? Date.parse(view.expires_at) : Infinity,
    /** The view's JSON text up to the value of `server_time`; `after` is the text after this value. */
    before: text.slice(0, at),
    after: text.slice(at + view.server_time.length),
  }
}

function paymentView(payment: Payment, currency: string): PaymentView {
  const { payment_status: status, reason, receipt } = payment
  return {
    status,
    outcome: PAYMENT_OUTCOME[status],
    amount: canonical(payment.amount),
    currency: payment.currency_code ?? currency,
    method: payment.payment_method_code,
    paid_at: payment.payment_date,
    ...(reason && { reason }),
    ...(receipt && { receipt }),
  }
}
