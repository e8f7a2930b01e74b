/**
 * The stored record of a payout, its outcome, and the transitions: how the gateway's answers change it. Pure.
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

import { z } from 'zod'

import { referenceKey } from '../contract/fields.ts'
import { B2bRequest, B2bResult, PayoutRequest, PayoutResult, TransferRequest } from '../contract/payout.ts'
import { ACKNOWLEDGEMENT_CODE, PAYOUT_STATUS } from '../contract/status.ts'
import { createReader, storedAmount, storedTime } from '../transactions/record.ts'
import { Resolution } from '../transactions/resolution.ts'
import {
  alarmIfMissing,
  countMissing,
  isResent,
  missing_since,
  REFUSAL_QUERIES,
  refuseSubmission,
  submissionState,
} from '../transactions/submission.ts'
import {
  Alarm,
  changed,
  findAmountDifference,
  reportStatus,
  resolve,
  resolvedStanding,
  standing,
  standingBy,
  told,
  unchanged,
} from '../transactions/transition.ts'

import type { Acknowledgement } from '../contract/payout.ts'
import type { PayoutStatus } from '../contract/status.ts'
import type { Fingerprints } from '../privacy/personal.ts'
import type { Requested, Stored } from '../transactions/record.ts'
import type {
  Overdue,
  Resolving,
  Standing,
  StatusRules,
  TransitionResult,
} from '../transactions/transition.ts'

/** The call to the gateway that creates a payout: a local payout, an international transfer, or a B2B payout. */
export const Call = z.discriminatedUnion('variant', [
  z.object({ variant: z.literal('local'), request: PayoutRequest }),
  z.object({ variant: z.literal('transfer'), request: TransferRequest }),
  z.object({ variant: z.literal('b2b'), request: B2bRequest }),
])
export type Call = z.output<typeof Call>

export type Variant = Call['variant']

/** A stored call. Once its personal data were erased, `request` is `null`, and the other fields are kept. */
const StoredCall = z
  .union([Call, z.object({ variant: z.enum(['local', 'transfer', 'b2b']), request: z.null() })])
  .and(
    z.object({
      /** The requested amounts, in the order of {@link amountsOf}. The recipient gets the last one. */
      amounts: z.array(z.object({ amount: storedAmount, currency: z.string() })).min(1),
      /** The fingerprint of the merchant's request, by which a repeated request is recognized. */
      fingerprint: z.string(),
      /**
       * The fingerprints of the recipient's numbers, which are compared with the numbers that the gateway reports.
       * `bankCode` is no fingerprint, because a bank code is no personal data.
       */
      recipient: z.object({
        phone: z.string().optional(),
        account: z.string().optional(),
        bankCode: z.string().optional(),
      }),
      /** The fingerprints of all phone numbers and account numbers in the request. */
      people: z.array(z.string()),
    }),
  )
type StoredCall = z.output<typeof StoredCall>

/** The last state that the gateway reported for a payout. */
const ReportedPayout = z.object({
  payment_status: z.literal(Object.values(PAYOUT_STATUS)),
  /** What the gateway returned; `null` once the personal data were erased. */
  result: z.union([PayoutResult, B2bResult]).nullable(),
  /** When the gateway was first heard to report this status, in milliseconds since the Unix epoch. */
  since: storedTime,
})
type ReportedPayout = z.output<typeof ReportedPayout>

/** The gateway's acknowledgement with 721. */
const Rejection = z.object({
  response_description: z.string().nullable(),
  error_code: z.string().nullable(),
  /**
   * Whether the gateway may have received a send of this payout all the same. If so, the server continues to query the
   * status after the rejection counts.
   */
  is_doubtful: z.boolean(),
})

/** The fields that a record has in every phase. `resolution` is what a person found out. */
const kept = { call: StoredCall, told, resolution: Resolution.nullable() }

export const PayoutRecord = z.discriminatedUnion('phase', [
  /** The payout is stored, but not yet acknowledged by the gateway. */
  z.object({
    phase: z.literal('intended'),
    ...kept,
    ...submissionState(Rejection),
  }),
  /**
   * The gateway acknowledged the payout with 720 or 722, or a status query found the payout. The gateway responds with
   * 722 if it has already received the payout.
   */
  z.object({
    phase: z.literal('accepted'),
    ...kept,
    /** The description in the acknowledgement; `null` if the acknowledgement was lost, or once it was erased. */
    response_description: z.string().nullable(),
    reported: ReportedPayout.nullable(),
    settled_at: z.number().nullable(),
    missing_since,
    /** Why a person has to check the payout; `null` if nobody has to. */
    alarm: Alarm.nullable(),
  }),
  /** The gateway rejected the payout with 721, and status queries did not find the payout. */
  z.object({
    phase: z.literal('rejected'),
    ...kept,
    ...Rejection.shape,
    rejected_at: z.number(),
  }),
])
export type PayoutRecord = z.output<typeof PayoutRecord>
type IntendedPayout = Extract<PayoutRecord, { phase: 'intended' }>
type AcceptedPayout = Extract<PayoutRecord, { phase: 'accepted' }>

