/** The gateway as typed calls, one method per endpoint. */

import type { Balance, Credentials } from '../contract/account.ts'
import type { AirtimeAcknowledgement, AirtimeEntry, AirtimeRequest } from '../contract/airtime.ts'
import type { B2bRequest, B2bResult } from '../contract/b2b.ts'
import type { ChargeRequest, ChargeResponse, Confirmation, ConfirmationAnswer } from '../contract/charge.ts'
import type { CheckoutPayload, InitiateRequest, InitiateResponse } from '../contract/checkout.ts'
import type { Acknowledgement, PayoutRequest, PayoutResult, TransferRequest } from '../contract/payout.ts'
import type { Rates } from '../contract/rates.ts'
import type { Endpoint } from './answer.ts'
import type { Call, Transport, TransportOptions } from './transport.ts'
import { ACKNOWLEDGEMENT_CODE, CHECKOUT_CODE } from '../contract/status.ts'
import { endpoints } from '../contract/endpoints.ts'
import { isTotalOf } from '../money/charge-total.ts'
import { GatewayError, GatewayRefusal } from './errors.ts'
import { createTokenSource } from './token.ts'
import { createTransport } from './transport.ts'

export interface GatewayClientOptions extends TransportOptions {
  credentials: Credentials
  /** Where the rates are, when they are not at `baseUrl`. [spec: Endpoints, note 1] */
  fxBaseUrl?: string
  /** Where the service processing confirmation is, when it is not at `baseUrl`. [assumed] */
  acknowledgeBaseUrl?: string | undefined
  /** Where charges are sent, and asked about below it. [spec: Endpoints, note 2: not shown] */
  chargePath?: string | undefined
}

export interface CallOptions {
  signal?: AbortSignal
}

export interface GatewayClient {
  /**
   * Makes sure that there is a token, so that what is called next does not fail for want of one.
   *
   * @throws {GatewayError} when there is none to be had.
   */
  authenticate(): Promise<void>

  /**
   * Creates a checkout session, or finds the one with the same `merchant_transaction_id`.
   *
   * The answer is compared with what was asked before it is returned: no shopper is sent to a page for another
   * order, amount or currency. The request itself has no currency; it follows from the service code, so `null`
   * takes whatever that is.
   * [spec: Standard checkout request, Standard checkout response]
   *
   * @throws {GatewayRefusal} `gateway_refused` with the spec's error object.
   * @throws {GatewayError} `gateway_contradiction` when the answer is not for what was asked; otherwise the
   * answer is unknown, and the same request may be sent again.
   */
  initiateCheckout(
    request: InitiateRequest,
    options: CallOptions & { currency: string | null },
  ): Promise<InitiateResponse>

  /**
   * The state of a checkout: the same payload as its callback, or `null` when the gateway knows no checkout of
   * this id (status_code 120). [spec: Checkout callback and status payload; Checkout errors]
   *
   * @throws {GatewayError} `gateway_contradiction` when the answer is about another checkout.
   */
  getCheckoutStatus(merchantTransactionId: string, options?: CallOptions): Promise<CheckoutPayload | null>

  /**
   * Selling and buying rates of every currency for a base currency; they turn on the hour. Decimal text.
   * [spec: Exchange rates]
   *
   * @throws {GatewayRefusal} `gateway_refused` for a currency without rates.
   * @throws {GatewayError} `gateway_contradiction` when the answer is about another base currency.
   */
  getRates(baseCurrency: string, options?: CallOptions): Promise<Rates>

  /**
   * The float account's available balance, as decimal text. [spec: Float account balance]
   *
   * @throws {GatewayRefusal} `gateway_refused` for an account that is not the merchant's.
   */
  getBalance(accountNumber: string, options?: CallOptions): Promise<Balance>

  /**
   * Sends a payout to a wallet or a bank account. Never repeated by itself: when the answer is lost, ask for the
   * status. A refusal is an answer here: `response_code` 720 accepted, 721 rejected with `error_code`, 722 already
   * submitted. [spec: Local payout request, Payout acknowledgement]
   */
  initiatePayout(request: PayoutRequest, options?: CallOptions): Promise<Acknowledgement>
  /** The same for an international money transfer. [spec: International money transfer request] */
  initiateTransfer(request: TransferRequest, options?: CallOptions): Promise<Acknowledgement>
  /** The same for a payout to a paybill, a till or a business's bank account. [spec: B2B payout request] */
  initiateB2b(request: B2bRequest, options?: CallOptions): Promise<Acknowledgement>

