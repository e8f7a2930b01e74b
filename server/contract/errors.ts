/** Defines the schemas of the bodies of the gateway's error responses. [spec: Errors] */

import { z } from 'zod'

import { wholeNumber } from './fields.ts'
import { field } from './openapi-field.ts'

/** The gateway's error object in responses to requests about checkouts and charges. [spec: Checkout error object] */
export const CheckoutError = z.object({
  status_code: field(wholeNumber(1), "The gateway's status code.", 115),
  status_description: field(z.string().catch(''), 'Description of the code.', 'Invalid currency code'),
  message: field(z.string().catch(''), "The gateway's text.", 'currency_code must be KES.'),
})
export type CheckoutError = z.output<typeof CheckoutError>

/**
 * The body of the gateway's response if authentication failed. `error` is "Unauthorized" with status 401, or "Bad
 * Request" with status 400. [spec: Authentication, 5]
 */
export const AuthenticationError = z.object({
  statusCode: field(z.number().int(), 'The HTTP status.', 401),
  message: field(z.string(), "The gateway's text.", 'Invalid Authentication Credentials'),
  error: field(z.string(), 'Name of the HTTP status.', 'Unauthorized'),
})
export type AuthenticationError = z.output<typeof AuthenticationError>