export type Payout<Record extends PayoutRecord = PayoutRecord> = Stored<Record>

export const readPayout = createReader(PayoutRecord)

/** The recipient's numbers that the gateway repeats in its reports. */
type Recipient = { phone?: string; account?: string; bankCode?: string | undefined }

function recipientOf({ variant, request }: Call): Recipient {
  if (variant === 'b2b') {
    return { account: request.recipient_account_number }
  }

  const { recipient_phone_number: phone } = request
  // [assumed] The phone number identifies a wallet: the gateway may report the wallet's account number in another form.
  const bank = { account: request.recipient_account_number, bankCode: request.recipient_bank_code }
  return { phone, ...(request.destination_type === 'BANK' && bank) }
}

/** Returns every amount in the request, with the name of the amount's field and the amount's currency. */
export function amountsOf({ variant, request }: Call) {
  if (variant === 'b2b') {
    return [{ path: 'amount', amount: request.amount, currency: request.currency_code }]
  }

  const { sender_amount, source_currency, recipient_amount, destination_currency } = request
  return [
    { path: 'sender_amount', amount: sender_amount, currency: source_currency },
    { path: 'recipient_amount', amount: recipient_amount, currency: destination_currency },
  ]
}

/**
 * Returns the data by which a repeated request is recognized, also after the payout was pruned. `callback_url` is
 * `null`, because this URL changes when CALLBACK_SECRET changes.
 */
export function termsOf({ variant, request }: Call) {
  return { variant, ...request, callback_url: null, payout_reference: referenceKey(request.payout_reference) }
}

/** Returns the request as it is stored: with the amounts and the fingerprints that are kept without it. */
export function toStored(call: Call, fingerprints: Fingerprints): StoredCall {
  const { phone, account, bankCode } = recipientOf(call)
  return {
    ...call,
    amounts: amountsOf(call).map(({ amount, currency }) => ({ amount, currency })),
    fingerprint: fingerprints.of('terms', JSON.stringify(termsOf(call))),
    recipient: {
      phone: phone && fingerprints.of('phone', phone),
      account: account && fingerprints.of('account', account),
      bankCode,
    },
    people: peopleOf(call.request, fingerprints),
  }
}

type Numbers = Pick<B2bRequest, 'recipient_account_number'> &
  Partial<Pick<TransferRequest, 'recipient_phone_number' | 'sender_phone_number'>>

function peopleOf(
  { recipient_account_number: account, recipient_phone_number, sender_phone_number }: Numbers,
  fingerprints: Fingerprints,
): string[] {
  // The account number of a mobile money account is a phone number.
  const phones = [account, recipient_phone_number, sender_phone_number].filter((phone) => phone !== undefined)
  const people = phones.map((phone) => fingerprints.of('phone', phone))
  return [...new Set([fingerprints.of('account', account), ...people])]
}

/**
 * Returns whether the gateway reports another recipient than requested. Returns `false` while the request is kept: the
 * transition then compares the numbers. Of an erased request, only the fingerprints of whole numbers can be compared.
 */
export function isOtherRecipient(
  { result }: Report,
  { request, recipient }: StoredCall,
  fingerprints: Fingerprints,
): boolean {
  if (request !== null) {
    return false
  }

  const reported = reportedTerms(result).recipient

  const isOther = (purpose: 'phone' | 'account') => {
    const number = reported[purpose] ?? ''
    const stored = recipient[purpose]
    const isWhole = purpose === 'phone' ? /^\+?[1-9]\d+$/ : /^\+?\d+$/
    const isComparable = stored !== undefined && isWhole.test(number)
    return isComparable && !fingerprints.all(purpose, number).includes(stored)
  }

  return isOther('phone') || isOther('account')
}

/** Both amounts of a payout in two currencies are named: "1500 KES as 42150 UGX". */
export function requestOf({ call }: { call: StoredCall }): Requested {
  const amounts = call.amounts.map(({ amount, currency }) => `${amount} ${currency}`)
  return { amount: [...new Set(amounts)].join(' as '), fingerprint: call.fingerprint }
}

