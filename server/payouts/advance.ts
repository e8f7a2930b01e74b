/**
 * What may follow what, for one payout.
 *
 * A payout is money that leaves, so nothing is guessed: what the gateway once acknowledged and no longer knows,
 * what comes back other than it was asked, and what turns from failed to paid, needs a person.
 */

import type { Acknowledgement } from '../contract/payout.ts'
import type { PayoutStatus } from '../contract/status.ts'
import type { PayoutOutcome } from './outcome.ts'
import type { AcceptedPayout, Payout, PayoutRecord, Seen } from './record.ts'
import { compare } from '../contract/decimal.ts'
import { ACKNOWLEDGEMENT_CODE } from '../contract/status.ts'
import { judge } from './outcome.ts'
import { askedTerms, seenTerms } from './variants.ts'

export type Observation =
  | { kind: 'acknowledged'; answer: Acknowledgement }
  | { kind: 'status'; seen: Seen }
  /** 723. [spec: Payout acknowledgement codes] */
  | { kind: 'unknown' }

/** The merchant hears `payout.` or `b2b.`, and one of these. */
export type PayoutEvent = Exclude<PayoutOutcome, 'sending' | 'pending'>

export interface Advanced {
  record: PayoutRecord
  event: PayoutEvent | null
  /** What happened, for the history; `null` when nothing did. */
  what: string | null
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
export const ASK_BEFORE_RESENDING = { times: 3, overMs: 2 * 60_000 }

/** @param askedAt When the gateway was asked, in milliseconds since the Unix epoch. */
export function advance(payout: Payout, observation: Observation, askedAt: number): Advanced {
  const { record } = payout
  switch (record.phase) {
    case 'rejected':
      return unchanged(record)
    case 'intended':
      switch (observation.kind) {
        case 'acknowledged':
          return acknowledge(record, observation.answer)
        case 'status':
          return see(accepted(record), observation.seen, askedAt)
        case 'unknown': {
          const { sent_at } = payout
          const times = record.missing.since === sent_at ? record.missing.times + 1 : 1
          const what = 'The gateway does not know this payout, or not yet.'
          return { record: { ...record, missing: { since: sent_at, times } }, event: null, what }
        }
      }
      break
    case 'accepted':
      switch (observation.kind) {
        case 'acknowledged':
          return unchanged(record)
        case 'status':
          return see(record, observation.seen, askedAt)
        case 'unknown':
          return contradict(record, 'The gateway no longer knows this payout, which it once acknowledged.')
      }
  }
}

/** Only what was never acknowledged is sent again, under the same reference: the gateway refuses duplicates by 722. */
export function isToBeSentAgain({ record, sent_at }: Payout, now: number): boolean {
  if (record.phase !== 'intended' || record.missing.since !== sent_at) return false
  return record.missing.times >= ASK_BEFORE_RESENDING.times && now - sent_at >= ASK_BEFORE_RESENDING.overMs
}

function acknowledge(
  record: Extract<PayoutRecord, { phase: 'intended' }>,
  answer: Acknowledgement,
): Advanced {
  const { response_code, response_description, error_code } = answer
  switch (response_code) {
    case ACKNOWLEDGEMENT_CODE.accepted:
      return { record: accepted(record), event: null, what: 'The gateway accepted it.' }
    case ACKNOWLEDGEMENT_CODE.duplicateIgnored:
      // It has one of this reference: ours, whose answer was lost. What it says of it is compared with what was asked.
      return { record: accepted(record), event: null, what: 'The gateway had accepted it before.' }
    case ACKNOWLEDGEMENT_CODE.rejected: {
      const { submission } = record
      const rejected = {
        phase: 'rejected' as const,
        submission,
        response_code,
        response_description,
        error_code,
      }
      return {
        record: rejected,
        event: 'failed',
        what: `The gateway rejected it: ${error_code ?? response_description}.`,
      }
    }
    case ACKNOWLEDGEMENT_CODE.notFound:
      return unchanged(record)
  }
}

function accepted({ submission }: PayoutRecord): AcceptedPayout {
  return { phase: 'accepted', submission, seen: null, settled_at: null, contradiction: null }
}

function see(record: AcceptedPayout, seen: Seen, askedAt: number): Advanced {
  const { status, amount, currency } = seenTerms(seen)
  const asked = askedTerms(record.submission)
  const before = record.seen && seenTerms(record.seen).status
  if (compare(amount, asked.amount) !== 0 || (currency !== null && currency !== asked.currency)) {
    return contradict(
      record,
      `The gateway has ${currency ?? ''} ${amount} where ${asked.currency} ${asked.amount} was asked.`,
    )
  }
  if (before !== null && before !== status && !FOLLOWS[before].includes(status)) {
    // Told as failed, the merchant may have paid by another way: that it was paid after all cannot be kept quiet.
    if (status === 700) return contradict(record, `The gateway says 700 after ${before}.`)
    return { record, event: null, what: `The gateway said ${status} after ${before}; ${before} is kept.` }
  }
  const next: AcceptedPayout = { ...record, seen, contradiction: null }
  const { outcome, settled } = judge(next)
  const isNews = outcome !== judge(record).outcome
  const settled_at = settled ? (isNews ? askedAt : (record.settled_at ?? askedAt)) : null
  const isSame = before === status && JSON.stringify(record.seen) === JSON.stringify(seen)
  return {
    record: { ...next, settled_at },
    event: isNews && outcome !== 'pending' && outcome !== 'sending' ? outcome : null,
    what: isSame && !isNews ? null : `The gateway says ${status}: ${outcome}.`,
  }
}

/** Told once, however often it is seen. */
function contradict(record: AcceptedPayout, contradiction: string): Advanced {
  if (record.contradiction === contradiction) return unchanged(record)
  const event = record.contradiction === null ? 'needs_attention' : null
  return { record: { ...record, contradiction }, event, what: contradiction }
}

function unchanged(record: PayoutRecord): Advanced {
  return { record, event: null, what: null }
}
