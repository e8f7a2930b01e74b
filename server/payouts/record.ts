/** The stored record of a payout: the request and the reported state, and what of them is compared. */

import type { Requested, Stored } from '../transactions/record.ts'
import type { Fingerprints } from '../privacy/fingerprints.ts'
import { createReader, storedAmount } from '../transactions/record.ts'
import { z } from 'zod'
import { B2bRequest, B2bResult, PayoutRequest, PayoutResult, TransferRequest } from '../contract/payout.ts'
import { PAYOUT_STATUS } from '../contract/status.ts'
import { submissionState } from '../transactions/submission.ts'
import { Alarm, told } from '../transactions/transition.ts'

/** The call to the gateway that creates a payout: a local payout, an international transfer, or a B2B payout. */
export const Call = z.discriminatedUnion('variant', [
  z.object({ variant: z.literal('local'), request: PayoutRequest }),
  z.object({ variant: z.literal('transfer'), request: TransferRequest }),
  z.object({ variant: z.literal('b2b'), request: B2bRequest }),
])
export type Call = z.output<typeof Call>

export type Variant = Call['variant']

/**
 * A stored call, with what is kept of it for as long as the payout is stored. `request` is `null` once its personal data
 * were erased.
 */
const StoredCall = z
  .union([Call, z.object({ variant: z.enum(['local', 'transfer', 'b2b']), request: z.null() })])
  .and(
    z.object({
      /** The requested amounts. The recipient gets the last one. */
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
})
export type ReportedPayout = z.output<typeof ReportedPayout>

export const PayoutRecord = z.discriminatedUnion('phase', [
  /** The payout is stored, but not yet acknowledged by the gateway. */
  z.object({ phase: z.literal('intended'), call: StoredCall, told, ...submissionState }),
  /**
   * The gateway acknowledged the payout with 720 or 722, or a status query found the payout. The gateway responds with
   * 722 if it has already received the payout.
   */
  z.object({
    phase: z.literal('accepted'),
    call: StoredCall,
    /** The description in the gateway's acknowledgement; `null` if the acknowledgement was lost, or once it was erased. */
    response_description: z.string().nullable(),
    reported: ReportedPayout.nullable(),
    settled_at: z.number().nullable(),
    /** Why a person has to check the payout; `null` if nobody has to. */
    alarm: Alarm.nullable(),
    told,
  }),
  /**
   * The gateway rejected the payout with 721. Nothing was paid, unless an earlier send of the payout succeeded; see
   * `was_resent`.
   */
  z.object({
    phase: z.literal('rejected'),
    call: StoredCall,
    response_description: z.string().nullable(),
    error_code: z.string().nullable(),
    rejected_at: z.number(),
    /**
     * Whether the payout was sent more than once. If so, the server continues to query the status, because an earlier
     * send may have succeeded.
     */
    was_resent: z.boolean(),
    told,
  }),
])
export type PayoutRecord = z.output<typeof PayoutRecord>
export type IntendedPayout = Extract<PayoutRecord, { phase: 'intended' }>
export type AcceptedPayout = Extract<PayoutRecord, { phase: 'accepted' }>

export type Payout<Record extends PayoutRecord = PayoutRecord> = Stored<Record>

export const readPayout = createReader(PayoutRecord)

/** The recipient's numbers that the gateway repeats in its reports. */
type Recipient = { phone?: string; account?: string; bankCode?: string | undefined }

export function recipientOf({ variant, request }: Call): Recipient {
  if (variant === 'b2b') return { account: request.recipient_account_number }
  const { recipient_phone_number: phone } = request
  const bank = { account: request.recipient_account_number, bankCode: request.recipient_bank_code }
  return { phone, ...(request.destination_type === 'BANK' && bank) }
}

/** Returns every amount in the request, with the name of the amount's field and the amount's currency. */
export function amountsOf({ variant, request }: Call) {
  if (variant === 'b2b') return [{ path: 'amount', amount: request.amount, currency: request.currency_code }]
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
  return { variant, ...request, callback_url: null }
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
    people: peopleOf(call, fingerprints),
  }
}

function peopleOf({ variant, request }: Call, fingerprints: Fingerprints): string[] {
  const { recipient_account_number: account } = request
  const phones = variant === 'b2b' ? [] : [request.recipient_phone_number]
  const sender = 'sender_phone_number' in request ? request.sender_phone_number : ''
  // The account number of a mobile money account is a phone number.
  const numbers = [account, ...phones, sender].flatMap((number) => number || [])
  const people = numbers.map((number) => fingerprints.of('phone', number))
  return [...new Set([fingerprints.of('account', account), ...people])]
}

/** Returns whether a whole number in a report is not the recipient's, of whom only the fingerprints are left. */
export function isOtherRecipient(
  { result }: Report,
  { recipient }: StoredCall,
  fingerprints: Fingerprints,
): boolean {
  const reported = reportedTerms(result).recipient
  return (['phone', 'account'] as const).some((purpose) => {
    const [number, stored] = [reported[purpose] ?? '', recipient[purpose]]
    return (
      stored !== undefined && /^\+?\d+$/.test(number) && !fingerprints.all(purpose, number).includes(stored)
    )
  })
}

export function requestOf({ call }: { call: StoredCall }): Requested {
  const amounts = call.amounts.map(({ amount, currency }) => `${amount} ${currency}`)
  return { amount: [...new Set(amounts)].join(' as '), fingerprint: call.fingerprint }
}

/** A report of the gateway, with all that it returned. */
export type Report = ReportedPayout & { result: PayoutResult | B2bResult }

/** Returns the status and the terms that the gateway reported. A term that the gateway did not report is `null`. */
export function reportedTerms(result: PayoutResult | B2bResult) {
  if (!('data' in result)) {
    const { payment_status: status, amount, currency, account_number: account } = result
    return { status, amount, currency, recipient: { phone: null, account, bankCode: null } }
  }
  const { payment_status: status, amount, currency, recipient_phone_number: phone } = result.data
  const { account_number: account, bank_code: bankCode } = result.data
  return { status, amount, currency, recipient: { phone, account, bankCode } }
}