/** A report of the gateway, before its personal data are erased. */
interface Report {
  payment_status: PayoutStatus
  result: PayoutResult | B2bResult
}

/** Returns the status and the terms that the gateway reported. A term that the gateway did not report is `null`. */
export function reportedTerms(result: PayoutResult | B2bResult) {
  if ('data' in result) {
    const { payment_status: status, amount, currency, recipient_phone_number: phone } = result.data
    const { account_number: account, bank_code: bankCode } = result.data
    return { status, amount, currency, recipient: { phone, account, bankCode } }
  }

  const { payment_status: status, amount, currency, account_number: account } = result
  return { status, amount, currency, recipient: { phone: null, account, bankCode: null } }
}

export type Observation =
  | { kind: 'acknowledged'; answer: Acknowledgement }
  | { kind: 'status'; reported: Report; isOtherRecipient: boolean }
  /** A status query was answered with 723 (unknown reference). [spec: Payout acknowledgement codes] */
  | { kind: 'unknown' }
  | Resolving

/**
 * The spec lists the payment statuses, but not their order. [assumed] Only these statuses may follow. After a
 * `succeeded` event, 701 (failed) or 704 (jammed) means that the recipient may be unpaid. A success after a failure or
 * a return is late, and needs a person (`standingOf`). [spec: Payout payment status]
 */
const STATUS_RULES: StatusRules<PayoutStatus, ReportedPayout> = {
  statusOf: ({ payment_status }) => payment_status,
  statuses: {
    700: { outcome: 'succeeded', next: [702, 705] },
    701: { outcome: 'failed', next: [700, 702, 705] },
    702: { outcome: 'reversed', next: [700, 705] },
    703: { outcome: 'pending', next: [700, 701, 702, 704, 705] },
    704: { outcome: 'needs_attention', next: [700, 701, 702, 703, 705] },
    705: { outcome: 'refunded', next: [700, 702] },
  },
}

/**
 * Returns the next record of a payout, with the history entry.
 *
 * @param askedAt When the gateway was queried or the request was sent, in milliseconds since the Unix epoch.
 */
export function transition(
  payout: Payout,
  observation: Observation | Overdue,
  askedAt: number,
): TransitionResult<PayoutRecord> {
  const { record } = payout
  switch (observation.kind) {
    case 'resolved':
      return resolve(record, determineOutcome(record), observation.resolution)
    case 'acknowledged':
      if (record.phase !== 'intended') {
        return unchanged(record)
      }
      return acknowledge({ ...payout, record }, observation.answer)
    case 'status':
      return report(record, observation, askedAt)
    case 'unknown':
    case 'overdue': {
      const { kind: why } = observation
      if (record.phase === 'rejected') {
        return unchanged(record)
      }
      if (record.phase === 'accepted') {
        return alarmIfMissing(record, determineOutcome(record).settled, askedAt, why)
      }
      return countMissing({ ...payout, record }, 'idempotent', askedAt, why) ?? reject(record, askedAt)
    }
  }
}

/** The rejection counts. Without one, the submission of a payout ends as stuck, and is never given up. */
function reject(record: IntendedPayout, rejected_at: number): TransitionResult<PayoutRecord> {
  const { refused } = record
  if (refused === null) {
    return unchanged(record)
  }
  return changed({ phase: 'rejected', ...keptOf(record), ...refused.answer, rejected_at }, refused.why)
}

/**
 * The error codes that do not show whether the gateway has the payout. [assumed] The gateway returns every other code
 * only after its check for duplicates, and about the request itself. [spec: Payout error_code values]
 */
const DOUBTFUL: readonly (string | null)[] = ['INVALID_ACCESS_TOKEN', 'UNAUTHORIZED', 'FAILED', null]

function acknowledge(
  payout: Payout<IntendedPayout>,
  { response_code, response_description, error_code }: Acknowledgement,
): TransitionResult<PayoutRecord> {
  const { record } = payout
  // [spec: Payout acknowledgement codes, 722; Payout error_code values]
  if (error_code === 'DUPLICATE_IGNORED' || response_code === ACKNOWLEDGEMENT_CODE.duplicateIgnored) {
    return changed(acceptedOf(record), 'The gateway had accepted it before.')
  }

  switch (response_code) {
    case ACKNOWLEDGEMENT_CODE.accepted:
      return changed({ ...acceptedOf(record), response_description }, 'The gateway accepted it.')
    case ACKNOWLEDGEMENT_CODE.rejected: {
      const isDoubtful = DOUBTFUL.includes(error_code)
      const is_doubtful = isDoubtful || isResent(payout, record)
      return refuseSubmission(record, {
        why: `The gateway rejected it: ${error_code ?? response_description}.`,
        queries: isDoubtful ? REFUSAL_QUERIES.doubtful : REFUSAL_QUERIES.certain,
        answer: { response_description, error_code, is_doubtful },
      })
    }
    // The code of a status query: it does not say whether the gateway takes the payout.
    case ACKNOWLEDGEMENT_CODE.notFound:
      return unchanged(record)
  }
}

