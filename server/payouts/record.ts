/**
 * The stored record of a payout, its requested terms and its outcome. Pure.
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

import { accountKey, referenceKey } from '../contract/comparison-keys.ts'
import { compare } from '../contract/decimal.ts'
import { B2bRequest, B2bResult, PayoutRequest, PayoutResult, TransferRequest } from '../contract/payout.ts'
import { PAYOUT_STATUS } from '../contract/status.ts'
import { movedMoney } from '../money-out/moved-money.ts'
import { acknowledgedStanding, difference } from '../money-out/reported-status.ts'
import { Alarm } from '../transactions/alarm.ts'
import { Consulted } from '../transactions/consulted.ts'
import { missing_since } from '../transactions/missing-report.ts'
import { createReader, storedAmount, storedTime } from '../transactions/record.ts'
import { Resolution } from '../transactions/resolution.ts'
import { resolvedStanding } from '../transactions/resolving.ts'
import { standing } from '../transactions/standing.ts'
import { submissionState } from '../transactions/submission.ts'
import { textOfTerms } from '../transactions/terms.ts'
import { told } from '../transactions/told.ts'

import type { PayoutStatus } from '../contract/status.ts'
import type { StatusRules } from '../money-out/reported-status.ts'
import type { Fingerprints } from '../privacy/personal.ts'
import type { Stored } from '../transactions/record.ts'
import type { Standing } from '../transactions/standing.ts'
import type { Requested } from '../transactions/tombstone.ts'

/** The call to the gateway that creates a payout: a local payout, an international transfer, or a B2B payout. */
export const Call = z.discriminatedUnion('variant', [
  z.object({ variant: z.literal('local'), request: PayoutRequest }),
  z.object({ variant: z.literal('transfer'), request: TransferRequest }),
  z.object({ variant: z.literal('b2b'), request: B2bRequest }),
])
export type Call = z.output<typeof Call>

export type Variant = Call['variant']

/** A stored call. Once its personal data were erased, `request` is `null`, and the other fields are kept. */
export const StoredCall = z
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
export type StoredCall = z.output<typeof StoredCall>

/** The last state that the gateway reported for a payout. */
const ReportedPayout = z.object({
  payment_status: z.literal(Object.values(PAYOUT_STATUS)),
  /** What the gateway returned; `null` once the personal data were erased. */
  result: z.union([PayoutResult, B2bResult]).nullable(),
  difference,
  /** When the gateway was first heard to report this status, in milliseconds since the Unix epoch. */
  since: storedTime,
  /** What has left the float account for the recipient, and what of it came back, in `currency`. */
  ...movedMoney,
  currency: z.string(),
})
export type ReportedPayout = z.output<typeof ReportedPayout>

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
    consulted: Consulted.exactOptional(),
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
export type IntendedPayout = Extract<PayoutRecord, { phase: 'intended' }>
export type AcceptedPayout = Extract<PayoutRecord, { phase: 'accepted' }>

export type Payout<Record extends PayoutRecord = PayoutRecord> = Stored<Record>

export const readPayout = createReader(PayoutRecord)

const { processed, failed, reversed, pending, jammed, refunded } = PAYOUT_STATUS

/**
 * The spec lists the payment statuses, but not their order. [assumed] Only these statuses may follow. After a
 * `succeeded` event, 701 (failed) or 704 (jammed) means that the recipient may be unpaid. A success after a failure or
 * a return is late, and needs a person (`standingOf`). [spec: Payout payment status]
 */
export const STATUS_RULES: StatusRules<PayoutStatus, ReportedPayout> = {
  statusOf: ({ payment_status }) => payment_status,
  statuses: {
    [processed]: { outcome: 'succeeded', next: [reversed, refunded] },
    [failed]: { outcome: 'failed', next: [processed, reversed, refunded] },
    [reversed]: { outcome: 'reversed', next: [processed, refunded] },
    [pending]: { outcome: 'pending', next: [processed, failed, reversed, jammed, refunded] },
    [jammed]: { outcome: 'needs_attention', next: [processed, failed, reversed, pending, refunded] },
    [refunded]: { outcome: 'refunded', next: [processed, reversed] },
  },
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
      return acknowledgedStanding(STATUS_RULES, record)
  }
}

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

/** Returns the amount and the currency that leave the float account. */
export function askedOfFloat({ amounts }: StoredCall) {
  // The schema requires an amount: the defaults are never used.
  const { amount = '0', currency = '' } = amounts[0] ?? {}
  return { amount, currency }
}

/** Returns whether the recipient gets what leaves the float account: the same amount in the same currency. */
export function isPaidInFull(call: StoredCall): boolean {
  const sent = askedOfFloat(call)
  const got = requestedTerms(call)
  return sent.currency === got.currency && compare(sent.amount, got.amount) === 0
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
    fingerprint: fingerprints.of('terms', textOfTerms(termsOf(call))),
    recipient: {
      phone: phone && fingerprints.of('phone', phone),
      account: account && fingerprints.of('account', accountKey(account)),
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

/** Both amounts of a payout in two currencies are named: "1500 KES as 42150 UGX". */
export function requestOf({ call }: { call: StoredCall }): Requested {
  const amounts = call.amounts.map(({ amount, currency }) => `${amount} ${currency}`)
  return { amount: [...new Set(amounts)].join(' as '), fingerprint: call.fingerprint }
}
