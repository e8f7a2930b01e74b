import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Named {
  name: string
}

interface Manifest {
  modules: {
    path: string
    declarations: ElementDeclaration[]
    exports: { kind: string; name: string; declaration: { name: string; module: string } }[]
  }[]
}

interface ElementDeclaration extends Named {
  tagName: string
  attributes: (Named & { fieldName: string })[]
  members: (Named & {
    kind: string
    attribute?: string
    readonly?: boolean
    reflects?: boolean
    type?: { text: string }
  })[]
  events: (Named & { type: { text: string } })[]
  slots: Named[]
  cssParts: Named[]
  cssProperties: Named[]
}

// Removing or renaming an attribute or a property breaks merchants' pages.
const ATTRIBUTES = words(
  'order server payer-name payer-email payer-msisdn country return-url launch method lang label amount payee',
  'theme overlay disabled name required checkout-id',
)
const PROPERTIES = ['words']
const READ_ONLY = ['state', 'checkout', 'form', 'validity']
const METHODS = ['start', 'reset', 'checkValidity', 'reportValidity']
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
const SLOTS = words('label paid partial unpaid expired footer')
const PARTS = words(
  'amount base button countdown error field form input label overlay phone receipt status terms warning',
)
const CUSTOM_PROPERTIES = words('accent on-accent surface text radius font')

const packed: { customElements: string } = JSON.parse(readFileSync('widget/package.json', 'utf8'))
const manifest: Manifest = JSON.parse(readFileSync(`widget/${packed.customElements}`, 'utf8'))
const declarations = manifest.modules.flatMap((module) => module.declarations)
const element = declarations[0]!

test('the manifest declares one element, and says where it is and where it gets its name', () => {
  expect(declarations.map(({ name, tagName }) => [name, tagName])).toEqual([
    ['GatewayCheckout', 'gateway-checkout'],
  ])
  expect(manifest.modules.map(({ path, exports }) => [path, exports[0]?.kind, exports[0]?.name])).toEqual([
    ['dist/index.js', 'js', 'GatewayCheckout'],
    ['dist/define.js', 'custom-element-definition', 'gateway-checkout'],
  ])
})

test('its attributes and members are the public ones, each attribute with its property', () => {
  const attributes = element.attributes.map(({ name, fieldName }) => [name, fieldName])
  expect(attributes).toHaveLength(ATTRIBUTES.length)
  expect(Object.fromEntries(attributes)).toEqual(
    Object.fromEntries(ATTRIBUTES.map((name) => [name, camelCase(name)])),
  )
  const fields = element.members.filter(({ kind }) => kind === 'field')
  expect(names(fields.filter(({ readonly }) => !readonly))).toEqual(
    [...ATTRIBUTES.map(camelCase), ...PROPERTIES].toSorted(),
  )
  expect(names(fields.filter(({ readonly }) => readonly))).toEqual(READ_ONLY.toSorted())
  expect(names(element.members.filter(({ kind }) => kind !== 'field'))).toEqual(METHODS.toSorted())
})

test('properties with an attribute are reflected, the state is, and three are typed by their values', () => {
  const type = (name: string) => element.members.find((member) => member.name === name)?.type?.text
  expect(type('launch')).toBe("'' | 'auto' | 'redirect' | 'popup'")
  expect(type('method')).toBe("'' | 'page' | 'prompt'")
  expect(type('theme')).toBe("'' | 'auto' | 'light' | 'dark'")
  const reflected = element.members.filter(({ reflects }) => reflects).map(({ attribute }) => attribute)
  expect(new Set(reflected)).toEqual(new Set([...ATTRIBUTES, 'state']))
})

test('its events, slots, parts and custom properties are the public ones', () => {
  const events = element.events.map(({ name, type }) => [name, type.text])
  expect(Object.fromEntries(events)).toEqual(EVENTS)
  expect(names(element.slots)).toEqual(SLOTS.toSorted())
  expect(names(element.cssParts)).toEqual(PARTS.toSorted())
  const properties = CUSTOM_PROPERTIES.map((name) => `--gateway-checkout-${name}`)
  expect(names(element.cssProperties)).toEqual(properties.toSorted())
})

function names(all: readonly Named[]): string[] {
  return all.map(({ name }) => name).toSorted()
}

function words(...lines: string[]): string[] {
  return lines.join(' ').split(' ')
}

function camelCase(name: string): string {
  return name.replaceAll(/-./g, (letter) => letter.slice(1).toUpperCase())
}
