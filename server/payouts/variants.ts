/**
 * What is different about the three payouts: how each is sent, asked about and read. Nothing outside this file
 * asks which of them it has.
 */

import type { Acknowledgement } from '../contract/payout.ts'
import type { PayoutStatus } from '../contract/status.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type { ReportedPayout, Submission, Variant } from './record.ts'

/** What both the request and the result say of the money. */
export interface PayoutTerms {
  /** Decimal text, what the recipient is to have. */
  amount: string
  currency: string
  /** The recipient's phone or account number. */
  recipient: string
}

/** How the merchant's events of each variant begin. */
export const EVENT_PREFIX = { local: 'payout', transfer: 'payout', b2b: 'b2b' } as const satisfies Record<
  Variant,
  string
>

/** The part of the callback address that names the chapter of the spec. */
export const CALLBACK_PATH = { local: 'payouts', transfer: 'payouts', b2b: 'b2b' } as const satisfies Record<
  Variant,
  string
>

export function send(client: GatewayClient, submission: Submission): Promise<Acknowledgement> {
  switch (submission.variant) {
    case 'local':
      return client.initiatePayout(submission.request)
    case 'transfer':
      return client.initiateTransfer(submission.request)
    case 'b2b':
      return client.initiateB2b(submission.request)
  }
}

export async function queryStatus(
  client: GatewayClient,
  { variant, request }: Submission,
): Promise<ReportedPayout | null> {
  switch (variant) {
    case 'local':
    case 'transfer': {
      const result = await client.getPayoutStatus(request.payout_reference)
      return result && { variant, result }
    }
    case 'b2b': {
      const result = await client.getB2bStatus(request.payout_reference)
      return result && { variant, result }
    }
  }
}

export function requestedTerms(submission: Submission): PayoutTerms {
  switch (submission.variant) {
    case 'local':
    case 'transfer': {
      const { recipient_amount, destination_currency, recipient_phone_number } = submission.request
      return { amount: recipient_amount, currency: destination_currency, recipient: recipient_phone_number }
    }
    case 'b2b': {
      const { amount, currency_code, recipient_account_number } = submission.request
      return { amount, currency: currency_code, recipient: recipient_account_number }
    }
  }
}

/** Every amount of the request, by its field, with the currency that it is in. */
export function amountsOf(submission: Submission): { field: string; amount: string; currency: string }[] {
  switch (submission.variant) {
    case 'local':
    case 'transfer': {
      const { sender_amount, source_currency, recipient_amount, destination_currency } = submission.request
      return [
        { field: 'sender_amount', amount: sender_amount, currency: source_currency },
        { field: 'recipient_amount', amount: recipient_amount, currency: destination_currency },
      ]
    }
    case 'b2b': {
      const { amount, currency_code } = submission.request
      return [{ field: 'amount', amount, currency: currency_code }]
    }
  }
}

/** What the gateway leaves out contradicts nothing. */
export interface ReportedTerms {
  status: PayoutStatus
  amount: string
  currency: string | null
  recipient: string | null
}

export function reportedTerms(reported: ReportedPayout): ReportedTerms {
  switch (reported.variant) {
    case 'local':
    case 'transfer': {
      const { payment_status, amount, currency, recipient_phone_number } = reported.result.data
      return { status: payment_status, amount, currency, recipient: recipient_phone_number }
    }
    case 'b2b': {
      const { payment_status, amount, currency, account_number } = reported.result
      return { status: payment_status, amount, currency, recipient: account_number }
    }
  }
}
