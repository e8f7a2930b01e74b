/**
 * Computes the next record of an airtime request from an observation, and the events about a new record. Pure.
 *
 * Delivered airtime cannot be taken back. The spec does not say that the gateway refuses a duplicate request. The
 * submission policy therefore sends each request at most once.
 */

import type { Overdue, TrackedEvent, TransitionResult } from '../transactions/transition.ts'
import type { AcceptedAirtime, Airtime, AirtimeRecord, Recipient } from './record.ts'
import { alarmIfMissing, countMissing, WHY_MISSING } from '../transactions/submission.ts'
import { announce, changed, unchanged } from '../transactions/transition.ts'
import type { ReportedEntry } from './recipients.ts'
import { addUnrequested, determineOutcome, isSettled, reportRecipient, summarise } from './recipients.ts'

export type Observation =
  /** The gateway accepted the request (acknowledgement 720). */
  | { kind: 'accepted' }
  /**
   * The gateway rejected the request (acknowledgement 721). `why` is the description in the acknowledgement.
   * `isUnknown` is true if a status query then showed that the gateway does not know the reference.
   */
  | { kind: 'rejected'; why: string; isUnknown: boolean }
  | { kind: 'status'; entries: readonly ReportedEntry[] }
  /** The gateway does not know the reference (723 in the response to a status query). */
  | { kind: 'unknown' }

/** An event about one recipient. The event's type is `airtime.` followed by the outcome. */
export interface AirtimeEvent {
  recipient: Recipient
  outcome: TrackedEvent
}

type AirtimeTransitionResult = TransitionResult<AirtimeRecord>

/**
 * Returns the next record of an airtime request, with the history entry.
 *
 * @param askedAt When the gateway was queried or the request was sent, in milliseconds since the Unix epoch.
 */
export function transition(
  airtime: Airtime,
  observation: Observation | Overdue,
  askedAt: number,
): AirtimeTransitionResult {
  const { record } = airtime
  switch (observation.kind) {
    case 'accepted':
      return record.phase === 'intended'
        ? changed(accepted(record), 'The gateway accepted it.')
        : unchanged(record)
    case 'rejected': {
      if (record.phase !== 'intended') return unchanged(record)
      const { why: response_description, isUnknown: is_unknown } = observation
      const { recipients, request_fingerprint } = record
      return changed(
        { phase: 'rejected', recipients, request_fingerprint, response_description, is_unknown },
        `The gateway rejected it: ${response_description}`,
      )
    }
    case 'status':
      // After a rejection, the reported status applies: the reference may already have been in use.
      return report(airtime, observation.entries, askedAt)
    case 'unknown':
    case 'overdue': {
      const { kind } = observation
      if (record.phase === 'intended') {
        const result = countMissing({ ...airtime, record }, askedAt, kind)
        return typeof result === 'string' ? unchanged(record) : result
      }
      if (record.phase === 'rejected' && record.is_unknown) return unchanged(record)
      return record.phase === 'rejected' && kind === 'unknown'
        ? changed({ ...record, is_unknown: true }, 'The gateway knows none of it.')
        : report(airtime, [], askedAt, kind)
    }
  }
}

function accepted(record: AirtimeRecord): AcceptedAirtime {
  if (record.phase === 'accepted') return record
  const { recipients, request_fingerprint } = record
  return { phase: 'accepted', recipients, request_fingerprint, settled_at: null }
}

/** Returns the transition result for the gateway's list. `why` is the reason if there is no list. */
function report(
  airtime: Airtime,
  entries: readonly ReportedEntry[],
  askedAt: number,
  why?: 'unknown' | 'overdue',
): AirtimeTransitionResult {
  const { record: before } = airtime
  const record = accepted(before)
  const listed = byFingerprint(entries)
  const current = record.recipients.map((recipient) => {
    const [entry, ...others] = listed.get(recipient.fingerprint) ?? []
    if (entry) return reportRecipient(recipient, entry, others.length)
    if (determineOutcome(record, recipient).settled) return recipient
    return alarmIfMissing({ ...airtime, record: recipient }, askedAt, why ?? 'unknown').record
  })
  const requested = new Set(record.recipients.map(({ fingerprint }) => fingerprint))
  const unrequested = [...listed.values()].flatMap(([entry]) =>
    entry && !requested.has(entry.fingerprint) ? [addUnrequested(entry)] : [],
  )
  const recipients = [...current, ...unrequested]
  const isSame =
    before.phase === 'accepted' &&
    recipients.every((recipient, index) => recipient === before.recipients[index])
  if (isSame) return unchanged(before)
  const next: AcceptedAirtime = { ...record, recipients }
  const settled_at = isSettled(next) ? (record.settled_at ?? askedAt) : null
  return changed({ ...next, settled_at }, why ? WHY_MISSING[why] : sentenceOf(next))
}

function byFingerprint(entries: readonly ReportedEntry[]): ReadonlyMap<string, readonly ReportedEntry[]> {
  const listed = new Map<string, ReportedEntry[]>()
  for (const entry of entries) {
    const same = listed.get(entry.fingerprint)
    if (same) same.push(entry)
    else listed.set(entry.fingerprint, [entry])
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

/** Returns an event for each recipient whose outcome is new, and the record with what the merchant was told of each. */
export function announceRecipients(before: AirtimeRecord, record: AirtimeRecord) {
  const events: AirtimeEvent[] = []
  const recipients = record.recipients.map((recipient, index) => {
    const earlier = before.recipients[index]
    const was = earlier ? determineOutcome(before, earlier) : null
    const told = announce(recipient, was, determineOutcome(record, recipient))
    events.push(...told.events.map((outcome) => ({ recipient: told.record, outcome })))
    return told.record
  })
  return { record: { ...record, recipients }, events }
}
