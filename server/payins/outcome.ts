/**
 * What the gateway last reported of a pay-in, what this says about the payer's money ({@link moneyOf}), and what it
 * means for the requested terms ({@link determinePayInOutcome}). Pure.
 */

import { z } from 'zod'

import { PaymentRecord } from '../contract/checkout.ts'
import { add, canonical, compare, subtract, sum } from '../contract/decimal.ts'
import { FAILURE_REASONS, failureReasonOf } from '../contract/failure-reason.ts'
import { contradicts, withoutInvisible } from '../contract/fields.ts'
import { readPhoneNumber } from '../contract/phone-number.ts'
import { CHECKOUT_STATUS, PAYMENT_STATUS } from '../contract/status.ts'
import { storedAmount } from '../transactions/record.ts'
import { DAY, REPORT_LAG_MS } from '../transactions/schedule.ts'
import { PayerPrints } from './payers.ts'

import type { Discrepancy, Outcome, PaymentOutcome } from '../api/view.ts'
import type { ChargeStatus } from '../contract/charge.ts'
import type { FailureWords } from '../contract/failure-reason.ts'
import type { CheckoutStatus, PaymentStatus } from '../contract/status.ts'
import type { PaymentFacts } from '../transactions/kind.ts'

/**
 * A stored payment record. `payment_id` is the id to which the service confirmation refers: the `transaction_id` of the
 * payment; `null` if the gateway did not report one. [assumed] If a charge is reported as one payment without a
 * `transaction_id`, the value is its `charge_request_id`.
 */
export const Payment = PaymentRecord.omit({
  transaction_id: true,
  charge_request_id: true,
  payer_msisdn: true,
  payer_transaction_id: true,
  payment_account_reference: true,
  receiver_narration: true,
  status_code: true,
  status_description: true,
  message: true,
}).extend({
  payment_id: z.string().nullable(),
  /** Why the payment failed; `null` if it did not fail. */
  reason: z.enum(FAILURE_REASONS).nullable(),
  /** The operator's receipt number; `null` if the gateway did not report one. */
  receipt: z.string().nullable(),
  /**
   * The place in the report, from 0, of the first payment with the same `payer_transaction_id`, which is the operator's
   * reference of one payment; `null` if the payment has none. The reference itself may be a phone number, and is not
   * stored.
   */
  same_reference_as: z.number().nullable(),
  /** Who paid, as keyed fingerprints; `null` if the gateway does not say so, and once the payer's data were erased. */
  payer: PayerPrints.nullable(),
})
export type Payment = z.output<typeof Payment>

/**
 * `at` is the time when the gateway answered, in milliseconds since the Unix epoch: by its own clock or, if the answer
 * has no `Date`, the time of the query by this server's. `amount` is the total that the
 * gateway has received, as decimal text in major units of `currency`.
 */
export const ReportedState = z.object({
  at: z.number(),
  /** When the gateway was first heard to report this status, as `at`. */
  since: z.number(),
  status: z.literal(Object.values(CHECKOUT_STATUS)),
  /** The gateway's reference for the session; `null` if the report names none, as that of a single payment. */
  checkout_reference: z.string().nullable(),
  amount: storedAmount,
  /** The most that the gateway was ever heard to have received, as `amount`. */
  most: storedAmount,
  currency: z.string(),
  payments: z.array(Payment),
  /** The number of amounts and payment records that cannot be read. */
  unreadable: z.number(),
})
export type ReportedState = z.output<typeof ReportedState>

/**
 * For each status, the statuses that the gateway may report after this status. The spec lists all statuses, but does
 * not define which status may follow which.
 *
 * [assumed] A status is followed only by the statuses in this table.
 */
