/**
 * Computes the next record of a pay-in (a checkout or a charge) from an observation. The gateway's responses may arrive
 * late, twice or out of order. Pure.
 *
 * A pay-in is `intended` until the gateway acknowledges or reports it; then it is `open`. It is `refused` if the gateway
 * or this server refused the request, and `abandoned` if the gateway never received it, or if nobody can pay it, because
 * the address of its page was lost. If the gateway then reports money all the same, the pay-in becomes `open`.
 */

import { CHECKOUT_CODE } from '../contract/status.ts'
import { pendingIn } from '../transactions/kind.ts'
import { contradictionOf } from '../transactions/resolution.ts'
import { REPORT_LAG_MS } from '../transactions/schedule.ts'
import {
  countMissing,
  missForNow,
  REFUSAL_QUERIES,
  refuseSubmission,
  WHY_MISSING,
} from '../transactions/submission.ts'
import {
  afterResolution,
  alarmAfter,
  answeredAt,
  changed,
  found,
  hasStood,
  isDenied,
  isKnownTo,
  raise,
  resolve,
  tell,
  unchanged,
} from '../transactions/transition.ts'
import { whyElsewhere } from './payment.ts'
import { isMoneyless, isReceived, moneyOf } from './reported-money.ts'
import { digestOf, isSameReport, withoutPayers } from './reported-state.ts'
import {
  confirmationAfter,
  isRefundDue,
  NOT_DELIVERED,
  transitionConfirmation,
  withdrawn,
} from './service-confirmation.ts'
import { toReportedState } from './status-answer.ts'
import { canFollow, continued } from './succession.ts'

import type { CheckoutError } from '../contract/errors.ts'
import type { Stored } from '../transactions/record.ts'
import type { Resolution } from '../transactions/resolution.ts'
import type { Missing, SendRule, SubmissionState } from '../transactions/submission.ts'
import type { Alarm, Overdue, Resolving, TransitionResult } from '../transactions/transition.ts'
import type { OpenFields } from './record.ts'
import type { ReportedState } from './reported-state.ts'
import type { Refused, Taken } from './send-error.ts'
import type { Confirming } from './service-confirmation.ts'
import type { StatusAnswer } from './status-answer.ts'

/** An observation of a pay-in. `Answer` is what the gateway answers to the request. */
export type PayInObservation<Answer> =
  /**
   * The gateway's successful response to the request. It may arrive after the response to a status query. `at` is as in
   * {@link StatusAnswer}.
   */
  | { kind: 'acknowledged'; answer: Answer; at: number | null }
  | Refused
  | Taken
  | StatusAnswer
  /** A callback named the pay-in by this id of the gateway. */
  | { kind: 'named'; charge_request_id: string }
  | Confirming
  | Resolving

/** What a pay-in means to the merchant. */
interface PayInStanding {
  outcome: string
  /** Whether the gateway has reported an end, also one that needs a person. It is then followed as settled. */
  settled: boolean
  /** Why a person has to check it, apart from its outcome; `null` if there is no such reason. */
  attention: string | null
}

/** Why a pay-in ended without a report. */
export type Closing =
  | { phase: 'refused'; why: string; refusal: CheckoutError | null }
  /** The gateway never received the request, and nobody started it again; or nobody can pay what it created. */
  | { phase: 'abandoned' }

const NEVER_RECEIVED = 'The gateway never received it; given up.'
const UNREACHABLE = 'The address of its page was lost, so that nobody can pay it; given up.'

/** What a record has in every phase. */
interface Kept {
  people: string[] | null
  told: string[]
  named_id: string | null
  /** What a person found out; `null` if nobody resolved it. */
  resolution: Resolution | null
}
type IntendedRecord = { phase: 'intended'; call: { request: unknown } } & Kept &
  SubmissionState<CheckoutError | null>
type OpenRecord = { phase: 'open' } & Kept & OpenFields
type ClosedRecord = { phase: Closing['phase'] } & Kept

