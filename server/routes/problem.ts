/** Converts every failure to an RFC 9457 problem document with a stable `code`. */

import type { Context } from 'hono'
import type { CheckoutError } from '../contract/errors.ts'
import type { FieldError, Problem } from '../api/problem.ts'
import type { ProblemCode } from '../api/problem-codes.ts'
import type { Log } from '../log.ts'
import { z } from 'zod'
import { PROBLEMS } from '../api/problem-codes.ts'
import { GatewayError, GatewayRefusal } from '../gateway/errors.ts'
import { StoreError } from '../store.ts'

/** Problems that only the merchant can fix. They are logged, because the response goes to the shopper's page. */
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

/** A failure that {@link answerProblem} sends to the client. `message` becomes the problem's `detail`. */
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

/** The most field errors that `detail` lists. `errors` contains all of them. */
const MOST_IN_A_SENTENCE = 20

/** An `invalid_request` problem for the given field errors. */
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

/** The problem that a shopper's page receives when a gateway request failed. */
export function gatewayProblem(error: GatewayError): ProblemError {
  const detail =
    'The payment gateway did not give a usable answer. Nothing is lost: send the same request again.'
  return new ProblemError('gateway_unavailable', detail, {}, { cause: error })
}

/**
 * Awaits a gateway response on behalf of the merchant's backend, which also receives the gateway's error details.
 *
 * @param refused Converts the gateway's refusal to a problem that names the refused field.
 * @throws {ProblemError} `refused(…)` when the gateway refuses, otherwise a `gateway_` code.
 */
export async function orGatewayProblem<Answer>(
  asked: Promise<Answer>,
  refused: (refusal: GatewayRefusal) => ProblemError,
): Promise<Answer> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof GatewayRefusal) throw refused(error)
    if (!(error instanceof GatewayError)) throw error
    if (error.code === 'gateway_unauthorized' || error.code === 'gateway_contradiction')
      throw new ProblemError(error.code, error.message, {}, { cause: error })
    throw gatewayProblem(error)
  }
}

export function problemDocument({ code, message, evidence }: ProblemError): Problem {
  return { type: `urn:gateway-checkout:${code}`, code, ...PROBLEMS[code], detail: message, ...evidence }
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