const FOLLOWS: Record<CheckoutStatus, readonly CheckoutStatus[]> = {
  851: [801, 802, 803, 820, 840, 841, 850], // pending: every other status may follow
  803: [801, 802, 820, 840, 841, 850, 851], // unpaid: the payer may pay until the session expires
  802: [801, 803, 840, 841, 850, 851], // partly paid: the rest may be paid, or the paid part returned
  850: [801, 802, 803, 840, 841, 851], // jammed (stuck at the operator): every status except expired may follow
  801: [840, 841], // paid: only a reversal or a refund may follow
  820: [801, 802, 803, 840, 841, 850, 851], // expired: a late payment may still arrive
  840: [801, 802, 841, 850, 851], // reversed: the payer has the money back, and may pay again
  841: [840], // refunded: the merchant gave the money back
}

/**
 * Returns whether the status of `after` is the status of `before`, or can follow it, and no money is gone that the
 * gateway had received: money goes back by a reversal or a refund.
 */
export function canFollow(before: ReportedState, after: ReportedState): boolean {
  if (isReceived(moneyOf(before)) && isMoneyless(after)) {
    if (paymentsOf(after, 'reversed', 'refunded').length === 0) {
      return false
    }
  }
  return before.status === after.status || FOLLOWS[before.status].includes(after.status)
}

/**
/**
 * Returns whether two reported states are equal, apart from `at`, and from fingerprints, which another secret changes:
 * "1500" and "1500.00" are one amount. Returns `false` if `before` is `null`, which means that no state is stored.
 */
export function isSameReport(before: ReportedState | null, after: ReportedState): boolean {
  return before !== null && contentOf(before) === contentOf(after)
}

function contentOf(reported: ReportedState): string {
  const payments = reported.payments.map((payment) => ({ ...payment, payer: null }))
  return JSON.stringify({ ...reported, payments, at: 0, since: 0 }, (name, value) =>
    name === 'amount' || name === 'most' ? canonical(value) : value,
  )
}

/** Returns a report without what tells who paid: also the receipt, which the payer has in an SMS. */
export function withoutPayers(reported: ReportedState): ReportedState {
  const payments = reported.payments.map((payment) => ({ ...payment, payer: null, receipt: null }))
  return { ...reported, payments }
}

/** Returns the text by which a receipt is found and compared: neither spaces nor case make another one. */
export function receiptKey(receipt: string): string {
  return withoutInvisible(receipt).replaceAll(/\s/g, '').toUpperCase()
}

/**
 * Returns a report with what is only known from the reports before it. [assumed] A report that lists no payment, and
 * otherwise says the same, has left them out. A payment that was in flight is over, unless money was received.
 */
export function continued(before: ReportedState | null, heard: ReportedState): ReportedState {
  if (before === null) {
    return heard
  }

  const since = before.status === heard.status ? before.since : heard.since
  const most = larger(before.most, heard.most)
  const isSilent = heard.payments.length + heard.unreadable === 0
  const isSame = before.status === heard.status && compare(before.amount, heard.amount) === 0
  const left = isReceived(moneyOf(before)) ? before.payments : before.payments.filter((each) => !isStep(each))
  return { ...heard, since, most, payments: isSilent && isSame ? left : heard.payments }
}

/**
 * Converts the gateway's response to a status query to the reported state. The payer's phone number and the operator's
 * remarks are omitted, and therefore never stored; of the remarks, only the reason of a failure is kept.
 *
 * @param currency The requested currency. [assumed] This is the currency of a report that names none, if the currency
 * of its service is unknown.
 * @param payers The fingerprints of the payers, in the order of the payments.
 */
export function toReportedState(
  payload: ChargeStatus,
  at: number,
  currency: string,
  payers: readonly (PayerPrints | null)[] = [],
): ReportedState {
  const { status, checkout_reference, amount } = payload
  const records = payload.payments.filter((payment) => payment !== null)
  // The words beside the overall status tell why a payment failed, unless several failed.
  const words = records.filter(hasFailed).length === 1 ? [payload] : []
  const ordered = oldestFirst(records)
  const references = ordered.map(({ payer_transaction_id }) => identityOf(payer_transaction_id))
  const payerOf = new Map(payload.payments.map((payment, index) => [payment, payers[index] ?? null]))
  const payments = ordered.map((record) => {
    const payer = payerOf.get(record) ?? null
    return {
      charge: record.charge_request_id,
      payment: toPayment(record, payload, { words, references, payer }),
    }
  })
  const listed = withoutRepeats(withoutSteps(payments))
  return {
    at,
    since: at,
    status,
    checkout_reference,
    amount: amount ?? '0',
    most: sumsOf({ status, amount: amount ?? '0', payments: listed }).received,
    currency: payload.currency ?? currency,
    payments: listed,
    unreadable: payload.payments.length - records.length + (amount === null ? 1 : 0),
  }
}

