/**
 * Implements the transaction kind `payout`: creates payouts, sends them to the gateway, queries their status, computes when
 * the next status query is due, and converts payouts to responses and event data.
 *
 * The merchant's payout_reference is the idempotency key. A repeated request returns the existing payout. A different
 * request with the same reference is refused, also if one request is for a local payout and the other is for an
 * international or B2B payout.
 *
 * A person has to check a payout (outcome `needs_attention`) in these cases:
 *
 * - The gateway has not acknowledged the payout, and the server has given up sending it.
 * - The gateway acknowledged the payout, but later does not know it.
 * - The reported terms differ from the requested terms.
 * - The gateway reports the payout as processed (700) or on its way after the merchant was told that it failed or that
 *   the money came back.
 * - The gateway reports failure (701) or a jam (704) after success (700).
 * - The payout is jammed (704), or pending for 30 days.
 */

import type { TrackedPayout } from '../api/payout.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type { CallOptions } from '../gateway/transport.ts'
import type { Kind } from '../transactions/kind.ts'
import type { TrackedEvent, Ladder, Overdue, Standing, TransitionResult } from '../transactions/transition.ts'
import type {
  Payout,
  PayoutRecord,
  Variant,
  AcceptedPayout,
  IntendedPayout,
  Report,
  ReportedPayout,
  StoredCall,
} from './record.ts'
import type { Refusal, FieldError } from '../api/refusal.ts'
import type { Created, SubmitDeps } from '../transactions/synchronizer.ts'
import type { PayoutStatus } from '../contract/status.ts'
import type { Acknowledgement } from '../contract/payout.ts'
import {
  announce,
  reportStatus,
  standingOn,
  changed,
  standing,
  unchanged,
} from '../transactions/transition.ts'
import {
  Call,
  isOtherRecipient,
  readPayout,
  reportedTerms,
  requestOf,
  amountsOf,
  termsOf,
  toStored,
  recipientOf,
} from './record.ts'
import { fieldErrorsOf, invalid, refuse } from '../api/refusal.ts'
import { canonical, compare } from '../contract/decimal.ts'
import { ACKNOWLEDGEMENT_CODE } from '../contract/status.ts'
import { GatewayError } from '../gateway/errors.ts'
import { CANNOT_OPEN, split } from '../privacy/personal.ts'
import { commonFieldsOf, newTransaction } from '../transactions/record.ts'
import { progressSince } from '../transactions/schedule.ts'
import {
  submissionProgress,
  NEW_SUBMISSION,
  isResent,
  alarmIfMissing,
  countMissing,
} from '../transactions/submission.ts'
import { z } from 'zod'
import { reference as referenceRule } from '../contract/fields.ts'
import { findInexact } from '../money/money.ts'
import { safeParse } from '../contract/parse.ts'

/** The prefix of the event types for each variant. */
const EVENT_PREFIX = { local: 'payout', transfer: 'payout', b2b: 'b2b' } as const

