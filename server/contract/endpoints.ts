/**
 * Every endpoint of the gateway: one row each, from which the client and the sandbox are both derived.
 * [spec: Endpoints]
 *
 * `decides` says what tells success from refusal: the HTTP status, or the `response_code` in the body, whose HTTP
 * status the spec does not show.
 */

import { Balance, Credentials, Token } from './account.ts'
import { AirtimeAcknowledgement, AirtimeRequest, AirtimeStatusList } from './airtime.ts'
import { B2bRequest, B2bResult } from './b2b.ts'
import { ChargeRequest, ChargeResponse, Confirmation, ConfirmationAnswer } from './charge.ts'
import { CheckoutPayload, InitiateRequest, InitiateResponse } from './checkout.ts'
import { Acknowledgement, PayoutRequest, PayoutResult, TransferRequest } from './payout.ts'
import { Rates } from './rates.ts'

export const endpoints = {
  authenticate: {
    method: 'POST',
    path: '/v1/auth',
    token: null,
    decides: 'http',
    request: Credentials,
    response: Token,
  },
  initiateCheckout: {
    method: 'POST',
    path: '/v2/checkout/initiate',
    token: 'x-access-token',
    decides: 'http',
    request: InitiateRequest,
    response: InitiateResponse,
  },
  getCheckoutStatus: {
    method: 'GET',
    path: '/v2/checkout/status/:merchant_transaction_id',
    token: 'x-access-token',
    decides: 'http',
    request: null,
    response: CheckoutPayload,
  },
  getRates: {
    method: 'GET',
    path: '/v1/fx',
    token: 'x-access-token',
    decides: 'http',
    request: null,
    response: Rates,
  },
  getBalance: {
    method: 'GET',
    path: '/v1/accounts/:account_number/balance',
    token: 'x-access-token',
    decides: 'http',
    request: null,
    response: Balance,
  },
  initiatePayout: {
    method: 'POST',
    path: '/v1/payouts/initiate',
    token: 'x-access-token',
    decides: 'body',
    request: PayoutRequest,
    response: Acknowledgement,
  },
  initiateTransfer: {
    method: 'POST',
    path: '/v1/payouts/imt/initiate',
    // [spec: Endpoints, note 4] The one call that is described with the header name Authorization.
    token: 'authorization',
    decides: 'body',
    request: TransferRequest,
    response: Acknowledgement,
  },
  getPayoutStatus: {
    method: 'GET',
    path: '/v1/payouts/:payout_reference/status',
    token: 'x-access-token',
    decides: 'body',
    request: null,
    response: PayoutResult,
  },
  initiateB2b: {
    method: 'POST',
    path: '/v1/payouts/b2b/initiate',
    token: 'x-access-token',
    decides: 'body',
    request: B2bRequest,
    response: Acknowledgement,
  },
  getB2bStatus: {
    method: 'GET',
    path: '/v1/payouts/b2b/:payout_reference/status',
    token: 'x-access-token',
    decides: 'body',
    request: null,
    response: B2bResult,
  },
  sendAirtime: {
    method: 'POST',
    path: '/v1/gw/airtime/send',
    token: 'x-access-token',
    decides: 'body',
    request: AirtimeRequest,
    response: AirtimeAcknowledgement,
  },
  getAirtimeStatus: {
    method: 'GET',
    path: '/v1/gw/airtime/:reference/status',
    token: 'x-access-token',
    decides: 'body',
    request: null,
    response: AirtimeStatusList,
  },
  // [assumed] The spec shows what a charge is made of, and neither where it is sent nor where it is asked about.
  postCharge: {
    method: 'POST',
    path: '/v1/charges',
    token: 'x-access-token',
    decides: 'http',
    request: ChargeRequest,
    response: ChargeResponse,
  },
  getChargeStatus: {
    method: 'GET',
    path: '/v1/charges/:external_reference/status',
    token: 'x-access-token',
    decides: 'http',
    request: null,
    response: CheckoutPayload,
  },
  confirmService: {
    method: 'POST',
    path: '/transactions/acknowledge',
    // [assumed] Whether it needs a token is not shown; every call but the first carries one. [spec: Authentication, 1 and 7]
    token: 'x-access-token',
    decides: 'http',
    request: Confirmation,
    response: ConfirmationAnswer,
  },
} as const