/**
 * [assumed] The gateway lists payments in order of time. If all are dated, and show another order, the dates decide.
 */
function oldestFirst(records: readonly PaymentRecord[]): readonly PaymentRecord[] {
  const timeOf = ({ payment_date }: PaymentRecord) => (payment_date === null ? NaN : Date.parse(payment_date))
  if (records.some((record) => Number.isNaN(timeOf(record)))) {
    return records
  }
  return records.toSorted((a, b) => timeOf(a) - timeOf(b))
}

function toPayment(
  record: PaymentRecord,
  { checkout_reference }: ChargeStatus,
  about: {
    words: readonly FailureWords[]
    references: readonly (string | null)[]
    payer: PayerPrints | null
  },
): Payment {
  const { words, references, payer } = about
  const payment_id = record.transaction_id ?? (checkout_reference === null ? record.charge_request_id : null)
  const reason = hasFailed(record) ? failureReasonOf(record, ...words) : null
  const reference = identityOf(record.payer_transaction_id)
  const same_reference_as = reference === null ? null : references.indexOf(reference)
  return Payment.parse({
    ...record,
    payment_id,
    reason,
    receipt: receiptOf(record),
    same_reference_as,
    payer,
  })
}

/**
 * Returns the text by which an id or reference of a payment is compared: neither spaces, invisible characters nor case
 * make another payment. `null` if there is none.
 */
function identityOf(text: string | null): string | null {
  return text === null ? null : withoutInvisible(text).replaceAll(/\s/g, '').toLowerCase() || null
}

/**
 * Returns the number with which the operator tells the payer of the payment, in an SMS; `null` if there is none. [spec:
 * Payment record, "Payer's transaction reference"] [assumed] Some gateways have it only as the account reference, which
 * is an account or a phone number if it has no letters. A receipt is one word of 4 to 64 characters. Whoever knows the
 * order sees the receipt, so twelve digits that read as a phone number are none either.
 */
function receiptOf({ payer_transaction_id, payment_account_reference }: PaymentRecord): string | null {
  const account = /[a-z]/i.test(payment_account_reference ?? '') ? payment_account_reference : null
  const receipt = (payer_transaction_id ?? account)?.trim() ?? null
  if (receipt === null || !/^[\w.:/-]{4,64}$/.test(receipt)) {
    return null
  }
  return /^\d{12}/.test(receipt) && readPhoneNumber(receipt, null) !== null ? null : receipt
}

function hasFailed({ payment_status }: Pick<PaymentRecord, 'payment_status'>): boolean {
  return payment_status === PAYMENT_STATUS.failed
}

/**
 * Returns the payments without repetitions. A payment repeats an earlier payment if all fields are equal and
 * `payment_id` is not `null`.
 */
function withoutRepeats(payments: readonly Payment[]): Payment[] {
  const earlier = new Set<string>()
  return payments.filter((payment) => {
    const text = JSON.stringify(payment)
    const isRepeated = payment.payment_id !== null && earlier.has(text)
    earlier.add(text)
    return !isRepeated
  })
}

/** A payment, with the id of its charge in the report. */
interface Listed {
  charge: string | null
  payment: Payment
}

/**
 * Returns the payments, in order of time, without the steps that led to an end: some gateways list the events of a
 * payment. A waiting or jammed record gives way to a later end of the same payment, and so does a failed one that was
 * processed anew: what waits after an end is processed anew. [assumed] Nothing else is left out.
 */