export const payoutKind: Kind<Payout, Observation, TrackedEvent> = {
  read: readPayout,
  transition,
  announce: (before, { record }) =>
    announce(record, determineOutcome(before.record), determineOutcome(record)),
  outcomeOf: ({ record }) => determineOutcome(record).outcome,
  progressOf({ record, ...row }) {
    switch (record.phase) {
      case 'intended':
        return submissionProgress(record, row)
      case 'rejected':
        return record.was_resent ? { stage: 'settled', at: record.rejected_at } : { stage: 'ended' }
      case 'accepted':
        return progressSince(row, record.settled_at)
    }
  },
  requestOf,
  describeEvent: (event, payout) => ({
    type: `${EVENT_PREFIX[payout.record.call.variant]}.${event}`,
    data: payoutOf(payout),
  }),
  familyOf: () => 'payout',

  async send({ record, trace_id: traceId, sent_at: sentAt }, { client }) {
    if (record.phase !== 'intended') return { kind: 'unknown' }
    const { call } = record
    if (call.request === null) throw new GatewayError('gateway_contradiction', CANNOT_OPEN)
    return { kind: 'acknowledged', answer: await send(client, call, { traceId, sentAt }) }
  },

  async queryStatus({ record: { call }, reference, trace_id: traceId }, { client, fingerprints }) {
    const result =
      call.variant === 'b2b'
        ? await client.getB2bStatus(reference, { traceId })
        : await client.getPayoutStatus(reference, { traceId })
    if (!result) return { kind: 'unknown' }
    const reported = { payment_status: reportedTerms(result).status, result }
    const isErased = call.request === null
    return {
      kind: 'status',
      reported,
      isOtherRecipient: isErased && isOtherRecipient(reported, call, fingerprints),
    }
  },

  erase({ record, outcome }, concerns) {
    const { request, people } = record.call
    if (request === null || !concerns(people)) return null
    const isNeeded = record.phase === 'intended' || !determineOutcome(record).settled
    return isNeeded ? `it is under way (${outcome})` : { record: split(record).record, parts: null }
  },
}

function send(client: GatewayClient, { variant, request }: Call, options: CallOptions) {
  switch (variant) {
    case 'local':
      return client.initiatePayout(request, options)
    case 'transfer':
      return client.initiateTransfer(request, options)
    case 'b2b':
      return client.initiateB2b(request, options)
  }
}

/** Returns a payout as `/api/payouts` and the events `payout.*` and `b2b.*` contain it. */
export function payoutOf(payout: Payout): TrackedPayout {
  const { record, reference, version } = payout
  const accepted = record.phase === 'accepted' ? record : null
  const rejected = record.phase === 'rejected' ? record : null
  const reported = accepted?.reported ?? null
  const { amount, currency } = requestedTerms(record.call)
  return {
    payout_reference: reference,
    type: record.call.variant,
    ...determineOutcome(record),
    payment_status: reported?.payment_status ?? null,
    response_code: accepted ? ACKNOWLEDGEMENT_CODE.accepted : rejected && ACKNOWLEDGEMENT_CODE.rejected,
    response_description: record.phase === 'intended' ? null : record.response_description,
    error_code: rejected?.error_code ?? null,
    amount: canonical(amount),
    currency,
    result: reported?.result ?? null,
    ...commonFieldsOf(payout),
    version,
  }
}

interface SubmitPayoutDeps extends SubmitDeps {
  callbacks: { urlOf: (chapter: 'payouts' | 'b2b', reference: string) => string }
}

/** The path segment that follows `/callbacks/` in the callback URL, for each variant. */
const CALLBACK_PATH = { local: 'payouts', transfer: 'payouts', b2b: 'b2b' } as const
const REUSED = refuse('reference_reused', 'Another payout was sent under this payout_reference.')

export async function submitPayout(
  deps: SubmitPayoutDeps,
  variant: Variant,
  body: unknown,
  trace_id: string | null,
): Promise<Created<Payout> | Refusal> {
  const read = readCall(variant, body, deps.callbacks)
  if ('errors' in read) return invalid(read.errors)
  const reference = read.request.payout_reference
  const call = toStored(read, deps.fingerprints)
  const record: PayoutRecord = { phase: 'intended', call, told: [], ...NEW_SUBMISSION }
  const row = newTransaction(deps, { kind: 'payout', reference, record, trace_id })
  return deps.synchronizer.submitOnce([row], payoutKind, [termsOf(read)], REUSED)
}

