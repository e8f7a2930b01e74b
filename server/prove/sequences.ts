/** The sequences: what is sent to a webhook, what has to be true afterwards, and what it costs when it is not. */

import { PAYMENT_STATUS } from '../contract/status.ts'
import { isSuccess } from '../http/exchange.ts'
import { REFUSES_FORGED } from '../outbox/webhook.ts'

import type { EventType } from '../api/kind-table.ts'
import type { CheckoutView, PaymentView } from '../api/view.ts'
import type { DeliveryErrorCode } from '../outbox/deliver.ts'
import type { Fact } from './state.ts'
import type { WayName } from './ways.ts'

/** How a webhook has answered an event. */
export interface Answer {
  /** Why the event was not accepted; `null` if it was. */
  refusal: DeliveryErrorCode | null
  /** The HTTP status; `null` without an answer. */
  status: number | null
  /** What it answered, for people. */
  reason: string
}

/** How an event may have to be answered. The names follow "expected that it is" in a report. */
export const EXPECTATIONS = {
  accepted: ({ refusal }: Answer) => refusal === null,
  refused: ({ status }: Answer) => status !== null && !isSuccess(status),
  'not accepted': ({ refusal }: Answer) => refusal !== null,
  answered: ({ status }: Answer) => status !== null,
  // A merchant is told one status. The others that name a wrong request are as clear.
  'refused with 401': ({ status }: Answer) => status !== null && REFUSES_FORGED.has(status),
  'not redirected': ({ status }: Answer) => status === null || status < 300 || status > 399,
  // Of a 2xx, a body that is too long is a page as well.
  'not answered with a page or an error': ({ refusal, status }: Answer) =>
    refusal !== 'no_acceptance' && !(refusal === 'too_large' && isSuccess(status)),
  'answered in time': ({ refusal }: Answer) => refusal !== 'timeout',
  'answered or not': () => true,
} as const
type Expectation = keyof typeof EXPECTATIONS

/** What is sent, and what has to be true afterwards. */
export interface Delivery {
  type: EventType | 'ping' | 'checkout.sketched'
  /** The event of the delivery with this index is sent again: the same id, the same body. */
  again?: number
  /** How many are sent at once; by default one. */
  times?: number
  way?: WayName
  /** Whether it is about an order that the shop never had. */
  unknown?: true
  /** Whether the shop cancels the order before. */
  cancelled?: true
  /** Which checkout of the order it is about; by default the first. */
  checkout?: 1 | 2
  /** What differs from the event about an order that is paid as requested. */
  data?: Data
  /** How long ago the event happened, in days. */
  daysAgo?: number
  /** By default, it has to be accepted. */
  answer?: Expectation
  facts?: readonly Fact[]
  /** Whether the facts have to be true when the answer arrives. */
  immediately?: true
  /** The sequence that is about this delivery: a fault in it fails that sequence, and makes this one prove nothing. */
  see?: SeenElsewhere
}

/** `sketched` is of a newer version. */
type Data = Readonly<
  Partial<
    Omit<CheckoutView, 'outcome'> & { outcome: CheckoutView['outcome'] | 'sketched'; sketched: unknown }
  >
>
type SeenElsewhere = 'expired' | 'unpaid' | 'partial' | 'reversal after paid'

/** What is sent in this order. The advice says what a fault costs and what to do. */
export type Sequence = readonly [advice: string, ...deliveries: readonly Delivery[]]

/** How a signature is verified: a part of some advice. */
const VERIFY =
  'in JavaScript by verifyWebhook, in other languages by comparing each of the signatures in webhook-signature, which spaces separate, with "v1," + base64(the bytes of HMAC-SHA256(key, webhook-id + "." + webhook-timestamp + "." + the bytes of the body)), where key is the base64 decoding of what follows whsec_.'

// The advice of the sequences: what a fault costs, and what to do.
const FORGED = `Anybody who knows the address can tell your shop that an order is paid, and take the goods. Verify the signature before anything else, and answer 401: ${VERIFY}`
const REPLAYED =
  'Whoever sees one request, in a log or a proxy, can send it again for ever. Refuse a webhook-timestamp that is more than five minutes from now, and compute the signature over it.'
