/**
 * Computes the next record of a payout from an observation. Pure.
 *
 * A person has to check a payout (outcome `needs_attention`) in these cases:
 *
 * - The gateway has not acknowledged the payout, and the server has given up sending it.
 * - The gateway acknowledged the payout, but later does not know it.
 * - The reported terms differ from the requested terms.
 * - The gateway reports the payout as processed (700) or on its way after the merchant was told that it failed or that
 *   the money came back.
 * - The gateway reports failure (701) or a jam (704) after success (700).
 * - The payout is jammed (704), or pending for 30 days.
 */

import type { Acknowledgement } from '../contract/payout.ts'
import type { PayoutStatus } from '../contract/status.ts'
import type { Overdue, Standing, TransitionResult } from '../transactions/transition.ts'
import type { AcceptedPayout, IntendedPayout, Payout, PayoutRecord, ReportedPayout } from './record.ts'
import type { PayoutTerms, ReportedTerms } from './variants.ts'
import type { TrackedOutcome } from '../api/tracked.ts'
import { compare } from '../contract/decimal.ts'
import { ACKNOWLEDGEMENT_CODE } from '../contract/status.ts'
import { isResent, missAcknowledged, missSubmission } from '../transactions/submission.ts'
import { alarmAfter, canStatusFollow, note, raise, unchanged } from '../transactions/transition.ts'
import { standing, standingOf } from '../transactions/transition.ts'
import { reportedTerms, requestedTerms } from './variants.ts'

export type Observation =
  | { kind: 'acknowledged'; answer: Acknowledgement }
  /**
   * `isOtherRecipient` is true if a reported number is not the recipient's. Absent if the payout was not masked,
   * because the transition then compares the numbers.
   */
  | { kind: 'status'; reported: ReportedPayout; isOtherRecipient?: boolean }
  /**
   * The gateway does not know the payout (723 in the response to a status query). [spec: Payout acknowledgement codes]
   */
  | { kind: 'unknown' }

/**
 * For each payment status, the statuses that the gateway may report after this status. The spec lists the statuses, but
 * not their order. [assumed] Only these statuses may follow.
 */
export const FOLLOWS: Record<PayoutStatus, readonly PayoutStatus[]> = {
  703: [700, 701, 702, 704, 705], // pending: every other status may follow
  704: [700, 701, 702, 703, 705], // jammed (stuck at the operator): every other status may follow
  700: [702, 705], // processed: only a reversal or a refund may follow
  701: [700, 705], // failed: the amount may be refunded; a late success needs a person
  702: [700],
  705: [700],
}

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
    case 'acknowledged':
      if (record.phase !== 'intended') return unchanged(record)
      return acknowledge({ ...payout, record }, observation.answer, askedAt)
    case 'status':
      return report(record, observation, askedAt)
    case 'unknown':
    case 'overdue': {
      if (record.phase === 'rejected') return unchanged(record)
      if (record.phase === 'accepted')
        return missAcknowledged({ ...payout, record }, askedAt, observation.kind)
      const missed = missSubmission({ ...payout, record }, askedAt, observation.kind)
      return typeof missed === 'string' ? unchanged(record) : missed
    }
  }
}

function acknowledge(
  payout: Payout<IntendedPayout>,
  { response_code, response_description, error_code }: Acknowledgement,
  askedAt: number,
): TransitionResult<PayoutRecord> {
  const { record } = payout
  if (error_code === 'DUPLICATE_IGNORED' || response_code === ACKNOWLEDGEMENT_CODE.duplicateIgnored)
    return note(accepted(record), 'The gateway had accepted it before.')
  switch (response_code) {
    case ACKNOWLEDGEMENT_CODE.accepted:
      return note({ ...accepted(record), response_description }, 'The gateway accepted it.')
    case ACKNOWLEDGEMENT_CODE.rejected: {
      const why = error_code ?? response_description
      const was_resent = isResent(payout, record)
      // These codes do not show whether the gateway received the first send. [assumed] The gateway returns every other
      // code only after its check for duplicates, so the gateway has no payout with this reference.
      if (was_resent && ['INVALID_ACCESS_TOKEN', 'UNAUTHORIZED', 'FAILED'].includes(error_code ?? ''))
        return note(record, `The gateway would not take it again: ${why}.`)
      const { submission, told } = record
      const rejection = { response_description, error_code, rejected_at: askedAt, was_resent, told }
      return note({ phase: 'rejected', submission, ...rejection }, `The gateway rejected it: ${why}.`)
    }
    case ACKNOWLEDGEMENT_CODE.notFound:
      return unchanged(record)
  }
}

