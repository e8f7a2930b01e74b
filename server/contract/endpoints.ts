/**
 * The table of the gateway's endpoints, with one row per endpoint. The gateway client and the sandbox gateway read
 * their settings from these rows. A new endpoint also needs a method in the client and a route in the sandbox gateway.
 * [spec: Endpoints]
 *
 * - `family` names the endpoints that send the transactions of one type and query their status; null for the others.
 *   Whether status queries are answered is judged for each family by itself (`gateway/family-state.ts`).
 * - `decides` names the part of a response that shows whether the request succeeded: the HTTP status (`http`), or the
 *   `response_code` in the body (`body`), because the spec gives no HTTP status for the codes 720 to 723.
 * - `token` is the name of the header that carries the access token; null if the endpoint needs no access token.
 * - `refusal` names the error objects that show that the gateway did not execute the request. With `any`, every error
 *   object does, except a temporary failure. With `4xx`, only those with a 4xx status do. With `listed`, also the code
 *   must be an error code of the spec.
 * - `retryable` is true if the client may send a request again after the gateway's response was lost.
 * - `unknownCode` is the code with which the gateway reports that it does not know a reference; null if the endpoint
 *   does not report this.
 * - `echoes` lists the fields of a response that repeat a field of the request. Each key is the name of the response's
 *   field, and each value is the name of the request's field (in the body, path or query). If the two
 *   fields differ (`contradicts` in `gateway/echo.ts`), the response contradicts the request. A field that is null in the
 *   response is not compared.
 */

import { AirtimeAcknowledgement, AirtimeRequest, AirtimeStatusList } from './airtime.ts'
import { Credentials, Token } from './authentication.ts'
import { ChargeRequest, ChargeResponse, ChargeStatus, Confirmation, ConfirmationAnswer } from './charge.ts'
import { CheckoutPayload, InitiateRequest, InitiateResponse } from './checkout.ts'
import {
  Acknowledgement,
  B2bRequest,
  B2bResult,
  PayoutRequest,
  PayoutResult,
  TransferRequest,
} from './payout.ts'
import { Balance, Rates } from './rates.ts'
import { ACKNOWLEDGEMENT_CODE, CHECKOUT_CODE } from './status.ts'

const TOKEN = { token: 'x-access-token', decides: 'http', refusal: 'any', unknownCode: null } as const
const QUERY = { ...TOKEN, family: null, method: 'GET', request: null, retryable: true } as const
const COMMAND = { ...TOKEN, family: null, method: 'POST' } as const
const AIRTIME = { family: 'airtime', decides: 'body' } as const
const ANY_PAYOUT = { family: 'payout', decides: 'body' } as const
/** The common settings of the three endpoints that create payouts. [spec: Payout acknowledgement] */
const PAYOUT = {
  ...COMMAND,
  ...ANY_PAYOUT,
  response: Acknowledgement,
  retryable: false,
  echoes: { payout_reference: 'payout_reference' },
} as const
const PAYOUT_STATUS = {
  ...QUERY,
  ...ANY_PAYOUT,
  unknownCode: ACKNOWLEDGEMENT_CODE.notFound,
  echoes: { payout_reference: 'payout_reference' },
} as const
const PAY_IN_STATUS = { ...QUERY, unknownCode: CHECKOUT_CODE.accountMissing } as const

export const endpoints = {
  authenticate: {
    ...COMMAND,
    path: '/v1/auth',
    token: null,
    request: Credentials,
    response: Token,
    retryable: true,
    echoes: {},
  },
  initiateCheckout: {
    ...COMMAND,
    family: 'checkout',
    path: '/v2/checkout/initiate',
    request: InitiateRequest,
    response: InitiateResponse,
    // The gateway deduplicates these requests by merchant_transaction_id, and no money moves before the shopper pays.
    retryable: true,
    echoes: { merchant_transaction_id: 'merchant_transaction_id', amount: 'amount' },
  },
  getCheckoutStatus: {
    ...PAY_IN_STATUS,
    family: 'checkout',
    path: '/v2/checkout/status/:merchant_transaction_id',
    response: CheckoutPayload,
    echoes: { merchant_transaction_id: 'merchant_transaction_id' },
  },
  getRates: { ...QUERY, path: '/v1/fx', response: Rates, echoes: { base_currency: 'base_currency' } },
  getBalance: { ...QUERY, path: '/v1/accounts/:account_number/balance', response: Balance, echoes: {} },
  initiatePayout: { ...PAYOUT, path: '/v1/payouts/initiate', request: PayoutRequest },
  initiateTransfer: {
    ...PAYOUT,
    path: '/v1/payouts/imt/initiate',
    // Only this endpoint uses the header name Authorization. [spec: Endpoints, note 4]
    token: 'authorization',
    request: TransferRequest,
  },
  getPayoutStatus: { ...PAYOUT_STATUS, path: '/v1/payouts/:payout_reference/status', response: PayoutResult },
  initiateB2b: { ...PAYOUT, path: '/v1/payouts/b2b/initiate', request: B2bRequest },
  getB2bStatus: { ...PAYOUT_STATUS, path: '/v1/payouts/b2b/:payout_reference/status', response: B2bResult },
  sendAirtime: {
    ...COMMAND,
    ...AIRTIME,
    path: '/v1/gw/airtime/send',
    request: AirtimeRequest,
    response: AirtimeAcknowledgement,
    retryable: false,
    echoes: { reference: 'reference' },
  },
  getAirtimeStatus: {
    ...QUERY,
    ...AIRTIME,
    path: '/v1/gw/airtime/:reference/status',
    response: AirtimeStatusList,
    unknownCode: ACKNOWLEDGEMENT_CODE.notFound,
    // Each entry of the list names its request. The client leaves out those of others.
    echoes: {},
  },
  // The spec shows the fields of a charge, but no URLs for sending charges and querying their status. [assumed] The
  // paths are those in the next two rows.
  postCharge: {
    ...COMMAND,
    family: 'charge',
    path: '/v1/charges',
    request: ChargeRequest,
    // The gateway does not deduplicate charges. A charge that counts as refused must therefore not have been executed.
    refusal: 'listed',
    response: ChargeResponse,
    retryable: false,
    echoes: { external_reference: 'external_reference', currency_code: 'currency_code' },
  },
  getChargeStatus: {
    ...PAY_IN_STATUS,
    family: 'charge',
    path: '/v1/charges/:external_reference/status',
    response: ChargeStatus,
    echoes: { merchant_transaction_id: 'external_reference' },
  },
  confirmService: {
    // The spec does not show whether this request needs an access token. [spec: Authentication, 7] [assumed] This
    // request needs a token, like every other request except authentication. [spec: Authentication, 1]
    ...COMMAND,
    path: '/transactions/acknowledge',
    request: Confirmation,
    response: ConfirmationAnswer,
    // After a refusal, the merchant may decide otherwise. The gateway must not have executed the first decision.
    refusal: '4xx',
    // `transactions/sender.ts` sends it again, and stores each time before that it is sent: what is refused after an attempt
    // whose answer was lost may have been executed. [assumed] The gateway moves the money only once all the same.
    retryable: false,
    echoes: { payment_id: 'payment_id' },
  },
} as const

export type Family = NonNullable<(typeof endpoints)[keyof typeof endpoints]['family']>
