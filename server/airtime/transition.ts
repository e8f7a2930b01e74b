/**
 * Computes the next record and the events of an airtime request from an observation. Pure.
 *
 * Airtime cannot be taken back from a phone, and the spec does not say that the gateway refuses a duplicate request: the
 * submission policy sends a request at most once.
 */

import type { AirtimeEntry } from '../contract/airtime.ts'
import type { TrackedOutcome } from '../api/tracked.ts'
import type { Transition } from '../transactions/transition.ts'
import type {
  AcceptedAirtime,
  Airtime,
  AirtimeRecord,
  IntendedAirtime,
  Recipient,
  RejectedAirtime,
} from './record.ts'
import { isTooEarly, missSubmission } from '../transactions/submission.ts'
import { unchanged } from '../transactions/transition.ts'
import { determineOutcome, isSettled, summarise } from './outcome.ts'
import { missRecipient, reportRecipient, addUnrequested } from './recipient-transition.ts'

export type Observation =
  /** 720 */
  | { kind: 'accepted' }
  /** 721. Confirmed when a status query then found that the gateway does not know the reference. */
  | { kind: 'rejected'; why: string; isConfirmed: boolean }
  | { kind: 'status'; entries: readonly AirtimeEntry[] }
  /** 723 */
  | { kind: 'unknown' }

/** An event about one recipient. Its type is `airtime.` and a suffix. */
export interface AirtimeEvent {
  recipient: Recipient
  outcome: Exclude<TrackedOutcome, 'sending' | 'pending'>
}

type AirtimeTransition = Transition<AirtimeRecord, AirtimeEvent>

/** @param askedAt When the gateway was asked, in milliseconds since the Unix epoch. */
export function transition(airtime: Airtime, observation: Observation, askedAt: number): AirtimeTransition {
  const { record } = airtime
  switch (record.phase) {
    case 'intended':
      return transitionIntended({ ...airtime, record }, observation, askedAt)
    case 'accepted':
      return transitionAccepted({ ...airtime, record }, observation, askedAt)
    case 'rejected':
      return transitionRejected(record, observation, askedAt)
  }
}

function transitionIntended(
  airtime: Airtime<IntendedAirtime>,
  observation: Observation,
  askedAt: number,
): AirtimeTransition {
  const { record } = airtime
  switch (observation.kind) {
    case 'accepted':
      return changed(record, accepted(record), 'The gateway accepted it.')
    case 'rejected': {
      const { why: response_description, isConfirmed: is_confirmed } = observation
      const { recipients } = record
      const next: AirtimeRecord = { phase: 'rejected', recipients, response_description, is_confirmed }
      return changed(record, next, `The gateway rejected it: ${response_description}`)
    }
    case 'status':
      return report(record, accepted(record), observation.entries, askedAt)
    case 'unknown': {
      const missed = missSubmission(airtime, askedAt)
      if (typeof missed === 'string' || missed.historyEntry === null) return unchanged(record)
      return changed(record, missed.record, missed.historyEntry)
    }
  }
}

function transitionAccepted(
  airtime: Airtime<AcceptedAirtime>,
  observation: Observation,
  askedAt: number,
): AirtimeTransition {
  const { record } = airtime
  switch (observation.kind) {
    case 'accepted':
    case 'rejected':
      return unchanged(record)
    case 'status':
      return report(record, record, observation.entries, askedAt)
    case 'unknown':
      if (isTooEarly(airtime, askedAt)) return unchanged(record)
      return doubtUnsettled(record, record, 'The gateway does not know it, and once acknowledged it.')
  }
}

function transitionRejected(
  record: RejectedAirtime,
  observation: Observation,
  askedAt: number,
): AirtimeTransition {
  switch (observation.kind) {
    case 'accepted':
    case 'rejected':
      return unchanged(record)
    case 'status':
      // A confirmed rejection was reported as `failed`, so the merchant may have sent the airtime in another way.
      // Before confirmation, 721 may mean that the reference was already in use.
      return record.is_confirmed
        ? doubtUnsettled(record, accepted(record), 'The gateway rejected it, and has it all the same.')
        : report(record, accepted(record), observation.entries, askedAt)
    case 'unknown':
      if (record.is_confirmed) return unchanged(record)
      return changed(record, { ...record, is_confirmed: true }, 'The gateway knows none of it.')
  }
}

function accepted({ recipients }: AirtimeRecord): AcceptedAirtime {
  return { phase: 'accepted', recipients, settled_at: null }
}

/** Marks every unsettled recipient as `needs_attention`. */
function doubtUnsettled(
  before: AirtimeRecord,
  record: AcceptedAirtime,
  attention: string,
): AirtimeTransition {
  const recipients = record.recipients.map((recipient) =>
    determineOutcome(record, recipient).settled || recipient.attention === attention
      ? recipient
      : { ...recipient, attention },
  )
  const isNew = recipients.some((recipient, index) => recipient !== before.recipients[index])
  return isNew ? changed(before, { ...record, recipients }, attention) : unchanged(before)
}

function report(
  before: AirtimeRecord,
  record: AcceptedAirtime,
  entries: readonly AirtimeEntry[],
  askedAt: number,
): AirtimeTransition {
  const listed = byPhone(entries)
  const known = record.recipients.map((recipient) => {
    const [entry, ...others] = listed.get(recipient.phone_number) ?? []
    if (!entry) return missRecipient(recipient, determineOutcome(record, recipient).settled, askedAt)
    return reportRecipient(recipient, entry, others.length)
  })
  const requested = new Set(record.recipients.map(({ phone_number }) => phone_number))
  const unrequested = [...listed.values()].flatMap(([entry]) =>
    entry && !requested.has(entry.phone_number) ? [addUnrequested(entry)] : [],
  )
  const recipients = [...known, ...unrequested]
  const isSame =
    before.phase === 'accepted' &&
    unrequested.length === 0 &&
    recipients.every((recipient, index) => recipient === before.recipients[index])
  if (isSame) return unchanged(before)
  const next: AcceptedAirtime = { ...record, recipients }
  const settled_at = isSettled(next) ? (record.settled_at ?? askedAt) : null
  return changed(before, { ...next, settled_at }, sentenceOf(next))
}

function byPhone(entries: readonly AirtimeEntry[]): ReadonlyMap<string, readonly AirtimeEntry[]> {
  const listed = new Map<string, AirtimeEntry[]>()
  for (const entry of entries) {
    const same = listed.get(entry.phone_number)
    if (same) same.push(entry)
    else listed.set(entry.phone_number, [entry])
  }
  return listed
}

function sentenceOf(record: AirtimeRecord): string {
  const { total: _, ...shares } = summarise([record])
  const counts = Object.entries(shares).flatMap(([outcome, { count }]) =>
    count > 0 ? [`${count} ${outcome.replace('_', ' ')}`] : [],
  )
  return `The gateway says: ${counts.join(', ')}.`
}

/** Returns the new record, with an event for each recipient whose outcome changed. */
function changed(before: AirtimeRecord, record: AirtimeRecord, historyEntry: string): AirtimeTransition {
  const events = record.recipients.flatMap((recipient, index): AirtimeEvent[] => {
    const { outcome } = determineOutcome(record, recipient)
    if (outcome === 'sending' || outcome === 'pending') return []
    const earlier = before.recipients[index]
    return earlier && determineOutcome(before, earlier).outcome === outcome ? [] : [{ recipient, outcome }]
  })
  return { record, events, historyEntry }
}
