/** The problem document (RFC 9457) that this server returns for every failed request. */

import { z } from 'zod'
import { field } from './field.ts'
import { PROBLEM_CODES } from './problem-codes.ts'

/** The path of an invalid field, and the rule that it breaks, such as "must be at most 64 characters". */
const FieldError = z.object({
  path: field(z.string(), 'Path of the field; "body" for the whole body.', 'recipients[0].amount'),
  message: field(z.string(), 'The rule that the field breaks.', 'must be more than zero'),
})
export type FieldError = z.output<typeof FieldError>

export const Problem = z
  .object({
    type: field(z.string(), 'URN of the code.', 'urn:gateway-checkout:invalid_request'),
    title: field(z.string(), 'Title of the code.', 'The request is not valid'),
    status: field(z.int(), 'HTTP status.', 422),
    detail: field(z.string(), 'What happened, as a sentence for people.', 'amount must be more than zero.'),
    code: field(z.enum(PROBLEM_CODES), 'Stable code. Branch on this field.'),
    retryable: field(z.boolean(), 'Whether the same request may succeed later.'),
    errors: field(z.array(FieldError).exactOptional(), 'Every wrong field. Present with invalid_request.'),
    gateway: field(
      z
        .object({
          status_code: field(z.int(), "The gateway's status code.", 115),
          status_description: field(
            z.string(),
            "The gateway's description of the status code.",
            'Invalid currency code',
          ),
          message: field(z.string(), "The gateway's text.", 'currency_code must be KES.'),
        })
        .exactOptional(),
      "The gateway's error, when the gateway refused.",
    ),
  })
  .meta({ ref: 'Problem', description: 'A failure, after RFC 9457.' })
export type Problem = z.output<typeof Problem>
