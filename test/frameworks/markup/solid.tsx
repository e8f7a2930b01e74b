/** @jsxImportSource solid-js */

import type { JSX } from 'solid-js'
import type { CheckoutEvent, GatewayCheckout, CheckoutView } from 'gateway-checkout'
import type {} from 'gateway-checkout/solid'

const fulfil = ({ detail }: CheckoutEvent<CheckoutView>) => detail.order

export const right: JSX.Element[] = [
  <gateway-checkout
    ref={(tag: GatewayCheckout) => tag.state}
    class="pay"
    order="A-1"
    server="https://pay.shop.example"
    payer-name="Asha Mwangi"
    required
    on:checkout-open={(event) => event.preventDefault()}
    on:checkout-paid={fulfil}
    on:checkout-settled={{ handleEvent: fulfil, once: true }}
    on:checkout-error={({ detail }) => detail.code}
  >
    <b slot="label">Pay</b>
  </gateway-checkout>,
  <gateway-checkout order="A-1" prop:payerName="Asha Mwangi" prop:disabled={false} />,
]

export const wrong: JSX.Element[] = [
  // @ts-expect-error There is no such attribute.
  <gateway-checkout reference="A-1" />,
  // @ts-expect-error An attribute is text.
  <gateway-checkout payer-name={1} />,
  // @ts-expect-error Solid would set `payername`, which nothing reads.
  <gateway-checkout payerName="Asha Mwangi" />,
  // @ts-expect-error `state` is read-only.
  <gateway-checkout state="paid" />,
  // @ts-expect-error The detail of `checkout-open` may be null.
  <gateway-checkout on:checkout-open={fulfil} />,
  // @ts-expect-error The detail of an error has no outcome.
  <gateway-checkout on:checkout-error={({ detail }) => detail.outcome} />,
]
