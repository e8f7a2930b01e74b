/** The one place where a failure becomes HTTP: RFC 9457 documents with a stable `code`. */

import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { CheckoutError } from '../contract/errors.ts'
import type { FieldError, Problem } from '../api/problem.ts'
import type { Log } from '../log.ts'
import { z } from 'zod'
import { GatewayError, GatewayRefusal } from '../gateway/errors.ts'
import { StoreError } from '../store.ts'

interface Row {
  status: ContentfulStatusCode
  title: string
  retryable: boolean
}

/** Every code that the BFF answers with. */
export const PROBLEMS = {
  invalid_request: { status: 422, title: 'The request is not valid', retryable: false },
  not_found: { status: 404, title: 'There is nothing here', retryable: false },
  unauthorized: { status: 401, title: 'The credentials are missing or wrong', retryable: false },
  unknown_checkout: { status: 404, title: 'There is no such checkout', retryable: false },
  unknown_callback: { status: 404, title: 'There is no such callback address', retryable: false },
  unknown_payout: { status: 404, title: 'There is no such payout', retryable: false },
  unknown_charge: { status: 404, title: 'There is no such charge', retryable: false },
  unknown_airtime: { status: 404, title: 'There is no such airtime', retryable: false },
  unknown_event: { status: 404, title: 'There is no such event', retryable: false },
  unknown_reference: { status: 404, title: 'Nothing has this reference', retryable: false },
  reference_reused: { status: 409, title: 'The reference was used for something else', retryable: false },
  charges_off: { status: 501, title: 'Charges are off', retryable: false },
  charge_not_paid: { status: 409, title: 'There is no money to confirm', retryable: false },
  acknowledged_otherwise: { status: 409, title: 'It was acknowledged otherwise', retryable: false },
  too_large: { status: 413, title: 'The request is too large', retryable: false },
  too_many_streams: { status: 503, title: 'Too many pages are being followed', retryable: true },
  order_unknown: { status: 404, title: 'There is no such order', retryable: false },
  order_invalid: { status: 422, title: 'The signed order is not valid', retryable: false },
  order_expired: { status: 409, title: 'The signed order has expired', retryable: false },
  order_not_payable: { status: 409, title: 'The order can no longer be paid', retryable: false },
  order_changed: { status: 409, title: 'The order has changed', retryable: false },
  orders_unavailable: { status: 503, title: 'The order could not be looked up', retryable: true },
  amount_not_whole: { status: 422, title: 'The amount has a fraction', retryable: false },
  currency_not_supported: { status: 422, title: 'The currency is not supported', retryable: false },
  origin_not_allowed: { status: 403, title: 'This origin may not start checkouts', retryable: false },
  return_url_not_allowed: { status: 422, title: 'The return URL is not allowed', retryable: false },
  gateway_refused: { status: 502, title: 'The gateway refused', retryable: false },
  gateway_unauthorized: {
    status: 502,
    title: 'The gateway does not accept the credentials',
    retryable: false,
  },
  gateway_contradiction: {
    status: 502,
    title: 'The gateway answered about something else',
    retryable: false,
  },
  gateway_unavailable: { status: 503, title: 'The gateway could not be reached', retryable: true },
  store_unavailable: { status: 503, title: 'The store cannot be used', retryable: true },
  internal: { status: 500, title: 'Something went wrong here', retryable: true },
} as const satisfies Record<string, Row>
export type ProblemCode = keyof typeof PROBLEMS

/** Only the shop can mend these, and only the shopper's page would be told. */
const FOR_THE_SHOP: ReadonlySet<ProblemCode> = new Set([
  'orders_unavailable',
  'amount_not_whole',
  'currency_not_supported',
  'charges_off',
  'gateway_refused',
  'gateway_contradiction',
])

interface Evidence {
  errors?: FieldError[]
  gateway?: CheckoutError
}

/** A failure on its way to {@link answerProblem}. `message` is the sentence that the client reads. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly code: ProblemCode
  readonly evidence: Evidence

  constructor(code: ProblemCode, detail: string, evidence: Evidence = {}, options?: ErrorOptions) {
    super(detail, options)
    this.code = code
    this.evidence = evidence
  }
}

/** A sentence of more can no longer be read; `errors` has all of them. */
const MOST_IN_A_SENTENCE = 20

/** Names every field and its rule. */
export function invalid(errors: FieldError[]): ProblemError {
  const named = errors.slice(0, MOST_IN_A_SENTENCE).map(({ path, message }) => `${path} ${message}`)
  const more = errors.length - named.length
  const sentence = [...named, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
  return new ProblemError('invalid_request', `${sentence}.`, { errors })
}

/** @throws {ProblemError} naming every field that breaks a rule of the schema. */
export function readGiven<Given>(schema: z.ZodType<Given>, given: unknown): Given {
  const { success, data, error } = schema.safeParse(given)
  if (success) return data
  throw invalid(
    error.issues.map(({ path, message }) => ({ path: z.core.toDotPath(path) || 'body', message })),
  )
}

export function chargesOff(): ProblemError {
  return new ProblemError('charges_off', 'Charges and splits are off: no GATEWAY_CHARGE_PATH is set.')
}

/** What a gateway that could not be asked means to the BFF's client: ask again, nothing is decided. */
export function gatewayProblem(error: GatewayError): ProblemError {
  const detail =
    'The payment gateway did not give a usable answer. Nothing is lost: send the same request again.'
  return new ProblemError('gateway_unavailable', detail, {}, { cause: error })
}

/** For the merchant's own backend, which may know more than a shopper: why the gateway did not answer. */
export async function orGatewayProblem<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof GatewayRefusal)
      throw new ProblemError('gateway_refused', error.message, { gateway: error.refusal }, { cause: error })
    if (!(error instanceof GatewayError)) throw error
    if (error.code === 'gateway_unauthorized' || error.code === 'gateway_contradiction')
      throw new ProblemError(error.code, error.message, {}, { cause: error })
    throw gatewayProblem(error)
  }
}

export function problemDocument({ code, message, evidence }: ProblemError): Problem {
  const { status, title, retryable } = PROBLEMS[code]
  return {
    type: `urn:gateway-checkout:${code}`,
    title,
    status,
    detail: message,
    code,
    retryable,
    ...evidence,
  }
}

export function toProblem(error: unknown, log: Log): ProblemError {
  if (error instanceof ProblemError) {
    if (FOR_THE_SHOP.has(error.code)) log.warn({ code: error.code }, error.message)
    return error
  }
  log.error({ err: error }, 'A request failed for a reason of ours.')
  if (error instanceof StoreError)
    return new ProblemError('store_unavailable', 'The store cannot be used. Send the same request again.')
  return new ProblemError('internal', 'The server could not answer. Nothing is lost; try again in a moment.')
}

export function answerProblem(c: Context, problem: ProblemError): Response {
  const document = problemDocument(problem)
  return c.body(JSON.stringify(document), PROBLEMS[problem.code].status, {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    ...(document.retryable && { 'retry-after': '5' }),
  })
}
