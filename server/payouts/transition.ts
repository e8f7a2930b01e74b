/**
 * Computes the next record and the events of a payout from an observation. Pure.
 *
 * A person has to check a payout (outcome `needs_attention`) in these cases:
 *
 * - The gateway has not acknowledged the payout, and the server has given up sending it.
 * - The gateway acknowledged the payout, but later does not know it.
 * - The gateway rejected the payout, but later reports a status of it.
 * - The reported terms differ from the requested terms.
 * - The gateway reports success (700) after it reported failure, a reversal or a refund.
 * - The payout is jammed (704).
 */

import type { Acknowledgement } from '../contract/payout.ts'
import type { PayoutStatus } from '../contract/status.ts'
import type { TrackedEvent, TransitionResult } from '../transactions/transition.ts'
import type { AcceptedPayout, IntendedPayout, Payout, PayoutRecord, ReportedPayout } from './record.ts'
import type { PayoutTerms, ReportedTerms } from './variants.ts'
import type { TrackedState } from '../api/tracked.ts'
import { compare } from '../contract/decimal.ts'
import { ACKNOWLEDGEMENT_CODE } from '../contract/status.ts'
import { isResent, isTooEarly, missSubmission } from '../transactions/submission.ts'
import { canStatusFollow, contradict, eventsOf, note, unchanged } from '../transactions/transition.ts'
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

type PayoutTransitionResult = TransitionResult<PayoutRecord, TrackedEvent>

/**
 * For each payment status, the statuses that the gateway may report after this status. The spec lists the statuses, but
 * not their order. [assumed] Only these statuses may follow.
 */
export const FOLLOWS: Record<PayoutStatus, readonly PayoutStatus[]> = {
  703: [700, 701, 702, 704, 705], // pending: every other status may follow
  704: [700, 701, 702, 703, 705], // jammed (stuck at the operator): every other status may follow
  700: [702, 705], // processed: only a reversal or a refund may follow
  701: [705], // failed: the amount may be refunded
  702: [],
  705: [],
}

/**
 * Returns the next record of a payout, with the events and the history entry.
 *
 * @param askedAt When the gateway was queried or the request was sent, in milliseconds since the Unix epoch.
 */
export function transition(
  payout: Payout,
  observation: Observation,
  askedAt: number,
): PayoutTransitionResult {
  const { record } = payout
  switch (observation.kind) {
    case 'acknowledged':
      if (record.phase !== 'intended') return unchanged(record)
      return acknowledge({ ...payout, record }, observation.answer, askedAt)
    case 'status':
      if (record.phase !== 'rejected') return report(accepted(record), observation, askedAt)
      return contradict(accepted(record), 'The gateway rejected this payout, and has it all the same.')
    case 'unknown':
      return applyUnknown(payout, askedAt)
  }
}

function applyUnknown(payout: Payout, askedAt: number): PayoutTransitionResult {
  const { record } = payout
  switch (record.phase) {
    case 'intended': {
      const missed = missSubmission({ ...payout, record }, askedAt)
      return typeof missed === 'string' ? unchanged(record) : missed
    }
    case 'accepted':
      if (isTooEarly(payout, askedAt)) return unchanged(record)
      return contradict(record, 'The gateway does not know this payout, which it once acknowledged.')
    case 'rejected':
      return unchanged(record)
  }
}

function acknowledge(
  payout: Payout<IntendedPayout>,
  { response_code, response_description, error_code }: Acknowledgement,
  askedAt: number,
): PayoutTransitionResult {
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
      const { submission } = record
      const rejection = { response_description, error_code, rejected_at: askedAt, was_resent }
      return {
        record: { phase: 'rejected', submission, ...rejection },
        events: ['failed'],
        historyEntry: `The gateway rejected it: ${why}.`,
      }
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
    contradiction: null,
  }
}

function report(
  record: AcceptedPayout,
  { reported, isOtherRecipient = false }: Extract<Observation, { kind: 'status' }>,
  askedAt: number,
): PayoutTransitionResult {
  const terms = reportedTerms(reported)
  const { status } = terms
  const before = record.reported && reportedTerms(record.reported).status
  const difference = findDifference(requestedTerms(record.submission), terms, isOtherRecipient)
  if (difference) return contradict(record, difference)
  if (!canStatusFollow(FOLLOWS, before, status)) {
    const why = `The gateway says ${status} after ${before}.`
    // After a `failed` event, the merchant may have paid in another way; after a `succeeded` event, the recipient may
    // be unpaid. A person has to check both.
    const isAlarming = status === 700 || (before === 700 && status !== 703)
    if (isAlarming) return contradict(record, why)
    return note(record, `${why} ${before} is kept.`)
  }
  const next: AcceptedPayout = { ...record, reported, contradiction: null }
  const { outcome, settled } = determineOutcome(next)
  const isNews = outcome !== determineOutcome(record).outcome
  if (!isNews && JSON.stringify(record.reported) === JSON.stringify(reported)) return unchanged(record)
  const settled_at = settled ? (isNews ? askedAt : (record.settled_at ?? askedAt)) : null
  return {
    record: { ...next, settled_at },
    events: isNews ? eventsOf(outcome) : [],
    historyEntry: `The gateway says ${status}: ${outcome}.`,
  }
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
  700: { outcome: 'succeeded', settled: true },
  701: { outcome: 'failed', settled: true },
  702: { outcome: 'reversed', settled: true },
  703: { outcome: 'pending', settled: false },
  704: { outcome: 'needs_attention', settled: false },
  705: { outcome: 'refunded', settled: true },
} as const satisfies Record<PayoutStatus, TrackedState>

export function determineOutcome(record: PayoutRecord): TrackedState {
  switch (record.phase) {
    case 'intended':
      return { outcome: record.stuck === null ? 'sending' : 'needs_attention', settled: false }
    case 'rejected':
      return { outcome: 'failed', settled: true }
    case 'accepted':
      // If the gateway's reports contradict the request or each other, a person has to check the payout. The payout
      // stays unsettled, so that its status is queried again.
      if (record.contradiction !== null) return { outcome: 'needs_attention', settled: false }
      return record.reported === null
        ? { outcome: 'pending', settled: false }
        : MEANING[reportedTerms(record.reported).status]
  }
}
