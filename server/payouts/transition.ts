/**
 * What may follow what, for one payout.
 *
 * A payout is money that leaves, so nothing is guessed: what the gateway once acknowledged and no longer knows,
 * what comes back other than it was asked, and what turns from failed to paid, needs a person.
 */

import type { Acknowledgement } from '../contract/payout.ts'
import type { PayoutStatus } from '../contract/status.ts'
import type { TrackedOutcome } from '../api/tracked.ts'
import type { AcceptedPayout, IntendedPayout, Payout, PayoutRecord, ReportedState } from './record.ts'
import type { SeenTerms, Terms } from './variants.ts'
import { compare } from '../contract/decimal.ts'
import { ACKNOWLEDGEMENT_CODE } from '../contract/status.ts'
import { determineOutcome } from './outcome.ts'
import { askedTerms, seenTerms } from './variants.ts'

export type Observation =
  | { kind: 'acknowledged'; answer: Acknowledgement }
  | { kind: 'status'; reported: ReportedState }
  /** 723. [spec: Payout acknowledgement codes] */
  | { kind: 'unknown' }

/** The merchant hears `payout.` or `b2b.`, and one of these. */
export type PayoutEvent = Exclude<TrackedOutcome, 'sending' | 'pending'>

export interface TransitionResult {
  record: PayoutRecord
  event: PayoutEvent | null
  /** What happened, for the history; `null` when nothing did. */
  historyEntry: string | null
}

/** [assumed] The spec lists the codes and shows no transitions; this table is ours. */
export const FOLLOWS: Record<PayoutStatus, readonly PayoutStatus[]> = {
  703: [700, 701, 702, 704, 705], // pending: anything may happen
  704: [700, 701, 702, 703, 705], // jammed: an operator decides
  700: [702, 705], // paid out: the money may only come back
  701: [705], // failed: what was taken for it may be refunded
  702: [],
  705: [],
}

/** Before anything unacknowledged is sent again: this many questions in vain, over at least this long. */
const ASK_BEFORE_RESENDING = { times: 3, overMs: 2 * 60_000 }
/** [assumed] What the gateway would not take in a day may have been paid by hand: a person decides. */
const STOP_SENDING_AFTER_MS = 24 * 3_600_000
/** "Not known" means "not yet" for so long after it was sent. */
const NOT_YET_MS = 2 * 60_000

/** @param askedAt When the gateway was asked, in milliseconds since the Unix epoch. */
export function transition(payout: Payout, observation: Observation, askedAt: number): TransitionResult {
  const { record } = payout
  switch (record.phase) {
    case 'intended':
      return transitionIntended(payout, record, observation, askedAt)
    case 'accepted':
      return transitionAccepted(payout, record, observation, askedAt)
    case 'rejected':
      if (observation.kind !== 'status') return unchanged(record)
      return contradict(accepted(record), 'The gateway rejected this payout, and has it all the same.')
  }
}

/**
 * Only what was never acknowledged is sent again, under the same reference: the gateway refuses duplicates by 722.
 * Each time after twice as long as before.
 */
export function isToBeSentAgain({ record, created_at, sent_at }: Payout, now: number): boolean {
  if (record.phase !== 'intended' || record.stuck !== null || record.missing.since !== sent_at) return false
  const { times, overMs } = ASK_BEFORE_RESENDING
  return record.missing.times >= times && now - sent_at >= Math.max(overMs, sent_at - created_at)
}

function transitionIntended(
  payout: Payout,
  record: IntendedPayout,
  observation: Observation,
  askedAt: number,
): TransitionResult {
  switch (observation.kind) {
    case 'acknowledged':
      return acknowledge(payout, record, observation.answer, askedAt)
    case 'status':
      return see(accepted(record), observation.reported, askedAt)
    case 'unknown': {
      const { created_at, sent_at } = payout
      const times = record.missing.since === sent_at ? record.missing.times + 1 : 1
      const missing = { since: sent_at, times }
      if (record.stuck === null && askedAt - created_at >= STOP_SENDING_AFTER_MS) {
        const stuck = 'The gateway took it neither the first time nor again, and it is no longer sent.'
        return { record: { ...record, missing, stuck }, event: 'needs_attention', historyEntry: stuck }
      }
      const isNews = times <= ASK_BEFORE_RESENDING.times
      const historyEntry = isNews ? 'The gateway does not know this payout, or not yet.' : null
      return { record: { ...record, missing }, event: null, historyEntry }
    }
  }
}

