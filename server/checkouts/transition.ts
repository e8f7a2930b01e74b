/**
 * Computes the next record of a checkout from an observation, and the events about a new record. The gateway's
 * responses may arrive late, twice or out of order. Pure.
 */

import type { EventType } from '../api/kinds.ts'
import type { ReportedState } from '../payins/outcome.ts'
import type { Refused } from '../payins/payer.ts'
import type { Confirming } from '../payins/service-confirmation.ts'
import type { StatusAnswer } from '../payins/status-query.ts'
import type { Missing } from '../transactions/submission.ts'
import type { Overdue, TransitionResult } from '../transactions/transition.ts'
import type { Checkout, CheckoutRecord, IntendedCheckout, OpenCheckout, Opened, Visit } from './record.ts'
import { compare } from '../contract/decimal.ts'
import {
  canFollow,
  hasMoney,
  isSameReport,
  moneyOf,
  payInOutcome,
  toReportedState,
} from '../payins/outcome.ts'
import { isRefundDue, transitionConfirmation } from '../payins/service-confirmation.ts'
import { DAY, MINUTE } from '../transactions/schedule.ts'
import { countMissing, isTooEarly, WHY_MISSING } from '../transactions/submission.ts'
import {
  alarmAfter,
  answeredAt,
  changed,
  hasEnded,
  raise,
  tell,
  unchanged,
} from '../transactions/transition.ts'
import { addStart, determineOutcome, isCharge } from './record.ts'

/**
 * An input of {@link transition}: a report of the gateway, the merchant's decision about the service confirmation, or a
 * shopper's request to start a checkout that already exists.
 */
export type Observation =
  /**
   * The gateway's successful response to the request that starts the checkout. The response may arrive after the
   * response to a status query. `at` is as in {@link StatusAnswer}.
   */
  | { kind: 'acknowledged'; answer: Opened; at: number | null }
  | Refused
  | StatusAnswer
  | Confirming
  /**
   * A shopper started the checkout again, for example in a second tab. `visit` (how the shopper opens the hosted page,
   * and where the return page sends the shopper) is merged into the stored visit.
   */
  | { kind: 'visit'; visit: Visit }

/** The type of an event about a checkout, without the prefix `checkout.`. */
export type CheckoutEvent = SuffixOf<EventType>
type SuffixOf<Type> = Type extends `checkout.${infer Suffix}` ? Suffix : never

type CheckoutTransitionResult = TransitionResult<CheckoutRecord>

/**
 * Returns the next record of a checkout, with the history entry.
 *
 * @param askedAt When the gateway was queried or the request was sent, in milliseconds since the Unix epoch.
 */
export function transition(
  checkout: Checkout,
  observation: Observation | Overdue,
  askedAt: number,
): CheckoutTransitionResult {
  const { record } = checkout
  // Whether the session is over is for the gateway's clock to say.
  const at = answeredAt(observation, askedAt)
  switch (observation.kind) {
    case 'visit': {
      const visit = addStart(record.visit, observation.visit)
      if (visit === record.visit) return unchanged(record)
      return { record: { ...record, visit }, historyEntry: null }
    }
    case 'acknowledged':
      return acknowledge(record, observation.answer, at)
    case 'refused': {
      if (record.phase !== 'intended') return unchanged(record)
      const { why, refusal } = observation
      return changed({ phase: 'refused', ...keptOf(record), why, refusal, alarm: null }, why)
    }
    case 'status': {
      const reported = toReportedState(observation.payload, at, record.requested.currency)
      const sent = record.phase === 'intended' ? openRecord(keptOf(record), NO_ANSWER, at) : record
      return report({ ...checkout, record: sent }, reported, askedAt)
    }
    case 'unknown':
    case 'unfound':
    case 'overdue':
      return reportMissing(checkout, observation.kind, askedAt, at)
    case 'decided':
    case 'accepted':
    case 'answered': {
      if (record.phase !== 'open') return unchanged(record)
      const isPaid = attentionOf(record) === null && determineOutcome(checkout).outcome === 'paid'
      return transitionConfirmation(record, observation, isPaid)
    }
  }
}

/**
 * Returns the transition result for the gateway's acknowledgement. It may arrive after a status of the checkout was
 * reported: it contains the page, the gateway's id and the time of expiry.
 */
