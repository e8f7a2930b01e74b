/** Defines the schemas of `/api/payouts`: the bodies that create payouts, and the payout in responses. */

import { z } from 'zod'

import { field, text, textOrNull } from '../contract/openapi-field.ts'
import {
  B2bRequest,
  B2bResult,
  PAYOUT_ERROR_CODES,
  PayoutRequest,
  PayoutResult,
  TransferRequest,
} from '../contract/payout.ts'
import { ACKNOWLEDGEMENT_CODE, PAYOUT_STATUS } from '../contract/status.ts'
import { attention, commonFields, currencyField, standing, version } from './tracked.ts'

const { accepted, rejected } = ACKNOWLEDGEMENT_CODE

// The bodies that create payouts. This server sets `callback_url`. zod's `omit` takes no schema with a refinement,
// which the schemas of the gateway's requests have.
export const PayoutBody = z
  .object(PayoutRequest.shape)
  .omit({ callback_url: true })
  .meta({ id: 'PayoutRequest', description: 'A payout to a wallet or a bank account.' })
export const TransferBody = z
  .object(TransferRequest.shape)
  .omit({ callback_url: true })
  .meta({ id: 'TransferRequest', description: 'An international money transfer.' })
export const B2bBody = z
  .object(B2bRequest.shape)
  .omit({ callback_url: true })
  .meta({ id: 'B2bRequest', description: 'A payout to a business: a paybill, a till or a bank account.' })

/** A payout in the responses of `/api/payouts` and in the `data` of `payout.*` and `b2b.*` events. */
export const TrackedPayout = z
  .object({
    payout_reference: text('Your reference.', 'WAGES-2026-11-0001'),
    type: field(
      z.enum(['local', 'transfer', 'b2b']),
      'local: to a wallet or a bank account. transfer: international. b2b: to a business.',
    ),
    ...standing,
    payment_status: field(
      z.literal(Object.values(PAYOUT_STATUS)).nullable(),
      "The gateway's payment status. Null before the gateway reports one.",
    ),
    response_code: field(
      z.literal([accepted, rejected]).nullable(),
      "The gateway's acknowledgement: 720 accepted, 721 rejected. Null before the gateway acknowledges.",
    ),
    response_description: textOrNull("The gateway's text of a rejection, or null.", 'Insufficient balance'),
    error_code: textOrNull(
      `Why the gateway rejected the payout: ${PAYOUT_ERROR_CODES.join(', ')}, or a code that the specification does not list. Null otherwise.`,
      'INSUFFICIENT_BALANCE',
    ),
    amount: text('Amount that the recipient gets, as decimal text in major units of currency.', '1500.00'),
    currency: currencyField,
    attention,
    result: field(
      z.union([PayoutResult, B2bResult]).nullable(),
      "The specification's payout result, as the gateway last reported it. Null before that. Null again 30 days after settlement.",
    ),
    ...commonFields,
    version,
  })
  .meta({ id: 'TrackedPayout', description: 'A payout with its state.' })
export type TrackedPayout = z.output<typeof TrackedPayout>
