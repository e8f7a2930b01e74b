/** @jsxImportSource preact */

import { createRef } from 'preact'

import type { CheckoutEvent, GatewayCheckout, CheckoutView } from 'gateway-checkout'
import type {} from 'gateway-checkout/preact'

const tag = createRef<GatewayCheckout>()
const fulfil = ({ detail }: CheckoutEvent<CheckoutView>) => detail.order

export const right = (
  <gateway-checkout ref={tag} class="pay" order="A-1" payerName="Asha Mwangi" oncheckout-paid={fulfil}>
    <b slot="label">Pay</b>
  </gateway-checkout>
)

export const wrong = [
  // @ts-expect-error There is no such attribute.
  <gateway-checkout reference="A-1" />,
  // @ts-expect-error The detail of `checkout-open` may be null.
  <gateway-checkout oncheckout-open={fulfil} />,
]
