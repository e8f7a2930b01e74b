// The names of attributes, members, events, slots, parts and custom properties are those of `test/public.txt`.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Manifest {
  modules: {
    path: string
    declarations: ElementDeclaration[]
    exports: { kind: string; name: string }[]
  }[]
}

interface ElementDeclaration {
  name: string
  tagName: string
  members: { name: string; type?: { text: string } }[]
  events: { name: string; type: { text: string } }[]
}

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

const packed: { customElements: string } = JSON.parse(readFileSync('widget/package.json', 'utf8'))
const manifest: Manifest = JSON.parse(readFileSync(`widget/${packed.customElements}`, 'utf8'))
const declarations = manifest.modules.flatMap((module) => module.declarations)
const { members, events } = declarations[0]!

test('the manifest declares one element, and says where it is and where it gets its name', () => {
  expect(declarations.map(({ name, tagName }) => [name, tagName])).toEqual([
    ['GatewayCheckout', 'gateway-checkout'],
  ])
  expect(manifest.modules.map(({ path, exports }) => [path, exports[0]?.kind, exports[0]?.name])).toEqual([
    ['dist/index.js', 'js', 'GatewayCheckout'],
    ['dist/define.js', 'custom-element-definition', 'gateway-checkout'],
  ])
})

test('three properties are typed by their values, and events by their detail', () => {
  const type = (name: string) => members.find((member) => member.name === name)?.type?.text
  expect(type('launch')).toBe("'' | 'auto' | 'redirect' | 'popup'")
  expect(type('method')).toBe("'' | 'page' | 'prompt'")
  expect(type('theme')).toBe("'' | 'auto' | 'light' | 'dark'")
  expect(Object.fromEntries(events.map((event) => [event.name, event.type.text]))).toEqual(EVENTS)
})
