/** Masks the sender and the recipient of a settled payout. Pure. */

import type { B2bResult } from '../contract/b2b.ts'
import type { PayoutResult } from '../contract/payout.ts'
import type { Fingerprints } from '../fingerprints.ts'
import type { Redact } from '../redactor.ts'
import type { StoredEvent } from '../store.ts'
import type { Mask, MaskedEvent, Person } from '../transactions/masking.ts'
import type { Observation } from './transition.ts'
import type { MaskedSubmission, PayoutRecord, ReportedPayout, Submission } from './record.ts'
import { z } from 'zod'
import { B2bResult as B2bResultSchema } from '../contract/b2b.ts'
import { PayoutResult as PayoutResultSchema } from '../contract/payout.ts'
import { maskName, maskNumber, createRedactor, REDACTED } from '../redactor.ts'
import { determineOutcome } from './transition.ts'
import { MaskedSubmission as MaskedSubmissionSchema, readPayout } from './record.ts'
import { isMasked, recipientOf, reportedTerms, termsOf } from './variants.ts'

export function createMaskPayout(fingerprints: Fingerprints): Mask {
  return (transaction, person) => {
    const { record } = readPayout(transaction)
    const { outcome, settled } = determineOutcome(record)
    if (isMasked(record.submission)) return { kind: 'nothing' }
    const people = peopleIn(record.submission, fingerprints)
    if (!concerns(person, people)) return { kind: 'nothing' }
    if (!settled || record.phase === 'intended') return { kind: 'waits', why: `it is under way (${outcome})` }
    const redact = redactorOf(record.submission, record.phase === 'accepted' ? record.reported : null)
    return {
      kind: 'masked',
      record: maskRecord(record, record.submission, people, redact, fingerprints),
      isComplete: true,
      redact,
      maskEvent: (event) => maskEvent(event, redact),
    }
  }
}

/**
 * Masks the gateway's report about a payout, if the payout was masked. First compares the numbers in the report with
 * the fingerprints of the recipient's numbers.
 */
export function maskReport(
  reported: ReportedPayout,
  submission: PayoutRecord['submission'],
  fingerprints: Fingerprints,
): Extract<Observation, { kind: 'status' }> {
  if (!isMasked(submission)) return { kind: 'status', reported }
  const { recipient } = reportedTerms(reported)
  const isOther = (purpose: 'phone' | 'account') => {
    const [number, known] = [recipient[purpose], submission.masked.recipient[purpose]]
    if (known === undefined || !isWholeNumber(number)) return false
    return !fingerprints.all(purpose, number).includes(known)
  }
  const isOtherRecipient = isOther('phone') || isOther('account')
  return { kind: 'status', reported: maskReported(reported, redactorOf(null, reported)), isOtherRecipient }
}

/** Returns whether the gateway reports all digits of a number. */
function isWholeNumber(number: string | null): number is string {
  return number !== null && /^\+?\d+$/.test(number)
}

type SettledRecord = Exclude<PayoutRecord, { phase: 'intended' }>

function maskRecord(
  record: SettledRecord,
  unmasked: Submission,
  people: string[],
  redact: Redact,
  fingerprints: Fingerprints,
): SettledRecord {
  const submission = maskSubmission(unmasked, people, fingerprints)
  const response_description = record.response_description && redact(record.response_description)
  if (record.phase === 'rejected')
    return { ...record, submission, response_description: response_description ?? '' }
  const reported = record.reported && maskReported(record.reported, redact)
  return { ...record, submission, response_description, reported }
}

function maskSubmission(
  submission: Submission,
  people: string[],
  fingerprints: Fingerprints,
): MaskedSubmission {
  const { phone, account, bankCode } = recipientOf(submission)
  const recipient = {
    phone: phone === undefined ? undefined : fingerprints.of('phone', phone),
    account: account === undefined ? undefined : fingerprints.of('account', account),
    bankCode,
  }
  const request = fingerprints.of('terms', JSON.stringify(termsOf(submission)))
  // The schema omits the fields about the sender and the recipient.
  return MaskedSubmissionSchema.parse({ ...submission, masked: { request, recipient, people } })
}

