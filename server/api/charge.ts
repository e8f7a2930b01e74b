/**
 * Defines the schemas of `/api/charges`: the body that creates a charge, the charge in responses, and the service
 * confirmation.
 */

import { z } from 'zod'
import {
  ChargeRequest,
  Confirmation,
  CONFIRMATIONS,
  splitListOf,
  SplitSettlement,
} from '../contract/charge.ts'
import { CheckoutError } from '../contract/errors.ts'
import { url } from '../contract/fields.ts'
import { CHECKOUT_STATUS } from '../contract/status.ts'
import { describeFields, field, text, textOrNull } from './field.ts'
import { REFUSAL } from './problem.ts'
import {
  amountPaid,
  attention,
  commonFields,
  currencyField,
  discrepancy,
  standing,
  version,
} from './tracked.ts'

const ACCOUNT = ['Account number of the partner. 1–50 characters, each account once.', 'PARTNER-001'] as const
const REASON = ['Reason of the share.', 'The weaver'] as const

const Split = describeFields(SplitSettlement.shape, {
  account: ACCOUNT,
  amount: [
    'Share, in major units of currency_code. More than 0; all shares together are at most the amount.',
    1000,
  ],
  reason: REASON,
})

const ExtraData = z
  .object({
    split_settlements: field(
      splitListOf(Split).optional(),
      'Shares of the amount for partner accounts, at most 1000. PARTNER_ACCOUNTS_DYNAMIC is added.',
    ),
    redirect_url: field(
      url(500).optional(),
      'Where the hosted page sends the payer afterwards. An absolute URL of at most 500 characters.',
      'https://shop.example/thanks',
    ),
    success_redirect_url: field(
      url(500).optional(),
      'Where the payer is sent after a payment, where the gateway has an address for each outcome. An absolute URL of at most 500 characters.',
      'https://shop.example/thanks',
    ),
    failed_redirect_url: field(
      url(500).optional(),
      'Where the payer is sent after a failed payment, where the gateway has an address for each outcome. An absolute URL of at most 500 characters.',
      'https://shop.example/again',
    ),
  })
  .loose()

const { account_number, currency_code, service_code } = ChargeRequest.shape

/**
 * The body of `POST /api/charges`. If `account_number`, `service_code`, `currency_code` or `client_code` is missing, the
 * configuration supplies the value.
 */
export const ChargeBody = describeFields(
  {
    ...ChargeRequest.shape,
    account_number: account_number.optional(),
    service_code: service_code.optional(),
    currency_code: currency_code.optional(),
    extra_data: z.union([ExtraData, z.string()]).optional(),
  },
  {
    external_reference: [
      'Your reference, the idempotency key. 1–64 characters without control characters, unique over charges.',
      'BILL-2026-11-0001',
    ],
    origin_channel_code: ['Channel of the order, such as API, WEB, USSD or APP.', 'WEB'],
    originator_msisdn: ['Phone number of who ordered: country code first, 8–15 digits.', '254700000002'],
    payer_msisdn: [
      'Phone number of the payer: country code first, 8–15 digits. A leading +, spaces, dashes and a trunk zero are removed.',
      '254700000001',
    ],
    payer_email: ['E-mail address of the payer.', 'asha@example.com'],
    payer_name: ['Name of the payer.', 'Asha Otieno'],
    client_code: ['Client code from the gateway. Default: GATEWAY_CLIENT_CODE.', 'SHOP'],
    service_code: ['Service code from the merchant portal. Default: GATEWAY_SERVICE_CODE.', 'CHECKOUT-KES'],
    account_number: [
      'Number of your account at the gateway. Default: GATEWAY_ACCOUNT_NUMBER, or its account for the currency.',
      'ACC-001',
    ],
    invoice_number: ['Number of your invoice.', 'INV-7731'],
    currency_code: [
      'Currency of the amounts, ISO 4217. Default: the currency of the service, where GATEWAY_SERVICE_CODE names one.',
      'KES',
    ],
    country_code: ['Country of the payer, ISO 3166-1 alpha-2 or alpha-3.', 'KEN'],
    amount: [
      "Amount, in major units of currency_code. More than 0, at most 15 digits, with at most the currency's fraction digits.",
      1500,
    ],
    add_transaction_charge: [
      'Whether the payer pays the transaction charge on top of the amount. Default: the amount includes it.',
    ],
    transaction_charge: [
      "Transaction charge, in major units of currency_code. Not negative, at most 15 digits. Default: the gateway's charge.",
      25,
    ],
    payment_method_code: [
      'Payment method. With it the gateway asks the payer directly; without it the answer has a redirect_url.',
      'MOMO_KEN',
    ],
    paybill: ['Paybill that the payer pays to.', '400200'],
    extra_data: [
      'Shares, the redirects, and data of your own, at most 16 levels deep. Where the gateway takes it, text of 1–1,000 characters.',
      { table: '7' },
    ],
    description: ['What the payer pays for.', 'Two kangas'],
    notify_client: ['Whether the gateway notifies the payer.'],
    notify_originator: ['Whether the gateway notifies the originator.'],
  },
).meta({ id: 'ChargeRequest', description: 'A charge, with shares for partner accounts.' })

/** The body of `POST /api/charges/{reference}/acknowledge`. */
export const AcknowledgeBody = describeFields(Confirmation.omit({ payment_id: true }).shape, {
  status: ['SUCCESSFUL: the service was provided, and the shares are paid. FAILED: the payer is refunded.'],
  narration: ['Reason, for the gateway.', 'Sold out'],
}).meta({ id: 'AcknowledgeRequest', description: 'A service confirmation.' })

/** The service confirmation of a charge, or of a checkout whose order has splits. */
export const TrackedFulfilment = z
  .object({
    stage: field(
      z.enum(['open', 'decided', 'confirmed', 'refused']),
      'open: nobody has decided. decided: stored, and sent until the gateway answers. confirmed or refused: the answer of the gateway.',
    ),
    status: field(z.enum(CONFIRMATIONS).nullable(), 'The decision. Null while the stage is open.'),
    narration: textOrNull('Reason of the decision. Null while the stage is open.', 'Sold out'),
    payment_id: textOrNull('The payment that is confirmed. Null while the stage is open.', 'PAY-8815201'),
    message: textOrNull("The gateway's text. Null before it answers.", 'Confirmed'),
  })
  .meta({ id: 'TrackedFulfilment', description: 'The service confirmation of a payment.' })
export type TrackedFulfilment = z.output<typeof TrackedFulfilment>

const TrackedSplit = z.object({
  account: text(...ACCOUNT),
  amount: text('Share, as decimal text in major units of currency.', '1000'),
  reason: text(...REASON),
})

/** A charge in the responses of `/api/charges` and in the `data` of `charge.*` events. */
export const TrackedCharge = z
  .object({
    external_reference: text('Your reference.', 'BILL-2026-11-0001'),
    charge_request_id: textOrNull(
      "The gateway's id of the charge. Null before the gateway acknowledges.",
      'CR-20261121-0001',
    ),
    ...standing,
    status: field(
      z.literal(Object.values(CHECKOUT_STATUS)).nullable(),
      "The gateway's status. Of a gateway that reports a charge as one payment: 801 for 700, 803 for 701, 840 for 702, 841 for 705, 850 for 704, 851 for the others, and 803 for a payment that cannot be read. Null before the gateway reports one.",
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
    refusal: field(
      describeFields(CheckoutError.shape, REFUSAL).nullable(),
      "The gateway's error when it refused the charge. Null otherwise.",
    ),
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
