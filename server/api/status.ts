/** Re-exports the gateway's status codes. This file imports no zod, so that the widget can bundle it. */

export { CHECKOUT_STATUS, PAYMENT_STATUS } from '../contract/status.ts'
export type { CheckoutStatus, PaymentStatus } from '../contract/status.ts'
