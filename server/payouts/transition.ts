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
import type { Ladder, Overdue, Standing, TransitionResult } from '../transactions/transition.ts'
import type {
  AcceptedPayout,
  IntendedPayout,
  Payout,
  PayoutRecord,
  Report,
  ReportedPayout,
  StoredCall,
} from './record.ts'
import { compare } from '../contract/decimal.ts'
import { ACKNOWLEDGEMENT_CODE } from '../contract/status.ts'
import { reportStatus, standingOn, changed, standing, unchanged } from '../transactions/transition.ts'
import { isResent, alarmIfMissing, countMissing } from '../transactions/submission.ts'
import { recipientOf, reportedTerms } from './record.ts'

export type Observation =
  | { kind: 'acknowledged'; answer: Acknowledgement }
  /**
   * `isOtherRecipient` is true if a reported number is not the recipient's. Absent unless the recipient's numbers were
   * erased, because the transition otherwise compares the numbers.
   */
  | { kind: 'status'; reported: Report; isOtherRecipient?: boolean }
  /**
   * The gateway does not know the payout (723 in the response to a status query). [spec: Payout acknowledgement codes]
   */
  | { kind: 'unknown' }

/**
 * The spec lists the payment statuses, but not their order. [assumed] Only these statuses may follow. After a
 * `succeeded` event, 701 (failed) or 704 (jammed) means that the recipient may be unpaid.
 */
const LADDER: Ladder<PayoutStatus, ReportedPayout> = {
  statusOf: ({ payment_status }) => payment_status,
  statuses: {
    703: { outcome: 'pending', next: [700, 701, 702, 704, 705] },
    704: { outcome: 'needs_attention', next: [700, 701, 702, 703, 705] }, // jammed: stuck at the operator
    700: { outcome: 'succeeded', next: [702, 705], contradictedBy: [701, 704] },
    701: { outcome: 'failed', next: [700, 705] }, // a late success needs a person
    702: { outcome: 'reversed', next: [700] },
    705: { outcome: 'refunded', next: [700] },
  },
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
      if (record.phase === 'accepted') return alarmIfMissing({ ...payout, record }, askedAt, observation.kind)
      const result = countMissing({ ...payout, record }, askedAt, observation.kind)
      return typeof result === 'string' ? unchanged(record) : result
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
    return changed(acceptedOf(record), 'The gateway had accepted it before.')
  switch (response_code) {
    case ACKNOWLEDGEMENT_CODE.accepted:
      return changed({ ...acceptedOf(record), response_description }, 'The gateway accepted it.')
    case ACKNOWLEDGEMENT_CODE.rejected: {
      const why = error_code ?? response_description
      const was_resent = isResent(payout, record)
      // These codes do not show whether the gateway received the first send. [assumed] The gateway returns every other
      // code only after its check for duplicates, so the gateway has no payout with this reference.
      if (was_resent && ['INVALID_ACCESS_TOKEN', 'UNAUTHORIZED', 'FAILED'].includes(error_code ?? ''))
        return changed(record, `The gateway would not take it again: ${why}.`)
      const { call, told } = record
      const rejection = { response_description, error_code, rejected_at: askedAt, was_resent, told }
      return changed({ phase: 'rejected', call, ...rejection }, `The gateway rejected it: ${why}.`)
    }
    case ACKNOWLEDGEMENT_CODE.notFound:
      return unchanged(record)
  }
}

function acceptedOf(record: PayoutRecord): AcceptedPayout {
  if (record.phase === 'accepted') return record
  return {
    phase: 'accepted',
    call: record.call,
    response_description: null,
    reported: null,
    settled_at: null,
    alarm: null,
    told: record.told,
  }
}

function report(
  before: PayoutRecord,
  { reported, isOtherRecipient = false }: Extract<Observation, { kind: 'status' }>,
  askedAt: number,
): TransitionResult<PayoutRecord> {
  const accepted = acceptedOf(before)
  const difference = findDifference(before.call, reported, isOtherRecipient)
  // What was erased does not come back with a later report.
  const stored = before.call.request === null ? { ...reported, result: null } : reported
  const { record, historyEntry } = reportStatus(LADDER, accepted, difference ?? stored)
  if (record === accepted || record.reported !== stored) return { record, historyEntry }
  const settled_at = determineOutcome(record).settled ? (accepted.settled_at ?? askedAt) : null
  return { record: { ...record, settled_at }, historyEntry }
}

/** Returns the amount and the currency that the recipient gets, and the recipient's numbers that are not erased. */
export function requestedTerms(call: StoredCall) {
  const { amount = '0', currency = '' } = call.amounts.at(-1) ?? {}
  const { bankCode } = call.recipient
  const recipient = call.request === null ? { bankCode } : recipientOf(call)
  return { amount, currency, recipient }
}

/**
 * Returns a sentence about the first difference between the reported payout and the request; `null` if there is no
 * difference.
 */
function findDifference(call: StoredCall, { result }: Report, isOtherRecipient: boolean) {
  const requested = requestedTerms(call)
  const reported = reportedTerms(result)
  if (compare(reported.amount, requested.amount) !== 0)
    return `The gateway has ${reported.amount} where ${requested.amount} was asked.`
  if (reported.currency !== null && reported.currency !== requested.currency)
    return `The gateway has ${reported.currency} where ${requested.currency} was asked.`
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

export function determineOutcome(record: PayoutRecord): Standing {
  switch (record.phase) {
    case 'intended':
      return standing('sending', record.stuck)
    case 'rejected':
      return standing('failed')
    case 'accepted':
      return standingOn(LADDER, record)
  }
}
