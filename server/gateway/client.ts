/**
 * The gateway's endpoints as functions: each sends the access token, and checks that the answer is about its request.
 */

import { endpoints } from '../contract/endpoints.ts'
import { ACKNOWLEDGEMENT_CODE } from '../contract/status.ts'
import { isTotalOf } from '../money/charge-total.ts'
import { systemClock } from '../work/clock.ts'
import { systemRandomness } from '../work/randomness.ts'
import { withAccessToken } from './access-token.ts'
import { contradiction } from './answer.ts'
import { contradicts } from './echo.ts'
import { GatewayError, GatewayRefusal } from './errors.ts'
import { createTransport } from './transport.ts'

import type { AirtimeAcknowledgement, AirtimeRequest } from '../contract/airtime.ts'
import type { Credentials } from '../contract/authentication.ts'
import type { ChargeRequest, ChargeStatus, Confirmation } from '../contract/charge.ts'
import type { InitiateRequest, InitiateResponse } from '../contract/checkout.ts'
import type { Acknowledgement, B2bRequest, PayoutRequest, TransferRequest } from '../contract/payout.ts'
import type { Fetch } from '../http/exchange.ts'
import type { Clock } from '../work/clock.ts'
import type { Randomness } from '../work/randomness.ts'
import type { CallWithToken, TokenEndpoint } from './access-token.ts'
import type { Endpoint } from './endpoint.ts'
import type { CallOptions, GatewayAttempt, GatewayExchange } from './transport.ts'

export interface GatewayClientOptions {
  /** Base URL of the gateway, without a trailing slash, such as `https://gateway.example`. */
  baseUrl: string
  /** `consumer_key` and `consumer_secret` from the merchant portal. [spec: Credentials and token] */
  credentials: Credentials
  /** Base URL of the endpoint for exchange rates. Default: `baseUrl`. [spec: Endpoints, note 1] */
  fxBaseUrl?: string | undefined
  /** Base URL of the endpoint for `confirmService`. Default: `baseUrl`. [assumed] */
  acknowledgeBaseUrl?: string | undefined
  /**
   * The path to which charges are sent, which the spec does not show. [spec: Endpoints, note 2]
   *
   * [assumed] Default: `/v1/charges`.
   */
  chargePath?: string | undefined
  /**
   * The path at which the status of a charge is queried, with the parameter `:external_reference` or
   * `:charge_request_id`. The spec does not show this path.
   *
   * [assumed] Default: `{chargePath}/:external_reference/status`.
   */
  chargeStatusPath?: string | undefined
  /** Sends HTTP requests. Default: the platform's `fetch`. */
  fetch?: Fetch
  /** The clock for deadlines, pauses and the expiry of access tokens. Default: the system clock. */
  clock?: Clock
  /** Random numbers for the pauses between retries. Default: the system's randomness. */
  randomness?: Pick<Randomness, 'fraction'>
  /** Called after each HTTP exchange, for logs and metrics. */
  onExchange?: (exchange: GatewayExchange, endpoint: Endpoint<unknown>) => void
  /**
   * Called before each attempt to send a request. If the result is `false` before a retry, the retry is not sent.
   * Before the first attempt, the result has no effect.
   */
  onAttempt?: (attempt: GatewayAttempt) => boolean
}

/**
 * A typed client of the gateway. All calls use one access token. Each attempt to send a request has a deadline of 8
 * seconds.
 *
 * If a response is lost, the client sends authentication, queries and `initiateCheckout` again, up to three times in all,
 * but never service confirmations, payouts, airtime and charges. If the gateway refuses the access token, every request
 * is sent with another one, up to five times in all. If there is no usable response, a call rejects with a
 * {@link GatewayError} whose `code` gives the reason.
 */
export type GatewayClient = ReturnType<typeof createGatewayClient>