  /**
   * The state of a local payout or an international transfer, or `null` when the gateway knows none of this
   * reference (723). [spec: Payout result]
   *
   * @throws {GatewayError} `gateway_contradiction` when the answer is about another payout.
   */
  getPayoutStatus(payoutReference: string, options?: CallOptions): Promise<PayoutResult | null>
  /** The same for a B2B payout. [spec: B2B callback and status payload] */
  getB2bStatus(payoutReference: string, options?: CallOptions): Promise<B2bResult | null>

  /**
   * Sends airtime to 1 to 1000 recipients. Never repeated by itself: when the answer is lost, ask for the status; no
   * rule refuses a second request under the same reference. A refusal is an answer here: `response_code` 720 or 721.
   * [spec: Airtime request; Endpoints, note 5]
   */
  sendAirtime(request: AirtimeRequest, options?: CallOptions): Promise<AirtimeAcknowledgement>

  /**
   * One entry for each recipient, or `null` when the gateway knows none of this reference: 723, or an empty list.
   * [assumed] [spec: Airtime callback and status entry]
   *
   * @throws {GatewayError} `gateway_contradiction` when an entry is about another request.
   */
  getAirtimeStatus(reference: string, options?: CallOptions): Promise<AirtimeEntry[] | null>

  /**
   * Posts a charge: with a `payment_method_code` the payer is asked for the money at once, without one the answer
   * names a hosted page. Never repeated by itself: when the answer is lost, ask for the status.
   * [spec: Charge request]
   *
   * @throws {GatewayRefusal} `gateway_refused` with the spec's error object: 115 for a currency, 109 and 110 for a
   * phone number, 172 for the service code and everything else.
   * @throws {GatewayError} `gateway_contradiction` when the answer is about another charge, amount or currency.
   */
  postCharge(request: ChargeRequest, options?: CallOptions): Promise<ChargeResponse>

  /**
   * The state of a charge, in the checkout's payload with `external_reference` as `merchant_transaction_id`; `null`
   * when the gateway knows none of this reference (120). [assumed]
   *
   * @throws {GatewayError} `gateway_contradiction` when the answer is about another charge.
   */
  getChargeStatus(externalReference: string, options?: CallOptions): Promise<CheckoutPayload | null>

  /**
   * Says whether the merchant could serve what was paid for: on SUCCESSFUL the shares are paid to the partner
   * accounts, on FAILED the money goes back. Repeating it is harmless. [assumed] [spec: Service processing confirmation]
   *
   * @throws {GatewayRefusal} `gateway_refused` when it was confirmed otherwise before, or is unknown.
   */
  confirmService(confirmation: Confirmation, options?: CallOptions): Promise<ConfirmationAnswer>
}

/** Enough to outlast a dropped connection, few enough for a shopper who waits. */
const TRIES = 3

