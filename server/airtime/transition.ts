/** Computes the next record of an airtime request from an observation, and the events about its recipients. Pure. */

import { aboutOf } from '../money-out/reported-status.ts'
import { alarmIfMissing, FORGOTTEN, WHY_MISSING } from '../transactions/missing-report.ts'
import { describeResolution } from '../transactions/resolution.ts'
import { isNewResolution } from '../transactions/resolution.ts'
import { resolve } from '../transactions/resolving.ts'
import { announce } from '../transactions/standing.ts'
import { countMissing, REFUSAL_QUERIES, refuseSubmission } from '../transactions/submission.ts'
import { changed, unchanged } from '../transactions/transition-result.ts'
import { createUnrequested, applyEntry } from './entry.ts'
import { determineOutcome, isSettled, summarise } from './record.ts'

import type { Overdue, Resolving } from '../transactions/observation.ts'
import type { TrackedEvent } from '../transactions/standing.ts'
import type { TransitionResult } from '../transactions/transition-result.ts'
import type { ReportedEntry } from './entry.ts'
import type { AcceptedAirtime, Airtime, AirtimeRecord, IntendedAirtime, Recipient } from './record.ts'

export type Observation =
  /** The gateway accepted the request (acknowledgement 720). */
  | { kind: 'accepted' }
  /** The gateway rejected the request (acknowledgement 721). */
  | { kind: 'rejected'; response_description: string }
  | { kind: 'status'; entries: readonly ReportedEntry[] }
  /** A status query was answered with 723 (unknown reference). [spec: Payout acknowledgement codes] */
  | { kind: 'unknown' }
  | Resolving

/** An event about one recipient. The event's type is `airtime.` followed by the outcome. */
export interface AirtimeEvent {
  recipient: Recipient
  outcome: TrackedEvent
}

/**
 * Returns the next record of an airtime request, with the history entry.
 *
 * @param askedAt When the gateway was queried or the request was sent, in milliseconds since the Unix epoch.
 */
export function transition(
  airtime: Airtime,
  observation: Observation | Overdue,
  askedAt: number,
): TransitionResult<AirtimeRecord> {
  const { record } = airtime
  switch (observation.kind) {
    case 'resolved':
      return resolveRecipient(record, observation)
    case 'accepted':
      return record.phase === 'intended'
        ? changed(acceptedOf(record), 'The gateway accepted it.')
        : unchanged(record)
    case 'rejected': {
      if (record.phase !== 'intended') {
        return unchanged(record)
      }

      const { response_description } = observation
      // The acknowledgement of airtime has no error code. [assumed] A 721 may also mean that the gateway has already
      // accepted this reference, from this server or from another one with its own database.
      return refuseSubmission(record, {
        why: `The gateway rejected it: ${response_description}`,
        queries: REFUSAL_QUERIES.doubtful,
        answer: { response_description },
      })
    }
    case 'status':
      // After a rejection, the reported status applies: the reference may already have been in use.
      return report(airtime, observation.entries, askedAt)
    case 'unknown':
    case 'overdue':
      return reportMissing(airtime, observation.kind, askedAt)
  }
}

function reportMissing(
  airtime: Airtime,
  why: 'unknown' | 'overdue',
  askedAt: number,
): TransitionResult<AirtimeRecord> {
  const { record } = airtime
  switch (record.phase) {
    case 'intended':
      return countMissing({ ...airtime, record }, 'once', askedAt, why) ?? reject(record, askedAt)
    case 'rejected':
      return unchanged(record)
    case 'accepted':
      return report(airtime, [], askedAt, why)
  }
}

/** Returns the rejected record. Without a rejection, nothing changes: airtime that may have been sent is not given up. */
function reject(record: IntendedAirtime, rejected_at: number): TransitionResult<AirtimeRecord> {
  const { recipients, request_fingerprint, refused } = record
  if (refused === null) {
    return unchanged(record)
  }

  const { response_description } = refused.answer
  return changed(
    { phase: 'rejected', recipients, request_fingerprint, response_description, rejected_at },
    refused.why,
  )
}

/** Returns the transition result for a resolution of one recipient. */
function resolveRecipient(
  record: AirtimeRecord,
  { resolution, part }: Resolving,
): TransitionResult<AirtimeRecord> {
  const recipients = record.recipients.map((recipient) =>
    recipient.fingerprint === part
      ? resolve(recipient, determineOutcome(record, recipient), resolution, reportInQuestion(recipient))
          .record
      : recipient,
  )
  if (recipients.every((recipient, index) => recipient === record.recipients[index])) {
    return unchanged(record)
  }

  const next = { ...record, recipients }
  if (next.phase !== 'accepted') {
    return changed(next, describeResolution(resolution))
  }

  const settled_at = isSettled(next) ? (next.settled_at ?? resolution.at) : null
  return changed({ ...next, settled_at }, describeResolution(resolution))
}

