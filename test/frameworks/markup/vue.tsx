/** @jsxImportSource vue */
/**
 * What Vue's users may write in JSX, and by the same type in a template. Compiled by `npm run check`, where an error
 * that is expected must be there.
 */

import type { GlobalComponents } from 'vue'
import type { CheckoutEvent, CheckoutView } from 'gateway-checkout'
import type {} from 'gateway-checkout/vue'

const fulfil = ({ detail }: CheckoutEvent<CheckoutView>) => detail.order

export const right = [
  <gateway-checkout
    key="basket"
    class="pay"
    order="A-1"
    payer-name="Asha Mwangi"
    required
    onCheckoutOpen={(event) => event.preventDefault()}
    onCheckoutPaid={fulfil}
    onCheckoutError={({ detail }) => detail.code}
  />,
  <gateway-checkout order="A-1" payerName="Asha Mwangi" disabled={false} />,
  <gateway-checkout order="A-1" launch="popup" theme="dark" words={{ sw: { pay: 'Lipa sasa' } }} />,
]

export const wrong = [
  // @ts-expect-error There is no such attribute.
  <gateway-checkout reference="A-1" />,
  // @ts-expect-error A reference is text.
  <gateway-checkout order={1} />,
  // @ts-expect-error An attribute is text.
  <gateway-checkout payer-name={1} />,
  // @ts-expect-error A flag is true or false.
  <gateway-checkout disabled="disabled" />,
  // @ts-expect-error There is no such way to launch.
  <gateway-checkout launch="pop-up" />,
  // @ts-expect-error There is no such theme.
  <gateway-checkout theme="blue" />,
  // @ts-expect-error There is no such sentence.
  <gateway-checkout words={{ sw: { buy: 'Nunua' } }} />,
  // @ts-expect-error What is shown is not for the page to say.
  <gateway-checkout state="paid" />,
  // @ts-expect-error Nobody tells this.
  <gateway-checkout onCheckoutPayed={fulfil} />,
  // @ts-expect-error Before the first press there is no view.
  <gateway-checkout onCheckoutOpen={fulfil} />,
  // @ts-expect-error An error is no view.
  <gateway-checkout onCheckoutError={({ detail }) => detail.outcome} />,
]

/** A template's reference is the element itself. */
export const start = (tag: InstanceType<GlobalComponents['gateway-checkout']>) => tag.start()
