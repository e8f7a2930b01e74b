/** Re-exports the gateway's status codes for `api/`. Imports no zod, so that the widget can bundle this file. */

export { CHECKOUT_STATUS, PAYMENT_STATUS } from '../contract/status.ts'
export type { CheckoutStatus, PaymentStatus } from '../contract/status.ts'
