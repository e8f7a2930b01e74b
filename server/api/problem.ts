/** Defines the problem document (RFC 9457) that this server returns for every failed request. */

import { z } from 'zod'
import { describeFields, text } from './field.ts'
import { PROBLEM_CODES } from './problem-codes.ts'

const FieldError = describeFields(
  { path: text, message: text },
  {
    path: ['Path of the field; "body" for the whole body.', 'recipients[0].amount'],
    message: ['The rule that the field breaks.', 'must be more than zero'],
  },
)
export type FieldError = z.output<typeof FieldError>

/** For each field of the gateway's error object, a description and an example. */
export const REFUSAL = {
  status_code: ["The gateway's status code.", 115],
  status_description: ["The gateway's description of the status code.", 'Invalid currency code'],
  message: ["The gateway's text.", 'currency_code must be KES.'],
} as const

const Refusal = describeFields({ status_code: z.int(), status_description: text, message: text }, REFUSAL)

export const Problem = describeFields(
  {
    type: text,
    title: text,
    status: z.int(),
    detail: text,
    code: z.enum(PROBLEM_CODES),
    retryable: z.boolean(),
    errors: z.array(FieldError).exactOptional(),
    gateway: Refusal.exactOptional(),
  },
  {
    type: [
      'Address of the help for the code. Branch on `code`.',
      'https://pay.shop.example/docs#invalid_request',
    ],
    title: ['Title of the code.', 'The request is not valid'],
    status: ['HTTP status.', 422],
    detail: ['What happened, as a sentence for people.', 'amount must be more than zero.'],
    code: ['Stable code. Branch on this field.'],
    retryable: ['Whether the same request may succeed later.'],
    errors: ['The wrong fields, at most 100. Present with invalid_request.'],
    gateway: ["The gateway's error, when the gateway refused."],
  },
).meta({ ref: 'Problem', description: 'A failure, after RFC 9457.' })
export type Problem = z.output<typeof Problem>
