/** Masks the recipients of airtime. A recipient that is not settled yet is masked later. Pure. */

import type { AirtimeEntry } from '../contract/airtime.ts'
import type { Fingerprints } from '../fingerprints.ts'
import type { Redact } from '../redactor.ts'
import type { StoredEvent } from '../store.ts'
import type { Mask, MaskedEvent, Person } from '../transactions/masking.ts'
import type { AirtimeRecord, Recipient } from './record.ts'
import type { ReportedEntry } from './transition.ts'
import { z } from 'zod'
import { maskNumber, createRedactor } from '../redactor.ts'
import { determineOutcome } from './recipients.ts'
import { readAirtime, requestedOf } from './record.ts'

export function createMaskAirtime(fingerprints: Fingerprints): Mask {
  return (transaction, person) => {
    const { record } = readAirtime(transaction)
    const chosen = record.recipients.filter(
      (recipient) => recipient.fingerprint === undefined && concerns(person, recipient, fingerprints),
    )
    if (chosen.length === 0) return { kind: 'nothing' }
    const settled = chosen.filter((recipient) => determineOutcome(record, recipient).settled)
    if (settled.length === 0 || record.phase === 'intended')
      return { kind: 'waits', why: `it is under way (${transaction.outcome})` }
    const masked = new Map(
      settled.map(({ phone_number }) => [phone_number, fingerprints.of('phone', phone_number)]),
    )
    const redact = createRedactor({ phones: [...masked.keys()] })
    const recipients = record.recipients.map((recipient) => {
      const fingerprint = masked.get(recipient.phone_number)
      return fingerprint === undefined ? recipient : maskRecipient(recipient, fingerprint, redact)
    })
    return {
      kind: 'masked',
      record: withRequest(record, recipients, redact, fingerprints),
      isComplete: recipients.every(({ fingerprint }) => fingerprint !== undefined),
      redact,
      maskEvent: (event) => maskEvent(event, masked, redact),
    }
  }
}

/**
 * Masks the entries of the gateway's list that are about masked recipients. Adds the fingerprint of the phone number to
 * these entries, so that the recipients are found.
 */
export function maskEntries(
  entries: readonly AirtimeEntry[],
  { recipients }: AirtimeRecord,
  fingerprints: Fingerprints,
): readonly ReportedEntry[] {
  const masked = new Set(recipients.flatMap(({ fingerprint }) => fingerprint ?? []))
  if (masked.size === 0) return entries
  return entries.map((entry) => {
    const { phone_number, message } = entry
    const fingerprint = fingerprints.all('phone', phone_number).find((each) => masked.has(each))
    if (fingerprint === undefined) return entry
    const redact = createRedactor({ phones: [phone_number] })
    return {
      ...entry,
      fingerprint,
      phone_number: maskNumber(phone_number),
      message: message === null ? null : redact(message),
    }
  })
}

function concerns(person: Person, { phone_number }: Recipient, fingerprints: Fingerprints): boolean {
  return person === 'everybody' || person.has(fingerprints.of('phone', phone_number))
}

type SettledRecord = Exclude<AirtimeRecord, { phase: 'intended' }>

/**
 * Returns the record with the masked recipients and the fingerprint of the request, by which a repeated request is
 * recognized.
 */
function withRequest(
  record: SettledRecord,
  recipients: Recipient[],
  redact: Redact,
  fingerprints: Fingerprints,
): SettledRecord {
  const terms = () => fingerprints.of('terms', JSON.stringify(record.recipients.flatMap(requestedOf)))
  const masked = { ...record, recipients, request_fingerprint: record.request_fingerprint ?? terms() }
  return masked.phase === 'rejected'
    ? { ...masked, response_description: redact(masked.response_description) }
    : masked
}

function maskRecipient(recipient: Recipient, fingerprint: string, redact: Redact): Recipient {
  const { phone_number, reported } = recipient
  const message = reported?.message ?? null
  return {
    ...recipient,
    phone_number: maskNumber(phone_number),
    fingerprint,
    reported: reported && { ...reported, message: message === null ? null : redact(message) },
  }
}

const EventBody = z.looseObject({
  data: z.looseObject({ phone_number: z.string(), message: z.string().nullable() }),
})

function maskEvent(
  { about, body }: StoredEvent,
  fingerprints: ReadonlyMap<string, string>,
  redact: Redact,
): MaskedEvent | null {
  const fingerprint = fingerprints.get(about)
  if (fingerprint === undefined) return null
  const { data, ...event } = EventBody.parse(JSON.parse(body))
  const { phone_number, message } = data
  const masked = {
    phone_number: maskNumber(phone_number),
    message: message === null ? null : redact(message),
  }
  return {
    about: fingerprint,
    body: JSON.stringify({ ...event, data: { ...data, ...masked } }),
  }
}
