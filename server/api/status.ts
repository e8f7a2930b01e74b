/** The gateway's status codes by name, as views and tracked resources carry them: what a browser needs of the contract. */

export { CHECKOUT_STATUS, PAYMENT_STATUS } from '../contract/status.ts'
export type { CheckoutStatus, PaymentStatus } from '../contract/status.ts'