function readCall(
  variant: Variant,
  body: unknown,
  callbacks: SubmitPayoutDeps['callbacks'],
): Call | { errors: FieldError[] } {
  const given = Body.safeParse(body)
  if (!given.success) return { errors: [{ path: 'body', message: 'must be an object' }] }
  // An invalid reference is left out of the callback URL. The validation below then reports the invalid reference.
  const { data: reference = '' } = referenceRule.safeParse(given.data.payout_reference)
  const request = { ...given.data, callback_url: callbacks.urlOf(CALLBACK_PATH[variant], reference) }
  const parsed = safeParse(Call, { variant, request })
  if (!parsed.success) {
    // This server builds `callback_url` from the payout_reference.
    const rule = { path: 'payout_reference', message: 'is too long for a callback address' }
    const errors = fieldErrorsOf(parsed.error.issues, ([, ...path]) => path.join('.'))
    return { errors: errors.map((error) => (error.path === 'callback_url' ? rule : error)) }
  }
  const errors = findInexact(amountsOf(parsed.data))
  return errors.length > 0 ? { errors } : parsed.data
}

const Body = z.record(z.string(), z.unknown())

export type Observation =
  | { kind: 'acknowledged'; answer: Acknowledgement }
  /**
   * `isOtherRecipient` is true if a reported number is not the recipient's. Absent unless the recipient's numbers were
   * erased, because the transition otherwise compares the numbers.
   */
  | { kind: 'status'; reported: Report; isOtherRecipient?: boolean }
  /**
   * The gateway does not know the payout (723 in the response to a status query). [spec: Payout acknowledgement codes]
   */
  | { kind: 'unknown' }

/**
 * The spec lists the payment statuses, but not their order. [assumed] Only these statuses may follow. After a
 * `succeeded` event, 701 (failed) or 704 (jammed) means that the recipient may be unpaid.
 */
const LADDER: Ladder<PayoutStatus, ReportedPayout> = {
  statusOf: ({ payment_status }) => payment_status,
  statuses: {
    703: { outcome: 'pending', next: [700, 701, 702, 704, 705] },
    704: { outcome: 'needs_attention', next: [700, 701, 702, 703, 705] }, // jammed: stuck at the operator
    700: { outcome: 'succeeded', next: [702, 705], contradictedBy: [701, 704] },
    701: { outcome: 'failed', next: [700, 705] }, // a late success needs a person
    702: { outcome: 'reversed', next: [700] },
    705: { outcome: 'refunded', next: [700] },
  },
}

/**
 * Returns the next record of a payout, with the history entry.
 *
 * @param askedAt When the gateway was queried or the request was sent, in milliseconds since the Unix epoch.
 */
function transition(
  payout: Payout,
  observation: Observation | Overdue,
  askedAt: number,
): TransitionResult<PayoutRecord> {
  const { record } = payout
  switch (observation.kind) {
    case 'acknowledged':
      if (record.phase !== 'intended') return unchanged(record)
      return acknowledge({ ...payout, record }, observation.answer, askedAt)
    case 'status':
      return report(record, observation, askedAt)
    case 'unknown':
    case 'overdue': {
      if (record.phase === 'rejected') return unchanged(record)
      if (record.phase === 'accepted') return alarmIfMissing({ ...payout, record }, askedAt, observation.kind)
      const result = countMissing({ ...payout, record }, askedAt, observation.kind)
      return typeof result === 'string' ? unchanged(record) : result
    }
  }
}

function acknowledge(
  payout: Payout<IntendedPayout>,
  { response_code, response_description, error_code }: Acknowledgement,
  askedAt: number,
): TransitionResult<PayoutRecord> {
  const { record } = payout
  if (error_code === 'DUPLICATE_IGNORED' || response_code === ACKNOWLEDGEMENT_CODE.duplicateIgnored)
    return changed(acceptedOf(record), 'The gateway had accepted it before.')
  switch (response_code) {
    case ACKNOWLEDGEMENT_CODE.accepted:
      return changed({ ...acceptedOf(record), response_description }, 'The gateway accepted it.')
    case ACKNOWLEDGEMENT_CODE.rejected: {
      const why = error_code ?? response_description
      const was_resent = isResent(payout, record)
      // These codes do not show whether the gateway received the first send. [assumed] The gateway returns every other
      // code only after its check for duplicates, so the gateway has no payout with this reference.
      if (was_resent && ['INVALID_ACCESS_TOKEN', 'UNAUTHORIZED', 'FAILED'].includes(error_code ?? ''))
        return changed(record, `The gateway would not take it again: ${why}.`)
      const { call, told } = record
      const rejection = { response_description, error_code, rejected_at: askedAt, was_resent, told }
      return changed({ phase: 'rejected', call, ...rejection }, `The gateway rejected it: ${why}.`)
    }
    case ACKNOWLEDGEMENT_CODE.notFound:
      return unchanged(record)
  }
}

