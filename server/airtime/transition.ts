/**
 * Computes the next record and the events of an airtime request from an observation. Pure.
 *
 * Delivered airtime cannot be taken back. The spec does not say that the gateway refuses a duplicate request. The
 * submission policy therefore sends each request at most once.
 */

import type { AirtimeEntry } from '../contract/airtime.ts'
import type { TrackedEvent, TransitionResult } from '../transactions/transition.ts'
import type { AcceptedAirtime, Airtime, AirtimeRecord, Recipient } from './record.ts'
import { isTooEarly, missSubmission } from '../transactions/submission.ts'
import { eventsOf, unchanged } from '../transactions/transition.ts'
import { determineOutcome, isSettled, summarise } from './outcome.ts'
import { missRecipient, reportRecipient, addUnrequested } from './recipient-transition.ts'

/**
 * An entry of the gateway's list. If the recipient was masked, the phone number is masked, too, and `fingerprint` names
 * the recipient.
 */
export type ReportedEntry = AirtimeEntry & Pick<Recipient, 'fingerprint'>

export type Observation =
  /** The gateway accepted the request (acknowledgement 720). */
  | { kind: 'accepted' }
  /**
   * The gateway rejected the request (acknowledgement 721). `why` is the description in the acknowledgement.
   * `isConfirmed` is true if a status query then showed that the gateway does not know the reference.
   */
  | { kind: 'rejected'; why: string; isConfirmed: boolean }
  | { kind: 'status'; entries: readonly ReportedEntry[] }
  /** The gateway does not know the reference (723 in the response to a status query). */
  | { kind: 'unknown' }

/** An event about one recipient. The event's type is `airtime.` followed by the outcome. */
export interface AirtimeEvent {
  recipient: Recipient
  outcome: TrackedEvent
}

type AirtimeTransitionResult = TransitionResult<AirtimeRecord, AirtimeEvent>

/**
 * Returns the next record of an airtime request, with the events and the history entry.
 *
 * @param askedAt When the gateway was queried or the request was sent, in milliseconds since the Unix epoch.
 */
export function transition(
  airtime: Airtime,
  observation: Observation,
  askedAt: number,
): AirtimeTransitionResult {
  const { record } = airtime
  switch (observation.kind) {
    case 'accepted':
      if (record.phase !== 'intended') return unchanged(record)
      return changed(record, accepted(record), 'The gateway accepted it.')
    case 'rejected': {
      if (record.phase !== 'intended') return unchanged(record)
      const { why: response_description, isConfirmed: is_confirmed } = observation
      const { recipients } = record
      const next: AirtimeRecord = { phase: 'rejected', recipients, response_description, is_confirmed }
      return changed(record, next, `The gateway rejected it: ${response_description}`)
    }
    case 'status':
      // The merchant received a `failed` event for a confirmed rejection and may have sent the airtime in another way,
      // so a person has to check. For an unconfirmed rejection, the reported status applies: the 721 may only have
      // meant that the reference was already in use.
      return record.phase === 'rejected' && record.is_confirmed
        ? doubtUnsettled(record, 'The gateway rejected it, and has it all the same.')
        : report(record, observation.entries, askedAt)
    case 'unknown':
      return applyUnknown(airtime, askedAt)
  }
}

function applyUnknown(airtime: Airtime, askedAt: number): AirtimeTransitionResult {
  const { record } = airtime
  switch (record.phase) {
    case 'intended': {
      const missed = missSubmission({ ...airtime, record }, askedAt)
      return typeof missed === 'string'
        ? unchanged(record)
        : changed(record, missed.record, missed.historyEntry)
    }
    case 'accepted':
      if (isTooEarly(airtime, askedAt)) return unchanged(record)
      return doubtUnsettled(record, 'The gateway does not know it, and once acknowledged it.')
    case 'rejected':
      if (record.is_confirmed) return unchanged(record)
      return changed(record, { ...record, is_confirmed: true }, 'The gateway knows none of it.')
  }
}

function accepted(record: AirtimeRecord): AcceptedAirtime {
  if (record.phase === 'accepted') return record
  const { recipients } = record
  const request_fingerprint = record.phase === 'rejected' ? record.request_fingerprint : undefined
  return { phase: 'accepted', recipients, request_fingerprint, settled_at: null }
}

/**
 * Returns the transition result that gives every unsettled recipient the outcome `needs_attention`, with `attention` as
 * the reason.
 */
function doubtUnsettled(before: AirtimeRecord, attention: string): AirtimeTransitionResult {
  const record = accepted(before)
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
  entries: readonly ReportedEntry[],
  askedAt: number,
): AirtimeTransitionResult {
  const record = accepted(before)
  const listed = byKey(entries)
  const known = record.recipients.map((recipient) => {
    const [entry, ...others] = listed.get(keyOf(recipient)) ?? []
    if (!entry) return missRecipient(recipient, determineOutcome(record, recipient).settled, askedAt)
    return reportRecipient(recipient, entry, others.length)
  })
  const requested = new Set(record.recipients.map(keyOf))
  const unrequested = [...listed.values()].flatMap(([entry]) =>
    entry && !requested.has(keyOf(entry)) ? [addUnrequested(entry)] : [],
  )
  const recipients = [...known, ...unrequested]
  const isSame =
    before.phase === 'accepted' &&
    recipients.every((recipient, index) => recipient === before.recipients[index])
  if (isSame) return unchanged(before)
  const next: AcceptedAirtime = { ...record, recipients }
  const settled_at = isSettled(next) ? (record.settled_at ?? askedAt) : null
  return changed(before, { ...next, settled_at }, sentenceOf(next))
}

function byKey(entries: readonly ReportedEntry[]): ReadonlyMap<string, readonly ReportedEntry[]> {
  const listed = new Map<string, ReportedEntry[]>()
  for (const entry of entries) {
    const same = listed.get(keyOf(entry))
    if (same) same.push(entry)
    else listed.set(keyOf(entry), [entry])
  }
  return listed
}

/** Returns the text by which a recipient is found in the gateway's list. */
function keyOf({ fingerprint, phone_number }: Pick<ReportedEntry, 'fingerprint' | 'phone_number'>): string {
  return fingerprint ?? phone_number
}

function sentenceOf(record: AirtimeRecord): string {
  const { total: _, ...shares } = summarise([record])
  const counts = Object.entries(shares).flatMap(([outcome, { count }]) =>
    count > 0 ? [`${count} ${outcome.replace('_', ' ')}`] : [],
  )
  return `The gateway says: ${counts.join(', ')}.`
}

/**
 * Returns the transition result from `before` to `record`, with an event for each recipient whose outcome changed. The
 * outcomes `sending` and `pending` cause no event.
 */
function changed(
  before: AirtimeRecord,
  record: AirtimeRecord,
  historyEntry: string | null,
): AirtimeTransitionResult {
  const events = record.recipients.flatMap((recipient, index) => {
    const { outcome } = determineOutcome(record, recipient)
    const earlier = before.recipients[index]
    const isNews = !earlier || determineOutcome(before, earlier).outcome !== outcome
    return isNews ? eventsOf(outcome).map((event) => ({ recipient, outcome: event })) : []
  })
  return { record, events, historyEntry }
}