const UNVERIFIED =
  'While you change the secret, or when an event has other characters than ASCII, your shop refuses genuine events: the shopper has paid, and gets nothing. Compute the signature over the bytes of the whole body as it arrived, and accept if any one of the signatures in webhook-signature, which spaces separate, fits.'
const UNCLEAR =
  'Answer 401 when no signature fits. After 500, a wrong secret or clock looks like a failure of your shop; after 2xx, the event is never sent again, and its payment is lost.'
const NOT_TAKEN =
  'The event is sent again for five days, and what is told later of the same order waits behind it: the shopper has paid, and waits. Answer 204 to every signed event, also if the amount is wrong, and to types, fields and orders that you do not know.'
const SLOW =
  'No event is acknowledged: each is sent again for five days, and orders are fulfilled late. Mark the order, answer 204 within 15 seconds, and do all that is slow in a job.'
const ELSEWHERE =
  'No event arrives: paid orders are not fulfilled. Redirects are not followed, and a page or an error of PHP acknowledges nothing. Set MERCHANT_WEBHOOK_URL to the address of the handler itself, which answers 204 and an empty body without a login.'
const HUGE =
  'Anybody can fill the memory of your shop, which takes no payments meanwhile. Refuse a body of more than a megabyte before you read it all.'
const UNMARKED =
  'The shopper has paid, and gets nothing. On checkout.paid and checkout.paid_late, whatever was told before, compare amount and currency with the order, mark it as paid, and then answer 204: --state is read when you have answered. If forged events are answered alike, perhaps this one is taken for forged: the key is the base64 decoding of what follows whsec_.'
const LOST =
  'If the process ends between the answer and the work, the event is never sent again: the shopper has paid, and gets nothing. Mark the order as paid, and answer 204 only when the mark is stored.'
const CUT =
  'The connection ends, as when a process or a phone line does, and the event is sent again: your shop loses a payment, or fulfils it twice. Verify the whole body first, and remember an event only in the transaction that marks the order.'
const TWICE =
  'One payment is fulfilled twice: you lose the goods. Mark the order as paid in one atomic step, such as UPDATE … WHERE id = … AND payment IS NULL, and fulfil only if that changed a row.'
const OVERWRITTEN =
  'The shopper has paid, and gets nothing: a later event has overwritten the mark. Keep it, and note the event beside it.'
const EARLY =
  'Goods leave the shop for money that has not arrived. Fulfil on the types checkout.paid and checkout.paid_late alone: compare the whole type.'
const TERMS =
  'The shopper pays what the order cost earlier, or in a cheaper currency, or pays for an order that you never made, and gets all of it. Find the order in your database, and compare its amount and currency with those of the event, as text; if there is none or they differ, do not fulfil, and let a person look.'
const CANCELLED =
  'The goods went back to the stock, or to somebody else, and leave for this payment; or the payer waits for a refund of which nobody knows. A shopper can pay until the session ends, also an order that you have cancelled. Compare with the order as your look-up gives it now: if it gives none, mark nothing, keep the event with the order before you answer, where a person looks, and let --state show it.'
const UNSEEN =
  'Money went back, or came for nothing, and nobody learns of it: goods leave without money, or a payer waits for a refund. A paid event with another merchant_transaction_id than that of the mark is a second payment. Keep it with the order before you answer, as a reversal, too much money and another amount, where the job that ships and a person look, and let --state show it: a line in a log is lost.'
const UNDONE =
  'The shopper has paid, and gets nothing: a checkout of the same order that ended without money, as in a second tab, has undone the mark. Let no checkout.unpaid or checkout.expired change an order that is paid.'
const BACK_TWICE =
  'Money that went back once is taken back twice, from a balance or a stock. Store webhook-id under a unique key, in the same transaction as the work, and do nothing the second time.'
const BACKWARDS =
  'The order counts as paid although its money went back: goods leave without money. An old event can come again: mark an order as paid only if it has no mark yet, and let no paid event delete what came later.'

