/**
 * What is in the way: a stable code for the page, one sentence on the console for its developers, and a kind one for
 * the shopper. Each cause is told once for as long as this page is open, so no cause is in two tests.
 */

import { expect, test } from 'vitest'
import { explain } from '../../widget/diagnosis.ts'
import { shopPage } from '../support/shop-page.ts'

import type { Problem } from '../../server/api/problem.ts'
import type { PageOptions, ShopPage } from '../support/shop-page.ts'

async function listeningPage(options: PageOptions = {}): Promise<ShopPage & { codes: string[] }> {
  const codes: string[] = []
  document.body.addEventListener('checkout-error', ({ detail }) => codes.push(detail.code))
  const page = await shopPage(options)
  return { ...page, codes }
}

interface Row {
  code: string
  attributes?: Record<string, string>
  fails?: Partial<Problem> | 'network' | Response
  shopper: string
  developer: RegExp
}

const NO_WAY = 'You cannot pay here at the moment Please contact the shop.'

test.each<Row>([
  {
    code: 'no_server',
    attributes: { server: '' },
    shopper: NO_WAY,
    developer: /attribute server is missing.*https:/,
  },
  {
    code: 'no_server',
    attributes: { server: 'ftp://pay.shop.test' },
    shopper: NO_WAY,
    developer: /server="ftp:\/\/pay.shop.test" is no web address/,
  },
  { code: 'no_order', attributes: { order: '' }, shopper: NO_WAY, developer: /attribute order is missing/ },
  {
    code: 'network',
    fails: 'network',
    shopper: 'The payment service could not be reached',
    developer: /pay.shop.test could not be asked.*ALLOWED_ORIGINS names https:\/\/shop.test.*connect-src/,
  },
  {
    code: 'network',
    attributes: { server: 'http://pay.shop.test' },
    fails: 'network',
    shopper: 'The payment service could not be reached',
    developer: /page over https may not ask http:\/\/pay.shop.test/,
  },
  {
    code: 'network',
    attributes: { server: 'http://localhost:4020' },
    fails: 'network',
    shopper: 'The payment service could not be reached',
    developer: /localhost:4020 could not be asked/,
  },
  {
    code: 'invalid_answer',
    attributes: { server: 'https://shop.test/pay.shop.test' },
    fails: new Response('<h1>Not found</h1>', { status: 404 }),
    shopper: 'The payment service is not responding',
    developer: /shop.test\/pay.shop.test does not answer as a payment server does.*https:/,
  },
  {
    code: 'order_unknown',
    fails: { status: 404, code: 'order_unknown', detail: 'No such order.' },
    shopper: 'Order not found',
    developer: /No such order. The shop knows no order "order-1".*ORDERS_URL/,
  },
  {
    code: 'origin_not_allowed',
    fails: { status: 403, code: 'origin_not_allowed' },
    shopper: NO_WAY,
    developer: /Add https:\/\/shop.test to ALLOWED_ORIGINS/,
  },
  {
    code: 'not_found',
    fails: { status: 404, code: 'not_found', detail: 'There is no /checkout/checkout/initiate here.' },
    shopper: NO_WAY,
    developer: /There is no \/checkout\/checkout\/initiate here. Write no more into server/,
  },
  {
    code: 'gateway_unavailable',
    fails: { status: 503, code: 'gateway_unavailable', retryable: true },
    shopper: 'The payment service is not responding',
    developer: /See the payment server's log\.$/,
  },
  {
    code: 'gateway_refused',
    fails: { status: 502, code: 'gateway_refused', detail: 'The gateway said 172.' },
    shopper: NO_WAY,
    developer: /gateway_refused: The gateway said 172\.$/,
  },
])('$code is said to all three: $developer', async ({ code, attributes, fails, shopper, developer }) => {
  const page = await listeningPage(attributes ? { attributes } : {})
  if (fails) page.till.failNext(fails)
  await page.press(/Pay/)
  expect(page.codes).toEqual([code])
  expect(page.status()).toContain(shopper)
  await expect.poll(() => page.around.console).toEqual([expect.stringMatching(developer)])
  expect(page.around.console[0]).toContain(`<gateway-checkout> ${code}: `)
})

