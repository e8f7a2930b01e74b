/**
 * Every endpoint of the gateway that is built so far: one row each, from which the client and the sandbox
 * are both derived. [spec: Endpoints]
 */

import { Credentials, Token } from './account.ts'
import { CheckoutPayload, InitiateRequest, InitiateResponse } from './checkout.ts'
import { AuthenticationError, CheckoutError } from './errors.ts'

export const endpoints = {
  authenticate: {
    method: 'POST',
    path: '/v1/auth',
    token: null,
    request: Credentials,
    response: Token,
    error: AuthenticationError,
  },
  initiateCheckout: {
    method: 'POST',
    path: '/v2/checkout/initiate',
    token: 'x-access-token',
    request: InitiateRequest,
    response: InitiateResponse,
    error: CheckoutError,
  },
  getCheckoutStatus: {
    method: 'GET',
    path: '/v2/checkout/status/:merchant_transaction_id',
    token: 'x-access-token',
    request: null,
    response: CheckoutPayload,
    error: CheckoutError,
  },
} as const