/** In what the kinds of pay-ins differ. Pure. */
export interface PayInRules<Intended, Open, Closed, Answer> {
  currencyOf(record: Intended | Open | Closed): string
  sendRuleOf(record: Intended): SendRule
  /**
   * How long the hosted page lives whose address is only in the response to the request, in milliseconds: the request is
   * sent again to learn it. `unreachable` if the request is not sent again: nobody will ever have the address. `null` if
   * the pay-in is followed without a page.
   */
  pageLifetimeOf(record: Intended): number | 'unreachable' | null
  /**
   * Returns the record of a pay-in that the gateway knows.
   *
   * @param answer The gateway's response; `null` if it was lost.
   * @param at When the gateway answered, by its clock.
   */
  open(record: Intended | Closed, answer: Answer | null, at: number): Open
  /** Returns whether the gateway can be asked about the pay-in without an id from a callback. */
  isIdentified(record: Open): boolean
  /** Returns the record with the gateway's response, or the record itself if it has one. */
  withAnswer(record: Open, answer: Answer): Open
  close(record: Intended, closing: Closing): Closed
  /** Returns the record of a settled pay-in, without what is of no use any more. */
  clear(record: Open): Open
  standingOf(row: Stored<Intended | Open | Closed>): PayInStanding
  /**
   * When the session of the hosted page ends, in milliseconds since the Unix epoch; `null` if the gateway prompts the
   * payer without one.
   */
  sessionEndOf(row: Stored<Open>): number | null
  /** Returns a sentence about the gateway's response. */
  describe(record: Intended | Open | Closed, answer: Answer): string
}

/** Returns the status of a report and the money in it, for a person. */
function describeReport(reported: ReportedState): string {
  const { status } = reported
  const money = moneyOf(reported)
  if (isReceived(money)) {
    return `${status} with ${money.received} received`
  }
  return money.in_flight ? `${status} with a payment in flight` : String(status)
}

/** Returns the transition of one kind of pay-in. */
export function createPayInTransition<
  Intended extends IntendedRecord,
  Open extends OpenRecord,
  Closed extends ClosedRecord,
  Answer,