/**
 * Creates a typed client for every endpoint of the gateway. [spec: Endpoints]
 *
 * @param options Only `baseUrl` and `credentials` are required.
 * @example
 * const gateway = createGatewayClient({
 *   baseUrl: 'https://gateway.example',
 *   credentials: { consumer_key: '…', consumer_secret: '…' },
 * })
 * const { balance, currency } = await gateway.getBalance('ACC-001')
 */
export function createGatewayClient(options: GatewayClientOptions) {
  const { fetch = globalThis.fetch, clock = systemClock, randomness = systemRandomness } = options
  const { baseUrl, fxBaseUrl, acknowledgeBaseUrl, credentials, onExchange, onAttempt } = options
  const transport = createTransport({ baseUrl, fetch, clock, randomness, onExchange, onAttempt })
  const { call, authenticate, isAuthenticated } = withAccessToken(transport, credentials, {
    clock,
    randomness,
  })

  return {
    /**
     * Requests an access token if the client holds no valid access token. Later calls reuse the access token. [spec:
     * Credentials and token]
     *
     * @throws {GatewayError} `gateway_unauthorized` if the gateway does not accept the credentials.
     */
    authenticate,
    /** Returns whether the client holds a valid access token. */
    isAuthenticated,

    /**
     * Creates a checkout session, or resolves with the existing session with this `merchant_transaction_id`. [spec:
     * Standard checkout request, Standard checkout response]
     *
     * @param body `amount` is a whole number of major units of the currency; `expires_in` is in minutes.
     * @param options.currency The expected currency of the session; `null` accepts any currency. The request has no
     * currency field: `service_code` determines the currency.
     * @throws {GatewayRefusal} `gateway_refused` with the gateway's error object.
     * @throws {GatewayError} `gateway_contradiction` if the session's id or amount differs from the request, or if the
     * session's currency differs from `options.currency`.
     */
    async initiateCheckout(
      body: InitiateRequest,
      { currency, ...options }: CallOptions & { currency: string | null },
    ) {
      const answer = await call(endpoints.initiateCheckout, { ...options, body })
      if (currency !== null && contradicts(answer.currency, currency)) {
        throw new GatewayError('gateway_contradiction', otherCurrency(body, answer, currency))
      }
      return answer
    },

    /**
     * Queries the status of a checkout. Resolves with `null` if the gateway does not know the id (`status_code` 120).
     * [spec: Checkout callback and status payload; Checkout errors]
     *
     * @throws {GatewayError} `gateway_contradiction` if the response is about another checkout.
     */
    getCheckoutStatus: (merchant_transaction_id: string, options?: CallOptions) =>
      queryStatus(call, endpoints.getCheckoutStatus, { merchant_transaction_id }, options),

    /**
     * Retrieves the selling and buying rates from a base currency to every other currency, as decimal text. The rates
     * change every hour. [spec: Exchange rates]
     *
     * @param base_currency ISO 4217 code, such as `KES`.
     * @throws {GatewayRefusal} `gateway_refused` for a currency without rates.
     */
    getRates: (base_currency: string, options?: CallOptions) =>
      call(endpoints.getRates, { ...options, baseUrl: fxBaseUrl, query: { base_currency } }),

    /**
     * Retrieves the available balance of a float account, as decimal text in major units. [spec: Float account balance]
     *
     * @throws {GatewayRefusal} `gateway_refused` for an account that does not belong to the merchant.
     */
    getBalance: (account_number: string, options?: CallOptions) =>
      call(endpoints.getBalance, { ...options, parameters: { account_number } }),

    /**
     * Sends a payout to a wallet or a bank account. After a lost response, this client never sends it again: query the
     * status. `transactions/submission.ts` decides about another send. [spec: Local payout request, Payout acknowledgement]
     *
     * @returns The acknowledgement. `response_code` is 720 (accepted), 721 (rejected, with `error_code`) or 722
     * (already submitted).
     */
    initiatePayout: (body: PayoutRequest, options?: CallOptions) =>
      call(endpoints.initiatePayout, { ...options, body }).catch(rejectionOf),
    /** Like `initiatePayout`, for an international transfer. [spec: International money transfer request] */
    initiateTransfer: (body: TransferRequest, options?: CallOptions) =>
      call(endpoints.initiateTransfer, { ...options, body }).catch(rejectionOf),
    /** Like `initiatePayout`, for a paybill, a till or a company's bank account. [spec: B2B payout request] */
    initiateB2b: (body: B2bRequest, options?: CallOptions) =>
      call(endpoints.initiateB2b, { ...options, body }).catch(rejectionOf),

    /**
     * Queries the status of a local or international payout. Resolves with `null` if the gateway does not know the
     * reference (723). [spec: Payout result]
     *
     * @throws {GatewayError} `gateway_contradiction` if the response is about another payout.
     */
    getPayoutStatus: (payout_reference: string, options?: CallOptions) =>
      queryStatus(call, endpoints.getPayoutStatus, { payout_reference }, options),
    /** Like `getPayoutStatus`, for a B2B payout. [spec: B2B callback and status payload] */
    getB2bStatus: (payout_reference: string, options?: CallOptions) =>
      queryStatus(call, endpoints.getB2bStatus, { payout_reference }, options),

    /**
     * Sends airtime to 1 to 1,000 recipients. After a lost response, airtime requests are never sent again, because the
     * gateway does not deduplicate airtime: query the status. [spec: Airtime request; Endpoints, note 5]
     *
     * @returns The acknowledgement. `response_code` is 720 (accepted) or 721 (rejected).
     */
    sendAirtime: (body: AirtimeRequest, options?: CallOptions): Promise<AirtimeAcknowledgement> =>
      call(endpoints.sendAirtime, { ...options, body }).catch((error: unknown) => ({
        reference: null,
        response_code: ACKNOWLEDGEMENT_CODE.rejected,
        response_description: rejectionOf(error).response_description,
      })),

    /**
     * Queries the status of an airtime request. Resolves with one entry per recipient; `null` if the gateway does not
     * know the reference (723). [spec: Airtime callback and status entry]
     *
     * [assumed] An empty list from the gateway also means that the gateway does not know the reference. An entry about
     * another request is left out.
     *
     * @throws {GatewayError} `gateway_contradiction` if all entries are about other requests.
     */
    async getAirtimeStatus(reference: string, options?: CallOptions) {
      const entries = await queryStatus(call, endpoints.getAirtimeStatus, { reference }, options)
      if (!entries || entries.length === 0) {
        return null
      }

      const matching = entries.filter((entry) => !contradicts(entry.external_reference, reference))
      if (matching.length === 0) {
        throw contradiction(endpoints.getAirtimeStatus, 'external_reference')
      }
      return matching
    },

    ...createChargeCalls(options, call),

    /**
     * Sends a service confirmation. `SUCCESSFUL` pays the partner accounts their shares; `FAILED` refunds the payer.
     * [spec: Service processing confirmation]
     *
     * @throws {GatewayRefusal} `gateway_refused` if the payment is unknown, or was already confirmed with a different
     * status.
     */
    confirmService: (body: Confirmation, options?: CallOptions) =>
      call(endpoints.confirmService, { ...options, baseUrl: acknowledgeBaseUrl, body }),
  }
}