function withoutSteps(listed: readonly Listed[]): Payment[] {
  const left: Payment[] = []
  const later = new Map<string, { isOver: boolean; isAnew: boolean }>()
  for (const { payment, charge } of listed.toReversed()) {
    const amount = canonical(payment.amount)
    const byId = payment.payment_id === null ? null : `id ${payment.payment_id} ${amount}`
    const byCharge = charge === null ? null : `charge ${charge} ${amount}`
    // [assumed] A payment may have no id before its end: until then, it is known by the id of its charge.
    const known = byId ?? (isStep(payment) ? byCharge : null)
    const { isOver, isAnew } = later.get(known ?? '') ?? NOTHING_LATER
    const isReplaced = isStep(payment) ? isOver : hasFailed(payment) && isAnew && isOver
    if (!isReplaced) {
      left.push(payment)
    }

    for (const key of [byId, byCharge]) {
      if (key !== null) {
        const before = later.get(key) ?? NOTHING_LATER
        later.set(key, isStep(payment) ? { ...before, isAnew: true } : { ...before, isOver: true })
      }
    }
  }
  return left.toReversed()
}

const NOTHING_LATER = { isOver: false, isAnew: false }

/** Returns whether a payment waits for the payer or the operator, or is stuck at the operator. */
function isStep({ payment_status }: Payment): boolean {
  return ['waiting', 'jammed'].includes(PAYMENT_OUTCOME[payment_status])
}

export interface Money {
  /** The amount that the gateway has received and holds: decimal text in major units of the reported currency. */
  received: string
  /** Whether a payment waits for the payer or the operator, or is stuck at the operator. */
  in_flight: boolean
  /** Whether the gateway says that the money was reversed or refunded, and not that it holds less than before. */
  returned: boolean
  /** Whether the gateway reports money that cannot be read. */
  unreadable: boolean
}

/**
 * Returns what was paid: how much of it is held, with which receipts, and by whom, as far as the gateway says so.
 *
 * @param currency The requested currency.
 */
export function paidIn(
  reported: ReportedState | null,
  currency: string,
): Omit<PaymentFacts, 'reference' | 'narration' | 'asked' | 'currency'> {
  const moved = (reported?.payments ?? []).filter(({ payment_status }) =>
    ['successful', 'reversed', 'refunded'].includes(PAYMENT_OUTCOME[payment_status]),
  )
  return {
    received: canonical(moneyOf(reported).received),
    most: canonical(reported?.most ?? '0'),
    paid_currency: reported && contradicts(reported.currency, currency) ? reported.currency : currency,
    receipts: [...new Set(moved.flatMap(({ receipt }) => receipt ?? []))],
    ends: [...new Set(moved.flatMap(({ payer }) => payer?.ends ?? []))],
  }
}

/** The outcome of a payment for each payment status. [spec: Payment status inside checkout payment records] */
export const PAYMENT_OUTCOME = {
  700: 'successful',
  701: 'failed',
  702: 'reversed',
  703: 'waiting',
  704: 'jammed',
  705: 'refunded',
  706: 'waiting',
  707: 'waiting',
  708: 'waiting',
} as const satisfies Record<PaymentStatus, PaymentOutcome>

/**
 * Returns what a report says about money. The stated total counts as well as the payment records: what either of them
 * shows is money, whatever the status says. If the total is 0, the successful payments are what is held.
 *
 * [assumed] Where less is held than was ever received, only a part went back. If a report lists a successful payment
 * beside a returned one with another id, and nothing shows whether these are two payments or one with its return, a
 * person has to look.
 */
export function moneyOf(reported: ReportedState | null): Money {
  if (reported === null) {
    return { received: '0', in_flight: false, returned: false, unreadable: false }
  }

  const { status, most } = reported
  const { held: received, received: everReceived, isOneOrTwo } = sumsOf(reported)
  const isPart = compare(received, '0') > 0 && compare(received, most) < 0
  const isUnclear = isOneOrTwo && !isPart
  const isClaimed = status === 801 || status === 802 || paymentsOf(reported, 'successful').length > 0
  return {
    received,
    in_flight: status === 850 || status === 851 || paymentsOf(reported, 'waiting', 'jammed').length > 0,
    returned: isReturn(status) && !isPart && !isUnclear,
    unreadable: reported.unreadable > 0 || isUnclear || (isClaimed && compare(everReceived, '0') <= 0),
  }
}

