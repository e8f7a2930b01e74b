/**
 * Computes the next record of a charge from an observation. Pure.
 *
 * The gateway does not deduplicate charges, so the submission policy never sends a charge twice. A person has to check
 * the charge if the gateway does not know a charge that was sent, or if it reports money for a charge that it refused.
 */

import type { ChargeResponse, ChargeStatus } from '../contract/charge.ts'
import type { CheckoutError } from '../contract/errors.ts'
import type { Confirming } from '../payins/service-confirmation.ts'
import type { Overdue, TransitionResult } from '../transactions/transition.ts'
import type { Charge, ChargeRecord, IntendedCharge, PostedCharge } from './record.ts'
import type { ReportedState } from '../payins/outcome.ts'
import { isRefundDue, transitionConfirmation } from '../payins/service-confirmation.ts'
import { alarmAfter, changed, raise, unchanged } from '../transactions/transition.ts'
import { determineOutcome } from './record.ts'
import { alarmIfMissing, countMissing, WHY_MISSING } from '../transactions/submission.ts'
import { hasMoney, moneyOf, canFollow, isSameReport, toReportedState } from '../payins/outcome.ts'

export type Observation =
  /** The gateway acknowledged the charge with status_code 176. [spec: Checkout errors] */
  | { kind: 'posted'; answer: ChargeResponse }
  | { kind: 'refused'; why: string; refusal: CheckoutError | null }
  | { kind: 'status'; payload: ChargeStatus }
  /** The gateway does not know the charge (status_code 120 in the response to a status query). */
  | { kind: 'unknown' }
  /** The gateway finds charges only by its own id, which the server does not know. */
  | { kind: 'unfound' }
  | Confirming

type ChargeTransitionResult = TransitionResult<ChargeRecord>

/**
 * Returns the next record of a charge, with the history entry.
 *
 * @param askedAt When the gateway was queried or the request was sent, in milliseconds since the Unix epoch.
 */
export function transition(
  charge: Charge,
  observation: Observation | Overdue,
  askedAt: number,
): ChargeTransitionResult {
  const { record } = charge
  const posted = postedOf(record)
  switch (observation.kind) {
    case 'posted':
      if (record.phase === 'refused' || posted.answer !== null) return unchanged(record)
      return storeAnswer({ ...charge, record: posted }, observation.answer, askedAt)
    case 'refused':
      if (record.phase !== 'intended') return unchanged(record)
      return refuse(record, observation.why, observation.refusal)
    case 'status': {
      const reported = toReportedState(observation.payload, askedAt, record.request.currency_code)
      const money = moneyOf(reported)
      // The merchant knows that a refused charge failed. If the gateway reports money all the same, a person has to check
      // the charge, because the payer may have paid a second time.
      if (record.phase === 'refused' && !hasMoney(money) && !money.returned) return unchanged(record)
      return report({ ...charge, record: posted }, reported, askedAt)
    }
    case 'unknown':
    case 'unfound':
    case 'overdue': {
      const { kind } = observation
      if (record.phase === 'refused') return unchanged(record)
      if (record.phase === 'intended') {
        const result = countMissing({ ...charge, record }, askedAt, kind)
        return typeof result === 'string' ? refuse(record, NEVER_SENT, null) : result
      }
      const isUnreturned = kind === 'overdue' && isRefundDue(posted.confirmation, posted.reported)
      return isUnreturned
        ? raise(posted, WHY_MISSING.overdue, 'returned')
        : alarmIfMissing({ ...charge, record }, askedAt, kind)
    }
    case 'confirmation': {
      const { confirmation, reported } = posted
      const isPaid = determineOutcome(charge).outcome === 'succeeded'
      const next = transitionConfirmation(confirmation, observation.observation, reported, isPaid)
      const { historyEntry } = next
      if (next.confirmation === confirmation) return { record, historyEntry }
      // A decision is that of a person, who has checked the charge.
      const alarm = next.confirmation.stage === 'decided' ? null : posted.alarm
      const confirmed = { ...posted, confirmation: next.confirmation, alarm }
      return { record: settle({ ...charge, record: confirmed }, askedAt), historyEntry }
    }
  }
}

const NEVER_SENT = 'It was never sent: the server ended before that, and the payer no longer expects it.'

function refuse(record: IntendedCharge, why: string, refusal: CheckoutError | null): ChargeTransitionResult {
  return changed({ phase: 'refused', ...requestedIn(record), why, refusal }, why)
}

/** Returns the part of a record that every phase has. */
function requestedIn({ request, given_digest, people, told }: ChargeRecord) {
  return { request, given_digest, people, told }
}

/**
 * Returns the transition result that stores the gateway's response to the charge request. This response may arrive
 * after the gateway has already reported a status. The outcome may then change, because the response contains the total
 * and the expiry.
 */
function storeAnswer(
  charge: Charge<PostedCharge>,
  answer: ChargeResponse,
  askedAt: number,
): ChargeTransitionResult {
  const { record } = charge
  const { charge_request_id, total_amount, redirect_url, auth_url, html } = answer
  const expires_at = answer.expires_at === null ? null : Date.parse(answer.expires_at)
  const stored = { charge_request_id, total_amount, redirect_url, auth_url, html, expires_at }
  const answered = settle({ ...charge, record: { ...record, answer: stored } }, askedAt)
  return changed(answered, `The gateway took it as ${charge_request_id}.`)
}

/** Returns the record of a charge that the gateway has, without a report unless it is stored. */
export function postedOf(record: ChargeRecord): PostedCharge {
  if (record.phase === 'posted') return record
  const unreported = { answer: null, reported: null, settled_at: null, alarm: null }
  return { phase: 'posted', ...requestedIn(record), ...unreported, confirmation: { stage: 'open' } }
}

function report(
  charge: Charge<PostedCharge>,
  reported: ReportedState,
  askedAt: number,
): ChargeTransitionResult {
  const { record } = charge
  const { status } = reported
  const before = record.reported
  if (!canFollow(before, reported))
    return raise(record, `The gateway said ${status} after ${before?.status}, which is kept.`, 'returned')
  const means = determineOutcome({ ...charge, record: { ...record, reported, alarm: null } })
  const alarm = alarmAfter(record.alarm, means.outcome, status !== before?.status)
  const next = { ...charge, record: { ...record, reported, alarm } }
  const { outcome } = determineOutcome(next)
  const isSame = alarm === record.alarm && isSameReport(before, reported)
  if (isSame && outcome === determineOutcome(charge).outcome) return unchanged(record)
  return changed(
    settle(next, askedAt),
    `The gateway says ${status}, ${moneyOf(reported).received} received: ${outcome}.`,
  )
}

/**
 * Returns the record with the time of settlement. A settled charge has no page on which the payer authorizes a card
 * payment, because this page may contain details of the payment.
 */
function settle(charge: Charge<PostedCharge>, askedAt: number): PostedCharge {
  const { record } = charge
  if (!determineOutcome(charge).settled) return { ...record, settled_at: null }
  const answer = record.answer && { ...record.answer, auth_url: null, html: null }
  return { ...record, answer, settled_at: record.settled_at ?? askedAt }
}
