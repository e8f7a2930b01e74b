/**
 * Defines refusals, and the problem document (RFC 9457) of every failed request. A refusal is the result of a request
 * that this server or the gateway refuses. `routes/problem.ts` converts a refusal to an HTTP response.
 */

import { z } from 'zod'

import { CheckoutError } from '../contract/errors.ts'
import { field, text } from '../contract/openapi-field.ts'
import { firstCharacters } from '../contract/text.ts'
import { PROBLEM_CODES } from './problem-codes.ts'

import type { ProblemCode } from './problem-codes.ts'

/** The fields that a problem document has only for some codes. */
export interface Evidence {
  errors?: FieldError[]
  gateway?: CheckoutError
}

export interface Refusal {
  kind: 'refused'
  code: ProblemCode
  /** The reason for the refusal, as a sentence in the response. */
  detail: string
  evidence: Evidence
  /** The reason for the refusal, as a sentence for the merchant's log. If absent, the log contains `detail`. */
  reason?: string
  /** The limit that the request exceeds; absent unless `code` is `too_many_requests`. */
  quota?: Quota
}

/** A limit on the number of requests, and the time after which a refused request may be sent again. */
export interface Quota {
  name: string
  most: number
  windowSeconds: number
  /** Seconds until the request may be sent again. */
  retryAfter: number
}

export function refuse(code: ProblemCode, detail: string, evidence: Evidence = {}): Refusal {
  return { kind: 'refused', code, detail, evidence }
}

/** Returns whether what was asked for is refused. */
export function isRefusal(value: object): value is Refusal {
  return 'kind' in value && value.kind === 'refused'
}

/** Returns a refusal whose `reason` appears in the merchant's log, but not in the response. */
export function refuseWithReason(
  code: ProblemCode,
  detail: string,
  reason: string,
  evidence: Evidence = {},
): Refusal {
  return { ...refuse(code, detail, evidence), reason }
}

/**
 * The maximum number of field errors in the field `errors` of a response. Without this maximum, the response could be
 * larger than the request.
 */
export const MAX_ERRORS = 100
/** The maximum number of problems in a sentence, and the maximum length of each, in characters. */
const MAX_IN_A_SENTENCE = 20
const MAX_CHARACTERS = 300

export function invalid(errors: FieldError[]): Refusal {
  const sentence = joinProblems(errors.map(({ path, message }) => `${path} ${message}`))
  return refuse('invalid_request', `${sentence}.`, { errors: errors.slice(0, MAX_ERRORS) })
}

/** Joins the first problems of a list, and adds how many more there are. A hostile document may have thousands. */
export function joinProblems(problems: readonly string[]): string {
  const named = problems.slice(0, MAX_IN_A_SENTENCE).map((each) => firstCharacters(each, MAX_CHARACTERS))
  const more = problems.length - named.length
  if (more === 0) {
    return named.join('; ')
  }

  // Beyond `MAX_ERRORS`, a list may be incomplete: parsing may have stopped there.
  const count = problems.length > MAX_ERRORS ? `more than ${MAX_ERRORS - named.length}` : more
  return `${named.join('; ')}; and ${count} more`
}

export const CHARGES_OFF = refuse('charges_off', 'Charges and splits are off: no GATEWAY_CHARGE_PATH is set.')

export const NO_TIME_ZONE = refuse('no_time_zone', 'It is not known when a day begins: no TIME_ZONE is set.')

export const GATEWAY_UNAVAILABLE = refuse(
  'gateway_unavailable',
  'The payment gateway did not give a usable answer. Nothing is lost: send the same request again.',
)

export const RECOVERY_UNCOMPARED = refuse(
  'recovery_uncompared',
  'The store was restored from a backup, and the gateway cannot be asked about a charge that is missing in it.',
)

/**
 * Returns one error for each invalid field. Each error names the first rule that the field violates.
 *
 * @param toPath Converts the path of an issue to text, such as `recipients[0].amount`.
 */
export function fieldErrorsOf(
  issues: readonly z.core.$ZodIssue[],
  toPath: (path: PropertyKey[]) => string,
): FieldError[] {
  return distinct(issues.map(({ path, message }) => ({ path: toPath(path), message })))
}

/** Returns the first error of each field. */
export function distinct(errors: readonly FieldError[]): FieldError[] {
  const firstByPath = new Map<string, FieldError>()
  for (const error of errors) {
    if (!firstByPath.has(error.path)) {
      firstByPath.set(error.path, error)
    }
  }

  return [...firstByPath.values()]
}

const FieldError = z.object({
  path: text('Path of the field; "body" for the whole body.', 'recipients[0].amount'),
  message: text('The rule that the field breaks.', 'must be more than zero'),
})
export type FieldError = z.output<typeof FieldError>

export const Problem = z
  .object({
    type: text('Address of the help for the code.', 'https://pay.shop.example/docs#invalid_request'),
    title: text('Title of the code.', 'The request is not valid'),
    status: field(z.int(), 'HTTP status.', 422),
    detail: text('What happened, as a sentence for people.', 'amount must be more than zero.'),
    code: field(z.enum(PROBLEM_CODES), 'Stable code. Branch on this field.'),
    retryable: field(z.boolean(), 'Whether the same request may succeed later.'),
    errors: field(z.array(FieldError).exactOptional(), 'The wrong fields of invalid_request, at most 100.'),
    gateway: field(CheckoutError.exactOptional(), "The gateway's error, when the gateway refused."),
  })
  .meta({ id: 'Problem', description: 'A failure, after RFC 9457.' })
export type Problem = z.output<typeof Problem>
