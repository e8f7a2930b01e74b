// The names of attributes, members, events, slots, parts and custom properties are those of `test/public.txt`.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const EVENTS = {
  'checkout-open': 'CheckoutEvent<CheckoutView | null>',
  'checkout-change': 'CheckoutEvent<CheckoutView>',
  'checkout-paid': 'CheckoutEvent<CheckoutView>',
  'checkout-partial': 'CheckoutEvent<CheckoutView>',
  'checkout-unpaid': 'CheckoutEvent<CheckoutView>',
  'checkout-expired': 'CheckoutEvent<CheckoutView>',
  'checkout-settled': 'CheckoutEvent<CheckoutView>',
  'checkout-close': 'CheckoutEvent<CheckoutView | null>',
  'checkout-error': 'CheckoutEvent<CheckoutErrorDetail>',
}

type Typed = Record<'name', string> & { type?: { text: string } }

const { customElements } = JSON.parse(readFileSync('widget/package.json', 'utf8'))
const { modules } = JSON.parse(readFileSync(`widget/${customElements}`, 'utf8'))
const [{ members, events }] = modules[0].declarations

test('the manifest declares one element, and says where it is and where it gets its name', () => {
  expect(modules).toMatchObject([
    {
      path: 'dist/index.js',
      declarations: [{ name: 'GatewayCheckout', tagName: 'gateway-checkout' }],
      exports: [{ kind: 'js', name: 'GatewayCheckout' }],
    },
    {
      path: 'dist/define.js',
      declarations: [],
      exports: [{ kind: 'custom-element-definition', name: 'gateway-checkout' }],
    },
  ])
})

test('three properties are typed by their values, and events by their detail', () => {
  const type = (name: string) => members.find((member: Typed) => member.name === name)?.type?.text
  expect(type('launch')).toBe("'' | 'auto' | 'redirect' | 'popup'")
  expect(type('method')).toBe("'' | 'page' | 'prompt'")
  expect(type('theme')).toBe("'' | 'auto' | 'light' | 'dark'")
  expect(Object.fromEntries(events.map((event: Typed) => [event.name, event.type?.text]))).toEqual(EVENTS)
})
