/** Which answers each truth allows. The first one is what an honest gateway says that is up to date. */

import { CheckoutPayload } from '../../server/contract/checkout.ts'
import { PAYMENT_STATUS } from '../../server/contract/status.ts'
import { isLagging, LAG_MS } from './truth.ts'

import type { ChargeStatus } from '../../server/contract/charge.ts'
import type { CheckoutStatus, PaymentStatus } from '../../server/contract/status.ts'
import type { Money, Thing } from './truth.ts'

/**
 * How many of the answers are tried: all that the truth allows, one for each class of what the rules read, those of a
 * gateway that is never silent, those of one that is up to date besides, or the first one.
 */
export type Breadth = 'all' | 'classes' | 'not silent' | 'up to date' | 'first'

export interface Payment {
  status: PaymentStatus
  share: 'whole' | 'part' | 'rest'
  /** The number of its id, if it is not its place in the list. */
  id?: number
}

const PART = 500

function amountOf({ share }: Payment, whole: number): number {
  return { whole, part: PART, rest: whole - PART }[share]
}

/** What a status query is answered: a report, 120 or 723 (`unknown`), or nothing. */
export type StatusOption<Report> =
  | { name: string; kind: 'report'; report: Report }
  | { name: string; kind: 'unknown' | 'silence' }

export interface PayInReport {
  status: CheckoutStatus
  payments: readonly Payment[]
}

export const pay = (status: PaymentStatus, share: Payment['share'] = 'whole', id?: number): Payment => ({
  status,
  share,
  ...(id !== undefined && { id }),
})

/** The first report of each truth is the usual one; the others are as true. */
const PAY_IN_REPORTS: Record<Money, readonly [PayInReport, ...PayInReport[]]> = {
  none: [{ status: 803, payments: [] }],
  declined: [
    { status: 803, payments: [pay(701)] },
    // The events of one payment, each in the list.
    { status: 803, payments: [pay(703, 'whole', 1), pay(701, 'whole', 1)] },
    { status: 803, payments: [pay(701), pay(701)] },
  ],
  moving: [
    { status: 851, payments: [pay(703)] },
    { status: 803, payments: [pay(706)] },
    { status: 803, payments: [pay(701), pay(703)] },
  ],
  stuck: [
    { status: 850, payments: [pay(704)] },
    { status: 803, payments: [pay(701), pay(704)] },
  ],
  part: [
    { status: 802, payments: [pay(700, 'part')] },
    { status: 802, payments: [pay(701), pay(700, 'part')] },
  ],
  full: [
    { status: 801, payments: [pay(700)] },
    { status: 801, payments: [pay(701), pay(700)] },
    { status: 801, payments: [pay(700, 'part'), pay(700, 'rest')] },
  ],
  reversed: [
    { status: 840, payments: [pay(702)] },
    // The events of one payment, each in the list.
    { status: 840, payments: [pay(700, 'whole', 1), pay(702, 'whole', 1)] },
  ],
  refunded: [
    { status: 841, payments: [pay(705)] },
    { status: 841, payments: [pay(701), pay(705)] },
  ],
}
/** The reports of a gateway that lists the events of one payment, each as a payment. */
const EVENTS: Partial<Record<Money, PayInReport>> = {
  declined: { status: 803, payments: [pay(703, 'whole', 1), pay(701, 'whole', 1)] },
  full: { status: 801, payments: [pay(703, 'whole', 1), pay(700, 'whole', 1)] },
}
const PAID_AGAIN: PayInReport = { status: 801, payments: [pay(702, 'whole', 0), pay(700, 'whole', 1)] }
const EXPIRED: PayInReport = { status: 820, payments: [] }
/** What a gateway reports that leaves money out which it has reported before, and has. */
export const WITHOUT_MONEY: readonly PayInReport[] = [
  { status: 803, payments: [] },
  { status: 803, payments: [pay(703, 'rest', 9)] },
  { status: 851, payments: [] },
]

/** Returns the answers to a query about a pay-in. */
export function payInAnswers(
  thing: Thing | undefined,
  now: number,
  { breadth, listsEvents }: { breadth: Breadth; listsEvents: boolean },
): readonly StatusOption<PayInReport>[] {
  if (thing?.isContradicted) {
    return [{ name: 'a contradiction', kind: 'report', report: { status: 803, payments: [] } }]
  }

  const reportsOf = (money: Money) => {
    if (thing?.isPaidAgain || thing?.isDetailed) {
      return [laterReportOf(thing)]
    }

    const events = listsEvents ? EVENTS[money] : undefined
    const all = events ? [events] : PAY_IN_REPORTS[money]
    const reports = breadth === 'all' ? all : all.slice(0, 1)
    return thing && money === 'none' && now >= thing.expiresAt ? [...reports, EXPIRED] : reports
  }

  return statusAnswers(thing, now, breadth, reportsOf, nameOf)
}

