/**
 * Computes the next record of a pay-in (a checkout or a charge) from an observation. The gateway's responses may arrive
 * late, twice or out of order. Pure.
 *
 * The phases of a pay-in:
 *
 * - `intended`: the gateway has neither acknowledged nor reported it.
 * - `open`: the gateway knows it.
 * - `refused`: the gateway or this server refused the request.
 * - `abandoned`: the gateway never received it, or nobody can pay it, because the address of its page was lost.
 *
 * If the gateway reports money of a refused or an abandoned pay-in, the pay-in becomes `open`.
 */

import { CHECKOUT_CODE, CHECKOUT_STATUS } from '../contract/status.ts'
import { alarmAfter, raise } from '../transactions/alarm.ts'
import { isDenied } from '../transactions/consulted.ts'
import { FORGOTTEN, found, missForNow, WHY_MISSING } from '../transactions/missing-report.ts'
import { answeredAt, hasStood } from '../transactions/observation.ts'
import { lastSendOf } from '../transactions/recovery.ts'
import { contradictionOf } from '../transactions/resolution.ts'
import { afterResolution, isKnownTo, resolve } from '../transactions/resolving.ts'
import { REPORT_LAG_MS } from '../transactions/schedule.ts'
import { countMissing, REFUSAL_QUERIES, refuseSubmission } from '../transactions/submission.ts'
import { tell } from '../transactions/told.ts'
import { changed, unchanged } from '../transactions/transition-result.ts'
import { confirmationAfter } from './confirmation-after-report.ts'
import { isRefundDue } from './fulfilment.ts'
import { withCountedElsewhere, withKnownIds, withPaymentIds } from './payment-ids.ts'
import { whyElsewhere } from './payment.ts'
import { isMoneyless, isReceived, moneyOf } from './reported-money.ts'
import { isSameReport, withoutPayers } from './reported-state.ts'
import { digestOf, saysSameMoney } from './same-money.ts'
import {
  alarmUnlessDelivered,
  NOT_DELIVERED,
  transitionConfirmation,
  undeliveredIn,
  withdrawn,
} from './service-confirmation.ts'
import { toReportedState } from './status-answer.ts'
import { canFollow, continued } from './succession.ts'

import type { CountedElsewhere } from '../store/errors.ts'
import type { Alarm } from '../transactions/alarm.ts'
import type { Missing } from '../transactions/missing-report.ts'
import type { Overdue } from '../transactions/observation.ts'
import type { Stored } from '../transactions/record.ts'
import type { Resolution } from '../transactions/resolution.ts'
import type { TransitionResult } from '../transactions/transition-result.ts'
import type { ReportedState } from './reported-state.ts'
import type {
  ClosedRecord,
  Closing,
  IntendedRecord,
  OpenRecord,
  PayInObservation,
  PayInRules,
} from './rules.ts'
import type { Refused, Taken } from './send-error.ts'
import type { Confirming } from './service-confirmation.ts'

const NEVER_RECEIVED = 'The gateway never received it; given up.'
const PAGE_LOST = 'The address of its page was lost, so that nobody can pay it; given up.'

