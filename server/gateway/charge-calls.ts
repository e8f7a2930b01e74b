/** The part of the gateway client that sends charges and queries their status. */

import type { ChargeRequest, ChargeResponse } from '../contract/charge.ts'
import type { ChargeStatus } from '../contract/charge-status.ts'
import type { TokenEndpoint } from './token.ts'
import type { Call, CallOptions } from './transport.ts'
import { endpoints } from '../contract/endpoints.ts'
import { isTotalOf } from '../money/charge-total.ts'
import { contradiction } from './answer.ts'

export interface ChargePaths {
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
}

export interface ChargeCalls {
  /**
   * Sends a charge. With a `payment_method_code`, the gateway prompts the payer immediately; otherwise the response
   * contains the `redirect_url` of a hosted page. Charges are never retried: if the response is lost, query the status.
   * [spec: Charge request]
   *
   * @throws {GatewayRefusal} `gateway_refused`, for example with code 115 (currency), 109 or 110 (phone number), or 172
   * (service code).
   * @throws {GatewayError} `gateway_contradiction` if the reference, the total or the currency in the response differs
   * from the request. The response may contain no currency.
   */
  postCharge(request: ChargeRequest, options?: CallOptions): Promise<ChargeResponse>

  /** The parameter of `chargeStatusPath`. */
  readonly chargeStatusKey: 'external_reference' | 'charge_request_id'

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
  getChargeStatus(
    externalReference: string,
    options?: CallOptions & { chargeRequestId?: string | null },
  ): Promise<ChargeStatus | null>
}

type SendCall = <Answer>(endpoint: TokenEndpoint<Answer>, call: Call) => Promise<Answer>
type QueryStatus = <Answer>(
  endpoint: TokenEndpoint<Answer> & { unknownCode: number },
  parameters: Record<string, string>,
  options?: CallOptions,
) => Promise<Answer | null>

export function createChargeCalls(paths: ChargePaths, call: SendCall, queryStatus: QueryStatus): ChargeCalls {
  const { chargePath = endpoints.postCharge.path } = paths
  const { chargeStatusPath = `${chargePath}/:external_reference/status` } = paths
  const postEndpoint = { ...endpoints.postCharge, path: chargePath }
  const statusEndpoint = { ...endpoints.getChargeStatus, path: chargeStatusPath }
  const isById = chargeStatusPath.includes(':charge_request_id')

  return {
    async postCharge(body, options) {
      const answer = await call(postEndpoint, { ...options, body })
      if (!isTotalOf(body, answer.total_amount)) throw contradiction(postEndpoint, 'total_amount')
      return answer
    },

    chargeStatusKey: isById ? 'charge_request_id' : 'external_reference',

    async getChargeStatus(external_reference, { chargeRequestId = null, ...options } = {}) {
      if (!isById) return queryStatus(statusEndpoint, { external_reference }, options)
      if (chargeRequestId === null)
        throw new TypeError('chargeRequestId is required, because chargeStatusPath has :charge_request_id.')
      const ids = { external_reference, charge_request_id: chargeRequestId }
      const status = await queryStatus(statusEndpoint, ids, options)
      if (status && isOther(status, chargeRequestId)) throw contradiction(statusEndpoint, 'charge_request_id')
      return status
    },
  }
}

/**
 * Returns whether the gateway reports a single payment that has another id than `chargeRequestId`. The payments of a
 * session are not compared, because they may have ids of their own.
 */
function isOther({ checkout_reference, payments }: ChargeStatus, chargeRequestId: string): boolean {
  const named = checkout_reference === null ? (payments[0]?.charge_request_id ?? null) : null
  return named !== null && named !== chargeRequestId
}