interface Sums {
  /** What the gateway holds. */
  held: string
  /** What the gateway has received, with what went back. */
  received: string
  /** Whether a successful payment and a returned one may be one payment, which was returned. */
  isOneOrTwo: boolean
}

/**
 * Returns the sums of a report. A returned payment was received, too. What went back of a payment that is also listed as
 * successful is not held. [assumed] After a reversal or a refund, the total is what is left, or what was received before.
 */
function sumsOf(report: Pick<ReportedState, 'status' | 'amount' | 'payments'>): Sums {
  const { status, amount } = report
  const successful = paymentsOf(report, 'successful')
  const returned = paymentsOf(report, 'reversed', 'refunded')
  const isOfThese = oneOf(successful)
  const ofThese = returned.filter(isOfThese)
  const ofOthers = returned.filter((each) => !isOfThese(each))

  const paid = sumOf(successful)
  const total = add(paid, sumOf(ofOthers))
  const isStated = compare(amount, '0') > 0
  if (!isReturn(status)) {
    return { held: isStated ? amount : paid, received: larger(amount, total), isOneOrTwo: false }
  }

  const kept = larger(subtract(paid, sumOf(ofThese)), '0')
  if (compare(amount, total) === 0) {
    return { held: kept, received: total, isOneOrTwo: false }
  }

  const held = isStated && compare(amount, sumOf(returned)) !== 0 ? amount : kept
  const isOneOrTwo = compare(kept, '0') > 0 && ofOthers.length > 0
  const isListed = ofThese.length > 0 && !isOneOrTwo
  return { held, received: isListed ? larger(held, total) : held, isOneOrTwo }
}

/** Returns whether a record is about one of these payments: it has the id of one, or its reference of the operator's. */
function oneOf(payments: readonly Payment[]): (payment: Payment) => boolean {
  const ids = new Set(payments.filter(({ payment_id }) => payment_id !== null).map(idOf))
  const references = new Set(payments.map(({ same_reference_as }) => same_reference_as))
  references.delete(null)
  return (payment) =>
    (payment.payment_id !== null && ids.has(idOf(payment))) || references.has(payment.same_reference_as)
}

function isReturn(status: CheckoutStatus): boolean {
  return status === 840 || status === 841
}

/** Returns whether the gateway holds money, or reports money that cannot be read. */
export function isReceived({ received, unreadable }: Money): boolean {
  return unreadable || compare(received, '0') > 0
}

/** Returns whether the gateway holds or moves money, or reports money that cannot be read. */
export function hasMoney(money: Money): boolean {
  return money.in_flight || isReceived(money)
}

/** Returns whether the gateway neither holds, moves nor has returned money. */
export function isMoneyless(reported: ReportedState): boolean {
  const money = moneyOf(reported)
  return !hasMoney(money) && !money.returned
}

/** Returns the payments with one of these outcomes, in the order of the report. */
export function paymentsOf(
  { payments }: Pick<ReportedState, 'payments'>,
  ...outcomes: PaymentOutcome[]
): Payment[] {
  return payments.filter(({ payment_status }) => outcomes.includes(PAYMENT_OUTCOME[payment_status]))
}

function larger(a: string, b: string): string {
  return compare(a, b) < 0 ? b : a
}

function sumOf(payments: readonly Payment[]): string {
  return sum(payments.map(({ amount }) => amount))
}

export interface PayInOutcome {
  outcome: Outcome
  settled: boolean
  discrepancy: Discrepancy | null
}

