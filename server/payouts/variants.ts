/**
 * Sends and queries the three variants of a payout: local, international transfer, and B2B. All differences between the
 * variants are in this file.
 */

import type { B2bResult } from '../contract/b2b.ts'
import type { Acknowledgement, PayoutResult } from '../contract/payout.ts'
import type { Fingerprints } from '../privacy/fingerprints.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type { CallOptions } from '../gateway/transport.ts'
import type { Requested } from '../transactions/record.ts'
import type { ReportedPayout, StoredSubmission, Submission, Variant } from './record.ts'

/** A report of the gateway, with all that it returned. */
export type Report = ReportedPayout & { result: PayoutResult | B2bResult }

/** The prefix of the event types for each variant. */
export const EVENT_PREFIX = { local: 'payout', transfer: 'payout', b2b: 'b2b' } as const
/** The path segment that follows `/callbacks/` in the callback URL, for each variant. */
export const CALLBACK_PATH = { local: 'payouts', transfer: 'payouts', b2b: 'b2b' } as const

export function send(
  client: GatewayClient,
  submission: Submission,
  options: CallOptions,
): Promise<Acknowledgement> {
  switch (submission.variant) {
    case 'local':
      return client.initiatePayout(submission.request, options)
    case 'transfer':
      return client.initiateTransfer(submission.request, options)
    case 'b2b':
      return client.initiateB2b(submission.request, options)
  }
}

export async function queryStatus(
  client: GatewayClient,
  variant: Variant,
  reference: string,
  options: CallOptions,
): Promise<Report | null> {
  const result =
    variant === 'b2b'
      ? await client.getB2bStatus(reference, options)
      : await client.getPayoutStatus(reference, options)
  return result && { payment_status: reportedTerms(result).status, result }
}

/** The recipient's numbers that the gateway repeats in its reports. */
type Recipient = { phone?: string; account?: string; bankCode?: string | undefined }

export function recipientOf({ variant, request }: Submission): Recipient {
  if (variant === 'b2b') return { account: request.recipient_account_number }
  const { recipient_phone_number: phone } = request
  const bank = { account: request.recipient_account_number, bankCode: request.recipient_bank_code }
  return { phone, ...(request.destination_type === 'BANK' && bank) }
}

/** Returns every amount in the request, with the name of the amount's field and the amount's currency. */
export function amountsOf({ variant, request }: Submission) {
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
export function termsOf({ variant, request }: Submission) {
  return { variant, ...request, callback_url: null }
}

/** Returns the request as it is stored: with the amounts and the fingerprints that are kept without it. */
export function toStored(submission: Submission, fingerprints: Fingerprints): StoredSubmission {
  const { phone, account, bankCode } = recipientOf(submission)
  return {
    ...submission,
    amounts: amountsOf(submission).map(({ amount, currency }) => ({ amount, currency })),
    fingerprint: fingerprints.of('terms', JSON.stringify(termsOf(submission))),
    recipient: {
      phone: phone && fingerprints.of('phone', phone),
      account: account && fingerprints.of('account', account),
      bankCode,
    },
    people: [
      ...new Set(numbersIn(submission).map(({ purpose, number }) => fingerprints.of(purpose, number))),
    ],
  }
}

function numbersIn({ variant, request }: Submission) {
  const { recipient_account_number: account } = request
  const phones =
    variant === 'b2b'
      ? []
      : [request.recipient_phone_number, 'sender_phone_number' in request ? request.sender_phone_number : '']
  return [
    // The account number of a mobile money account is a phone number.
    { purpose: 'account', number: account } as const,
    ...[account, ...phones].flatMap((number) => (number ? [{ purpose: 'phone', number } as const] : [])),
  ]
}

/** Returns whether a whole number in a report is not the recipient's, of whom only the fingerprints are left. */
export function isOtherRecipient(
  { result }: Report,
  { recipient }: StoredSubmission,
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

export function requestOf({ submission }: { submission: StoredSubmission }): Requested {
  const amounts = submission.amounts.map(({ amount, currency }) => `${amount} ${currency}`)
  return { amount: [...new Set(amounts)].join(' as '), fingerprint: submission.fingerprint }
}

/** The status and the terms that the gateway reported. A term that the gateway did not report is `null`. */
export type ReportedTerms = ReturnType<typeof reportedTerms>
export function reportedTerms(result: PayoutResult | B2bResult) {
  if (!('data' in result)) {
    const { payment_status: status, amount, currency, account_number: account } = result
    return { status, amount, currency, recipient: { phone: null, account, bankCode: null } }
  }
  const { payment_status: status, amount, currency, recipient_phone_number: phone } = result.data
  const { account_number: account, bank_code: bankCode } = result.data
  return { status, amount, currency, recipient: { phone, account, bankCode } }
}
