/** @jsxImportSource preact */

import { createRef } from 'preact'
import type { CheckoutEvent, GatewayCheckout, CheckoutView } from 'gateway-checkout'
import type {} from 'gateway-checkout/preact'

const tag = createRef<GatewayCheckout>()
const fulfil = ({ detail }: CheckoutEvent<CheckoutView>) => detail.order

export const right = [
  <gateway-checkout
    ref={tag}
    class="pay"
    order="A-1"
    server="https://pay.shop.example"
    payer-name="Asha Mwangi"
    required
    oncheckout-open={(event) => event.preventDefault()}
    oncheckout-paid={fulfil}
    oncheckout-error={({ detail }) => detail.code}
  >
    <b slot="label">Pay</b>
  </gateway-checkout>,
  <gateway-checkout order="A-1" payerName="Asha Mwangi" disabled={false} />,
]

export const wrong = [
  // @ts-expect-error There is no such attribute.
  <gateway-checkout reference="A-1" />,
  // @ts-expect-error `state` is read-only.
  <gateway-checkout state="paid" />,
  // @ts-expect-error The detail of `checkout-open` may be null.
  <gateway-checkout oncheckout-open={fulfil} />,
  // @ts-expect-error The detail of an error has no outcome.
  <gateway-checkout oncheckout-error={({ detail }) => detail.outcome} />,
]