/** The requested terms and the session, with which a reported state is compared. */
interface PayInTerms {
  /** The requested amount: decimal text in major units of `currency`. */
  amount: string
  currency: string
  account_number: string
  service_code: string
  reference: string
  /** The gateway's reference for the session; `null` if the gateway has not reported a reference for the session. */
  checkout_reference: string | null
  /** When the session expires, in milliseconds since the Unix epoch. */
  expires_at: number
  /**
   * Whether the gateway prompts the payer, without a hosted page. [assumed] The gateway prompts the payer only once, so
   * the payer's answer ends the pay-in.
   */
  is_prompt: boolean
}

/**
 * The time from the session's expiry until a pay-in without a payment in flight is settled, in milliseconds. [assumed]
 * Within this time, the gateway reports every payment that was made before expiry.
 */
export const EXPIRY_GRACE_MS = REPORT_LAG_MS
/**
 * The time from the session's expiry until a pay-in with a payment in flight ends as `review`, in milliseconds.
 * [assumed] The operator completes each payment within this time.
 */
export const LONGEST_IN_FLIGHT_MS = DAY

/**
 * Returns what a reported state means. The outcome is `paid` only if the gateway reports status 801 and the reported
 * payments match the requested terms; a larger amount is accepted. It stays `paid` if only a part went back (840, 841), and
 * what is left covers the requested amount [assumed]. It is `partial` only if the gateway reports status
 * 802 and the payments match, except that they cover a part of the amount. Money that is received or cannot be read is
 * never `unpaid` or `expired`: the outcome is `review`, and a person looks.
 *
 * The spec does not say when a status is final. [assumed] An unpaid (803) or partly paid (802) pay-in is settled only
 * after its session has expired, and an expired one (820) once the gateway has said so for {@link EXPIRY_GRACE_MS}; with
 * money in flight, up to {@link LONGEST_IN_FLIGHT_MS} later.
 */
export function determinePayInOutcome(reported: ReportedState, terms: PayInTerms): PayInOutcome {
  const { status, payments } = reported
  const money = moneyOf(reported)
  const { in_flight } = money
  // After this time, nothing that was paid in the session is still unreported.
  const isPast = reported.at - terms.expires_at >= (in_flight ? LONGEST_IN_FLIGHT_MS : EXPIRY_GRACE_MS)
  const isOver = isPast || (terms.is_prompt && payments.length > 0 && !in_flight)
  switch (status) {
    case 801: {
      const discrepancy = findDiscrepancy(reported, terms)
      return { outcome: isEnough(discrepancy) ? 'paid' : 'review', settled: true, discrepancy }
    }
    case 802: {
      const discrepancy = findDiscrepancy(reported, terms)
      const isUnclear = in_flight || money.unreadable
      // While the session is open, the shopper can still pay.
      if (discrepancy === 'short' && !(isOver && isUnclear)) {
        return payInOutcome('partial', isOver)
      }
      return { outcome: isOver ? 'review' : 'partial', settled: isOver, discrepancy: discrepancy ?? 'amount' }
    }
    case 803:
    case 820: {
      // When the gateway says that a session has ended, the payment of its last minute may be unreported, whatever end it
      // named before. A prompt ends when the payer is no longer asked.
      const isUnasked = terms.is_prompt && reported.at < terms.expires_at
      const isSeen = reported.at - reported.since >= EXPIRY_GRACE_MS
      const isEnded = isPast || (status === 820 && !in_flight && (isUnasked || isSeen))
      if (isReceived(money)) {
        return { outcome: 'review', settled: isEnded, discrepancy: 'amount' }
      }
      if (in_flight && isPast) {
        return payInOutcome('review', true)
      }
      if (status === 820 && isEnded) {
        return payInOutcome('expired', true)
      }
      if (status === 820) {
        return payInOutcome(in_flight ? 'pending' : 'waiting', false)
      }
      if (isOver) {
        return payInOutcome('unpaid', true)
      }

      return payInOutcome(
        payments.at(-1)?.payment_status === PAYMENT_STATUS.failed ? 'unpaid' : 'waiting',
        false,
      )
    }
    case 840:
    case 841: {
      const discrepancy = findOtherTerm(reported, terms) ?? compareAmounts(money.received, terms.amount)
      if (!money.returned && money.unreadable) {
        return { outcome: 'review', settled: true, discrepancy: 'amount' }
      }
      if (!money.returned && isEnough(discrepancy)) {
        return { outcome: 'paid', settled: true, discrepancy }
      }
      // The payer pays again.
      if (in_flight) {
        return payInOutcome(isPast ? 'review' : 'pending', isPast)
      }
      return payInOutcome(status === 840 ? 'reversed' : 'refunded', true)
    }
    case 850:
      return isPast ? payInOutcome('review', true) : payInOutcome('jammed', false)
    case 851:
      return isPast ? payInOutcome('review', true) : payInOutcome('pending', false)
  }
}