test('a blocked pop-up is said to all three, and the checkout goes on', async () => {
  const page = await listeningPage()
  page.around.blocksPopups = true
  await page.press(/Pay/)
  expect(page.codes).toEqual(['popup_blocked'])
  expect(page.tag.state).toBe('blocked')
  expect(page.status()).toContain('Please open it here.')
  await expect
    .poll(() => page.around.console)
    .toEqual([expect.stringMatching(/popup_blocked: .*launch="redirect"/)])
  page.till.confirm({ status: 801, outcome: 'paid', settled: true })
  await page.later(5)
  expect(page.tag.state).toBe('paid')
})

test.each([
  ['launch', 'pop-up'],
  ['theme', 'blue'],
])('an unknown %s is said before anything is pressed, and counts as auto', async (name, value) => {
  const page = await listeningPage({ attributes: { [name]: value } })
  expect(page.codes).toEqual(['unknown_value'])
  expect(page.tag.state).toBe('idle')
  const sentence = expect.stringMatching(new RegExp(`unknown_value: .*${name}="${value}"`))
  await expect.poll(() => page.around.console).toEqual([sentence])
  expect(page.till.requests).toEqual([])
})

test('what launch and theme may say is nothing to be told of', async () => {
  for (const launch of ['', 'auto', 'redirect', 'popup'] as const)
    for (const theme of ['', 'auto', 'light', 'dark'] as const) {
      const page = await listeningPage({ attributes: { launch, theme } })
      expect(page.codes).toEqual([])
    }
})

test('a cause is told once, however often it is met', async () => {
  const page = await listeningPage()
  const fail = () => page.till.failNext({ status: 503, code: 'store_unavailable', retryable: true })
  fail()
  await page.press(/Pay/)
  await expect.poll(() => page.around.console).toHaveLength(1)
  fail()
  await page.press(/Try again/)
  expect(page.codes).toEqual(['store_unavailable', 'store_unavailable'])
  page.till.failNext({ status: 503, code: 'orders_unavailable', retryable: true })
  await page.press(/Try again/)
  await expect.poll(() => page.around.console).toHaveLength(2)
})

test('a forgotten server is named where the script is from elsewhere', () => {
  const lines: string[] = []
  const console = { warn: (line: string) => lines.push(line) }
  const here = new Proxy(window, {
    get: (real, key) => (key === 'console' ? console : Reflect.get(real, key)),
  })
  for (const code of ['network', 'invalid_answer'])
    explain({ code, message: '', retryable: true, view: null }, document.body, 'https://cdn.test', here)
  const asked = 'https://cdn.test (where the script is from, because the attribute server is missing)'
  expect(lines).toEqual([
    expect.stringContaining(`${asked} could not be asked.`),
    expect.stringContaining(`${asked} does not answer as a payment server does.`),
  ])
})

test('a page that was opened as a file is told that no origin of it can be allowed', () => {
  const lines: string[] = []
  const file = { protocol: 'file:', origin: 'file://', hostname: '' }
  const opened = new Proxy(window, {
    get: (real, key) =>
      key === 'location'
        ? file
        : key === 'console'
          ? { warn: (line: string) => lines.push(line) }
          : Reflect.get(real, key),
  })
  const detail = { code: 'network', message: '', retryable: true, view: null }
  explain(detail, document.body, 'http://127.0.0.1:8080', opened)
  expect(lines).toEqual([expect.stringMatching(/opened as a file.*Serve it/)])
  expect(lines[0]).not.toContain('ALLOWED_ORIGINS')
})

test('a device without a network is said to be that', () => {
  const lines: string[] = []
  const offline = new Proxy(window, {
    get: (real, key) =>
      key === 'navigator'
        ? { onLine: false }
        : key === 'console'
          ? { warn: (line: string) => lines.push(line) }
          : Reflect.get(real, key),
  })
  const detail = { code: 'network', message: '', retryable: true, view: null }
  explain(detail, document.body, 'https://pay.shop.test', offline)
  expect(lines).toEqual(['<gateway-checkout> network: The browser is offline.'])
})
