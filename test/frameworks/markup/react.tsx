/** @jsxImportSource react */

import { createRef } from 'react'
import type { CheckoutEvent, GatewayCheckout, CheckoutView } from 'gateway-checkout'
import { GatewayCheckout as Checkout } from 'gateway-checkout/react'

const tag = createRef<GatewayCheckout>()
const fulfil = ({ detail }: CheckoutEvent<CheckoutView>) => detail.order

export const right = [
  <gateway-checkout
    ref={tag}
    key="basket"
    className="pay"
    order="A-1"
    server="https://pay.shop.example"
    payer-name="Asha Mwangi"
    launch="popup"
    lang="sw"
    required
    disabled={false}
    checkout-id={undefined}
    oncheckout-open={(event) => event.preventDefault()}
    oncheckout-change={({ detail }) => detail.status}
    oncheckout-paid={fulfil}
    oncheckout-error={({ detail }) => detail.code}
  >
    <b slot="label">Pay</b>
  </gateway-checkout>,
  <gateway-checkout order="A-1" payerName="Asha Mwangi" returnUrl="/basket" checkoutId="1" />,
  <gateway-checkout order="A-1" launch="popup" theme="dark" words={{ sw: { pay: 'Lipa sasa' } }} />,
  <Checkout
    ref={tag}
    key="basket"
    className="pay"
    style={{ maxWidth: 320 }}
    order="A-1"
    server="https://pay.shop.example"
    payerName="Asha Mwangi"
    launch="popup"
    lang="sw"
    required
    checkoutId={undefined}
    words={{ sw: { pay: 'Lipa sasa' } }}
    onClick={(event) => event.currentTarget.start()}
    onOpen={(event) => event.preventDefault()}
    onChange={({ detail }) => detail.status}
    onPaid={fulfil}
    onSettled={undefined}
    onError={({ detail }) => detail.code}
  >
    <b slot="label">Pay</b>
  </Checkout>,
]

export const wrong = [
  // @ts-expect-error There is no such attribute.
  <gateway-checkout reference="A-1" />,
  // @ts-expect-error An attribute is text.
  <gateway-checkout payer-name={1} />,
  // @ts-expect-error `disabled` is a boolean.
  <gateway-checkout disabled="disabled" />,
  // @ts-expect-error There is no such launch mode.
  <gateway-checkout launch="pop-up" />,
  // @ts-expect-error `state` is read-only.
  <gateway-checkout state="paid" />,
  // @ts-expect-error The detail of `checkout-open` may be null.
  <gateway-checkout oncheckout-open={fulfil} />,
  // @ts-expect-error The detail of an error has no outcome.
  <gateway-checkout oncheckout-error={({ detail }) => detail.outcome} />,
  // @ts-expect-error The ref has the type of another element.
  <gateway-checkout ref={createRef<HTMLInputElement>()} />,
  // @ts-expect-error There is no such property.
  <Checkout reference="A-1" />,
  // @ts-expect-error There is no such event.
  <Checkout onPayed={fulfil} />,
  // @ts-expect-error The detail of `checkout-open` may be null.
  <Checkout onOpen={fulfil} />,
  // @ts-expect-error The detail of an error has no outcome.
  <Checkout onError={({ detail }) => detail.outcome} />,
  // @ts-expect-error `state` is read-only.
  <Checkout state="paid" />,
  // @ts-expect-error The ref has the type of another element.
  <Checkout ref={createRef<HTMLInputElement>()} />,
]