function transitionAccepted(
  { sent_at }: Payout,
  record: AcceptedPayout,
  observation: Observation,
  askedAt: number,
): TransitionResult {
  switch (observation.kind) {
    case 'acknowledged':
      return unchanged(record)
    case 'status':
      return see(record, observation.reported, askedAt)
    case 'unknown':
      if (askedAt - sent_at < NOT_YET_MS) return unchanged(record)
      return contradict(record, 'The gateway does not know this payout, which it once acknowledged.')
  }
}

function acknowledge(
  payout: Payout,
  record: IntendedPayout,
  answer: Acknowledgement,
  askedAt: number,
): TransitionResult {
  const { response_code, response_description, error_code } = answer
  const { submission, missing } = record
  const was_resent = missing.times > 0 && missing.since !== payout.sent_at
  if (error_code === 'DUPLICATE_IGNORED') return acceptedBefore(record)
  switch (response_code) {
    case ACKNOWLEDGEMENT_CODE.accepted:
      return { record: accepted(record), event: null, historyEntry: 'The gateway accepted it.' }
    case ACKNOWLEDGEMENT_CODE.duplicateIgnored:
      return acceptedBefore(record)
    case ACKNOWLEDGEMENT_CODE.rejected: {
      const why = error_code ?? response_description
      // These say nothing of the first one, which may have arrived. [assumed] The others come after the duplicates
      // were sought out, so the gateway has none of this reference.
      if (was_resent && ['INVALID_ACCESS_TOKEN', 'UNAUTHORIZED', 'FAILED'].includes(error_code ?? '')) {
        return { record, event: null, historyEntry: `The gateway would not take it again: ${why}.` }
      }
      const rejection = { response_description, error_code, rejected_at: askedAt, was_resent }
      return {
        record: { phase: 'rejected', submission, ...rejection },
        event: 'failed',
        historyEntry: `The gateway rejected it: ${why}.`,
      }
    }
    case ACKNOWLEDGEMENT_CODE.notFound:
      return unchanged(record)
  }
}

/** It has one of this reference: ours, whose answer was lost. What it says of it is compared with what was asked. */
function acceptedBefore(record: IntendedPayout): TransitionResult {
  return { record: accepted(record), event: null, historyEntry: 'The gateway had accepted it before.' }
}

function accepted({ submission }: PayoutRecord): AcceptedPayout {
  return { phase: 'accepted', submission, reported: null, settled_at: null, contradiction: null }
}

function see(record: AcceptedPayout, reported: ReportedState, askedAt: number): TransitionResult {
  const { status } = seenTerms(reported)
  const before = record.reported && seenTerms(record.reported).status
  const difference = findDifference(askedTerms(record.submission), seenTerms(reported))
  if (difference) return contradict(record, difference)
  if (before !== null && before !== status && !FOLLOWS[before].includes(status)) {
    // Told as failed, the merchant may have paid by another way: that it was paid after all cannot be kept quiet.
    if (status === 700) return contradict(record, `The gateway says 700 after ${before}.`)
    return {
      record,
      event: null,
      historyEntry: `The gateway said ${status} after ${before}; ${before} is kept.`,
    }
  }
  const next: AcceptedPayout = { ...record, reported, contradiction: null }
  const { outcome, settled } = determineOutcome(next)
  const isNews = outcome !== determineOutcome(record).outcome
  const settled_at = settled ? (isNews ? askedAt : (record.settled_at ?? askedAt)) : null
  const isSame = before === status && JSON.stringify(record.reported) === JSON.stringify(reported)
  return {
    record: { ...next, settled_at },
    event: isNews && outcome !== 'pending' && outcome !== 'sending' ? outcome : null,
    historyEntry: isSame && !isNews ? null : `The gateway says ${status}: ${outcome}.`,
  }
}

/** How the gateway's payout differs from the one that was asked; a masked number tells nothing. */
function findDifference(asked: Terms, reported: SeenTerms): string | null {
  if (compare(reported.amount, asked.amount) !== 0)
    return `The gateway has ${reported.amount} where ${asked.amount} was asked.`
  if (reported.currency !== null && reported.currency !== asked.currency) {
    return `The gateway has ${reported.currency} where ${asked.currency} was asked.`
  }
  const isWhole = reported.recipient !== null && /^\+?\d+$/.test(reported.recipient)
  if (isWhole && reported.recipient?.replace('+', '') !== asked.recipient.replace('+', '')) {
    return 'The gateway has another recipient than was asked.'
  }
  return null
}

/** Told once, however often it is seen. */
function contradict(record: AcceptedPayout, contradiction: string): TransitionResult {
  if (record.contradiction === contradiction) return unchanged(record)
  const event = record.contradiction === null ? 'needs_attention' : null
  return { record: { ...record, contradiction }, event, historyEntry: contradiction }
}

function unchanged(record: PayoutRecord): TransitionResult {
  return { record, event: null, historyEntry: null }
}
