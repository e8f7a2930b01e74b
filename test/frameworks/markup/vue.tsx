/** @jsxImportSource vue */

import type { CheckoutEvent, CheckoutView } from 'gateway-checkout'
import type {} from 'gateway-checkout/vue'
import type { GlobalComponents } from 'vue'

const fulfil = ({ detail }: CheckoutEvent<CheckoutView>) => detail.order

export const right = (
  <gateway-checkout key="basket" class="pay" order="A-1" payer-name="Asha Mwangi" onCheckoutPaid={fulfil} />
)

export const wrong = [
  // @ts-expect-error There is no such attribute.
  <gateway-checkout reference="A-1" />,
  // @ts-expect-error The detail of `checkout-open` may be null.
  <gateway-checkout onCheckoutOpen={fulfil} />,
]

export const start = (tag: InstanceType<GlobalComponents['gateway-checkout']>) => tag.start()
