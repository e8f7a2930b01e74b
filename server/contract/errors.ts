/** Bodies of error responses. [spec: Errors] */

import { z } from 'zod'

/** [spec: Checkout error object] */
export const CheckoutError = z.object({
  status_code: z.coerce.number().int().positive(),
  status_description: z.string().catch(''),
  message: z.string().catch(''),
})
export type CheckoutError = z.output<typeof CheckoutError>

/** [spec: Authentication, 5] The error text is "Unauthorized" with 401 or "Bad Request" with 400. */
export const AuthenticationError = z.object({
  statusCode: z.number().int(),
  message: z.string(),
  error: z.string(),
})
export type AuthenticationError = z.output<typeof AuthenticationError>