function acceptedOf(record: PayoutRecord): AcceptedPayout {
  if (record.phase === 'accepted') return record
  return {
    phase: 'accepted',
    call: record.call,
    response_description: null,
    reported: null,
    settled_at: null,
    alarm: null,
    told: record.told,
  }
}

function report(
  before: PayoutRecord,
  { reported, isOtherRecipient = false }: Extract<Observation, { kind: 'status' }>,
  askedAt: number,
): TransitionResult<PayoutRecord> {
  const accepted = acceptedOf(before)
  const difference = findDifference(before.call, reported, isOtherRecipient)
  // What was erased does not come back with a later report.
  const stored = before.call.request === null ? { ...reported, result: null } : reported
  const { record, historyEntry } = reportStatus(LADDER, accepted, difference ?? stored)
  if (record === accepted || record.reported !== stored) return { record, historyEntry }
  const settled_at = determineOutcome(record).settled ? (accepted.settled_at ?? askedAt) : null
  return { record: { ...record, settled_at }, historyEntry }
}

/** Returns the amount and the currency that the recipient gets, and the recipient's numbers that are not erased. */
function requestedTerms(call: StoredCall) {
  const { amount = '0', currency = '' } = call.amounts.at(-1) ?? {}
  const { bankCode } = call.recipient
  const recipient = call.request === null ? { bankCode } : recipientOf(call)
  return { amount, currency, recipient }
}

/**
 * Returns a sentence about the first difference between the reported payout and the request; `null` if there is no
 * difference.
 */
function findDifference(call: StoredCall, { result }: Report, isOtherRecipient: boolean) {
  const requested = requestedTerms(call)
  const reported = reportedTerms(result)
  if (compare(reported.amount, requested.amount) !== 0)
    return `The gateway has ${reported.amount} where ${requested.amount} was asked.`
  if (reported.currency !== null && reported.currency !== requested.currency)
    return `The gateway has ${reported.currency} where ${requested.currency} was asked.`
  const { phone, account, bankCode } = requested.recipient
  const isOther =
    isOtherRecipient ||
    contradicts(reported.recipient.phone, phone) ||
    contradicts(reported.recipient.account, account) ||
    contradicts(reported.recipient.bankCode, bankCode)
  return isOther ? 'The gateway has another recipient than was asked.' : null
}

/**
 * Returns whether the gateway reported another number than the merchant requested. The gateway may mask digits of the
 * number; the other digits at both ends are then compared. [assumed] Text that is no number, such as "N/A", is ignored.
 */
function contradicts(reported: string | null, requested: string | undefined): boolean {
  const digits = /^\+?(\d*)([*xX•]*)(\d*)$/.exec(reported ?? '')
  if (!digits || requested === undefined) return false
  const [, start = '', mask, end = ''] = digits
  const number = requested.replace(/^\+/, '')
  if (mask === '') return start !== '' && start !== number
  return !number.startsWith(start) || !number.endsWith(end)
}

export function determineOutcome(record: PayoutRecord): Standing {
  switch (record.phase) {
    case 'intended':
      return standing('sending', record.stuck)
    case 'rejected':
      return standing('failed')
    case 'accepted':
      return standingOn(LADDER, record)
  }
}
