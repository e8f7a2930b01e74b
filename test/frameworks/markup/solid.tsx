/** @jsxImportSource solid-js */

import type { CheckoutEvent, GatewayCheckout, CheckoutView } from 'gateway-checkout'
import type {} from 'gateway-checkout/solid'
import type { JSX } from 'solid-js'

const fulfil = ({ detail }: CheckoutEvent<CheckoutView>) => detail.order

export const right: JSX.Element = (
  <gateway-checkout
    ref={(tag: GatewayCheckout) => tag.state}
    class="pay"
    order="A-1"
    prop:payerName="Asha Mwangi"
    on:checkout-settled={{ handleEvent: fulfil, once: true }}
  >
    <b slot="label">Pay</b>
  </gateway-checkout>
)

export const wrong: JSX.Element[] = [
  // @ts-expect-error Solid would set `payername`, which nothing reads.
  <gateway-checkout payerName="Asha Mwangi" />,
  // @ts-expect-error The detail of `checkout-open` may be null.
  <gateway-checkout on:checkout-open={fulfil} />,
]
