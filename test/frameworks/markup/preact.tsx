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
  <gateway-checkout order="A-1" launch="popup" theme="dark" words={{ sw: { pay: 'Lipa sasa' } }} />,
]

export const wrong = [
  // @ts-expect-error There is no such attribute.
  <gateway-checkout reference="A-1" />,
  // @ts-expect-error `order` is a string.
  <gateway-checkout order={1} />,
  // @ts-expect-error An attribute is text.
  <gateway-checkout payer-name={1} />,
  // @ts-expect-error `disabled` is a boolean.
  <gateway-checkout disabled="disabled" />,
  // @ts-expect-error There is no such launch mode.
  <gateway-checkout launch="pop-up" />,
  // @ts-expect-error There is no such theme.
  <gateway-checkout theme="blue" />,
  // @ts-expect-error There is no such text.
  <gateway-checkout words={{ sw: { buy: 'Nunua' } }} />,
  // @ts-expect-error `state` is read-only.
  <gateway-checkout state="paid" />,
  // @ts-expect-error The detail of `checkout-open` may be null.
  <gateway-checkout oncheckout-open={fulfil} />,
  // @ts-expect-error The detail of an error has no outcome.
  <gateway-checkout oncheckout-error={({ detail }) => detail.outcome} />,
]
