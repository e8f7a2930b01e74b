/** Converts every failure into an RFC 9457 problem document with a stable `code`. */

import { z } from 'zod'

import { PROBLEMS } from '../api/problem-codes.ts'
import { invalid, refuse } from '../api/refusal.ts'
import { safeParse } from '../contract/parse.ts'
import { firstCharacters } from '../contract/text.ts'
import { GatewayError, GatewayRefusal, refuseFailed } from '../gateway/errors.ts'
import { readTraceId, TRACEPARENT } from '../http/exchange.ts'
import { maskedBeginning } from '../privacy/redactor.ts'
import { StoreError } from '../store/errors.ts'
import { routeOf } from './matched-route.ts'

import type { ProblemCode } from '../api/problem-codes.ts'
import type { Evidence, Quota, Refusal, Problem } from '../api/refusal.ts'
import type { Log } from '../log/log.ts'
import type { Context } from 'hono'

/**
 * The codes of problems that only the merchant can fix. The log contains the reason for such a problem, because the
 * response goes to the shopper's page and not to the merchant.
 */
const FOR_THE_MERCHANT: ReadonlySet<ProblemCode> = new Set([
  'orders_unavailable',
  'amount_not_whole',
  'currency_not_supported',
  'charges_off',
  'gateway_refused',
  'gateway_unauthorized',
  'gateway_contradiction',
])

/** Problems that are not logged: scanners cause `not_found`, and the limiter warns once when a limit is reached. */
const UNLOGGED: ReadonlySet<ProblemCode> = new Set(['not_found', 'too_many_requests'])

/** A refusal that is thrown. {@link answerProblem} converts it into a response. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly refusal: Refusal

  constructor(refusal: Refusal, options?: ErrorOptions) {
    super(refusal.detail, options)
    this.refusal = refusal
  }
}

/** Returns a refusal as an error to throw. */
export function problem(code: ProblemCode, detail: string, evidence?: Evidence): ProblemError {
  return new ProblemError(refuse(code, detail, evidence))
}

/**
 * Returns a result that is not a refusal. Its kinds are listed, so that the compiler can tell it from a refusal.
 *
 * @throws {ProblemError} if the result is a refusal.
 */
export function orProblem<Accepted extends { kind: 'created' | 'page' | 'existing' | 'decided' }>(
  result: Accepted | Refusal,
): Accepted {
  if (result.kind === 'refused') {
    throw new ProblemError(result)
  }
  return result
}

/** Parses a value with a schema. Returns a refusal that names every invalid field if the value does not match. */
export function parseOrRefuse<Output>(
  schema: z.ZodType<Output>,
  value: unknown,
): { kind: 'parsed'; value: Output } | Refusal {
  const { success, data, error } = safeParse(schema, value)
  if (success) {
    return { kind: 'parsed', value: data }
  }

  // An issue with the whole value has an empty path.
  const errors = error.issues.map(({ path, message }) => ({
    path: z.core.toDotPath(path) || 'body',
    message,
  }))
  return invalid(errors)
}

/**
 * Parses a value with a schema.
 *
 * @throws {ProblemError} if the value does not match the schema. The error names every invalid field.
 */
export function parseOrProblem<Output>(schema: z.ZodType<Output>, value: unknown): Output {
  const parsed = parseOrRefuse(schema, value)
  if (parsed.kind === 'refused') {
    throw new ProblemError(parsed)
  }
  return parsed.value
}

/**
 * Resolves with the gateway's answer to a request.
 *
 * @param problemOf Converts the gateway's refusal of the request into a problem.
 * @throws {ProblemError} The result of `problemOf` if the gateway refuses the request. For any other
 * {@link GatewayError}, the problem `gateway_unauthorized`, `gateway_contradiction`, `gateway_answer_invalid` or
 * `gateway_unavailable`.
 */
export async function orGatewayProblem<Answer>(
  answer: Promise<Answer>,
  problemOf: (refusal: GatewayRefusal) => ProblemError,
): Promise<Answer> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof GatewayRefusal) {
      throw problemOf(error)
    }
    if (!(error instanceof GatewayError)) {
      throw error
    }

    const { code, message } = error
    const refusal = code === 'gateway_contradiction' ? refuse(code, message) : refuseFailed(error)
    throw new ProblemError(refusal, { cause: error })
  }
}

/** Returns the document of a refusal. Its `type` leads to the help for its code on the page `/docs`. */
export function problemDocument({ code, detail, evidence }: Refusal, publicUrl: string): Problem {
  return { type: `${publicUrl}/docs#${code}`, code, ...PROBLEMS[code], detail, ...evidence }
}

/** The maximum number of characters of an order's reference in the log: a client may have sent anything. */
const MAX_LOGGED = 128
/** The context variable with the reference that the log names. */
const ORDER = 'order'

/** Names the order of a request in the log, if the request fails. */
export function nameOrder(c: Context, reference: string): void {
  c.set(ORDER, firstCharacters(reference, MAX_LOGGED))
}

/**
 * Converts the error of a request into a refusal, and logs it. A refusal is a warning if only the merchant can fix it,
 * or if the response does not tell its reason. In the line of any other, personal data is masked: the reason may quote
 * what the client sent.
 */
export function toProblem(error: unknown, log: Log, c: Context): Refusal {
  const order: unknown = c.get(ORDER)
  const facts = { route: routeOf(c), order, trace_id: readTraceId(c.req.header(TRACEPARENT)) }
  if (error instanceof ProblemError) {
    const { code, detail, reason = detail } = error.refusal
    const { status } = PROBLEMS[code]
    const isForMerchant = FOR_THE_MERCHANT.has(code) || reason !== detail
    if (isForMerchant) {
      log.warn({ code, status, ...facts }, reason)
    } else if (!UNLOGGED.has(code)) {
      log.info({ code, status, ...facts }, `A request was refused: ${maskedBeginning(reason)}`)
    }
    return error.refusal
  }

  log.error({ ...facts, err: error }, 'A request failed for a reason of ours.')
  if (error instanceof StoreError) {
    return refuse('store_unavailable', 'The store cannot be used. Send the same request again.')
  }
  return refuse('internal', 'The server could not answer. Nothing is lost; try again in a moment.')
}

/** Seconds after which a client may repeat a request whose problem is temporary, unless a limit says another time. */
const RETRY_SECONDS = '5'

export function answerProblem(c: Context, refusal: Refusal, publicUrl: string): Response {
  const document = problemDocument(refusal, publicUrl)
  return c.body(JSON.stringify(document), PROBLEMS[refusal.code].status, {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    ...retryHeaders(refusal),
  })
}

/** Returns the headers that say when a refused request may be repeated, of a problem document and of a page. */
export function retryHeaders({ code, quota }: Refusal): Record<string, string> {
  if (quota) {
    return limitHeaders(quota)
  }
  return PROBLEMS[code].retryable ? { 'retry-after': RETRY_SECONDS } : {}
}

/**
 * Returns the headers of the response to a request that exceeds a limit: `Retry-After`, and the headers that
 * draft-ietf-httpapi-ratelimit-headers defines.
 */
function limitHeaders({ name, most, windowSeconds, retryAfter }: Quota): Record<string, string> {
  return {
    'retry-after': String(retryAfter),
    ratelimit: `"${name}";r=0;t=${retryAfter}`,
    'ratelimit-policy': `"${name}";q=${most};w=${windowSeconds}`,
  }
}