>(rules: PayInRules<Intended, Open, Closed, Answer>) {
  type Row = Stored<Intended | Open | Closed>
  type Result = TransitionResult<Intended | Open | Closed>

  /**
   * Returns the next record of a pay-in, with the history entry.
   *
   * @param askedAt When the gateway was queried or the request was sent, in milliseconds since the Unix epoch.
   */
  return (row: Row, observation: PayInObservation<Answer> | Overdue, askedAt: number): Result => {
    const { record } = row
    // Whether a session is over is for the gateway's clock to say.
    const at = answeredAt(observation, askedAt)
    switch (observation.kind) {
      case 'acknowledged':
        return acknowledge(row, observation.answer, askedAt, at)
      case 'taken':
        return take(row, observation, at)
      case 'refused': {
        if (record.phase !== 'intended') {
          return unchanged(record)
        }

        const { why, refusal: answer } = observation
        // This server refuses what the gateway opened in another form, or what it never sent: nothing is to be asked.
        if (answer === null) {
          return closed(record, { phase: 'refused', why, refusal: null }, why)
        }

        const isDoubtful = answer.status_code === CHECKOUT_CODE.failure && rules.sendRuleOf(record) === 'once'
        const queries = isDoubtful ? REFUSAL_QUERIES.doubtful : REFUSAL_QUERIES.certain
        return refuseSubmission(record, { why, answer, queries })
      }
      case 'status': {
        const reported = toReportedState(observation.payload, at, rules.currencyOf(record), observation)
        return report(row, reported, askedAt, observation.found_as)
      }
      case 'named': {
        const { charge_request_id: named_id } = observation
        const isIdentified =
          record.phase === 'open' && (record.found_id !== null || rules.isIdentified(record))
        if (isIdentified || record.named_id === named_id) {
          return unchanged(record)
        }
        return { record: { ...record, named_id }, historyEntry: null }
      }
      case 'unknown':
      case 'unfound':
      case 'overdue':
        return reportMissing(row, observation.kind, askedAt, at)
      case 'resolved':
        return resolvePayIn(row, observation.resolution)
      case 'decided':
      case 'accepted':
      case 'sending':
      case 'answered': {
        if (record.phase !== 'open') {
          return unchanged(record)
        }

        const open = { ...row, record }
        const result = transitionConfirmation(record, observation, isPaid(open), askedAt)
        if (result.record === record) {
          return result
        }
        const settled = settle(open, result.record, askedAt)
        return { ...result, record: confirmAccepted({ ...row, record: settled }, askedAt) }
      }
    }
  }

  function acknowledge(row: Row, answer: Answer, askedAt: number, at: number): Result {
    const { record } = row
    const sentence = rules.describe(record, answer)
    if (record.phase === 'intended') {
      return changed(rules.open(record, answer, at), sentence)
    }
    // It was given up, or a later send was refused, before this answer arrived: it can be paid all the same.
    if (record.phase !== 'open') {
      return changed(rules.open(tell(record, ['ended']), answer, at), sentence)
    }

    const answered = rules.withAnswer(record, answer)
    if (answered === record) {
      return unchanged(record)
    }
    // The response contains the amount and the end of the session: the outcome may be another one.
    return changed(settle({ ...row, record }, answered, askedAt), sentence)
  }

  /** Returns the transition result of a pay-in that the gateway took with another total: followed by its id, without a page. */
  function take({ record }: Row, { charge_request_id, why }: Taken, at: number): Result {
    const sentence = `${why} It is followed as ${charge_request_id}.`
    if (record.phase === 'open') {
      const isIdentified = record.found_id !== null || rules.isIdentified(record)
      return isIdentified ? unchanged(record) : changed({ ...record, found_id: charge_request_id }, sentence)
    }

    const opened = rules.open(record.phase === 'intended' ? record : tell(record, ['ended']), null, at)
    return changed({ ...opened, found_id: charge_request_id }, sentence)
  }

  function report(row: Row, reported: ReportedState, askedAt: number, found_as?: string): Result {
    const { record } = row
    if (record.phase === 'open') {
      return reportOpen({ ...row, record }, reported, askedAt)
    }
    if (record.phase === 'intended') {
      const lifetime = isMoneyless(reported) ? rules.pageLifetimeOf(record) : null
      // Who has tried to pay has the page.
      const isVisited = lifetime === 'unreachable' && reported.payments.length > 0
      if (lifetime === null || isVisited) {
        return openBy(row, record, reported, askedAt, found_as)
      }
      if (lifetime === 'unreachable') {
        return reportMissing(row, lifetime, askedAt, reported.at)
      }

      // [assumed] The shopper's next press sends the request again, and opens the page, unless the page has ended.
      const age = askedAt - (row.sent_at ?? row.created_at)
      const isOver = reported.status === 820 || age >= lifetime + REPORT_LAG_MS
      if (!isOver) {
        return unchanged(record)
      }

      const opened = rules.open(record, null, reported.at - lifetime - REPORT_LAG_MS)
      return reportOpen({ ...row, record: opened }, reported, askedAt)
    }
    // The merchant knows that it failed. Money that arrived all the same is late.
    if (isMoneyless(reported)) {
      return unchanged(record)
    }
    return openBy(row, tell(record, ['ended']), reported, askedAt, found_as)
  }

  /** @param found_as The gateway's id of the pay-in, if a callback named it. */
  function openBy(
    row: Row,
    record: Intended | Closed,
    reported: ReportedState,
    askedAt: number,
    found_as?: string,
  ): TransitionResult<Open> {
    const opened = rules.open(record, null, reported.at)
    return reportOpen({ ...row, record: { ...opened, found_id: found_as ?? null } }, reported, askedAt)
  }

  function reportOpen(row: Stored<Open>, heard: ReportedState, askedAt: number): TransitionResult<Open> {
    const { record } = row
    const before = record.reported
    // What was erased does not come back with a later report.
    const reported = continued(before, record.people === null ? withoutPayers(heard) : heard)
    const confirmation = confirmationAfter(record, reported, askedAt)
    const unalarmed = { ...found(record), reported, confirmation, gone_at: null, alarm: null }
    const means = rules.standingOf({ ...row, record: { ...unalarmed, resolution: null } })
    const { resolution } = record
    const about = digestOf(heard)
    if (isDenied(record, about, means.outcome)) {
      return { record: found(record), historyEntry: null }
    }

    let isMeant = false
    if (before !== null && !canFollow(before, reported)) {
      // Until then, it may be an answer from before.
      if (!hasStood(before, heard.at)) {
        return unchanged(record)
      }

      const why = `The gateway said ${describeReport(heard)} after ${before.status}, which is kept.`
      // Of two reports that contradict each other, a person has resolved which one counts; a third one does.
      const isKnown = record.alarm?.why === why
      isMeant = isKnown && resolution !== null && contradictionOf(resolution, means.outcome) === null
      if (!isMeant && (isKnown || resolution === null)) {
        return raise(record, why, 'returned', about)
      }
    }

    const { status } = reported
    const alarm = alarmAfter(alarmOf(record, unalarmed), means, status !== before?.status)
    // Other details of what the person knew who resolved it say nothing otherwise.
    const isDetail = isKnownTo(record) === true && before !== null && digestOf(before) === digestOf(reported)
    const heardOf = { ...unalarmed, alarm: isMeant ? null : alarm }
    const next = isMeant || isDetail ? heardOf : afterResolution(heardOf, means.outcome, about)
    // Time alone does not undo an end.
    const hasEnded = record.settled_at !== null && record.alarm === next.alarm
    const isKnown = isKnownTo(record) ?? (hasEnded || isAlike(row, { ...row, record: next }))
    if (isSameReport(before, reported) && isKnown) {
      return { record: found(record), historyEntry: null }
    }

    const settled = settle(row, next, askedAt, 'news')
    const { outcome } = rules.standingOf({ ...row, record: settled })
    const sentence = `The gateway says ${status}, ${moneyOf(reported).received} received: ${outcome}.`
    const sentences = [sentence, whyElsewhere(reported)].filter(Boolean).join(' ')
    return changed(confirmAccepted({ ...row, record: settled }, askedAt), sentences)
  }

  /** Returns the alarm, unless it was about a decision that is no longer sent, or a refund that is no longer due. */
  function alarmOf({ alarm }: Open, { confirmation, reported }: Open): Alarm | null {
    const isDelivered =
      alarm?.until === 'confirmed' && (confirmation === null || pendingIn(confirmation) === null)
    const isRefunded =
      alarm?.until === 'returned' &&
      alarm.why === WHY_MISSING.overdue &&
      !isRefundDue({ confirmation, reported })
    return isDelivered || isRefunded ? null : alarm
  }

  /**
   * Returns the transition result of a pay-in about which the gateway reports nothing: a status query did not find it,
   * or its last deadline has passed.
   */
  function reportMissing(row: Row, why: Missing, askedAt: number, at: number): Result {
    const { record } = row
    if (record.phase === 'open') {
      return missOpen({ ...row, record }, why, askedAt, at)
    }
    if (record.phase !== 'intended') {
      return unchanged(record)
    }

    const counted = countMissing({ ...row, record }, rules.sendRuleOf(record), askedAt, why)
    if (counted) {
      return counted
    }

    const { refused } = record
    if (refused === null) {
      const isKnown = why === 'unreachable'
      return closed(record, { phase: 'abandoned' }, isKnown ? UNREACHABLE : NEVER_RECEIVED)
    }
    return closed(record, { phase: 'refused', why: refused.why, refusal: refused.answer }, refused.why)
  }

  function missOpen(row: Stored<Open>, why: Missing, askedAt: number, at: number): TransitionResult<Open> {
    const { record } = row
    if (why === 'unfound') {
      return unchanged(record)
    }
    if (why === 'overdue') {
      if (record.alarm !== null && record.resolution === null) {
        return unchanged(record)
      }

      const isUndelivered = record.confirmation !== null && pendingIn(record.confirmation) !== null
      const alarmed = isUndelivered
        ? raise(record, NOT_DELIVERED, 'confirmed')
        : raise(record, WHY_MISSING.overdue, isRefundDue(record) ? 'returned' : 'settled')
      return { ...alarmed, record: settle(row, alarmed.record, askedAt) }
    }

    const missing = missForNow(record, rules.standingOf(row).settled, at)
    if (missing) {
      return missing
    }

    const { record: alarmed } = raise(record, WHY_MISSING.unknown, 'reported')
    const end = rules.sessionEndOf(row)
    const isGone = end !== null && at >= end + REPORT_LAG_MS
    const next = isGone ? { ...alarmed, gone_at: at } : alarmed
    if (next === record || isAlike(row, { ...row, record: next })) {
      return unchanged(record)
    }
    return changed(settle(row, next, askedAt), WHY_MISSING.unknown)
  }

  function resolvePayIn(row: Row, resolution: Resolution): Result {
    const { record } = row
    const standing = rules.standingOf(row)
    if (record.phase === 'intended') {
      const { record: resolved, historyEntry } = resolve(record, standing, resolution, null)
      if (resolved === record) {
        return unchanged(record)
      }
      // The request is never sent again: nobody needs the payer's details.
      return { record: { ...resolved, call: { ...resolved.call, request: null } }, historyEntry }
    }
    if (record.phase !== 'open') {
      return resolve(record, standing, resolution, null)
    }

    const { alarm, reported } = record
    const about = alarm === null && reported ? digestOf(reported) : null
    const { record: resolved, historyEntry } = resolve(record, standing, resolution, about)
    if (resolved === record) {
      return unchanged(record)
    }

    const confirmation = withdrawn(record.confirmation)
    return { record: settle({ ...row, record }, { ...resolved, confirmation }, resolution.at), historyEntry }
  }

  function closed(record: Intended, closing: Closing, sentence: string): TransitionResult<Closed> {
    return changed(rules.close(record, closing), sentence)
  }

  /** Returns whether two states are equal to the merchant. */
  function isAlike(a: Stored<Open>, b: Stored<Open>): boolean {
    const before = rules.standingOf(a)
    const after = rules.standingOf(b)

    return (
      before.outcome === after.outcome &&
      before.settled === after.settled &&
      before.attention === after.attention
    )
  }

  /**
   * Returns the record with the time of its settlement.
   *
   * @param news Whether the gateway reported something new: the pay-in is then followed as if it had just settled.
   */
  function settle(row: Stored<Open>, next: Open, at: number, news?: 'news'): Open {
    if (!rules.standingOf({ ...row, record: next }).settled) {
      return { ...next, settled_at: null }
    }

    const settled_at = news === 'news' ? at : (row.record.settled_at ?? at)
    return rules.clear({ ...next, settled_at })
  }

  /** Confirms the service of a payment that the merchant accepted while the payment did not count as paid. */
  function confirmAccepted(row: Stored<Open>, at: number): Open {
    const { record } = row
    const received = record.confirmation?.accepted ?? null
    if (received === null || !isPaid(row)) {
      return record
    }
    return transitionConfirmation(record, { kind: 'accepted', received }, true, at).record
  }

  /** Returns whether the pay-in is paid as requested, and no person has to check it. */
  function isPaid(row: Stored<Open>): boolean {
    const { outcome, attention } = rules.standingOf(row)
    // A resolution never confirms a service.
    if (row.record.resolution !== null) {
      return false
    }
    return attention === null && (outcome === 'paid' || outcome === 'succeeded')
  }
}
