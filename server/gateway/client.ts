/** The gateway as typed calls, one method per endpoint. */

import type { Credentials } from '../contract/account.ts'
import type { CheckoutPayload, InitiateRequest, InitiateResponse } from '../contract/checkout.ts'
import type { Call, Endpoint, Transport, TransportOptions } from './transport.ts'
import { CHECKOUT_CODE } from '../contract/status.ts'
import { endpoints } from '../contract/endpoints.ts'
import { GatewayError, GatewayRefusal } from './errors.ts'
import { createTokenSource } from './token.ts'
import { createTransport } from './transport.ts'

export interface GatewayClientOptions extends TransportOptions {
  credentials: Credentials
}

export interface CallOptions {
  signal?: AbortSignal
}

export interface GatewayClient {
  /**
   * Creates a checkout session, or finds the one with the same `merchant_transaction_id`.
   *
   * The answer is compared with what was asked before it is returned: no shopper is sent to a page for another
   * order, amount or currency. The request itself has no currency; it follows from the service code.
   * [spec: Standard checkout request, Standard checkout response]
   *
   * @throws {GatewayRefusal} `gateway_refused` with the spec's error object.
   * @throws {GatewayError} `gateway_contradiction` when the answer is not for what was asked; otherwise the
   * answer is unknown, and the same request may be sent again.
   */
  initiateCheckout(
    request: InitiateRequest,
    options: CallOptions & { currency: string },
  ): Promise<InitiateResponse>

  /**
   * The state of a checkout: the same payload as its callback, or `null` when the gateway knows no checkout of
   * this id (status_code 120). [spec: Checkout callback and status payload; Checkout errors]
   *
   * @throws {GatewayError} `gateway_contradiction` when the answer is about another checkout.
   */
  getCheckoutStatus(merchantTransactionId: string, options?: CallOptions): Promise<CheckoutPayload | null>
}

/** Enough to outlast a dropped connection, few enough for a shopper who waits. */
const TRIES = 3

export function createGatewayClient(options: GatewayClientOptions): GatewayClient {
  const transport = createTransport(options)
  const call = withToken(transport, options)

  return {
    async initiateCheckout(request, { currency, signal }) {
      // Repeating is harmless: the id makes it idempotent, and no money moves before the customer pays.
      const answer = await call(endpoints.initiateCheckout, { body: request, tries: TRIES, signal })
      const differs =
        answer.merchant_transaction_id !== request.merchant_transaction_id
          ? 'merchant_transaction_id'
          : answer.amount !== request.amount
            ? 'amount'
            : answer.currency !== currency
              ? 'currency'
              : null
      if (differs) throw contradiction('initiate', differs)
      return answer
    },

    async getCheckoutStatus(merchantTransactionId, { signal } = {}) {
      const parameters = { merchant_transaction_id: merchantTransactionId }
      try {
        const payload = await call(endpoints.getCheckoutStatus, { parameters, tries: TRIES, signal })
        if (payload.merchant_transaction_id !== merchantTransactionId) {
          throw contradiction('status', 'merchant_transaction_id')
        }
        return payload
      } catch (error) {
        if (error instanceof GatewayRefusal && error.refusal.status_code === CHECKOUT_CODE.accountMissing)
          return null
        throw error
      }
    },
  }
}

function contradiction(call: string, field: string): GatewayError {
  return new GatewayError(
    'gateway_contradiction',
    `The gateway's answer to ${call} has another ${field} than was asked.`,
  )
}

/** Sends the token in the header that the endpoint names; a refused token is dropped and the call tried once more. */
function withToken(transport: Transport, { credentials, clock }: GatewayClientOptions) {
  const tokens = createTokenSource(
    () => transport(endpoints.authenticate, { body: credentials, tries: TRIES }),
    clock,
  )
  return async function call<Answer>(
    endpoint: Endpoint<Answer> & { token: string },
    call: Call,
  ): Promise<Answer> {
    const token = await tokens.get()
    try {
      return await transport(endpoint, { ...call, headers: { [endpoint.token]: token } })
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code !== 'gateway_unauthorized') throw error
      tokens.drop(token)
      return await transport(endpoint, { ...call, headers: { [endpoint.token]: await tokens.get() } })
    }
  }
}
