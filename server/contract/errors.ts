/** Defines the schemas of the bodies of error responses. [spec: Errors] */

import { z } from 'zod'

/** The error object of checkouts and charges. [spec: Checkout error object] */
export const CheckoutError = z.object({
  status_code: z.coerce.number().int().positive(),
  status_description: z.string().catch(''),
  message: z.string().catch(''),
})
export type CheckoutError = z.output<typeof CheckoutError>

/**
 * The body of a response to a request that failed authentication. `error` is "Unauthorized" with status 401, or "Bad
 * Request" with status 400. [spec: Authentication, 5]
 */
export const AuthenticationError = z.object({
  statusCode: z.number().int(),
  message: z.string(),
  error: z.string(),
})
export type AuthenticationError = z.output<typeof AuthenticationError>
