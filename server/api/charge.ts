/**
 * Defines the schemas of `/api/charges`: the body that creates a charge, the charge in responses, and the service
 * confirmation.
 */

import { z } from 'zod'

import { ChargeRequest, Confirmation, CONFIRMATIONS, Metadata } from '../contract/charge.ts'
import { CheckoutError } from '../contract/errors.ts'
import { FAILURE_REASONS } from '../contract/failure-reason.ts'
import { field, text, textOrNull } from '../contract/openapi-field.ts'
import { CHECKOUT_STATUS } from '../contract/status.ts'
import {
  amountPaid,
  attention,
  commonFields,
  currencyField,
  discrepancy,
  standing,
  version,
} from './tracked.ts'

const { account_number, service_code, client_code, currency_code } = ChargeRequest.shape

/** The body of `POST /api/charges`. The configuration supplies what is missing. */
export const ChargeBody = ChargeRequest.extend({
  client_code: field(client_code, 'Client code from the gateway. Default: GATEWAY_CLIENT_CODE.', 'SHOP'),
  service_code: field(
    service_code.optional(),
    'Service code from the merchant portal. Default: GATEWAY_SERVICE_CODE.',
    'CHECKOUT-KES',
  ),
  account_number: field(
    account_number.optional(),
    'Number of your account at the gateway. Default: GATEWAY_ACCOUNT_NUMBER, or its account for the currency.',
    'ACC-001',
  ),
  currency_code: field(
    currency_code.optional(),
    'Currency of the amounts, ISO 4217. Default: the currency of the service, where GATEWAY_SERVICE_CODE names one.',
  ),
  extra_data: field(
    z.union([Metadata, z.string()]).optional(),
    'Shares, to which PARTNER_ACCOUNTS_DYNAMIC is added, the redirects, and data of your own, at most 16 levels deep. Where the gateway takes it, text of 1–1,000 characters.',
    { table: '7' },
  ),
}).meta({ id: 'ChargeRequest', description: 'A charge, with shares for partner accounts.' })

/** The body of `POST /api/charges/{reference}/acknowledge`. */
export const AcknowledgeBody = Confirmation.omit({ payment_id: true }).meta({
  id: 'AcknowledgeRequest',
  description: 'A service confirmation.',
})

/** The service confirmation of a charge, or of a checkout whose order has splits. */
export const TrackedFulfilment = z
  .object({
    stage: field(
      z.enum(['open', 'decided', 'confirmed', 'refused']),
      'open: nobody has decided. decided: stored, and sent until the gateway answers. confirmed or refused: the answer of the gateway. Also refused: the decision is no longer sent, as message says.',
    ),
    status: field(z.enum(CONFIRMATIONS).nullable(), 'The decision. Null while the stage is open.'),
    narration: textOrNull('Reason of the decision. Null while the stage is open.', 'Sold out'),
    payment_id: textOrNull(
      'The payment about which the decision is sent, or was sent last. Null while the stage is open, and while the gateway has not named the payment.',
      'PAY-8815201',
    ),
    message: textOrNull("The gateway's text. Null before it answers.", 'Confirmed'),
  })
  .meta({ id: 'TrackedFulfilment', description: 'The service confirmation of a payment.' })
export type TrackedFulfilment = z.output<typeof TrackedFulfilment>

const TrackedSplit = z.object({
  account: text('Account number of the partner.', 'PARTNER-001'),
  amount: text('Share, as decimal text in major units of currency.', '1000'),
  reason: text('Reason of the share.', 'The weaver'),
})

/** A charge in the responses of `/api/charges` and in the `data` of `charge.*` events. */
export const TrackedCharge = z
  .object({
    external_reference: text('Your reference.', 'BILL-2026-11-0001'),
    charge_request_id: textOrNull(
      "The gateway's id of the charge. Null before there is one.",
      'CR-20261121-0001',
    ),
    ...standing,
    status: field(
      z.literal(Object.values(CHECKOUT_STATUS)).nullable(),
      "The gateway's status. Of a gateway that reports a charge as one payment: 801 for 700, 803 for 701, 840 for 702, 841 for 705, 850 for 704, 851 for the others, and 803 for a payment that cannot be read. Null before the gateway reports one.",
    ),
    reason: field(
      z.enum(FAILURE_REASONS).nullable(),
      'Why it failed, as far as the gateway says it; unknown otherwise. Null unless the outcome is failed.',
      null,
    ),
    discrepancy,
    amount: text('Amount that the payer is asked for, as decimal text in major units of currency.', '1500'),
    amount_paid: amountPaid,
    currency: currencyField,
    split_settlements: field(
      z.array(TrackedSplit),
      'Shares of the amount for partner accounts, with those of PARTNER_ACCOUNTS_DYNAMIC.',
    ),
    fulfilment: TrackedFulfilment,
    refusal: field(CheckoutError.nullable(), "The gateway's error if it refused the charge. Null otherwise."),
    attention,
    redirect_url: textOrNull(
      'The hosted page where the payer pays. Null for a direct charge, and once the charge is settled.',
      'https://pay.gateway.example/pay/8815201',
    ),
    auth_url: textOrNull(
      'The page where the payer authorizes a card payment: send the payer there. Null when there is none, once the charge is settled, and in events.',
      'https://acs.bank.example/authorize/8815201',
    ),
    html: textOrNull(
      'The page where the payer authorizes a card payment, as HTML from the gateway: show it in a page of its own, away from your origin. Null when there is none, once the charge is settled, and in events.',
      '<form action="https://acs.bank.example/authorize" method="post"></form>',
    ),
    expires_at: field(
      z.iso.datetime().nullable(),
      'When the session of the hosted page ends. ISO 8601, UTC. Null where the gateway names no end.',
      '2026-11-21T09:30:00.000Z',
    ),
    ...commonFields,
    version,
  })
  .meta({ id: 'TrackedCharge', description: 'A charge with its state.' })
export type TrackedCharge = z.output<typeof TrackedCharge>