function peopleIn({ variant, request }: Submission, fingerprints: Fingerprints): string[] {
  if (variant === 'b2b') return numbersOf(request.recipient_account_number)
  const { recipient_phone_number, recipient_account_number } = request
  const sender = 'sender_phone_number' in request ? request.sender_phone_number : undefined
  return [
    ...new Set([
      ...numbersOf(recipient_account_number),
      fingerprints.of('phone', recipient_phone_number),
      ...(sender === undefined ? [] : [fingerprints.of('phone', sender)]),
    ]),
  ]

  /** Returns two fingerprints, because the account number of a mobile money account is a phone number. */
  function numbersOf(account: string): string[] {
    return [fingerprints.of('account', account), fingerprints.of('phone', account)]
  }
}

function concerns(person: Person, people: readonly string[]): boolean {
  return person === 'everybody' || people.some((fingerprint) => person.has(fingerprint))
}

/** The fields of a request or a result that contain names, document numbers, or account numbers. */
const TEXT_FIELD =
  /^(sender|recipient)_(.+_name|name|document_number|account_number)$|^payment_account_reference$/

function redactorOf(submission: Submission | null, reported: ReportedPayout | null): Redact {
  const result = reported?.variant === 'b2b' ? reported.result : (reported?.result.data ?? null)
  const fields = [...Object.entries(submission?.request ?? {}), ...Object.entries(result ?? {})]
  const valuesOf = (isPersonal: (name: string) => boolean) =>
    fields.flatMap(([name, value]) => (isPersonal(name) && typeof value === 'string' ? [value] : []))
  const numbers = valuesOf((name) => /phone_number$|account_number$/.test(name) && !name.startsWith('wallet'))
  return createRedactor({
    phones: numbers,
    texts: [...valuesOf((name) => TEXT_FIELD.test(name)), ...numbers],
  })
}

function maskReported(reported: ReportedPayout, redact: Redact): ReportedPayout {
  return reported.variant === 'b2b'
    ? { variant: reported.variant, result: maskB2bResult(reported.result, redact) }
    : { variant: reported.variant, result: maskResult(reported.result, redact) }
}

/**
 * Masks the gateway's result of a payout. Deletes fields that the specification does not list, because they may contain
 * anything.
 */
function maskResult({ data, ...result }: PayoutResult, redact: Redact): PayoutResult {
  const listed = z.object(PayoutResultSchema.shape.data.shape).parse(data)
  return {
    ...result,
    data: {
      ...listed,
      account_number: masked(listed.account_number, maskNumber),
      recipient_first_name: masked(listed.recipient_first_name, maskName),
      recipient_middle_name: masked(listed.recipient_middle_name, maskName),
      recipient_last_name: masked(listed.recipient_last_name, maskName),
      recipient_phone_number: masked(listed.recipient_phone_number, maskNumber),
      payout_description: masked(listed.payout_description, hide),
      result_description: masked(listed.result_description, redact),
      message: masked(listed.message, redact),
    },
  }
}

function maskB2bResult(result: B2bResult, redact: Redact): B2bResult {
  return {
    ...result,
    destination: masked(result.destination, (text) => (/\d/.test(text) ? maskNumber(text) : text)),
    destination_name: masked(result.destination_name, maskName),
    account_number: masked(result.account_number, maskNumber),
    description: masked(result.description, hide),
    result_description: masked(result.result_description, redact),
  }
}

/** Returns the placeholder for a text that the merchant wrote: the text may contain personal data. */
function hide(): string {
  return REDACTED
}

function masked(text: string | null, mask: (text: string) => string): string | null {
  return text === null ? null : mask(text)
}

const EventBody = z.looseObject({
  data: z.looseObject({
    response_description: z.string().nullable(),
    result: z.union([PayoutResultSchema, B2bResultSchema]).nullable(),
  }),
})

function maskEvent({ about, body }: StoredEvent, redact: Redact): MaskedEvent {
  const { data, ...event } = EventBody.parse(JSON.parse(body))
  const response_description = masked(data.response_description, redact)
  const result =
    data.result &&
    ('data' in data.result ? maskResult(data.result, redact) : maskB2bResult(data.result, redact))
  return { about, body: JSON.stringify({ ...event, data: { ...data, response_description, result } }) }
}