/**
 * By what failed: advice that takes the place of the sequence's own, but not of those in `keep`, which say it better.
 * Each sequence is about one fault, and others may show in it.
 */
const CURES = {
  'not reached': { advice: 'Start your shop, or correct the address.', keep: [HUGE] },
  'not answered': {
    advice:
      'Your shop gave no answer: its log says why. Answer 401 to what is not genuine, whatever it lacks, and 204 to all else.',
    keep: [HUGE],
  },
  'not verified': {
    advice: `Your shop refuses genuine events: the shopper has paid, and gets nothing. Verify the signature: ${VERIFY}`,
    keep: [UNVERIFIED],
  },
  blocked: {
    advice:
      'No event reaches your handler: the shopper has paid, and gets nothing. Exempt the address of the handler from the check that refuses it.',
    keep: [],
  },
  'made twice': {
    advice:
      'One payment pays both orders: --create gave them one reference. Give each order its own reference, and never make it of the time.',
    keep: [],
  },
  'paid too rarely': {
    advice:
      'The shopper has paid, and gets nothing: it was answered with 2xx and the mark is not there, so it was lost or overwritten. Events about other orders arrive at the same moment: change one row, or lock the file. If forged events are answered alike, perhaps this one is taken for forged.',
    keep: [UNMARKED, LOST, CUT],
  },
  'paid too often': { advice: TWICE, keep: [] },
  'paid too early': { advice: EARLY, keep: [TERMS, CANCELLED] },
} as const satisfies Readonly<Record<string, { advice: string; keep: readonly string[] }>>
export type Failure = keyof typeof CURES

/** What failed, by why an event was not accepted. The sequence's own advice is about the other reasons. */
export const FAILURES: Readonly<Partial<Record<DeliveryErrorCode, Failure>>> = {
  not_listening: 'not reached',
  unreachable: 'not answered',
  unverified: 'not verified',
  blocked: 'blocked',
}

/** Returns what to do about a failure, in a sequence with its own advice. */
export function adviceAbout(failure: Failure | null, own: string): string {
  const cure = failure && CURES[failure]
  return !cure || cure.keep.some((better) => better === own) ? own : cure.advice
}

// Parts of deliveries: the types of events.
const PAID = { type: 'checkout.paid' } as const
const PAID_LATE = { type: 'checkout.paid_late' } as const
const REVERSAL = { type: 'checkout.reversed' } as const
// Parts of deliveries: what has to be true afterwards.
const UNCHANGED = { facts: ['the state is as before'] } as const satisfies Partial<Delivery>
const CHANGED = { facts: ['the state has changed'] } as const satisfies Partial<Delivery>
/** For what a person has to see, while the goods leave once. */
const KEPT = {
  facts: ['the order is paid exactly once', 'the state has changed'],
} as const satisfies Partial<Delivery>
const NOT_PAID = { facts: ['the order is not paid'] } as const satisfies Partial<Delivery>
const ONCE = { facts: ['the order is paid exactly once'] } as const satisfies Partial<Delivery>
const REFUSED = { answer: 'refused', ...UNCHANGED } as const satisfies Partial<Delivery>
// Parts of deliveries: the data that differ. No order is in XTS, the currency code for tests.
const EXCESS = { amount_paid: '1000000', discrepancy: 'excess' } as const
const CHEAPER = { data: { amount: '0.01' } }
const OTHER_CURRENCY = { data: { currency: 'XTS' } }
const NO_MONEY = { amount_paid: '0', payments: [] }

