/** The gateway's status codes by name, for views and tracked resources. Safe to bundle for browsers. */

export { CHECKOUT_STATUS, PAYMENT_STATUS } from '../contract/status.ts'
export type { CheckoutStatus, PaymentStatus } from '../contract/status.ts'