/**
 * Returns the acknowledgement (721) with which the gateway rejected the access token of a payout or airtime request.
 * Rethrows every other error.
 */
function rejectionOf(error: unknown): Acknowledgement {
  if (error instanceof GatewayError && error.rejection) {
    return error.rejection
  }
  throw error
}

/** Resolves with `null` if the gateway does not know the transaction. */
async function queryStatus<Answer>(
  call: CallWithToken,
  endpoint: TokenEndpoint<Answer> & { unknownCode: number },
  parameters: Record<string, string>,
  options?: CallOptions,
): Promise<Answer | null> {
  try {
    return await call(endpoint, { ...options, parameters })
  } catch (error) {
    if (error instanceof GatewayRefusal && error.refusal.status_code === endpoint.unknownCode) {
      return null
    }
    throw error
  }
}

function createChargeCalls(
  paths: Pick<GatewayClientOptions, 'chargePath' | 'chargeStatusPath'>,
  call: CallWithToken,
) {
  const { chargePath = endpoints.postCharge.path } = paths
  const { chargeStatusPath = `${chargePath}/:external_reference/status` } = paths
  const postEndpoint = { ...endpoints.postCharge, path: chargePath }
  const statusEndpoint = { ...endpoints.getChargeStatus, path: chargeStatusPath }
  const isById = chargeStatusPath.includes(':charge_request_id')

  return {
    /**
     * Sends a charge. With a `payment_method_code`, the gateway prompts the payer immediately; otherwise the response
     * contains the `redirect_url` of a hosted page. After a lost response, charges are never sent again: query the
     * status. [spec: Charge request]
     *
     * @throws {GatewayRefusal} `gateway_refused`, for example with code 115 (currency), 109 or 110 (phone number), or
     * 172 (service code).
     * @throws {GatewayError} `gateway_contradiction` if the reference, the total or the currency in the response
     * differs from the request. The response may contain no currency. If only the total differs, `takenAs` is the
     * gateway's id of the charge.
     */
    async postCharge(body: ChargeRequest, options?: CallOptions) {
      const answer = await call(postEndpoint, { ...options, body })
      if (!isTotalOf(body, answer.total_amount)) {
        throw contradiction(postEndpoint, 'total_amount', answer.charge_request_id)
      }
      return answer
    },

    /** The parameter of `chargeStatusPath`. */
    chargeStatusKey: isById ? ('charge_request_id' as const) : ('external_reference' as const),

    /**
     * Queries the status of a charge. Resolves with `null` if the gateway does not know the charge.
     *
     * [assumed] The response has the format of a checkout's status, with the charge's `external_reference` as
     * `merchant_transaction_id`, or is one payment record. Code 120 means that the gateway does not know the charge.
     *
     * @param options.chargeRequestId The gateway's id of the charge. Required if `chargeStatusPath` contains
     * `:charge_request_id`.
     * @throws {GatewayError} `gateway_contradiction` if the response is about another charge.
     */
    async getChargeStatus(
      external_reference: string,
      { chargeRequestId = null, ...options }: CallOptions & { chargeRequestId?: string | null } = {},
    ) {
      if (!isById) {
        return queryStatus(call, statusEndpoint, { external_reference }, options)
      }
      if (chargeRequestId === null) {
        throw new TypeError('chargeRequestId is required, because chargeStatusPath has :charge_request_id.')
      }

      const ids = { external_reference, charge_request_id: chargeRequestId }
      const status = await queryStatus(call, statusEndpoint, ids, options)
      if (status && isOtherCharge(status, chargeRequestId)) {
        throw contradiction(statusEndpoint, 'charge_request_id')
      }
      return status
    },
  }
}

/**
 * Returns whether the gateway reports a single payment that has another id than `chargeRequestId`. The payments of a
 * session are not compared, because they may have ids of their own.
 */
function isOtherCharge({ checkout_reference, payments }: ChargeStatus, chargeRequestId: string): boolean {
  // Only a session has a `checkout_reference`.
  const reportedId = checkout_reference === null ? (payments[0]?.charge_request_id ?? null) : null
  return contradicts(reportedId, chargeRequestId)
}

/** The request of a checkout has no currency, so its service decides. */
function otherCurrency(
  { service_code }: InitiateRequest,
  answer: Pick<InitiateResponse, 'currency'>,
  currency: string,
): string {
  return `The gateway's answer to a checkout in ${currency} is in ${answer.currency}, the currency of the service ${service_code}. GATEWAY_SERVICE_CODE has to name a service for each currency: KES=CODE,UGX=CODE.`
}