export function createGatewayClient(options: GatewayClientOptions): GatewayClient {
  const { fxBaseUrl, acknowledgeBaseUrl, chargePath = endpoints.postCharge.path } = options
  const transport = createTransport(options)
  const { call, authenticate } = withToken(transport, options)

  return {
    authenticate,

    async initiateCheckout(request, { currency, signal }) {
      // Repeating is harmless: the id makes it idempotent, and no money moves before the customer pays.
      const answer = await call(endpoints.initiateCheckout, { body: request, tries: TRIES, signal })
      const differs = findDifference(answer, request, currency)
      if (differs) throw contradiction('initiate', differs)
      return answer
    },

    async getCheckoutStatus(merchant_transaction_id, { signal } = {}) {
      const asked = call(endpoints.getCheckoutStatus, {
        parameters: { merchant_transaction_id },
        tries: TRIES,
        signal,
      })
      const payload = await orUnknown(asked, CHECKOUT_CODE.accountMissing)
      if (payload && payload.merchant_transaction_id !== merchant_transaction_id) {
        throw contradiction('status', 'merchant_transaction_id')
      }
      return payload
    },

    async getRates(base_currency, { signal } = {}) {
      const query = { base_currency }
      const rates = await call(endpoints.getRates, { baseUrl: fxBaseUrl, query, tries: TRIES, signal })
      if (rates.base_currency !== base_currency) throw contradiction('rates', 'base_currency')
      return rates
    },

    getBalance: (account_number, { signal } = {}) =>
      call(endpoints.getBalance, { parameters: { account_number }, tries: TRIES, signal }),

    initiatePayout: (body, options) => payOut(endpoints.initiatePayout, body, options),
    initiateTransfer: (body, options) => payOut(endpoints.initiateTransfer, body, options),
    initiateB2b: (body, options) => payOut(endpoints.initiateB2b, body, options),

    getPayoutStatus: (reference, options) => askPayout(endpoints.getPayoutStatus, reference, options),
    getB2bStatus: (reference, options) => askPayout(endpoints.getB2bStatus, reference, options),

    async sendAirtime(body, { signal } = {}) {
      const sent = call(endpoints.sendAirtime, { body, tries: 1, signal })
      const answer = await sent.catch(airtimeRejection)
      if (answer.reference !== null && answer.reference !== body.reference)
        throw contradiction('airtime', 'reference')
      return answer
    },

    async getAirtimeStatus(reference, { signal } = {}) {
      const asked = call(endpoints.getAirtimeStatus, { parameters: { reference }, tries: TRIES, signal })
      const entries = await orUnknown(asked, ACKNOWLEDGEMENT_CODE.notFound)
      if (entries?.some(({ external_reference }) => external_reference !== reference))
        throw contradiction('status', 'external_reference')
      return entries?.length === 0 ? null : entries
    },

    async postCharge(body, { signal } = {}) {
      const answer = await call({ ...endpoints.postCharge, path: chargePath }, { body, tries: 1, signal })
      if (answer.external_reference !== body.external_reference)
        throw contradiction('a charge', 'external_reference')
      if (answer.currency_code !== body.currency_code) throw contradiction('a charge', 'currency_code')
      if (!isTotalOf(body, answer.total_amount)) throw contradiction('a charge', 'total_amount')
      return answer
    },

    async getChargeStatus(external_reference, { signal } = {}) {
      const endpoint = { ...endpoints.getChargeStatus, path: `${chargePath}/:external_reference/status` }
      const asked = call(endpoint, { parameters: { external_reference }, tries: TRIES, signal })
      const payload = await orUnknown(asked, CHECKOUT_CODE.accountMissing)
      if (payload && payload.merchant_transaction_id !== external_reference)
        throw contradiction('status', 'merchant_transaction_id')
      return payload
    },

    async confirmService(body, { signal } = {}) {
      const answer = await call(endpoints.confirmService, {
        baseUrl: acknowledgeBaseUrl,
        body,
        tries: TRIES,
        signal,
      })
      if (answer.payment_id !== body.payment_id) throw contradiction('a confirmation', 'payment_id')
      return answer
    },
  }

  async function payOut(
    endpoint: Endpoint<Acknowledgement> & { token: string },
    body: { payout_reference: string },
    { signal }: CallOptions = {},
  ): Promise<Acknowledgement> {
    const answer = await orRejection(call(endpoint, { body, tries: 1, signal }))
    if (answer.payout_reference !== null && answer.payout_reference !== body.payout_reference) {
      throw contradiction('a payout', 'payout_reference')
    }
    return answer
  }

  async function askPayout<Result extends { payout_reference: string }>(
    endpoint: Endpoint<Result> & { token: string },
    payout_reference: string,
    { signal }: CallOptions = {},
  ): Promise<Result | null> {
    const asked = call(endpoint, { parameters: { payout_reference }, tries: TRIES, signal })
    const result = await orUnknown(asked, ACKNOWLEDGEMENT_CODE.notFound)
    if (result && result.payout_reference !== payout_reference)
      throw contradiction('status', 'payout_reference')
    return result
  }
}

/** The field in which the session is not the one that was asked for. */
function findDifference(
  answer: InitiateResponse,
  request: InitiateRequest,
  currency: string | null,
): string | null {
  if (answer.merchant_transaction_id !== request.merchant_transaction_id) return 'merchant_transaction_id'
  if (answer.amount !== request.amount) return 'amount'
  return currency !== null && answer.currency !== currency ? 'currency' : null
}

/** `null` when the gateway refused with the code that says it knows none of this reference. */
async function orUnknown<Answer>(asked: Promise<Answer>, code: number): Promise<Answer | null> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof GatewayRefusal && error.refusal.status_code === code) return null
    throw error
  }
}

/** Rejected for its token even with a new one, a payout was answered: it will not be paid. */
async function orRejection(sent: Promise<Acknowledgement>): Promise<Acknowledgement> {
  try {
    return await sent
  } catch (error) {
    if (error instanceof GatewayError && error.rejection) return error.rejection
    throw error
  }
}

/** The same for airtime, whose refusals have no error_code. */
function airtimeRejection(error: unknown): AirtimeAcknowledgement {
  if (!(error instanceof GatewayError) || !error.rejection) throw error
  const { response_description } = error.rejection
  return { reference: null, response_code: ACKNOWLEDGEMENT_CODE.rejected, response_description }
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
  async function call<Answer>(endpoint: Endpoint<Answer> & { token: string }, call: Call): Promise<Answer> {
    const token = await tokens.get()
    try {
      return await transport(endpoint, { ...call, headers: { [endpoint.token]: token } })
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code !== 'gateway_unauthorized') throw error
      tokens.drop(token)
      return await transport(endpoint, { ...call, headers: { [endpoint.token]: await tokens.get() } })
    }
  }
  return { call, authenticate: async () => void (await tokens.get()) }
}