/** The report of money that was paid again, or that says more than before. */
function laterReportOf({ money, isPaidAgain, isDetailed }: Thing): PayInReport {
  const [{ status, payments }] = isPaidAgain ? [PAID_AGAIN] : PAY_IN_REPORTS[money]
  const named = payments.map((payment, index) => ({ id: index, ...payment }))
  return { status, payments: isDetailed ? [pay(701, 'whole', 2), ...named] : named }
}

export function nameOf({ status, payments }: PayInReport): string {
  const list = payments.map((each) => each.status + (each.share === 'whole' ? '' : ` ${each.share}`))
  return `${status} [${list.join(', ')}]`
}

/** Returns the answers to a query about a payout or airtime, whose reports are single statuses. */
export function codeAnswers(
  thing: Thing | undefined,
  now: number,
  breadth: Breadth,
  codes: Readonly<Record<Money, readonly number[]>>,
): readonly StatusOption<number>[] {
  const codesOf = (money: Money) => (breadth === 'all' ? codes[money] : codes[money].slice(0, 1))
  return statusAnswers(thing, now, breadth, codesOf, String)
}

export const PAYOUT_CODES: Record<Money, readonly number[]> = {
  none: [703],
  declined: [701],
  moving: [703],
  stuck: [704],
  part: [],
  full: [700],
  reversed: [702],
  refunded: [705],
}
export const AIRTIME_CODES: Record<Money, readonly number[]> = {
  none: [600],
  declined: [603],
  moving: [601, 607],
  stuck: [604],
  part: [],
  full: [602],
  reversed: [605],
  refunded: [606],
}

/** Returns every code of these. */
export function everyCode(codes: Readonly<Record<Money, readonly number[]>>): readonly number[] {
  return [...new Set(Object.values(codes).flat())]
}

function statusAnswers<Report>(
  thing: Thing | undefined,
  now: number,
  breadth: Breadth,
  reportsOf: (money: Money) => readonly Report[],
  named: (report: Report) => string,
): readonly StatusOption<Report>[] {
  const unknown = { name: 'not found', kind: 'unknown' } as const
  const silence = { name: 'silence', kind: 'silence' } as const
  const isGone = !thing || thing.isForgotten
  const isOld = thing && thing.before !== thing.money && isLagging(thing, now)
  const reports = isGone ? [] : reportsOf(thing.money)
  const mayLag = isOld && !isGone && breadth !== 'up to date'
  const lagging = mayLag ? reportsOf(thing.before) : []
  const options: StatusOption<Report>[] = [...reports, ...lagging].map((report) => ({
    name: named(report),
    kind: 'report',
    report,
  }))
  if (isGone) {
    options.push(unknown)
  }
  if (breadth === 'up to date') {
    return options
  }
  if (breadth === 'first') {
    return options.slice(0, 1)
  }
  if (!isGone && now - thing.arrivedAt < LAG_MS) {
    options.push(unknown)
  }
  return breadth === 'not silent' ? options : [...options, silence]
}

export function paymentIdOf({ reference }: Pick<Thing, 'reference'>, id: number): string {
  return `payment ${id} of ${reference}`
}

const payloads = new Map<string, ChargeStatus>()

/** Returns the report as the client returns it. Equal reports are one object. */
export function payloadOf(
  { reference, amount }: Pick<Thing, 'reference' | 'amount'>,
  report: PayInReport,
  isById: boolean,
): ChargeStatus {
  const { status, payments } = report
  const name = `${reference} ${amount} ${nameOf(report)} ${payments.map(({ id }) => id ?? '').join()} ${isById}`
  const known = payloads.get(name)
  if (known) {
    return known
  }

  const whole = Number(amount)
  const received = payments
    .filter((each) => each.status === PAYMENT_STATUS.successful)
    .map((each) => amountOf(each, whole))
  const payload = CheckoutPayload.parse({
    amount: String(received.reduce((sum, each) => sum + each, 0)),
    checkout_reference: isById ? null : `session of ${reference}`,
    currency: 'KES',
    merchant_transaction_id: reference,
    status,
    payments: payments.map((payment, index) => ({
      event: 'payment_status',
      amount: String(amountOf(payment, whole)),
      payment_status: payment.status,
      currency_code: 'KES',
      account_number: 'ACC-001',
      service_code: 'CHECKOUT-KES',
      external_reference: reference,
      transaction_id: paymentIdOf({ reference }, payment.id ?? index),
    })),
  })
  payloads.set(name, payload)
  return payload
}
