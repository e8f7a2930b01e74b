/** Computes the next record of a payout from an observation, and the events about a new record. Pure. */

import { ACKNOWLEDGEMENT_CODE } from '../contract/status.ts'
import { movedAfter } from '../money-out/moved-money.ts'
import { aboutOf, applyReport } from '../money-out/reported-status.ts'
import { alarmIfMissing } from '../transactions/missing-report.ts'
import { isNewResolution } from '../transactions/resolution.ts'
import { resolve } from '../transactions/resolving.ts'
import { announce } from '../transactions/standing.ts'
import { countMissing, wasSentAgain, REFUSAL_QUERIES, refuseSubmission } from '../transactions/submission.ts'
import { changed, unchanged } from '../transactions/transition-result.ts'
import { findDifference, reportedTerms } from './difference.ts'
import { askedOfFloat, determineOutcome, isPaidInFull, STATUS_RULES } from './record.ts'

import type { Acknowledgement } from '../contract/payout.ts'
import type { Overdue, Resolving } from '../transactions/observation.ts'
import type { TrackedEvent } from '../transactions/standing.ts'
import type { TransitionResult } from '../transactions/transition-result.ts'
import type { Report } from './difference.ts'
import type { AcceptedPayout, IntendedPayout, Payout, PayoutRecord, ReportedPayout } from './record.ts'

export type Observation =
  | { kind: 'acknowledged'; answer: Acknowledgement }
  | { kind: 'status'; reported: Report; isOtherRecipient: boolean }
  /** A status query was answered with 723 (unknown reference). [spec: Payout acknowledgement codes] */
  | { kind: 'unknown' }
  | Resolving

/**
 * Returns the next record of a payout, with the history entry.
 *
 * @param askedAt When the gateway was queried or the request was sent, in milliseconds since the Unix epoch.
 */
export function transition(
  payout: Payout,
  observation: Observation | Overdue,
  askedAt: number,
): TransitionResult<PayoutRecord> {
  const { record } = payout
  switch (observation.kind) {
    case 'resolved':
      return resolve(record, determineOutcome(record), observation.resolution, calledAbout(record))
    case 'acknowledged':
      if (record.phase !== 'intended') {
        return unchanged(record)
      }
      return acknowledge({ ...payout, record }, observation.answer)
    case 'status':
      return report(record, observation, askedAt)
    case 'unknown':
    case 'overdue': {
      const { kind: why } = observation
      if (record.phase === 'rejected') {
        return unchanged(record)
      }
      if (record.phase === 'accepted') {
        return alarmIfMissing(record, determineOutcome(record).settled, askedAt, why)
      }
      return countMissing({ ...payout, record }, 'idempotent', askedAt, why) ?? reject(record, askedAt)
    }
  }
}

/** Returns the stored report, if it calls a person by itself; `null` otherwise. */
function calledAbout(record: PayoutRecord): string | null {
  const reported = record.phase === 'accepted' && record.alarm === null ? record.reported : null
  return reported && aboutOf(reported.payment_status, reported)
}

/** The rejection counts. Without one, the submission of a payout ends as stuck, and is never given up. */
function reject(record: IntendedPayout, rejected_at: number): TransitionResult<PayoutRecord> {
  const { refused } = record
  if (refused === null) {
    return unchanged(record)
  }
  return changed({ phase: 'rejected', ...keptOf(record), ...refused.answer, rejected_at }, refused.why)
}

/**
 * The error codes that do not show whether the gateway has the payout. [assumed] The gateway returns every other code
 * only after its check for duplicates, and about the request itself. [spec: Payout error_code values]
 */
const DOUBTFUL: readonly (string | null)[] = ['INVALID_ACCESS_TOKEN', 'UNAUTHORIZED', 'FAILED', null]

function acknowledge(
  payout: Payout<IntendedPayout>,
  { response_code, response_description, error_code }: Acknowledgement,
): TransitionResult<PayoutRecord> {
  const { record } = payout
  // [spec: Payout acknowledgement codes, 722; Payout error_code values]
  if (error_code === 'DUPLICATE_IGNORED' || response_code === ACKNOWLEDGEMENT_CODE.duplicateIgnored) {
    return changed(acceptedOf(record), 'The gateway had accepted it before.')
  }

  switch (response_code) {
    case ACKNOWLEDGEMENT_CODE.accepted:
      return changed({ ...acceptedOf(record), response_description }, 'The gateway accepted it.')
    case ACKNOWLEDGEMENT_CODE.rejected: {
      const isDoubtful = DOUBTFUL.includes(error_code)
      const is_doubtful = isDoubtful || wasSentAgain(payout, record)
      return refuseSubmission(record, {
        why: `The gateway rejected it: ${error_code ?? response_description}.`,
        queries: isDoubtful ? REFUSAL_QUERIES.doubtful : REFUSAL_QUERIES.certain,
        answer: { response_description, error_code, is_doubtful },
      })
    }
    // The code of a status query: it does not say whether the gateway takes the payout.
    case ACKNOWLEDGEMENT_CODE.notFound:
      return unchanged(record)
  }
}

function acceptedOf(record: PayoutRecord): AcceptedPayout {
  if (record.phase === 'accepted') {
    return record
  }

  return {
    phase: 'accepted',
    ...keptOf(record),
    response_description: null,
    reported: null,
    settled_at: null,
    missing_since: null,
    alarm: null,
  }
}

function keptOf({ call, told, resolution }: PayoutRecord) {
  return { call, told, resolution }
}

function report(
  before: PayoutRecord,
  { reported, isOtherRecipient }: Extract<Observation, { kind: 'status' }>,
  askedAt: number,
): TransitionResult<PayoutRecord> {
  const accepted = acceptedOf(before)
  // What was erased does not come back with a later report.
  const result = before.call.request === null ? null : reported.result
  const difference = findDifference(before.call, reported, isOtherRecipient)
  const { payment_status } = reported
  const moved = movedBy(accepted, reported)
  const heard = { payment_status, result, difference, since: askedAt, ...moved }
  const { record, historyEntry } = applyReport(STATUS_RULES, accepted, heard)
  // A report that is ignored, or only raises an alarm, neither settles the payout nor opens it again.
  if (record.reported === accepted.reported) {
    return { record, historyEntry }
  }

  const isSameStatus = accepted.reported?.payment_status === heard.payment_status
  const since = isSameStatus ? (accepted.settled_at ?? askedAt) : askedAt
  const settled_at = determineOutcome(record).settled ? since : null
  return { record: { ...record, settled_at }, historyEntry }
}

/**
 * Returns what has left the float account for the recipient, and what of it came back. The gateway states what the
 * recipient gets: of another amount or currency than what leaves the account, this does not say what has left, and what
 * was asked counts. [spec: Payout result, currency]
 */
function movedBy(
  { call, reported: before }: AcceptedPayout,
  { payment_status, result }: Report,
): Pick<ReportedPayout, 'paid' | 'returned' | 'currency'> {
  const asked = askedOfFloat(call)
  const { outcome } = STATUS_RULES.statuses[payment_status]
  const { amount, currency } = isPaidInFull(call) ? reportedTerms(result) : asked
  const said = currency ?? asked.currency
  const known = before?.currency === said ? before : null
  return { ...movedAfter(outcome, amount, asked.amount, known), currency: said }
}

/** Returns the events about a new record, and the record with what the merchant was told. */
export function announcePayout(
  { record: before }: Payout,
  { record }: Payout,
): { record: PayoutRecord; events: TrackedEvent[] } {
  const isResolved = isNewResolution(before, record)
  return announce(record, determineOutcome(before), determineOutcome(record), isResolved)
}
