/**
 * What Svelte's users may write: its language tools check a tag in a template against this very type. Compiled by
 * `npm run check`, where an error that is expected must be there.
 */

import type { SvelteHTMLElements } from 'svelte/elements'
import type { CheckoutEvent, CheckoutView } from 'gateway-checkout'
import type {} from 'gateway-checkout/svelte'

type Tag = SvelteHTMLElements['gateway-checkout']

const fulfil = ({ detail }: CheckoutEvent<CheckoutView>) => detail.order

export const right: Tag[] = [
  {
    class: 'pay',
    order: 'A-1',
    'payer-name': 'Asha Mwangi',
    required: true,
    'oncheckout-open': (event) => event.preventDefault(),
    'oncheckout-paid': fulfil,
    'oncheckout-error': ({ detail }) => detail.code,
  },
  { order: 'A-1', payerName: 'Asha Mwangi', disabled: false },
  { order: 'A-1', launch: 'popup', theme: 'dark', words: { sw: { pay: 'Lipa sasa' } } },
]

export const wrong: Tag[] = [
  // @ts-expect-error There is no such attribute.
  { reference: 'A-1' },
  // @ts-expect-error Nor this one.
  { 'payer-nome': 'Asha Mwangi' },
  // @ts-expect-error A reference is text.
  { order: 1 },
  // @ts-expect-error A flag is true or false.
  { disabled: 'disabled' },
  // @ts-expect-error There is no such way to launch.
  { launch: 'pop-up' },
  // @ts-expect-error There is no such theme.
  { theme: 'blue' },
  // @ts-expect-error There is no such sentence.
  { words: { sw: { buy: 'Nunua' } } },
  // @ts-expect-error What is shown is not for the page to say.
  { state: 'paid' },
  // @ts-expect-error Nobody tells this.
  { 'oncheckout-payed': fulfil },
  // @ts-expect-error Before the first press there is no view.
  { 'oncheckout-open': fulfil },
  // @ts-expect-error An error is no view.
  { 'oncheckout-error': ({ detail }) => detail.outcome },
]