/** Returns the report because of which a person was asked, if it was not because of an alarm; `null` otherwise. */
function reportInQuestion({ alarm, reported }: Recipient): string | null {
  return alarm === null && reported ? aboutOf(reported.service_status, reported) : null
}

function acceptedOf(record: AirtimeRecord): AcceptedAirtime {
  if (record.phase === 'accepted') {
    return record
  }

  const { recipients, request_fingerprint } = record
  return { phase: 'accepted', recipients, request_fingerprint, settled_at: null }
}

/** Returns the transition result for the gateway's list. `whyMissing` is the reason if there is no list. */
function report(
  airtime: Airtime,
  entries: readonly ReportedEntry[],
  askedAt: number,
  whyMissing?: 'unknown' | 'overdue',
): TransitionResult<AirtimeRecord> {
  const { record: before } = airtime
  const record = acceptedOf(before)
  const listed = byFingerprint(entries)
  const current = record.recipients.map((recipient) => {
    const [entry, ...repeated] = listed.get(recipient.fingerprint) ?? []
    if (entry) {
      return applyEntry(recipient, entry, repeated, askedAt)
    }

    const { settled } = determineOutcome(record, recipient)
    return alarmIfMissing(recipient, settled, askedAt, whyMissing ?? 'unknown').record
  })
  for (const { fingerprint } of record.recipients) {
    listed.delete(fingerprint)
  }

  const unrequested = [...listed.values()].map(([entry]) => createUnrequested(entry, askedAt))
  const recipients = [...current, ...unrequested]
  const isSame =
    before.phase === 'accepted' &&
    recipients.every((recipient, index) => recipient === before.recipients[index])
  if (isSame) {
    return unchanged(before)
  }

  const next: AcceptedAirtime = { ...record, recipients }
  // Details that change later do not settle it again.
  const since = isSameStatus(record, next) ? (record.settled_at ?? askedAt) : askedAt
  const settled_at = isSettled(next) ? since : null
  return { record: { ...next, settled_at }, historyEntry: describeReport(record, next, whyMissing) }
}

/** Returns the history entry of a report, or of a missing one; `null` if it changed nothing that people see. */
function describeReport(
  before: AcceptedAirtime,
  after: AcceptedAirtime,
  whyMissing?: 'unknown' | 'overdue',
): string | null {
  if (whyMissing === undefined) {
    return sentenceOf(after)
  }
  if (isSettled(before)) {
    return FORGOTTEN
  }

  const isAlarmed = after.recipients.some(({ alarm }, index) => alarm !== before.recipients[index]?.alarm)
  return isAlarmed ? WHY_MISSING[whyMissing] : null
}

function isSameStatus(before: AcceptedAirtime, after: AcceptedAirtime): boolean {
  return after.recipients.every(
    ({ reported }, index) => reported?.service_status === before.recipients[index]?.reported?.service_status,
  )
}

function byFingerprint(entries: readonly ReportedEntry[]) {
  const listed = new Map<string, [ReportedEntry, ...ReportedEntry[]]>()
  for (const entry of entries) {
    const same = listed.get(entry.fingerprint)
    if (same) {
      same.push(entry)
    } else {
      listed.set(entry.fingerprint, [entry])
    }
  }

  return listed
}

function sentenceOf(record: AirtimeRecord): string {
  const { total: _, ...subtotals } = summarise([record])
  const counts = Object.entries(subtotals).flatMap(([outcome, { count }]) =>
    count > 0 ? [`${count} ${outcome.replace('_', ' ')}`] : [],
  )
  return `The gateway says: ${counts.join(', ')}.`
}

/** Returns an event for each recipient whose outcome is new, and the record with what the merchant was told of each. */
export function announceRecipients(before: AirtimeRecord, record: AirtimeRecord) {
  const events: AirtimeEvent[] = []
  const recipients = record.recipients.map((recipient, index) => {
    // Recipients keep their places in the list; those that nobody requested are added at the end.
    const earlier = before.recipients[index]
    const standingBefore = earlier ? determineOutcome(before, earlier) : null
    const isResolved = isNewResolution(earlier ?? { resolution: null }, recipient)
    const announced = announce(recipient, standingBefore, determineOutcome(record, recipient), isResolved)
    events.push(...announced.events.map((outcome) => ({ recipient: announced.record, outcome })))
    return announced.record
  })
  return { record: { ...record, recipients }, events }
}
