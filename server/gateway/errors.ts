/** Errors of calls to the gateway. Messages never contain a secret or a body. */

import type { CheckoutError } from '../contract/errors.ts'
import type { Acknowledgement } from '../contract/payout.ts'

export type GatewayErrorCode =
  /** The gateway read the request and refused it: a {@link GatewayRefusal}. */
  | 'gateway_refused'
  /** The gateway did not accept the credentials, or a new token. */
  | 'gateway_unauthorized'
  /** The connection failed. */
  | 'gateway_unreachable'
  /** No complete response within 8 seconds. */
  | 'gateway_timeout'
  /** A 4xx or 5xx without an error object, a redirect, or a temporary failure. */
  | 'gateway_unavailable'
  /** A 2xx response whose body does not match the endpoint's schema, or exceeds 1 MB. */
  | 'gateway_answer_invalid'
  /** The reference, amount or currency in the response differs from the request's. */
  | 'gateway_contradiction'

type GatewayErrorOptions = ErrorOptions & { rejection?: Acknowledgement | null }

/**
 * A call to the gateway failed. Branch on `code`; the message names the method, the path and the field.
 *
 * After `gateway_unreachable`, `gateway_timeout`, `gateway_unavailable` and `gateway_answer_invalid` it is unknown
 * whether the gateway carried out the request: query the status before anything is sent again.
 */
export class GatewayError extends Error {
  override readonly name: string = 'GatewayError'
  readonly code: GatewayErrorCode
  /** The acknowledgement that rejected a payout or airtime because of its token; else `null`. */
  readonly rejection: Acknowledgement | null

  constructor(code: GatewayErrorCode, message: string, options: GatewayErrorOptions = {}) {
    super(message, options)
    this.code = code
    this.rejection = options.rejection ?? null
  }
}

/**
 * The gateway read the request and refused it; `refusal` is its error object. Thrown for a response such as
 *
 * ```http
 * HTTP/1.1 400 Bad Request
 * {"status_code":172,"status_description":"Invalid Service Code","message":"…"}
 * ```
 * [spec: Checkout errors]
 */
export class GatewayRefusal extends GatewayError {
  override readonly name = 'GatewayRefusal'
  readonly refusal: CheckoutError

  constructor(call: string, refusal: CheckoutError) {
    super(
      'gateway_refused',
      `The gateway refused ${call}: ${refusal.status_code} ${refusal.status_description}.`,
    )
    this.refusal = refusal
  }
}
