/** Defines the problem document (RFC 9457) that this server returns for every failed request. */

import { z } from 'zod'
import { field, text } from '../contract/description.ts'
import { PROBLEM_CODES } from './problem-codes.ts'

const FieldError = z.object({
  path: text('Path of the field; "body" for the whole body.', 'recipients[0].amount'),
  message: text('The rule that the field breaks.', 'must be more than zero'),
})
export type FieldError = z.output<typeof FieldError>

/** The gateway's error object. */
const Refusal = z.object({
  status_code: field(z.int(), "The gateway's status code.", 115),
  status_description: text("The gateway's description of the status code.", 'Invalid currency code'),
  message: text("The gateway's text.", 'currency_code must be KES.'),
})

export const Problem = z
  .object({
    type: text('Address of the help for the code.', 'https://pay.shop.example/docs#invalid_request'),
    title: text('Title of the code.', 'The request is not valid'),
    status: field(z.int(), 'HTTP status.', 422),
    detail: text('What happened, as a sentence for people.', 'amount must be more than zero.'),
    code: field(z.enum(PROBLEM_CODES), 'Stable code. Branch on this field.'),
    retryable: field(z.boolean(), 'Whether the same request may succeed later.'),
    errors: field(z.array(FieldError).exactOptional(), 'The wrong fields of invalid_request, at most 100.'),
    gateway: field(Refusal.exactOptional(), "The gateway's error, when the gateway refused."),
  })
  .meta({ id: 'Problem', description: 'A failure, after RFC 9457.' })
export type Problem = z.output<typeof Problem>
