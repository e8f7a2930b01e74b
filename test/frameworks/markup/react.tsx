/** @jsxImportSource react */

import { GatewayCheckout as Checkout } from 'gateway-checkout/react'
import { createRef } from 'react'

import type { CheckoutEvent, GatewayCheckout, CheckoutView } from 'gateway-checkout'

const tag = createRef<GatewayCheckout>()
const fulfil = ({ detail }: CheckoutEvent<CheckoutView>) => detail.order

export const right = [
  <gateway-checkout ref={tag} key="basket" className="pay" payer-name="Asha" oncheckout-paid={fulfil}>
    <b slot="label">Pay</b>
  </gateway-checkout>,
  <Checkout
    ref={tag}
    key="basket"
    style={{ maxWidth: 320 }}
    payerName="Asha Mwangi"
    launch="popup"
    required
    checkoutId={undefined}
    words={{ sw: { pay: 'Lipa sasa' } }}
    onClick={(event) => event.currentTarget.start()}
    onPaid={fulfil}
    onSettled={undefined}
  />,
]

export const wrong = [
  // @ts-expect-error There is no such attribute.
  <gateway-checkout reference="A-1" />,
  // @ts-expect-error `disabled` is a boolean.
  <gateway-checkout disabled="disabled" />,
  // @ts-expect-error The detail of `checkout-open` may be null.
  <gateway-checkout oncheckout-open={fulfil} />,
  // @ts-expect-error There is no such property.
  <Checkout reference="A-1" />,
  // @ts-expect-error There is no such event.
  <Checkout onPayed={fulfil} />,
  // @ts-expect-error The detail of `checkout-open` may be null.
  <Checkout onOpen={fulfil} />,
  // @ts-expect-error `state` is read-only.
  <Checkout state="paid" />,
]