function acceptedOf(record: PayoutRecord): AcceptedPayout {
  if (record.phase === 'accepted') {
    return record
  }

  return {
    phase: 'accepted',
    ...keptOf(record),
    response_description: null,
    reported: null,
    settled_at: null,
    missing_since: null,
    alarm: null,
  }
}

function keptOf({ call, told, resolution }: PayoutRecord) {
  return { call, told, resolution }
}

function report(
  before: PayoutRecord,
  { reported, isOtherRecipient }: Extract<Observation, { kind: 'status' }>,
  askedAt: number,
): TransitionResult<PayoutRecord> {
  const accepted = acceptedOf(before)
  const difference = findDifference(before.call, reported, isOtherRecipient)
  // What was erased does not come back with a later report.
  const result = before.call.request === null ? null : reported.result
  const heard = { payment_status: reported.payment_status, result, since: askedAt }
  const { record, historyEntry } = reportStatus(STATUS_RULES, accepted, difference ?? heard)
  // A report that is ignored, or only raises an alarm, neither settles the payout nor opens it again.
  if (record.reported === accepted.reported) {
    return { record, historyEntry }
  }

  const isSameStatus = accepted.reported?.payment_status === heard.payment_status
  const since = isSameStatus ? (accepted.settled_at ?? askedAt) : askedAt
  const settled_at = determineOutcome(record).settled ? since : null
  return { record: { ...record, settled_at }, historyEntry }
}

/** Returns the amount and the currency that the recipient gets, and the recipient's numbers that are not erased. */
export function requestedTerms(call: StoredCall) {
  // The schema requires an amount: the defaults are never used.
  const { amount = '0', currency = '' } = call.amounts.at(-1) ?? {}
  const { bankCode } = call.recipient
  const recipient = call.request === null ? { bankCode } : recipientOf(call)
  return { amount, currency, recipient }
}

/**
 * Returns a sentence about the first difference between the reported payout and the request; `null` if there is no
 * difference.
 */
function findDifference(call: StoredCall, { payment_status, result }: Report, isOtherRecipient: boolean) {
  const requested = requestedTerms(call)
  const reported = reportedTerms(result)
  const { outcome } = STATUS_RULES.statuses[payment_status]
  const differing = findAmountDifference(outcome, reported.amount, requested.amount)
  if (differing !== null) {
    return differing
  }
  if (reported.currency !== null && reported.currency !== requested.currency) {
    return `The gateway has ${reported.currency} where ${requested.currency} was asked.`
  }

  const { phone, account, bankCode } = requested.recipient
  const isOther =
    isOtherRecipient ||
    contradicts(internationalOf(reported.recipient.phone), phone) ||
    contradicts(reported.recipient.account, account) ||
    contradicts(reported.recipient.bankCode, bankCode)
  return isOther ? 'The gateway has another recipient than was asked.' : null
}

/**
 * Returns a reported phone number without the zero with which it is dialled in its country: the country code is then
 * masked. [assumed] Gateways report both forms.
 */
function internationalOf(phone: string | null): string | null {
  return phone?.replace(/^0(?=[1-9])/, '*') ?? null
}

/**
 * Returns whether the gateway reported another number than the merchant requested. The gateway may mask digits of the
 * number; the other digits at both ends are then compared. [assumed] Text that is no number, such as "N/A", is ignored.
 */
function contradicts(reported: string | null, requested: string | undefined): boolean {
  const digits = /^\+?(\d*)([*xX•]*)(\d*)$/.exec(reported ?? '')
  if (!digits || requested === undefined) {
    return false
  }

  const [, start = '', mask, end = ''] = digits
  const number = requested.replace(/^\+/, '')
  if (mask === '') {
    return start !== '' && start !== number
  }
  return !number.startsWith(start) || !number.endsWith(end)
}

export function determineOutcome(record: PayoutRecord): Standing {
  const resolved = resolvedStanding(record)
  if (resolved) {
    return resolved
  }

  switch (record.phase) {
    case 'intended':
      return standing('sending', record.stuck)
    case 'rejected':
      return standing('failed')
    case 'accepted':
      return standingBy(STATUS_RULES, record)
  }
}