function acknowledge(record: CheckoutRecord, answer: Opened, at: number): CheckoutTransitionResult {
  const { checkout_reference, charge_request_id } = answer
  const opened = `The gateway opened ${checkout_reference === null ? 'it' : `checkout ${checkout_reference}`}.`
  const sentence = record.prompt ? `The gateway prompts the payer under ${charge_request_id}.` : opened
  if (record.phase === 'intended') return changed(openRecord(keptOf(record), answer, at), sentence)
  if (record.phase !== 'open') return unchanged(record)
  const { session } = record
  if (session.charge_request_id !== null || session.redirect_url !== null) return unchanged(record)
  const expires_at = answer.expires_at === null ? session.expires_at : Date.parse(answer.expires_at)
  return changed({ ...record, session: { ...answer, expires_at } }, sentence)
}

/**
 * Returns the transition result of a checkout about which the gateway reports nothing: a status query did not find it,
 * or its last deadline has passed. After its session, a checkout that is not found ends with what the gateway last
 * reported, and as expired if it never reported a status.
 *
 * @param at When the gateway answered, by its clock.
 */
function reportMissing(
  checkout: Checkout,
  why: Missing,
  askedAt: number,
  at: number,
): CheckoutTransitionResult {
  const { record } = checkout
  if (record.phase === 'intended') {
    const result = countMissing({ ...checkout, record }, askedAt, why)
    if (result) return result
    const abandoned: CheckoutRecord = { phase: 'abandoned', ...keptOf(record), alarm: null }
    return changed(abandoned, 'The gateway never received this checkout; given up.')
  }
  if (record.phase !== 'open' || why === 'unfound' || isTooEarly(checkout, askedAt)) return unchanged(record)
  const missing = why === 'overdue' ? { is_overdue: true } : { unknown_at: at }
  const next = { ...checkout, record: { ...record, ...missing } }
  if (isAlike(checkout, next)) return unchanged(record)
  const settled_at = determineOutcome(next).settled ? (record.settled_at ?? askedAt) : null
  return changed({ ...next.record, settled_at }, WHY_MISSING[why])
}

/**
 * Returns whether two states of a checkout with the same report are equal to the merchant. Without a new report, the
 * outcome changes only when the checkout settles.
 */
function isAlike(a: Checkout, b: Checkout): boolean {
  const isSame = determineOutcome(a).settled === determineOutcome(b).settled
  return isSame && attentionOf(a.record) === attentionOf(b.record)
}

/** Returns the transition result for a reported state. */
function report(
  checkout: Checkout<Exclude<CheckoutRecord, IntendedCheckout>>,
  reported: ReportedState,
  askedAt: number,
): CheckoutTransitionResult {
  const { record } = checkout
  const { status } = reported
  const money = moneyOf(reported)
  if (record.phase !== 'open') {
    if (!hasMoney(money) && !money.returned) return unchanged(record)
    return raise(record, `The gateway says ${status} of a checkout that was ${record.phase}.`, 'returned')
  }
  const before = record.reported
  const why = `The gateway said ${status} after ${before?.status}, which is kept: a person has to look.`
  if (!canFollow(before, reported)) return raise(record, why, 'returned')
  const unalarmed = { ...record, reported, unknown_at: null, alarm: null }
  const means = determineOutcome({ ...checkout, record: unalarmed })
  const alarm = alarmAfter(record.alarm, means.outcome, status !== before?.status)
  const next = { ...checkout, record: { ...unalarmed, alarm, settled_at: means.settled ? askedAt : null } }
  if (isSameReport(before, reported) && isAlike(checkout, next)) return unchanged(record)
  const { outcome } = determineOutcome(next)
  return changed(next.record, `The gateway says ${status}, ${money.received} received: ${outcome}.`)
}

/** Returns why a person has to check the checkout, apart from its outcome; `null` if nobody has to. */
function attentionOf(record: CheckoutRecord): string | null {
  if (record.phase === 'intended') return record.stuck
  if (record.alarm) return record.alarm.why
  if (record.phase === 'refused') return record.refusal ? null : record.why
  if (record.phase === 'abandoned') return null
  const { unknown_at, is_overdue, confirmation } = record
  if (unknown_at !== null) return WHY_MISSING.unknown
  if (is_overdue && isRefundDue(record)) return WHY_MISSING.overdue
  return confirmation?.stage === 'refused' ? confirmation.message : null
}

