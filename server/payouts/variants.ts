/**
 * Sends and queries the three variants of a payout: local, international transfer, and B2B. All differences between the
 * variants are in this file.
 */

import type { Acknowledgement } from '../contract/payout.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type { CallOptions } from '../gateway/transport.ts'
import type { Requested } from '../transactions/record.ts'
import type { MaskedSubmission, ReportedPayout, StoredSubmission, Submission } from './record.ts'

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
  { variant, request }: StoredSubmission,
  options: CallOptions,
): Promise<ReportedPayout | null> {
  if (variant === 'b2b') {
    const result = await client.getB2bStatus(request.payout_reference, options)
    return result && { variant, result }
  }
  const result = await client.getPayoutStatus(request.payout_reference, options)
  return result && { variant, result }
}

/** The requested terms with which the reported state is compared. */
export interface PayoutTerms {
  amount: string
  currency: string
  /** The recipient's numbers that the gateway repeats in its reports. */
  recipient: { phone?: string; account?: string; bankCode?: string | undefined }
}

export function requestedTerms(submission: StoredSubmission): PayoutTerms {
  const { variant, request } = submission
  // The numbers of a masked recipient are compared by their fingerprints, in `mask.ts`.
  const recipient = isMasked(submission)
    ? { bankCode: submission.masked.recipient.bankCode }
    : recipientOf(submission)
  if (variant === 'b2b') return { amount: request.amount, currency: request.currency_code, recipient }
  return { amount: request.recipient_amount, currency: request.destination_currency, recipient }
}

export function recipientOf({ variant, request }: Submission): PayoutTerms['recipient'] {
  if (variant === 'b2b') return { account: request.recipient_account_number }
  const { recipient_phone_number: phone } = request
  const bank = { account: request.recipient_account_number, bankCode: request.recipient_bank_code }
  return { phone, ...(request.destination_type === 'BANK' && bank) }
}

export function isMasked(submission: StoredSubmission): submission is MaskedSubmission {
  return 'masked' in submission
}

/** Returns every amount in the request, with the name of the amount's field and the amount's currency. */
export function amountsOf({ variant, request }: StoredSubmission) {
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

export function requestOf({ submission }: { submission: StoredSubmission }): Requested {
  const amounts = amountsOf(submission).map(({ amount, currency }) => `${amount} ${currency}`)
  const amount = [...new Set(amounts)].join(' as ')
  return isMasked(submission)
    ? { amount, fingerprint: submission.masked.request }
    : { amount, terms: termsOf(submission) }
}

/** The status and the terms that the gateway reported. A term that the gateway did not report is `null`. */
export function reportedTerms({ variant, result }: ReportedPayout) {
  const { payment_status: status, amount, currency } = variant === 'b2b' ? result : result.data
  const { phone, account, bankCode } =
    variant === 'b2b'
      ? { phone: null, account: result.account_number, bankCode: null }
      : {
          phone: result.data.recipient_phone_number,
          account: result.data.account_number,
          bankCode: result.data.bank_code,
        }
  return { status, amount, currency, recipient: { phone, account, bankCode } }
}