// Deliveries that several sequences have.
const FORGERY = { ...PAID, ...REFUSED } as const satisfies Delivery
const PAYS = { ...PAID, facts: ['the state has changed', 'the order is paid'] } as const satisfies Delivery
const PAYS_LATE = { ...PAYS, ...PAID_LATE } as const satisfies Delivery
const AGAIN = { ...PAID, ...ONCE, again: 0 } as const satisfies Delivery
const UNANSWERED = { ...PAID, answer: 'answered or not' } as const satisfies Delivery
const MISFIT = { ...PAID, answer: 'answered', ...NOT_PAID } as const satisfies Delivery
const EXPIRED = { type: 'checkout.expired', ...NOT_PAID } as const satisfies Delivery
const UNPAID = { type: 'checkout.unpaid', ...NOT_PAID } as const satisfies Delivery
const PARTIAL = { type: 'checkout.partial', ...NOT_PAID } as const satisfies Delivery
const REVERSED_BEFORE = { ...REVERSAL, ...CHANGED, see: 'reversal after paid' } as const satisfies Delivery
/** An event of a newer version, which says nothing of money. */
export const SKETCHED = {
  type: 'checkout.sketched',
  data: { ...NO_MONEY, outcome: 'sketched', status: null },
} as const satisfies Delivery
const FAILED_PAYMENT: PaymentView = {
  status: PAYMENT_STATUS.failed,
  outcome: 'failed',
  amount: '1',
  currency: 'KES',
  method: 'A_METHOD',
  paid_at: null,
  reason: 'unknown',
}
/** More failed payments than one payer makes. */
const MANY_PAYMENTS = Array<PaymentView>(200).fill(FAILED_PAYMENT)

