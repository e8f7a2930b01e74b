/**
 * The gateway's answer to a status query of a pay-in, and the reported state that is read from it: each payment once,
 * without the steps that led to its end. Pure.
 */

import { UNREADABLE } from '../contract/checkout.ts'
import { canonical, compare, movedAmount } from '../contract/decimal.ts'
import { failureReasonOf } from '../contract/failure-reason.ts'
import { readPhoneNumber } from '../contract/phone-number.ts'
import { CHECKOUT_STATUS, PAYMENT_STATUS } from '../contract/status.ts'
import { identityOf } from './identity.ts'
import { isReturn, knownAfter, saysReturn } from './ledger.ts'
import { idOf, isStep, Payment, PAYMENT_OUTCOME } from './payment.ts'
import { NOTHING_KNOWN } from './reported-state.ts'

import type { ChargeStatus } from '../contract/charge.ts'
import type { PaymentRecord } from '../contract/checkout.ts'
import type { FailureWords } from '../contract/failure-reason.ts'
import type { CountedElsewhere } from '../store/errors.ts'
import type { PayerPrints } from './payer-prints.ts'
import type { ReportedState } from './reported-state.ts'

/** What the gateway reports of a pay-in. */
export interface StatusReport {
  kind: 'status'
  payload: ChargeStatus
  at: number | null
  /** The gateway's id, if it was not known from a response to the request. */
  found_as?: string
  /** The fingerprints of who made each payment, in the order of the payments. */
  payers?: readonly (PayerPrints | null)[]
  /** The payments that count for other transactions, if the store has refused to count them for this one. */
  elsewhere?: CountedElsewhere
}

/**
 * The observation of a status query. `at` is when the gateway answered, by its own clock, in milliseconds since the Unix
 * epoch; `null` if the answer does not say so.
 */
export type StatusAnswer =
  | StatusReport
  /** The gateway does not know the pay-in (status_code 120 in the response). [spec: Checkout errors] */
  | { kind: 'unknown'; at: number | null }
  /** The gateway finds charges only by its own id, which the server does not know. Nothing was queried. */
  | { kind: 'unfound' }

/** What is known of the payments of a response besides. */
type About = Pick<StatusReport, 'payers'>

/**
 * Converts the gateway's response to a status query to the reported state.
 *
 * @param currency The requested currency. [assumed] This is the currency of a report that names none, if the currency
 * of its service is unknown.
 */
export function toReportedState(
  heard: ChargeStatus,
  at: number,
  currency: string,
  about: About = {},
): ReportedState {
  const payload = withoutSigns(heard)
  const { status, checkout_reference } = payload
  const payments = toPayments(payload, about)
  const isTotalReadable = payload.amount !== UNREADABLE
  const amount = isTotalReadable ? statedTotalOf(payload) : null
  const unreadable = payload.payments.filter((payment) => payment === null).length + (isTotalReadable ? 0 : 1)
  const report = { status, amount, payments, ...NOTHING_KNOWN }
  return {
    at,
    since: at,
    status,
    checkout_reference,
    amount,
    ...knownAfter(report),
    was_returned: saysReturn(report),
    currency: payload.currency ?? currency,
    payments,
    unreadable,
  }
}

/**
 * Returns the total that a report states; `null` if it states none. [assumed] A total of 0 says that there is nothing only
 * beside a status that may say so, too: unpaid, expired, reversed or refunded. Otherwise, it states none.
 */
function statedTotalOf({ status, amount }: ChargeStatus): string | null {
  const isZero = amount !== null && compare(amount, '0') === 0
  const isUnpaid = status === CHECKOUT_STATUS.unpaid || status === CHECKOUT_STATUS.expired
  const mayBeNone = isUnpaid || isReturn(status)
  return isZero && !mayBeNone ? null : amount
}

/** Returns a report whose amounts say how much has moved, or that they cannot be read. */
function withoutSigns(heard: ChargeStatus): ChargeStatus {
  const payments = heard.payments.map((record) => {
    const amount = record && movedAmount(record.amount, isBack(record))
    return record && amount !== null ? { ...record, amount } : null
  })
  const { amount: stated } = heard
  const isUnstated = stated === null || stated === UNREADABLE
  const amount = isUnstated ? stated : (movedAmount(stated, false) ?? UNREADABLE)
  return { ...heard, payments, amount }
}

function isBack({ payment_status }: Pick<PaymentRecord, 'payment_status'>): boolean {
  return ['reversed', 'refunded'].includes(PAYMENT_OUTCOME[payment_status])
}

/**
 * Returns the payments that the gateway lists, in order of time. The payer's phone number and the operator's remarks are
 * omitted, and therefore never stored; of the remarks, only the reason of a failure is kept.
 */
function toPayments(payload: ChargeStatus, { payers = [] }: About): Payment[] {
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
  return withoutRepeats(withoutSteps(payments))
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
  { checkout_reference, payments }: ChargeStatus,
  about: {
    words: readonly FailureWords[]
    references: readonly (string | null)[]
    payer: PayerPrints | null
  },
): Payment {
  const { words, references, payer } = about
  const ofCharge = payments.filter((each) => each?.charge_request_id === record.charge_request_id)
  const [only, ...others] = ofCharge.length === 1 ? ofCharge : ofCharge.filter(isMade)
  const isOne = checkout_reference === null && only === record && others.length === 0
  const payment_id = record.transaction_id ?? (isOne ? record.charge_request_id : null)
  const reason = hasFailed(record) ? failureReasonOf(record, ...words) : null
  const reference = identityOf(record.payer_transaction_id)
  const same_reference_as = reference === null ? null : references.indexOf(reference)
  return Payment.parse({
    ...record,
    payment_id,
    charge_id: record.transaction_id === null ? null : record.charge_request_id,
    reason,
    receipt: receiptOf(record),
    same_reference_as,
    payer,
  })
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

function isMade(record: PaymentRecord | null): boolean {
  const isSuccessful = record?.payment_status === PAYMENT_STATUS.successful
  return isSuccessful || (record !== null && isBack(record))
}

function hasFailed({ payment_status }: Pick<PaymentRecord, 'payment_status'>): boolean {
  return payment_status === PAYMENT_STATUS.failed
}

/**
 * Returns the payments without repetitions. A payment repeats an earlier payment if all fields are equal and
 * `payment_id` is not `null`. What went back does not: parts of one payment may be equal.
 */
function withoutRepeats(payments: readonly Payment[]): Payment[] {
  const earlier = new Set<string>()
  return payments.filter((payment) => {
    const text = JSON.stringify(payment)
    const isRepeated = payment.payment_id !== null && !isBack(payment) && earlier.has(text)
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
    const id = idOf(payment)
    const byId = id === null ? null : `id ${id}`
    // The payments of one charge have other amounts.
    const byCharge = charge === null ? null : `charge ${charge} ${canonical(payment.amount)}`
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