/** A report about a pay-in. */
interface Report {
  reported: ReportedState
  /** When the gateway was queried, in milliseconds since the Unix epoch. */
  askedAt: number
  /** The gateway's id of the pay-in, if a callback named it; `null` otherwise. */
  foundId: string | null
  /** The payments that count for other transactions. */
  elsewhere: CountedElsewhere
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
    // The gateway ends a session by its own clock.
    const at = answeredAt(observation, askedAt)
    switch (observation.kind) {
      case 'acknowledged':
        return acknowledge(row, observation.answer, askedAt, at)
      case 'taken':
        return take(row, observation, at)
      case 'refused':
        return refuse(row, observation)
      case 'status': {
        const currency = rules.currencyOf(row.record)
        const reported = toReportedState(observation.payload, at, currency, observation)
        const { found_as: foundId = null, elsewhere = new Map() } = observation
        return takeReport(row, { reported, askedAt, foundId, elsewhere })
      }
      case 'named':
        return storeNamedId(row, observation.charge_request_id)
      case 'unknown':
      case 'unfound':
      case 'overdue':
        return reportMissing(row, observation.kind, askedAt, at)
      case 'resolved':
        return resolvePayIn(row, observation.resolution)
      case 'decided':
      case 'accepted':
      case 'sending':
      case 'undelivered':
      case 'answered':
        return confirmService(row, observation, askedAt)
    }
  }

  /** @param at When the gateway answered, by its clock. */
  function acknowledge(row: Row, answer: Answer, askedAt: number, at: number): Result {
    const { record } = row
    const sentence = rules.describe(record, answer)
    if (record.phase === 'intended') {
      return changed(rules.open(record, answer, at), sentence)
    }
    // The pay-in was given up, or a later send was refused, before this answer arrived. It can be paid all the same.
    if (record.phase !== 'open') {
      return changed(rules.open(tell(record, ['ended']), answer, at), sentence)
    }

    const answered = rules.withAnswer(record, answer)
    if (answered === record) {
      return unchanged(record)
    }
    // The response contains the amount and the end of the session, which may change the outcome.
    return changed(settle({ ...row, record }, answered, askedAt), sentence)
  }

  /** Follows a pay-in that the gateway took with another total: by the gateway's id, and without a page. */
  function take({ record }: Row, { charge_request_id, why }: Taken, at: number): Result {
    const sentence = `${why} It is followed as ${charge_request_id}.`
    if (record.phase === 'open') {
      return canBeQueried(record)
        ? unchanged(record)
        : changed({ ...record, found_id: charge_request_id }, sentence)
    }

    const unopened = record.phase === 'intended' ? record : tell(record, ['ended'])
    const opened = rules.open(unopened, null, at)
    return changed({ ...opened, found_id: charge_request_id }, sentence)
  }

  function refuse({ record }: Row, { why, refusal }: Refused): Result {
    if (record.phase !== 'intended') {
      return unchanged(record)
    }
    // This server refuses what the gateway opened in another form, and what was never sent. No query would find it.
    if (refusal === null) {
      return close(record, { phase: 'refused', why, refusal: null }, why)
    }

    const isGeneralFailure = refusal.status_code === CHECKOUT_CODE.failure
    const isDoubtful = isGeneralFailure && rules.sendRuleOf(record) === 'once'
    const queries = isDoubtful ? REFUSAL_QUERIES.doubtful : REFUSAL_QUERIES.certain
    return refuseSubmission(record, { why, answer: refusal, queries })
  }

  /** Stores the id by which a callback named the pay-in, unless the gateway can be queried without it. */
  function storeNamedId({ record }: Row, named_id: string): Result {
    const isOfNoUse = record.phase === 'open' && canBeQueried(record)
    if (isOfNoUse || record.named_id === named_id) {
      return unchanged(record)
    }
    return { record: { ...record, named_id }, historyEntry: null }
  }

  /** Returns whether the gateway can be queried by what it has answered about the pay-in itself. */
  function canBeQueried(record: Open): boolean {
    return record.found_id !== null || rules.isIdentified(record)
  }

  function confirmService(row: Row, observation: Confirming, askedAt: number): Result {
    const { record } = row
    if (record.phase !== 'open') {
      return unchanged(record)
    }

    const openRow = { ...row, record }
    const result = transitionConfirmation(record, observation, isPaid(openRow), askedAt)
    if (result.record === record || result.isUnseen) {
      return result
    }

    const settled = settle(openRow, result.record, askedAt)
    return { ...result, record: confirmAccepted({ ...row, record: settled }, askedAt) }
  }

  function takeReport(row: Row, report: Report): Result {
    const { record } = row
    switch (record.phase) {
      case 'open':
        return reportOpen({ ...row, record }, report)
      case 'intended':
        return reportIntended({ ...row, record }, report)
      case 'refused':
      case 'abandoned':
        // The merchant knows that the pay-in failed. Money that arrives all the same is late.
        return isMoneyless(report.reported)
          ? unchanged(record)
          : openAndReport(row, tell(record, ['ended']), report)
    }
  }

  /** Takes a report about a pay-in whose request was not acknowledged, so that the address of its page is unknown. */
  function reportIntended(row: Stored<Intended>, report: Report): Result {
    const { record } = row
    const { reported, askedAt } = report
    const page = rules.lostPageOf(row)
    if (page.kind === 'none' || !isMoneyless(reported)) {
      return openAndReport(row, record, report)
    }
    if (page.kind === 'unreachable') {
      // Whoever has tried to pay has the page.
      const hasVisitor = reported.payments.length > 0
      return hasVisitor
        ? openAndReport(row, record, report)
        : reportMissing(row, 'unreachable', askedAt, reported.at)
    }

    // [assumed] The shopper's next press sends the request again, and opens the page, unless the page has ended.
    const age = askedAt - (lastSendOf(row) ?? row.created_at)
    const lifetimeMs = page.lifetimeMs + REPORT_LAG_MS
    const hasPageEnded = reported.status === CHECKOUT_STATUS.expired || age >= lifetimeMs
    if (!hasPageEnded) {
      return unchanged(record)
    }

    const opened = rules.open(record, null, reported.at - lifetimeMs)
    return reportOpen({ ...row, record: opened }, report)
  }

  function openAndReport(row: Row, record: Intended | Closed, report: Report): TransitionResult<Open> {
    const opened = rules.open(record, null, report.reported.at)
    return reportOpen({ ...row, record: { ...opened, found_id: report.foundId } }, report)
  }

  function reportOpen(stored: Stored<Open>, report: Report): TransitionResult<Open> {
    const { askedAt, elsewhere } = report
    // As the gateway gave it, without what is only known from earlier reports.
    const heard = withCountedElsewhere(withKnownIds(stored.record.reported, report.reported), elsewhere)
    const record = withPaymentIds(stored.record, heard)
    const row = { ...stored, record }
    const before = record.reported
    // What was erased does not come back with a later report.
    const kept = record.people === null ? withoutPayers(heard) : heard
    const reported = continued(before, kept)
    const confirmation = confirmationAfter(record, reported, askedAt)
    const unalarmed = { ...found(record), reported, confirmation, gone_at: null, alarm: null }
    const meaning = rules.meaningOf({ ...row, record: unalarmed })
    const digest = digestOf(heard)
    if (isDenied(record, digest, meaning.outcome)) {
      return passTime(row, heard.at, askedAt)
    }

    let isConfirmedByPerson = false
    if (before !== null && !canFollow(before, heard)) {
      // Until the report before has stood for a while, this may be an answer from before it.
      if (!hasStood(before, heard.at)) {
        return unchanged(record)
      }

      const why = `The gateway said ${describeReport(heard)} after ${before.status}, which is kept.`
      const judgement = judgeContradiction(record, why, meaning.outcome)
      if (judgement === 'unresolved') {
        return raise(record, why, 'returned', digest)
      }
      isConfirmedByPerson = judgement === 'confirmed'
    }

    // A person has said that the reports before were wrong: what was known by them is not.
    const anew = { ...unalarmed, reported: kept }
    const next = isConfirmedByPerson ? anew : withAlarmAfter(row, unalarmed, digest, askedAt)
    if (isSameReport(before, reported) && isNoNews(row, next)) {
      return passTime(row, heard.at, askedAt)
    }

    const settled = settleAnew(row, next, askedAt)
    const { outcome } = rules.standingOf({ ...row, record: settled })
    const sentence = `The gateway says ${heard.status}, ${moneyOf(reported).received} received: ${outcome}.`
    const sentences = [sentence, whyElsewhere(reported)].filter(Boolean).join(' ')
    return changed(confirmAccepted({ ...row, record: settled }, askedAt), sentences)
  }

  /**
   * Returns the record after a report that counts, with the alarm and the resolution that stand.
   *
   * @param unalarmed The record with the report, and without an alarm.
   * @param digest The digest of the report as the gateway gave it.
   */
  function withAlarmAfter(row: Stored<Open>, unalarmed: Open, digest: string, askedAt: number): Open {
    const { record } = row
    const before = record.reported
    const { reported } = unalarmed
    const meaning = rules.meaningOf({ ...row, record: unalarmed })
    const isNewStatus = reported?.status !== before?.status
    const alarm = alarmAfter(alarmStillDue(record, unalarmed, askedAt), meaning, isNewStatus)
    const alarmed = { ...unalarmed, alarm }

    // A resolution stands after new details of the report that the person knew, unless they make it mean something else.
    const isSameMoney = before !== null && reported !== null && saysSameMoney(before, reported)
    const known = isSameMoney ? { ...unalarmed, reported: { ...before, at: reported.at } } : null
    const isSame = known !== null && rules.meaningOf({ ...row, record: known }).outcome === meaning.outcome
    const isKnownToPerson = isKnownTo(record) === true && isSame
    return isKnownToPerson ? alarmed : afterResolution(alarmed, meaning.outcome, digest)
  }

  /** Returns the alarm, unless it was about a decision that is no longer sent, or a refund that is no longer due. */
  function alarmStillDue({ alarm }: Open, next: Open, now: number): Alarm | null {
    const isRefunded = alarm?.until === 'refunded' && !isRefundDue(next)
    return isRefunded ? null : alarmUnlessDelivered({ ...next, alarm }, now)
  }

  /** Returns whether a repeated report says nothing new, to the person who resolved the pay-in or to the merchant. */
  function isNoNews(row: Stored<Open>, next: Open): boolean {
    return isKnownTo(row.record) ?? isSameToMerchant(row, { ...row, record: next })
  }

  /**
   * Returns the transition result of an answer that says nothing new. Its time may all the same: a session ends by the
   * latest answer, and one that has ended by the clock of an earlier answer may be open by this one.
   *
   * @param at When the gateway answered, by its clock.
   */
  function passTime(row: Stored<Open>, at: number, askedAt: number): TransitionResult<Open> {
    const kept = found(row.record)
    const later = kept.reported === null ? kept : { ...kept, reported: { ...kept.reported, at } }
    const laterRow = { ...row, record: later }
    if (!isSameToMerchant(row, laterRow)) {
      return { record: settleAnew(row, later, askedAt), historyEntry: null }
    }
    if (rules.isPayable(row) !== rules.isPayable(laterRow)) {
      return { record: later, historyEntry: null, isUnseen: true }
    }
    return { record: kept, historyEntry: null }
  }

  /**
   * Returns the transition result of a pay-in about which the gateway reports nothing: a status query did not find it,
   * or its last deadline has passed.
   *
   * @param at When the gateway answered, by its clock.
   */
  function reportMissing(row: Row, why: Missing, askedAt: number, at: number): Result {
    const { record } = row
    if (record.phase === 'open') {
      return reportOpenMissing({ ...row, record }, why, askedAt, at)
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
      return close(record, { phase: 'abandoned' }, why === 'unreachable' ? PAGE_LOST : NEVER_RECEIVED)
    }
    return close(record, { phase: 'refused', why: refused.why, refusal: refused.answer }, refused.why)
  }

  function reportOpenMissing(
    row: Stored<Open>,
    why: Missing,
    askedAt: number,
    at: number,
  ): TransitionResult<Open> {
    const { record } = row
    switch (why) {
      case 'unfound':
        return unchanged(record)
      case 'overdue':
        return alarmOverdue(row, askedAt)
      case 'unknown':
      case 'unreachable':
        return (
          missForNow(record, rules.standingOf(row).settled, at) ?? alarmUnknownToGateway(row, askedAt, at)
        )
    }
  }

  function alarmOverdue(row: Stored<Open>, askedAt: number): TransitionResult<Open> {
    const { record } = row
    if (record.alarm !== null && record.resolution === null) {
      return unchanged(record)
    }

    const isUndelivered = undeliveredIn(record).length > 0
    const alarmed = isUndelivered
      ? raise(record, NOT_DELIVERED, 'confirmed')
      : raise(record, WHY_MISSING.overdue, isRefundDue(record) ? 'refunded' : 'settled')
    return { ...alarmed, record: settle(row, alarmed.record, askedAt) }
  }

  /** Alarms about a pay-in that the gateway once knew. It ends if the session of its page has ended, too. */
  function alarmUnknownToGateway(row: Stored<Open>, askedAt: number, at: number): TransitionResult<Open> {
    const { record } = row
    // Who has resolved it was called about it before.
    const isResolved = record.resolution !== null
    const alarmed = isResolved ? record : raise(record, WHY_MISSING.unknown, 'reported').record
    const sessionEnd = rules.sessionEndOf(row)
    const hasSessionEnded = sessionEnd !== null && at >= sessionEnd + REPORT_LAG_MS
    const next = hasSessionEnded ? { ...alarmed, gone_at: at } : alarmed
    if (next === record || isSameToMerchant(row, { ...row, record: next })) {
      return unchanged(record)
    }
    return changed(settle(row, next, askedAt), isResolved ? FORGOTTEN : WHY_MISSING.unknown)
  }

  function resolvePayIn(row: Row, resolution: Resolution): Result {
    const { record } = row
    const standing = rules.standingOf(row)
    switch (record.phase) {
      case 'intended': {
        const { record: resolved, historyEntry } = resolve(record, standing, resolution, null)
        if (resolved === record) {
          return unchanged(record)
        }
        // The request is never sent again, so nobody needs the payer's details.
        return { record: { ...resolved, call: { ...resolved.call, request: null } }, historyEntry }
      }
      case 'refused':
      case 'abandoned':
        return resolve(record, standing, resolution, null)
      case 'open': {
        const { alarm, reported } = record
        const digest = alarm === null && reported ? digestOf(reported) : null
        const { record: resolved, historyEntry } = resolve(record, standing, resolution, digest)
        if (resolved === record) {
          return unchanged(record)
        }

        const next = { ...resolved, confirmation: withdrawn(record.confirmation) }
        return { record: settle({ ...row, record }, next, resolution.at), historyEntry }
      }
    }
  }

  function close(record: Intended, closing: Closing, sentence: string): TransitionResult<Closed> {
    return changed(rules.close(record, closing), sentence)
  }

  /** Returns whether two states of a pay-in mean the same to the merchant. */
  function isSameToMerchant(a: Stored<Open>, b: Stored<Open>): boolean {
    const before = rules.standingOf(a)
    const after = rules.standingOf(b)

    return (
      before.outcome === after.outcome &&
      before.settled === after.settled &&
      before.attention === after.attention
    )
  }

  /** Returns the record with the time at which the pay-in was first settled; `null` if it is unsettled. */
  function settle(row: Stored<Open>, next: Open, at: number): Open {
    return settleAnew(row, next, row.record.settled_at ?? at)
  }

  /** The same after a report of something new: the pay-in is then followed as if it had just been settled. */
  function settleAnew(row: Stored<Open>, next: Open, settled_at: number): Open {
    const isSettled = rules.standingOf({ ...row, record: next }).settled
    return isSettled ? rules.clear({ ...next, settled_at }) : { ...next, settled_at: null }
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
    // A resolution never confirms a service.
    if (row.record.resolution !== null) {
      return false
    }

    const { outcome, attention } = rules.standingOf(row)
    return attention === null && (outcome === 'paid' || outcome === 'succeeded')
  }
}

/**
 * Returns what a person has said about a report that contradicts the report before it.
 *
 * - `unresolved`: nothing yet, or something else. The report before is kept, and a person is called.
 * - `confirmed`: the person who was called about this contradiction agrees with the report. The report counts.
 * - `unforeseen`: the pay-in was resolved for another reason. The report counts, and may contradict the resolution.
 */
function judgeContradiction(
  { alarm, resolution }: Pick<OpenRecord, 'alarm' | 'resolution'>,
  why: string,
  outcome: string,
): 'unresolved' | 'confirmed' | 'unforeseen' {
  if (resolution === null) {
    return 'unresolved'
  }
  if (alarm?.why !== why) {
    return 'unforeseen'
  }
  return contradictionOf(resolution, outcome) === null ? 'confirmed' : 'unresolved'
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