/** The sequences by their names. The first is sent twice, to two orders: it shows what a payment changes. */
export const SEQUENCES = {
  paid: [UNMARKED, PAYS],
  ping: [NOT_TAKEN, { type: 'ping' }],
  'slow answer': [SLOW, { ...PAID, answer: 'answered in time' }],
  'a redirect': [ELSEWHERE, { ...PAID, answer: 'not redirected' }],
  'a page': [ELSEWHERE, { ...PAID, answer: 'not answered with a page or an error' }],
  '2xx before the work': [LOST, { ...PAYS, immediately: true }],

  'no signature': [FORGED, { ...FORGERY, way: 'without a signature' }],
  'empty signature': [FORGED, { ...FORGERY, way: 'with an empty signature' }],
  'part of a signature': [FORGED, { ...FORGERY, way: 'with the beginning of its signature' }],
  'wrong secret': [FORGED, { ...FORGERY, way: 'by another secret' }],
  'forged body': [FORGED, { ...FORGERY, way: 'with another body' }],
  'forged id': [FORGED, { ...FORGERY, way: 'with another id' }],
  'forged reversal': [FORGED, PAYS, { ...REVERSAL, ...REFUSED, way: 'by another secret' }],
  'forged time': [REPLAYED, { ...FORGERY, way: 'signed ten minutes ago, with another time' }],
  replayed: [REPLAYED, { ...FORGERY, way: 'signed ten minutes ago' }],
  'from the future': [REPLAYED, { ...FORGERY, way: 'signed in ten minutes' }],
  'new secret first': [UNVERIFIED, { ...PAYS, way: 'signed with a new secret, then yours' }],
  'rotated secret': [UNVERIFIED, { ...PAYS, way: 'signed with yours, then an old secret' }],
  'clear refusal': [UNCLEAR, { type: 'ping', answer: 'refused with 401', way: 'by another secret' }],

  'unknown event': [NOT_TAKEN, { ...SKETCHED, ...NOT_PAID }],
  'event without an order': [NOT_TAKEN, { type: 'payout.succeeded' }, { type: 'airtime.failed' }],
  'odd reference': [NOT_TAKEN, { ...PAID, answer: 'answered', data: { order: '../nowhere/\u00e9-1' } }],
  'new field': [NOT_TAKEN, { ...PAYS, data: { sketched: { by: ['a', 'newer', 'version'] } } }],
  'long event': [NOT_TAKEN, { type: 'checkout.unpaid', data: { payments: MANY_PAYMENTS } }],
  'huge body': [
    HUGE,
    { type: 'ping', answer: 'not accepted', way: 'with a body of 4 MB, unsigned' },
    { type: 'ping', answer: 'answered', way: 'by another secret' },
  ],
  'in pieces': [UNVERIFIED, { ...PAYS, way: 'in seven pieces', data: { sketched: '\u20ac'.repeat(400) } }],
  'half a connection': [CUT, { ...UNANSWERED, ...UNCHANGED, way: 'by half, then closed' }, AGAIN],
  'crash before 2xx': [CUT, { ...UNANSWERED, way: 'whole, then closed before the answer' }, AGAIN],

  duplicate: [TWICE, PAYS, AGAIN, AGAIN],
  'at once': [TWICE, { ...UNANSWERED, times: 5 }, AGAIN],
  'same payment, new id': [TWICE, PAYS, { ...PAID, ...ONCE }],
  'paid twice': [TWICE, PAYS, { ...PAID, ...ONCE, checkout: 2 }],
  'second payment': [UNSEEN, PAYS, { ...PAID, ...CHANGED, checkout: 2 }],
  'second payment, late': [UNSEEN, PAYS, { ...PAID_LATE, ...KEPT, checkout: 2 }],
  'too much money': [
    UNSEEN,
    { ...PAYS, data: EXCESS },
    { type: 'checkout.overpaid', ...CHANGED, data: EXCESS },
  ],
  'money for other terms': [UNSEEN, { ...PAID, answer: 'answered', ...CHANGED, ...CHEAPER }],
  overpaid: [OVERWRITTEN, { ...PAYS, data: EXCESS }, { type: 'checkout.overpaid', ...ONCE, data: EXCESS }],
  'attention after paid': [OVERWRITTEN, PAYS, { type: 'checkout.needs_attention', ...ONCE }],
  'another checkout ends': [
    UNDONE,
    PAYS,
    { ...UNPAID, ...ONCE, checkout: 2 },
    { ...EXPIRED, ...ONCE, checkout: 2 },
  ],
  'paid five days ago': [UNMARKED, { ...PAYS, daysAgo: 5 }],
  'paid_late alone': [UNMARKED, PAYS_LATE],
  'expired, then paid_late': [UNMARKED, { ...EXPIRED, see: 'expired' }, PAYS_LATE],
  'unpaid, then paid': [UNMARKED, { ...UNPAID, see: 'unpaid' }, { ...PAYS, checkout: 2 }],
  partial: [EARLY, PARTIAL],
  unpaid: [EARLY, UNPAID],
  expired: [EARLY, EXPIRED],
  'partial, then paid': [UNMARKED, { ...PARTIAL, see: 'partial' }, PAYS],
  review: [EARLY, { type: 'checkout.review', ...NOT_PAID }],
  'resolved as unpaid': [EARLY, { type: 'checkout.resolved', ...NOT_PAID }],
  'resolved after paid': [OVERWRITTEN, PAYS, { type: 'checkout.resolved', ...ONCE }],
  'wrong amount': [TERMS, { ...MISFIT, ...CHEAPER }, { ...MISFIT, ...CHEAPER, again: 0 }],
  'wrong amount, paid late': [TERMS, { ...MISFIT, ...PAID_LATE, ...CHEAPER }],
  'answer to a wrong amount': [NOT_TAKEN, { ...PAID, ...CHEAPER }],
  'unknown order': [TERMS, { ...MISFIT, unknown: true }],
  'paid after the shop has cancelled it': [
    CANCELLED,
    { ...PAID, cancelled: true, facts: ['the order is not paid', 'the state has changed'] },
  ],
  'another currency': [TERMS, { ...MISFIT, ...OTHER_CURRENCY }],
  'another currency, paid late': [TERMS, { ...MISFIT, ...PAID_LATE, ...OTHER_CURRENCY }],
  'reversal after paid': [UNSEEN, PAYS, { ...REVERSAL, ...CHANGED }],
  'refund after paid': [UNSEEN, PAYS, { type: 'checkout.refunded', ...CHANGED }],
  'reversal twice': [BACK_TWICE, PAYS, REVERSED_BEFORE, { ...REVERSAL, ...UNCHANGED, again: 1 }],
  'old paid after a reversal': [BACKWARDS, PAYS, REVERSED_BEFORE, { ...PAID, ...UNCHANGED, again: 0 }],
  'reversal alone': [EARLY, { ...REVERSAL, ...NOT_PAID }],
} satisfies Readonly<Record<string, Sequence> & Record<SeenElsewhere, Sequence>>
export type SequenceName = keyof typeof SEQUENCES
