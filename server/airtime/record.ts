/**
 * The stored record of one airtime request to the gateway, its outcome and those of its recipients, and the
 * transitions: how the gateway's answers change it. Pure. [spec: Airtime service_status]
 *
 * One row contains all recipients of a request (at most 1,000), because one status query reports them all. Delivered
 * airtime cannot be taken back, and the spec does not say that the gateway refuses a duplicate request. The submission
 * policy therefore sends each request at most once.
 */

import { z } from 'zod'

import { add, canonical } from '../contract/decimal.ts'
import { AIRTIME_STATUS } from '../contract/status.ts'
import { createReader, storedAmount, storedTime } from '../transactions/record.ts'
import { describeResolution, Resolution } from '../transactions/resolution.ts'
import {
  alarmIfMissing,
  countMissing,
  FORGOTTEN,
  missing_since,
  REFUSAL_QUERIES,
  refuseSubmission,
  submissionState,
  WHY_MISSING,
} from '../transactions/submission.ts'
import {
  Alarm,
  announce,
  changed,
  findAmountDifference,
  isNewResolution,
  reportStatus,
  resolve,
  resolvedStanding,
  standing,
  standingBy,
  told,
  unchanged,
} from '../transactions/transition.ts'

import type { AirtimeOutcome, AirtimeSummary, Subtotal } from '../api/airtime.ts'
import type { AirtimeEntry } from '../contract/airtime.ts'
import type { AirtimeStatus } from '../contract/status.ts'
import type { Stored } from '../transactions/record.ts'
import type {
  Overdue,
  Resolving,
  Standing,
  StatusRules,
  TrackedEvent,
  TransitionResult,
} from '../transactions/transition.ts'

/** The last state that the gateway reported for a recipient. A field that the gateway did not report is `null`. */
const ReportedRecipient = z.object({
  /** When the gateway was first heard to report this status, in milliseconds since the Unix epoch. */
  since: storedTime,
  service_status: z.literal(Object.values(AIRTIME_STATUS)),
  provider_reference: z.string().nullable(),
  correlation_id: z.string().nullable(),
  message: z.string().nullable(),
})
type ReportedRecipient = z.output<typeof ReportedRecipient>

const Recipient = z.object({
  /** The phone number; `null` once it was erased, while it cannot be decrypted, and if nobody requested it. */
  phone_number: z.string().nullable(),
  /** The fingerprint of the phone number, by which the recipient is found in the gateway's list. */
  fingerprint: z.string(),
  /**
   * The requested amount: decimal text in major units of the recipient's local currency. `null` if the merchant did not
   * request airtime for this phone number.
   */
  amount: storedAmount.nullable(),
  reported: ReportedRecipient.nullable(),
  missing_since,
  /** Why a person has to check the recipient, apart from what was reported; `null` if there is no such reason. */
  alarm: Alarm.nullable(),
  /** What a person found out; `null` if nobody resolved it. */
  resolution: Resolution.nullable(),
  told,
})
export type Recipient = z.output<typeof Recipient>

const recipients = z.array(Recipient)
/** The fingerprint of the merchant's request, by which a repeated request is recognized. */
const request_fingerprint = z.string()

/** The gateway's acknowledgement with 721. */
const Rejection = z.object({ response_description: z.string().nullable() })

export const AirtimeRecord = z.discriminatedUnion('phase', [
  /** The request is stored, but not yet acknowledged by the gateway. */
  z.object({
    phase: z.literal('intended'),
    recipients,
    request_fingerprint,
    ...submissionState(Rejection),
  }),
  /** The gateway acknowledged the request with 720, or a status query found the request. */
  z.object({
    phase: z.literal('accepted'),
    recipients,
    request_fingerprint,
    settled_at: z.number().nullable(),
  }),
  /** The gateway rejected the request with 721, and status queries did not find the request. */
  z.object({
    phase: z.literal('rejected'),
    recipients,
    request_fingerprint,
    ...Rejection.shape,
    rejected_at: z.number(),
  }),
])
export type AirtimeRecord = z.output<typeof AirtimeRecord>
type IntendedAirtime = Extract<AirtimeRecord, { phase: 'intended' }>
type AcceptedAirtime = Extract<AirtimeRecord, { phase: 'accepted' }>

export type Airtime<Record extends AirtimeRecord = AirtimeRecord> = Stored<Record>

export const readAirtime = createReader(AirtimeRecord)

export type Observation =
  /** The gateway accepted the request (acknowledgement 720). */
  | { kind: 'accepted' }
  /** The gateway rejected the request (acknowledgement 721). */
  | { kind: 'rejected'; response_description: string }
  | { kind: 'status'; entries: readonly ReportedEntry[] }
  /** A status query was answered with 723 (unknown reference). [spec: Payout acknowledgement codes] */
  | { kind: 'unknown' }
  | Resolving

/** An entry of the gateway's list (`identify.ts`). `phone_number` is `null` if the record does not have it. */
export type ReportedEntry = Omit<AirtimeEntry, 'phone_number'> &
  Pick<Recipient, 'phone_number' | 'fingerprint'>

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

/** The rejection counts. Without one, the submission of airtime ends as stuck, and is never given up. */
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
      ? resolve(recipient, determineOutcome(record, recipient), resolution).record
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
      return reportRecipient(recipient, entry, repeated.length, askedAt)
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

/**
 * The spec says that 601 and 604 are not final. 600 (not started) and 607 (will be retried) are not final either,
 * because the gateway has yet to process the recipient. [assumed] Only these statuses may follow. After 602, the
 * merchant believes that the airtime was delivered. A delivery after a failure or a return is late, and needs a person
 * (`standingOf`).
 */
