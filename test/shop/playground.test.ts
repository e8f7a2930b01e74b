import { runInNewContext } from 'node:vm'
import * as React from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { transformWithOxc } from 'vite'
import { describe, expect, test } from 'vitest'
import { createSSRApp } from 'vue'
import { parse } from 'vue/compiler-sfc'
import { renderToString } from 'vue/server-renderer'
import { ATTRIBUTE_CONTROLS } from '../../demo/shop/playground/controls.ts'
import { SITUATIONS } from '../../demo/shop/playground/states.ts'
import { createShop } from '../../demo/shop/server.ts'
import { html, react, vue } from '../../demo/shop/snippets.ts'
import type { Markup } from '../../demo/shop/snippets.ts'
import { PROBLEMS } from '../../server/api/problem-codes.ts'
import { GatewayCheckout } from '../../widget/index.ts'

const BFF = 'http://127.0.0.1:4020'

async function get(path: string): Promise<Response> {
  const shop = createShop({
    bff: BFF,
    webhookSecret: 'whsec_c2hhcmVkIGJ5IHNob3AgYW5kIHBheW1lbnQgc2VydmVy',
    assets: new URL('file:///'),
    clock: { now: () => 0 },
    token: () => 'fresh',
  })
  return shop.request(path)
}

describe('the page', () => {
  test('has a control for every attribute of the tag except its state, and for no other', () => {
    const names = ATTRIBUTE_CONTROLS.map(({ name }) => name)
    expect([...names, 'state'].toSorted()).toEqual(GatewayCheckout.observedAttributes.toSorted())
  })

  test('offers every situation', async () => {
    const page = await (await get('/playground')).text()
    for (const name of SITUATIONS.keys()) expect(page).toContain(`name="situation" value="${name}"`)
  })

  test('starts with an order that the payment server accepts', async () => {
    const page = await (await get('/playground')).text()
    expect(page).toContain('name="order" value="demo-1500-fresh"')
    expect(page).toContain(`name="server" value="${BFF}"`)
  })

  test.each(['/playground', '/playground/pay'])(
    '%s allows only scripts and styles in files',
    async (path) => {
      const answer = await get(path)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-security-policy')).toMatch(/style-src 'self' 'nonce-[^']+';/)
      expect(await answer.text()).not.toMatch(/<style|style=|<script(?![^>]*src=)| on[a-z]+=/)
    },
  )
})

test('the stand-in answers with the status of each problem code', () => {
  const problems = [...SITUATIONS.values()].flatMap(({ answers }) =>
    answers.flatMap((answer) => (typeof answer === 'object' && 'problem' in answer ? [answer.problem] : [])),
  )
  expect(problems).not.toEqual([])
  for (const { code, status, retryable = false } of problems)
    expect(PROBLEMS[code]).toMatchObject({ status, retryable })
})

describe('the snippets', () => {
  const attributes = {
    server: BFF,
    order: 'A-1',
    label: `"Pay" {{now}} <b> & 'then'`,
    required: true,
  } as const
  const slots = { paid: 'Thank you, {name} & <all>', footer: '{{ 1 + 1 }}' }
  const markup: Markup = { attributes, slots, properties: { '--gateway-checkout-font': `'Fira', serif` } }
  const said = { attributes: { ...attributes, required: '' }, slots }

  test('have the picked attributes, slots and properties in HTML', () => {
    expect(parseMarkup(html(markup, BFF))).toEqual(said)
    expect(html(markup, BFF)).toContain(`<script type="module" src="${BFF}/gateway-checkout.js"></script>`)
    expect(html(markup, BFF)).toContain(`--gateway-checkout-font: 'Fira', serif;`)
  })

  test('have the same in React', async () => {
    const shown = await inReact(react(markup))
    expect(parseMarkup(shown)).toEqual({
      ...said,
      attributes: { ...said.attributes, style: `--gateway-checkout-font:'Fira', serif` },
    })
  })

  test('have the same in Vue', async () => {
    expect(parseMarkup(await inVue(vue(markup)))).toEqual(said)
    expect(vue(markup)).toContain(`--gateway-checkout-font: 'Fira', serif;`)
  })

  test('leave out what is not picked', () => {
    for (const write of [html, react, vue])
      expect(write({ attributes: { order: 'A-1' } }, BFF)).not.toMatch(/style|slot=|server/)
  })
})

function parseMarkup(markup: string): { attributes: Record<string, string>; slots: Record<string, string> } {
  const [, start = '', children = ''] =
    /<gateway-checkout([^>]*)>(.*)<\/gateway-checkout>/s.exec(markup) ?? []
  return {
    attributes: pairs(start, /([\w-]+)(?:="([^"]*)")?/g),
    slots: pairs(children, /<span slot="(\w+)">(.*?)<\/span>/gs),
  }
}

function pairs(text: string, each: RegExp): Record<string, string> {
  return Object.fromEntries([...text.matchAll(each)].map(([, name, value = '']) => [name, decoded(value)]))
}

function decoded(text: string): string {
  const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&' }
  return text.replaceAll(/&(?:#(x?)([\da-f]+)|(\w+));/gi, (_, hex: string, code: string, name: string) =>
    name ? (entities[name] ?? name) : String.fromCodePoint(parseInt(code, hex ? 16 : 10)),
  )
}

async function inReact(source: string): Promise<string> {
  const component = source.replace(/^import .*$/m, '').replace('export function', 'return function')
  const { code } = await transformWithOxc(`function make() {${component}}`, 'checkout.jsx', {
    jsx: { runtime: 'classic' },
  })
  const Checkout: React.FunctionComponent = runInNewContext(`${code}\nmake()`, { React })
  return renderToStaticMarkup(React.createElement(Checkout))
}

async function inVue(source: string): Promise<string> {
  const { descriptor, errors } = parse(source)
  expect(errors).toEqual([])
  const app = createSSRApp({ template: descriptor.template?.content ?? '' })
  app.config.compilerOptions.isCustomElement = (tag) => tag === 'gateway-checkout'
  return renderToString(app)
}
