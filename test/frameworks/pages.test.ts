/** Pages of frameworks with the element, and a scripted payment server. */

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import vue from '@vitejs/plugin-vue'
import type { Browser } from 'playwright'
import { build } from 'vite'
import type { InlineConfig } from 'vite'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openChromium } from '../e2e/browser/open.ts'
import { BFF, createScriptedBff, PAID } from '../support/scripted-bff.ts'

const SHOP = 'https://shop.test'
const CACHE = resolve('node_modules/.cache/framework-pages')
const COMPONENTS = ['component', 'react-18/component'] as const
type PageName = (typeof COMPONENTS)[number] | 'vue'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let browser: Browser
beforeAll(async () => {
  const react18 = [
    { find: /^react(?=$|\/)/, replacement: 'react-18' },
    { find: /^react-dom(?=$|\/)/, replacement: 'react-dom-18' },
  ]
  await buildPages('', ['vue', 'component'])
  await buildPages('react-18/', ['component'], { alias: react18 })
  browser = await openChromium()
})
afterAll(() => browser?.close())

test('vue: the tag has its attributes, and its event is heard', async () => {
  const shopper = await visit('vue')
  await shopper.pay()
  await shopper.page.getByText('Thank you for order-1').waitFor()
  expect(shopper.sent()).toMatchObject({ order: 'order-1', payer_name: 'Asha Mwangi' })
  await shopper.leave()
})

test.concurrent.each(COMPONENTS)('%s: a payment before hydration reaches the handlers once', async (name) => {
  const shopper = await visit(name, '?waits')
  await shopper.pay()
  await shopper.page.locator('gateway-checkout[state=paid]').waitFor()
  expect(await shopper.page.locator('output').textContent()).toBe('')
  await shopper.page.evaluate(() => dispatchEvent(new Event('hydrate')))
  await shopper.page.getByText('Thank you for order-1').waitFor()
  expect(await shopper.page.locator('#heard').textContent()).toBe('change paid settled')
  await shopper.leave()
})

test.concurrent.each(COMPONENTS)(
  '%s: every event reaches its handler once, and the words are set',
  async (name) => {
    const shopper = await visit(name)
    await shopper.page.getByRole('button', { name: 'Pay for the kangas' }).waitFor()
    await shopper.pay()
    await shopper.page.getByText('Thank you for order-1').waitFor()
    const heard = (await shopper.page.locator('#heard').textContent())?.split(' ')
    expect([heard?.[0], heard?.slice(-3)]).toEqual(['open', ['change', 'paid', 'settled']])
    await shopper.leave()
  },
)

async function buildPages(base: string, names: readonly string[], more: InlineConfig['resolve'] = {}) {
  const config: InlineConfig = {
    configFile: false,
    logLevel: 'error',
    root: 'test/frameworks/pages',
    base: `/${base}`,
    resolve: more,
    plugins: [
      vue({ template: { compilerOptions: { isCustomElement: (tag) => tag === 'gateway-checkout' } } }),
    ],
    // Only development builds of React mount every component twice.
    define: { 'process.env.NODE_ENV': '"development"' },
  }
  const input = names.map((name) => `test/frameworks/pages/${name}.html`)
  await build({ ...config, build: { outDir: `${CACHE}/${base}`, rolldownOptions: { input } } })
  const outDir = `${CACHE}/${base}server`
  await build({ ...config, ssr: { noExternal: true }, build: { ssr: 'component.server.tsx', outDir } })
}

/** Returns a built file. The page of the component is as a server with React has rendered it. */
async function fileOf(path: string): Promise<string> {
  const text = readFileSync(CACHE + path, 'utf8')
  if (!path.endsWith('component.html')) return text
  const onServer = path.replace('component.html', 'server/component.server.js')
  const { rendered }: { rendered: string } = await import(CACHE + onServer)
  return text.replace('<!--rendered-->', rendered)
}

async function visit(name: PageName, query = '') {
  const bff = createScriptedBff(Date.now)
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const complaints: string[] = []
  context.on('weberror', (event) => complaints.push(event.error().message))
  context.on('console', (message) => {
    const isExpected = message.text().startsWith('Lit is in dev mode')
    if (['error', 'warning'].includes(message.type()) && !isExpected) complaints.push(message.text())
  })
  await context.route(`${SHOP}/**`, async (route, request) => {
    const { pathname } = new URL(request.url())
    const contentType = pathname.endsWith('.html') ? 'text/html' : 'text/javascript'
    await route.fulfill({ contentType, body: await fileOf(pathname) })
  })
  await context.route('https://pay.gateway.test/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: 'The hosted page' }),
  )
  await context.route(`${BFF}/**`, async (route, request) => {
    const headers = { 'access-control-allow-origin': '*' }
    if (request.url().endsWith('/stream'))
      return route.fulfill({ headers, contentType: 'text/event-stream', body: '' })
    const response = await bff.fetch(request.url(), { method: request.method(), body: request.postData() })
    await route.fulfill({ status: response.status, headers, json: await response.json() })
  })
  const page = await context.newPage()
  await page.goto(`${SHOP}/${name}.html${query}`)
  return {
    page,
    sent: () => bff.requests.find(({ path }) => path === '/checkout/initiate')?.form,
    async pay() {
      const popup = page.waitForEvent('popup')
      await page.locator('gateway-checkout').getByRole('button', { name: /Pay/ }).click()
      await popup
      bff.confirm(PAID)
    },
    async leave() {
      await context.close()
      expect(complaints).toEqual([])
    },
  }
}