/** Returns an outcome without a discrepancy. */
export function payInOutcome(outcome: Outcome, settled: boolean): PayInOutcome {
  return { outcome, settled, discrepancy: null }
}

/**
 * Returns the most serious difference between the payments that the gateway reported and the requested terms; `null` if
 * there is no difference.
 */
function findDiscrepancy(reported: ReportedState, requested: PayInTerms): Discrepancy | null {
  return findOtherTerm(reported, requested) ?? findAmountDiscrepancy(reported, requested)
}

/** Returns the most serious difference in another term than the amount; `null` if there is none. */
function findOtherTerm(reported: ReportedState, requested: PayInTerms): Discrepancy | null {
  const received = paymentsOf(reported, 'successful')
  if (contradicts(reported.checkout_reference, requested.checkout_reference)) {
    return 'reference'
  }
  if (received.some((payment) => contradicts(payment.external_reference, requested.reference))) {
    return 'reference'
  }
  if (contradicts(reported.currency, requested.currency)) {
    return 'currency'
  }
  if (received.some((payment) => contradicts(payment.currency_code, requested.currency))) {
    return 'currency'
  }
  if (received.some((payment) => contradicts(payment.account_number, requested.account_number))) {
    return 'account'
  }
  if (received.some((payment) => contradicts(payment.service_code, requested.service_code))) {
    return 'service'
  }
  return null
}

function findAmountDiscrepancy(reported: ReportedState, requested: PayInTerms): Discrepancy | null {
  const received = paymentsOf(reported, 'successful')
  if (mayBeOne(received) || received.some(({ amount }) => compare(amount, '0') <= 0)) {
    return 'amount'
  }

  // A payment that is also listed as failed, reversed or refunded may not have been made, or have been returned.
  const ids = new Set(received.map(idOf))
  const others = paymentsOf(reported, 'failed', 'reversed', 'refunded')
  if (others.some((payment) => payment.payment_id !== null && ids.has(idOf(payment)))) {
    return 'amount'
  }

  const total = sumOf(received)
  // A total of 0 states nothing: the payments are what was received, unless there may be others.
  const isStated = compare(reported.amount, '0') !== 0
  if (isStated ? compare(total, reported.amount) !== 0 : reported.unreadable > 0) {
    return 'amount'
  }
  return compareAmounts(total, requested.amount)
}

function compareAmounts(held: string, requested: string): Discrepancy | null {
  const order = compare(held, requested)
  if (order < 0) {
    return 'short'
  }
  return order > 0 ? 'excess' : null
}

function isEnough(discrepancy: Discrepancy | null): boolean {
  return discrepancy === null || discrepancy === 'excess'
}

/**
 * Returns whether several records may describe a single payment: they have one id, no id, or one reference of the
 * operator's.
 */
function mayBeOne(payments: readonly Payment[]): boolean {
  const references = payments.flatMap(({ same_reference_as: place }) => (place === null ? [] : [place]))
  return hasRepetition(payments.map(idOf)) || hasRepetition(references)
}

function idOf({ payment_id }: Payment): string | null {
  return identityOf(payment_id)
}

function hasRepetition(values: readonly (string | number | null)[]): boolean {
  return new Set(values).size < values.length
}