function accepted(record: PayoutRecord): AcceptedPayout {
  if (record.phase === 'accepted') return record
  return {
    phase: 'accepted',
    submission: record.submission,
    response_description: null,
    reported: null,
    settled_at: null,
    alarm: null,
    told: record.told,
  }
}

function report(
  earlier: PayoutRecord,
  { reported, isOtherRecipient = false }: Extract<Observation, { kind: 'status' }>,
  askedAt: number,
): TransitionResult<PayoutRecord> {
  const record = accepted(earlier)
  const terms = reportedTerms(reported)
  const { status } = terms
  const before = record.reported && reportedTerms(record.reported).status
  const difference = findDifference(requestedTerms(record.submission), terms, isOtherRecipient)
  if (difference) return raise(record, difference, 'reported')
  if (!canStatusFollow(FOLLOWS, before, status)) {
    // After a `succeeded` event, the recipient may be unpaid. A pending status is an outdated answer.
    const isAlarming = before === 700 && status !== 703
    return isAlarming
      ? raise(record, `The gateway says ${status} after ${before}.`, 'returned')
      : unchanged(record)
  }
  const alarm = alarmAfter(record.alarm, MEANING[status], status !== before)
  if (alarm === record.alarm && JSON.stringify(record.reported) === JSON.stringify(reported))
    return unchanged(record)
  const next: AcceptedPayout = { ...record, reported, alarm }
  const { outcome, settled } = determineOutcome(next)
  const settled_at = settled ? (record.settled_at ?? askedAt) : null
  return note({ ...next, settled_at }, `The gateway says ${status}: ${outcome}.`)
}

/**
 * Returns a sentence about the first difference between the reported payout and the request; `null` if there is no
 * difference.
 */
function findDifference(
  requested: PayoutTerms,
  reported: ReportedTerms,
  isOtherRecipient: boolean,
): string | null {
  if (compare(reported.amount, requested.amount) !== 0)
    return `The gateway has ${reported.amount} where ${requested.amount} was asked.`
  if (reported.currency !== null && reported.currency !== requested.currency) {
    return `The gateway has ${reported.currency} where ${requested.currency} was asked.`
  }
  const { phone, account, bankCode } = requested.recipient
  const isOther =
    isOtherRecipient ||
    contradicts(reported.recipient.phone, phone) ||
    contradicts(reported.recipient.account, account) ||
    contradicts(reported.recipient.bankCode, bankCode)
  return isOther ? 'The gateway has another recipient than was asked.' : null
}

/**
 * Returns whether the gateway reported another number than the merchant requested. The gateway may mask digits of the
 * number; the other digits at both ends are then compared. [assumed] Text that is no number, such as "N/A", is ignored.
 */
function contradicts(reported: string | null, requested: string | undefined): boolean {
  const digits = /^\+?(\d*)([*xX•]*)(\d*)$/.exec(reported ?? '')
  if (!digits || requested === undefined) return false
  const [, start = '', mask, end = ''] = digits
  const number = requested.replace(/^\+/, '')
  if (mask === '') return start !== '' && start !== number
  return !number.startsWith(start) || !number.endsWith(end)
}

const MEANING = {
  700: 'succeeded',
  701: 'failed',
  702: 'reversed',
  703: 'pending',
  704: 'needs_attention',
  705: 'refunded',
} as const satisfies Record<PayoutStatus, TrackedOutcome>

export function determineOutcome(record: PayoutRecord): Standing {
  switch (record.phase) {
    case 'intended':
      return standing('sending', record.stuck)
    case 'rejected':
      return standing('failed')
    case 'accepted':
      // If a person has to check the payout, it stays unsettled, so that its status is queried again.
      return standingOf(record.reported ? MEANING[reportedTerms(record.reported).status] : 'pending', record)
  }
}
