/** @jsxImportSource vue */

import type { GlobalComponents } from 'vue'
import type { CheckoutEvent, CheckoutView } from 'gateway-checkout'
import type {} from 'gateway-checkout/vue'

const fulfil = ({ detail }: CheckoutEvent<CheckoutView>) => detail.order

export const right = [
  <gateway-checkout
    key="basket"
    class="pay"
    order="A-1"
    server="https://pay.shop.example"
    payer-name="Asha Mwangi"
    required
    onCheckoutOpen={(event) => event.preventDefault()}
    onCheckoutPaid={fulfil}
    onCheckoutError={({ detail }) => detail.code}
  />,
  <gateway-checkout order="A-1" payerName="Asha Mwangi" disabled={false} />,
]

export const wrong = [
  // @ts-expect-error There is no such attribute.
  <gateway-checkout reference="A-1" />,
  // @ts-expect-error `state` is read-only.
  <gateway-checkout state="paid" />,
  // @ts-expect-error There is no such event.
  <gateway-checkout onCheckoutPayed={fulfil} />,
  // @ts-expect-error The detail of `checkout-open` may be null.
  <gateway-checkout onCheckoutOpen={fulfil} />,
  // @ts-expect-error The detail of an error has no outcome.
  <gateway-checkout onCheckoutError={({ detail }) => detail.outcome} />,
]

export const start = (tag: InstanceType<GlobalComponents['gateway-checkout']>) => tag.start()
