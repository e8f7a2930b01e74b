/**
 * What may follow what, for one request of airtime and each of its recipients.
 *
 * Airtime is gone once it is on a phone, and the spec does not say that a gateway refuses the same request twice: so
 * a request is sent at most once. What was sent without an answer is asked about, and then needs a person.
 */

import type { AirtimeEntry } from '../contract/airtime.ts'
import type { TrackedOutcome } from '../api/tracked.ts'
import type {
  AcceptedAirtime,
  Airtime,
  AirtimeRecord,
  IntendedAirtime,
  Recipient,
  RejectedAirtime,
} from './record.ts'
import { isSettled, determineOutcome, summarise } from './outcome.ts'
import { leaveOut, seeEntry, seeStranger } from './recipient-transition.ts'

export type Observation =
  /** 720 */
  | { kind: 'accepted' }
  /** 721. Confirmed when the gateway said afterwards that it knows none of the reference. */
  | { kind: 'rejected'; why: string; isConfirmed: boolean }
  | { kind: 'status'; entries: readonly AirtimeEntry[] }
  /** 723 */
  | { kind: 'unknown' }

/** The merchant hears `airtime.` and one of these, of each recipient by itself. */
export interface AirtimeEvent {
  recipient: Recipient
  outcome: Exclude<TrackedOutcome, 'sending' | 'pending'>
}

export interface TransitionResult {
  record: AirtimeRecord
  events: readonly AirtimeEvent[]
  /** What happened, for the history; `null` when nothing did. */
  historyEntry: string | null
}

/** Before a person has to look: this many questions in vain, over at least this long. */
const ASK_BEFORE_GIVING_UP = { times: 3, overMs: 2 * 60_000 }
/** [assumed] What was never sent within a day may have been sent by another way: a person decides. */
const STOP_SENDING_AFTER_MS = 24 * 3_600_000
/** "Not known" means "not yet" for so long after it was sent. */
const NOT_YET_MS = 2 * 60_000

/** @param askedAt When the gateway was asked, in milliseconds since the Unix epoch. */
export function transition(airtime: Airtime, observation: Observation, askedAt: number): TransitionResult {
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

/** Sending makes a new version of a row: the first one was only stored, and nothing of it can have arrived. */
export function isNeverSent({ record, version }: Airtime): boolean {
  return record.phase === 'intended' && record.stuck === null && version === 1
}

function transitionIntended(
  airtime: Airtime<IntendedAirtime>,
  observation: Observation,
  askedAt: number,
): TransitionResult {
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
      return see(record, accepted(record), observation.entries, askedAt)
    case 'unknown':
      return isNeverSent(airtime) ? waitToSend(airtime, askedAt) : miss(airtime, askedAt)
  }
}

function waitToSend({ record, created_at }: Airtime<IntendedAirtime>, askedAt: number): TransitionResult {
  if (askedAt - created_at < STOP_SENDING_AFTER_MS) return unchanged(record)
  const stuck = 'It could not be sent for a day, and is no longer sent.'
  return changed(record, { ...record, stuck }, stuck)
}

function miss({ record, sent_at }: Airtime<IntendedAirtime>, askedAt: number): TransitionResult {
  if (record.stuck !== null) return unchanged(record)
  const missing = record.missing + 1
  const { times, overMs } = ASK_BEFORE_GIVING_UP
  if (missing >= times && askedAt - sent_at >= overMs) {
    const stuck = 'It was sent once, and the gateway does not know it. It is not sent again.'
    return changed(record, { ...record, missing, stuck }, stuck)
  }
  return changed(record, { ...record, missing }, 'The gateway does not know it, or not yet.')
}

function transitionAccepted(
  { record, sent_at }: Airtime<AcceptedAirtime>,
  observation: Observation,
  askedAt: number,
): TransitionResult {
  switch (observation.kind) {
    case 'accepted':
    case 'rejected':
      return unchanged(record)
    case 'status':
      return see(record, record, observation.entries, askedAt)
    case 'unknown':
      if (askedAt - sent_at < NOT_YET_MS) return unchanged(record)
      return doubt(record, record, 'The gateway does not know it, and once acknowledged it.')
  }
}

function transitionRejected(
  record: RejectedAirtime,
  observation: Observation,
  askedAt: number,
): TransitionResult {
  switch (observation.kind) {
    case 'accepted':
    case 'rejected':
      return unchanged(record)
    case 'status':
      // Told as failed, it may have been sent by another way; before that, the reference was simply used before.
      return record.is_confirmed
        ? doubt(record, accepted(record), 'The gateway rejected it, and has it all the same.')
        : see(record, accepted(record), observation.entries, askedAt)
    case 'unknown':
      if (record.is_confirmed) return unchanged(record)
      return changed(record, { ...record, is_confirmed: true }, 'The gateway knows none of it.')
  }
}

function accepted({ recipients }: AirtimeRecord): AcceptedAirtime {
  return { phase: 'accepted', recipients, settled_at: null }
}

/** Why a person has to look at everybody whose end is not known. */
function doubt(before: AirtimeRecord, record: AcceptedAirtime, attention: string): TransitionResult {
  const recipients = record.recipients.map((recipient) =>
    determineOutcome(record, recipient).settled || recipient.attention === attention
      ? recipient
      : { ...recipient, attention },
  )
  const isNew = recipients.some((recipient, index) => recipient !== before.recipients[index])
  return isNew ? changed(before, { ...record, recipients }, attention) : unchanged(before)
}

function see(
  before: AirtimeRecord,
  record: AcceptedAirtime,
  entries: readonly AirtimeEntry[],
  askedAt: number,
): TransitionResult {
  const listed = byPhone(entries)
  const known = record.recipients.map((recipient) => {
    const [entry, ...others] = listed.get(recipient.phone_number) ?? []
    if (!entry) return leaveOut(recipient, determineOutcome(record, recipient).settled, askedAt)
    return seeEntry(recipient, entry, others.length)
  })
  const asked = new Set(record.recipients.map(({ phone_number }) => phone_number))
  const strangers = [...listed.values()].flatMap(([entry]) =>
    entry && !asked.has(entry.phone_number) ? [seeStranger(entry)] : [],
  )
  const recipients = [...known, ...strangers]
  const isSame =
    before.phase === 'accepted' &&
    strangers.length === 0 &&
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

/** Each recipient whose outcome is news is told of by itself. */
function changed(before: AirtimeRecord, record: AirtimeRecord, historyEntry: string): TransitionResult {
  const events = record.recipients.flatMap((recipient, index): AirtimeEvent[] => {
    const { outcome } = determineOutcome(record, recipient)
    if (outcome === 'sending' || outcome === 'pending') return []
    const earlier = before.recipients[index]
    return earlier && determineOutcome(before, earlier).outcome === outcome ? [] : [{ recipient, outcome }]
  })
  return { record, events, historyEntry }
}

function unchanged(record: AirtimeRecord): TransitionResult {
  return { record, events: [], historyEntry: null }
}
