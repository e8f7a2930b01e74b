/** A page with the React component, as a server has rendered it, and a scripted payment server. */

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { build } from 'vite'
import { afterAll, expect, test, vi } from 'vitest'

import { openChromium } from '../e2e/browser/open.ts'
import { BFF, createScriptedBff, PAID } from '../support/worlds/scripted-bff.ts'

const SHOP = 'https://shop.test'
const CACHE = resolve('node_modules/.cache/framework-pages')
/** The folders of the pages, by the version of React. */
const PAGES = process.env.FULL ? ['', 'react-18/'] : ['']
const REACT = /^(react(?:-dom)?)(?=$|\/)/

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

for (const base of PAGES) {
  await buildPage(base)
}

const browser = await openChromium()
afterAll(() => browser.close())

test.concurrent.each(PAGES)(
  '%scomponent: a payment before hydration reaches the handlers once',
  async (base) => {
    const shopper = await visit(base, '?waits')
    await shopper.pay()
    await shopper.page.locator('gateway-checkout[state=paid]').waitFor()
    expect(await shopper.page.locator('output').textContent()).toBe('')
    await shopper.page.evaluate(() => dispatchEvent(new Event('hydrate')))
    await shopper.page.getByText('Thank you for order-1').waitFor()
    expect(await shopper.page.locator('#heard').textContent()).toBe('change paid settled')
    await shopper.leave()
  },
)

test.concurrent.each(PAGES)(
  '%scomponent: every event reaches its handler once, and the words are set',
  async (base) => {
    const shopper = await visit(base)
    await shopper.page.getByRole('button', { name: 'Pay for the kangas' }).waitFor()
    await shopper.pay()
    await shopper.page.getByText('Thank you for order-1').waitFor()
    const heard = (await shopper.page.locator('#heard').textContent())?.split(' ')
    expect([heard?.[0], heard?.slice(-3)]).toEqual(['open', ['change', 'paid', 'settled']])
    await shopper.leave()
  },
)

async function buildPage(base: string) {
  const config = {
    configFile: false,
    logLevel: 'error',
    root: 'test/frameworks/pages',
    base: `/${base}`,
    resolve: { alias: base === '' ? [] : [{ find: REACT, replacement: '$1-18' }] },
    // Only development builds of React mount every component twice.
    define: { 'process.env.NODE_ENV': '"development"' },
  } as const
  const input = 'test/frameworks/pages/component.html'
  await build({ ...config, build: { outDir: `${CACHE}/${base}`, rolldownOptions: { input } } })
  const outDir = `${CACHE}/${base}server`
  await build({ ...config, ssr: { noExternal: true }, build: { ssr: 'component.server.tsx', outDir } })
}

/** Returns a built file. The page of the component is as a server with React has rendered it. */
async function fileOf(path: string): Promise<string> {
  const text = readFileSync(CACHE + path, 'utf8')
  if (!path.endsWith('component.html')) {
    return text
  }

  const onServer = path.replace('component.html', 'server/component.server.js')
  const { rendered }: { rendered: string } = await import(CACHE + onServer)
  return text.replace('<!--rendered-->', rendered)
}

async function visit(base: string, query = '') {
  const bff = createScriptedBff(Date.now)
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const complaints: string[] = []
  context.on('weberror', (event) => complaints.push(event.error().message))
  context.on('console', (message) => {
    const isExpected = message.text().startsWith('Lit is in dev mode')
    if (['error', 'warning'].includes(message.type()) && !isExpected) {
      complaints.push(message.text())
    }
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
    if (request.url().endsWith('/stream')) {
      return route.fulfill({ headers, contentType: 'text/event-stream', body: '' })
    }

    const response = await bff.fetch(request.url(), { method: request.method(), body: request.postData() })
    await route.fulfill({ status: response.status, headers, json: await response.json() })
  })
  const page = await context.newPage()
  await page.goto(`${SHOP}/${base}component.html${query}`)
  return {
    page,
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