const STATUS_RULES: StatusRules<AirtimeStatus, ReportedRecipient> = {
  statusOf: (reported) => reported.service_status,
  statuses: {
    600: { outcome: 'pending', next: [601, 602, 603, 604, 605, 606, 607] },
    601: { outcome: 'pending', next: [600, 602, 603, 604, 605, 606, 607] },
    602: { outcome: 'succeeded', next: [605, 606] },
    603: { outcome: 'failed', next: [602, 605, 606, 607] },
    604: { outcome: 'needs_attention', next: [600, 601, 602, 603, 605, 606, 607] },
    605: { outcome: 'reversed', next: [602, 606, 607] },
    606: { outcome: 'refunded', next: [602, 605, 607] },
    607: { outcome: 'pending', next: [600, 601, 602, 603, 604, 605, 606] },
  },
}

/**
 * Returns the recipient with the state that `entry` reports, or with an alarm if the entry contradicts the request or
 * cannot be read. Returns `recipient` itself if nothing changed.
 *
 * @param entry The recipient's entry in the gateway's list.
 * @param repeats The number of further entries in the list for the same phone number.
 * @param askedAt When the gateway was queried, in milliseconds since the Unix epoch.
 */
export function reportRecipient(
  recipient: Recipient,
  entry: ReportedEntry,
  repeats: number,
  askedAt: number,
): Recipient {
  return reportStatus(STATUS_RULES, recipient, readEntry(recipient.amount, entry, repeats, askedAt)).record
}

/** Returns the reported state, or a sentence that states how the entry contradicts the request or cannot be read. */
function readEntry(requested: string | null, entry: ReportedEntry, repeats: number, askedAt: number) {
  const reported = reportedIn(entry, askedAt)
  if (requested !== null && repeats > 0) {
    return 'The gateway has it more than once.'
  }
  if (reported === null) {
    return 'What the gateway has of it cannot be read.'
  }
  if (requested === null) {
    return reported
  }

  const { outcome } = STATUS_RULES.statuses[reported.service_status]
  return findAmountDifference(outcome, entry.amount, requested) ?? reported
}

/**
 * Creates a recipient for an entry that is about no recipient of the request, as far as can be told. A person has to
 * check this recipient, whose number is not stored: the merchant did not name it.
 */
export function createUnrequested(entry: ReportedEntry, askedAt: number): Recipient {
  const { fingerprint, amount } = entry
  const has = `the gateway has ${amount ?? 'an amount that cannot be read'}`
  const why = `No recipient of the request is known to have this number, and ${has}.`
  return {
    phone_number: null,
    fingerprint,
    amount: null,
    reported: reportedIn(entry, askedAt),
    missing_since: null,
    alarm: { why, until: 'returned' },
    resolution: null,
    told: [],
  }
}

function reportedIn(entry: ReportedEntry, since: number): ReportedRecipient | null {
  const { service_status, provider_reference, correlation_id, message } = entry
  return service_status === null
    ? null
    : { since, service_status, provider_reference, correlation_id, message }
}

export function determineOutcome(record: AirtimeRecord, recipient: Recipient): Standing {
  const resolved = resolvedStanding(recipient)
  if (resolved) {
    return resolved
  }

  switch (record.phase) {
    case 'intended':
      return standing('sending', record.stuck)
    case 'rejected':
      return standing('failed')
    case 'accepted':
      return standingBy(STATUS_RULES, recipient)
  }
}

export function isSettled(record: AirtimeRecord): boolean {
  return record.recipients.every((recipient) => determineOutcome(record, recipient).settled)
}

/** Counts the recipients and adds up their requested amounts, for each outcome and in total. */
export function summarise(records: readonly AirtimeRecord[]): AirtimeSummary {
  const summary: AirtimeSummary = {
    total: NOTHING,
    sending: NOTHING,
    pending: NOTHING,
    succeeded: NOTHING,
    failed: NOTHING,
    reversed: NOTHING,
    refunded: NOTHING,
    needs_attention: NOTHING,
  }
  for (const record of records) {
    for (const recipient of record.recipients) {
      const { outcome } = determineOutcome(record, recipient)
      summary.total = withOneMore(summary.total, recipient)
      summary[outcome] = withOneMore(summary[outcome], recipient)
    }
  }

  return summary
}

const NOTHING: Subtotal = { count: 0, amount: '0' }

function withOneMore({ count, amount }: Subtotal, recipient: Recipient): Subtotal {
  return {
    count: count + 1,
    amount: recipient.amount === null ? amount : canonical(add(amount, recipient.amount)),
  }
}

/**
 * Returns the outcome of all recipients together. Checks the outcomes `needs_attention`, `sending` and `pending` in
 * this order, and returns the first outcome that any recipient has. If no recipient has any of these outcomes, returns
 * `succeeded` if all recipients succeeded, `partial` if some succeeded, or `failed` if none succeeded.
 */
export function outcomeOf(summary: AirtimeSummary): AirtimeOutcome {
  if (summary.needs_attention.count > 0) {
    return 'needs_attention'
  }
  if (summary.sending.count > 0) {
    return 'sending'
  }
  if (summary.pending.count > 0) {
    return 'pending'
  }
  if (summary.succeeded.count === summary.total.count) {
    return 'succeeded'
  }
  return summary.succeeded.count > 0 ? 'partial' : 'failed'
}
