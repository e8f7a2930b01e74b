// `npm run check` fails if an expected type error is missing.

import type { CheckoutEvent, CheckoutView } from 'gateway-checkout'
import type {} from 'gateway-checkout/svelte'
import type { SvelteHTMLElements } from 'svelte/elements'

type Tag = SvelteHTMLElements['gateway-checkout']

const fulfil = ({ detail }: CheckoutEvent<CheckoutView>) => detail.order

export const right: Tag[] = [
  { class: 'pay', order: 'A-1', 'payer-name': 'Asha Mwangi', required: true, 'oncheckout-paid': fulfil },
]

export const wrong: Tag[] = [
  // @ts-expect-error There is no such attribute.
  { reference: 'A-1' },
  // @ts-expect-error The detail of `checkout-open` may be null.
  { 'oncheckout-open': fulfil },
]
