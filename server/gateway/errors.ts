/**
 * Why a call to the gateway did not bring an answer to use.
 *
 * Callers branch on `code`. A message names the method, the path and the field, and never a secret or a body.
 */

import type { CheckoutError } from '../contract/errors.ts'
import type { Acknowledgement } from '../contract/payout.ts'

export type GatewayErrorCode =
  | 'gateway_refused'
  | 'gateway_unauthorized'
  | 'gateway_unreachable'
  | 'gateway_timeout'
  | 'gateway_unavailable'
  | 'gateway_answer_invalid'
  | 'gateway_contradiction'

interface GatewayErrorOptions extends ErrorOptions {
  rejection?: Acknowledgement | null
}

export class GatewayError extends Error {
  override readonly name: string = 'GatewayError'
  readonly code: GatewayErrorCode
  /** A payout's rejection for want of a valid token: an answer, when a new token does not help. */
  readonly rejection: Acknowledgement | null

  constructor(code: GatewayErrorCode, message: string, options: GatewayErrorOptions = {}) {
    super(message, options)
    this.code = code
    this.rejection = options.rejection ?? null
  }
}

/**
 * The gateway read the request and refused it. Raised by an answer such as
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
