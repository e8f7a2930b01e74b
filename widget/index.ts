/** The element without side effects. Importing this registers nothing; `gateway-checkout/define` does. */

export { GatewayCheckout } from './gateway-checkout.ts'
export { CheckoutEvent } from './events.ts'

export type { Outcome, PaymentView, CheckoutView } from '../server/api/view.ts'
export type { CheckoutWords } from './custom-words.ts'
export type { CheckoutErrorDetail } from './events.ts'
export type { CheckoutState } from './session/state.ts'
