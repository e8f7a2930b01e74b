/** The errors that calls to the gateway may throw. Their messages never contain a secret or a body. */

import { GATEWAY_UNAVAILABLE, refuse } from '../api/refusal.ts'

import type { Refusal } from '../api/refusal.ts'
import type { CheckoutError } from '../contract/errors.ts'
import type { Acknowledgement } from '../contract/payout.ts'

export type GatewayErrorCode =
  /** The gateway refused the request. The error is a {@link GatewayRefusal}. */
  | 'gateway_refused'
  /** The gateway did not accept the credentials, or refused a newly issued access token. */
  | 'gateway_unauthorized'
  /** The connection to the gateway failed. */
  | 'gateway_unreachable'
  /** No complete response arrived within 8 seconds, or it was too late to send the request. */
  | 'gateway_timeout'
  /** The response was a redirect, a 4xx or 5xx without an error object, or an error object for a temporary failure. */
  | 'gateway_unavailable'
  /** The response was a 2xx without JSON, or any response larger than 1 MB. */
  | 'gateway_answer_unreadable'
  /** The response was a 2xx whose JSON does not match the endpoint's schema. */
  | 'gateway_answer_invalid'
  /** The reference, amount or currency in the response differs from the request. */
  | 'gateway_contradiction'

type GatewayErrorOptions = ErrorOptions & {
  rejection?: Acknowledgement | null
  summary?: string
  isUnsent?: boolean
  takenAs?: string
}

/**
 * Thrown if a call to the gateway fails. `code` identifies the cause. The message names the method and the path of the
 * request and, if a field is wrong, the name of the field.
 *
 * After `gateway_unreachable`, `gateway_timeout`, `gateway_unavailable`, `gateway_answer_unreadable` and
 * `gateway_answer_invalid`, the gateway may or may not have executed the request, unless `isUnsent` is `true`: query the
 * status before you send anything again.
 */
export class GatewayError extends Error {
  override readonly name: string = 'GatewayError'
  readonly code: GatewayErrorCode
  /**
   * The acknowledgement (721) with which the gateway rejected the access token of a payout or airtime request; `null`
   * for every other error.
   */
  readonly rejection: Acknowledgement | null
  /** The message without the gateway's own words, which may contain details of the payer. */
  readonly summary: string
  /** Whether it is proven that the gateway has executed no attempt of the call. */
  readonly isUnsent: boolean
  /** The gateway's id of a charge that it took with another total than requested; `null` for every other error. */
  readonly takenAs: string | null

  constructor(code: GatewayErrorCode, message: string, options: GatewayErrorOptions = {}) {
    super(message, options)
    this.code = code
    this.summary = options.summary ?? message
    this.rejection = options.rejection ?? null
    this.isUnsent = options.isUnsent ?? false
    this.takenAs = options.takenAs ?? null
  }
}

/**
 * The error of a request that the gateway refused. `refusal` is the gateway's error object, for example the body of
 * this response:
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

  /** @param cure What the merchant can do, as a sentence after a space; empty if the refusal says it. */
  constructor(call: string, refusal: CheckoutError, cure = '') {
    const summary = `The gateway refused ${call}: ${refusal.status_code}`
    super('gateway_refused', `${summary} ${refusal.status_description}.${cure}`, {
      summary: `${summary}.${cure}`,
    })
    this.refusal = refusal
  }
}

const UNAUTHORIZED = refuse(
  'gateway_unauthorized',
  'The gateway does not accept GATEWAY_CONSUMER_KEY and GATEWAY_CONSUMER_SECRET: each environment has its own.',
)

/**
 * Returns the refusal of a request that failed because a call to the gateway did. Only the log has the error's words.
 *
 * @throws {unknown} The argument `error`, unless it is a {@link GatewayError}.
 */
export function refuseFailed(error: unknown): Refusal {
  if (!(error instanceof GatewayError)) {
    throw error
  }
  return { ...refusalOf(error), reason: error.summary }
}

function refusalOf({ code, summary }: GatewayError): Refusal {
  switch (code) {
    case 'gateway_unauthorized':
      return UNAUTHORIZED
    case 'gateway_answer_invalid':
      // It names our fields only, and whoever tries a gateway sees at once which one is wrong.
      return refuse(code, `${summary} Nothing is lost: send the same request again.`)
    case 'gateway_refused':
    case 'gateway_contradiction':
    case 'gateway_unreachable':
    case 'gateway_timeout':
    case 'gateway_unavailable':
    case 'gateway_answer_unreadable':
      return GATEWAY_UNAVAILABLE
  }
}
