/**
 * Exports the element's class and types, without side effects. Importing `gateway-checkout/define` defines the element;
 * `define` defines it under another name.
 */

export { define, GatewayCheckout } from './button/gateway-checkout.ts'
export { CheckoutEvent } from './state/events.ts'

export type {
  CheckoutView,
  Outcome as CheckoutOutcome,
  PaymentView as CheckoutPayment,
} from '../server/api/view.ts'
export type { CheckoutWords } from './words/custom-words.ts'
export type { CheckoutErrorDetail, CheckoutEventMap } from './state/events.ts'
export type { CheckoutErrorCode } from './state/failure.ts'
export type { CheckoutState } from './state/state.ts'