/** Returns the events about a new record, in the order of delivery, and the record with what the merchant was told. */
export function announce(
  before: Checkout,
  after: Checkout,
): { record: CheckoutRecord; events: CheckoutEvent[] } {
  const { record } = after
  const attention = attentionOf(record)
  const isNewAttention = attention !== null && attention !== attentionOf(before.record)
  const alarms: CheckoutEvent[] = isNewAttention ? ['needs_attention'] : []
  const events = [...alarms, ...eventsOf(before, after)]
  const { outcome, settled } = determineOutcome(after)
  // What is paid after a partial end, or after an end that is in doubt, is late.
  const isDoubted = outcome === 'review' && record.phase === 'open' && record.alarm !== null
  const isEnd = settled && (outcome === 'partial' || isDoubted)
  return { record: tell(record, isEnd ? [...events, 'ended'] : events), events }
}

/**
 * Returns the events about a new outcome. A new outcome causes an event, and so does a change of the received amount
 * of a partial, overpaid, reversed or refunded checkout. A partial checkout causes another event when it settles. The
 * outcomes `unpaid` and `expired` cause an event only when they settle the checkout; `waiting` and `pending` cause no
 * event.
 */
function eventsOf(before: Checkout, after: Checkout): CheckoutEvent[] {
  const { record } = after
  if (record.phase !== 'open') return []
  const { told, is_overdue } = record
  const old = before.record.phase === 'open' ? determineOutcome(before) : payInOutcome('waiting', false)
  const { outcome, settled, discrepancy } = determineOutcome(after)
  const became = old.outcome !== outcome
  const becameSettled = settled && (became || !old.settled)
  const moneyChanged = compare(receivedIn(before), receivedIn(after)) !== 0
  switch (outcome) {
    case 'paid': {
      // A status response may omit a payment that the next response contains again, so `paid` is told only once.
      const becamePaid = became && !told.includes('paid') && !told.includes('paid_late')
      const isLate = hasEnded(told) || is_overdue
      const paid: CheckoutEvent[] = becamePaid ? [isLate ? 'paid_late' : 'paid'] : []
      const isOverpaid = discrepancy === 'excess' && (becamePaid || moneyChanged)
      return isOverpaid ? [...paid, 'overpaid'] : paid
    }
    case 'partial':
      return became || becameSettled || moneyChanged ? ['partial'] : []
    case 'unpaid':
    case 'expired':
      return becameSettled ? [outcome] : []
    case 'reversed':
    case 'refunded':
      return became || moneyChanged ? [outcome] : []
    case 'review':
      return became ? [outcome] : []
    case 'jammed':
      return became ? ['needs_attention'] : []
    case 'waiting':
    case 'pending':
      return []
  }
}

function receivedIn({ record }: Checkout): string {
  return moneyOf(record.phase === 'open' ? record.reported : null).received
}

/** The part of the record that is kept when the call is deleted. */
type Kept = Pick<CheckoutRecord, 'requested' | 'visit' | 'people' | 'told' | 'prompt'>

function keptOf({ requested, visit, people, told, prompt }: IntendedCheckout): Kept {
  return { requested, visit, people, told, ...(prompt && { prompt }) }
}

/** The session of a checkout whose acknowledgement was lost. Its page is unknown. */
export const NO_ANSWER: Opened = {
  checkout_reference: null,
  charge_request_id: null,
  redirect_url: null,
  expires_at: null,
}

/**
 * Returns the record of a checkout that the gateway knows.
 *
 * @param at When the gateway answered, by its clock.
 */
export function openRecord(kept: Kept, answer: Opened, at: number): OpenCheckout {
  // [assumed] If the response contains no time of expiry, the session has the lifetime that was requested. The request
  // of a charge contains no lifetime: its page may take money for a day.
  const lifetime = isCharge(kept) ? DAY : kept.requested.expires_in * MINUTE
  const expires_at = answer.expires_at === null ? at + lifetime : Date.parse(answer.expires_at)
  return {
    phase: 'open',
    ...kept,
    session: { ...answer, expires_at },
    reported: null,
    settled_at: null,
    unknown_at: null,
    is_overdue: false,
    alarm: null,
    confirmation: isCharge(kept) ? { stage: 'open' } : null,
  }
}
