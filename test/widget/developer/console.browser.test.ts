// Each console message is logged once per page, so each message occurs in only one test.

import { expect, test } from 'vitest'

import { overlay } from '../../../demo/shop/playground/stage.ts'
import { explain } from '../../../widget/developer/console.ts'
import { shopPage } from '../../support/worlds/shop-page.ts'

import type { Problem } from '../../../server/api/refusal.ts'
import type { PageOptions, ShopPage } from '../../support/worlds/shop-page.ts'

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
    developer: /server="ftp:\/\/pay.shop.test" is not a web address/,
  },
  { code: 'no_order', attributes: { order: '' }, shopper: NO_WAY, developer: /attribute order is missing/ },
  {
    code: 'network',
    fails: 'network',
    shopper: 'No connection to the payment service',
    developer:
      /The request to https:\/\/pay.shop.test failed.*ALLOWED_ORIGINS contains https:\/\/shop.test.*connect-src.*no script that replaces fetch/,
  },
  {
    code: 'network',
    attributes: { server: 'http://pay.shop.test' },
    fails: 'network',
    shopper: 'No connection to the payment service',
    developer: /page over https may not request http:\/\/pay.shop.test/,
  },
  {
    code: 'invalid_answer',
    attributes: { server: 'https://shop.test/pay.shop.test' },
    fails: new Response('<h1>Not found</h1>', { status: 404 }),
    shopper: 'The payment service is not responding',
    developer:
      /shop.test\/pay.shop.test does not answer as a payment server does: HTTP 404 from https:\/\/shop.test\/pay.shop.test\/checkout\/initiate\./,
  },
  {
    code: 'order_unknown',
    fails: { status: 404, code: 'order_unknown', detail: 'No such order.' },
    shopper: 'Order not found',
    developer: /No such order. The shop knows no order "order-1".*ORDERS_URL/,
  },
  {
    code: 'order_invalid',
    fails: {
      status: 400,
      code: 'order_invalid',
      detail: 'The signed order is refused: its signature is wrong.',
    },
    shopper: 'This order is not valid',
    developer: /its signature is wrong/,
  },
  {
    code: 'origin_not_allowed',
    fails: { status: 403, code: 'origin_not_allowed' },
    shopper: NO_WAY,
    developer: /Add https:\/\/shop.test to ALLOWED_ORIGINS/,
  },
  {
    code: 'return_url_not_allowed',
    attributes: { server: 'https://shop.test/pay' },
    fails: { status: 422, code: 'return_url_not_allowed' },
    shopper: NO_WAY,
    developer: /another address in PUBLIC_URL: set it to https:\/\/shop.test\/pay\.$/,
  },
  {
    code: 'currency_not_supported',
    fails: Response.json({ code: 'currency_not_supported' }, { status: 422 }),
    shopper: NO_WAY,
    developer: /currency_not_supported: Add a service for the currency/,
  },
  {
    code: 'not_found',
    fails: { status: 404, code: 'not_found', detail: 'There is no /checkout/checkout/initiate here.' },
    shopper: NO_WAY,
    developer:
      /There is no \/checkout\/checkout\/initiate here. HTTP 404 below https:\/\/pay.shop.test\/. Check that server is/,
  },
  {
    code: 'gateway_refused',
    fails: { status: 502, code: 'gateway_refused', detail: 'The gateway said 172.' },
    shopper: NO_WAY,
    developer: /gateway_refused: The gateway said 172\. Check the payment server's log\.$/,
  },
])(
  '$code has an event, a console message and a sentence: $developer',
  async ({ code, attributes, fails, shopper, developer }) => {
    const page = await listeningPage(attributes ? { attributes } : {})
    if (fails) {
      page.bff.failNext(fails)
    }

    await page.press(/Pay/)
    expect(page.codes).toEqual([code])
    if (!fails) {
      expect(page.around.popups).toEqual([])
    }

    expect(page.status()).toContain(shopper)
    await expect.poll(() => page.around.console).toEqual([expect.stringMatching(developer)])
    expect(page.around.console[0]).toContain(`<gateway-checkout> ${code}: `)
  },
)

test.each([
  ['the payment server is on this machine', 'network', { server: 'http://localhost:4021' }],
  ['the payment server is there', 'network', { server: 'http://127.0.0.1:4021' }],
  ['the payment server is somewhere else', '', { server: 'https://localhost.shop.test' }],
])('the element names the cause to developers where %s', async (_, cause, attributes) => {
  const page = await listeningPage({ attributes })
  page.bff.failNext('network')
  await page.press(/Pay/)
  await expect.poll(() => page.around.console).toHaveLength(1)
  if (cause) {
    await expect
      .poll(page.status)
      .toMatch(/No connection.*The request to http.*:4021 failed. Check that it is/)
    expect(page.status()).not.toContain('check your connection')
  } else {
    expect(page.status()).toContain('Please check your connection.')
  }

  await page.press(/Try again/)
  expect(page.status()).not.toMatch(/connection|The request/)
})

test.each(['about:srcdoc', 'blob:https://shop.test/4d7a'])(
  'a relative server in a frame of %s is refused with the reason, and an absolute one has no page to return to',
  async (href) => {
    const page = await listeningPage({ attributes: { server: `/pay?${href}` } })
    page.around.href = href
    await page.press(/Pay/)
    expect(page.codes).toEqual(['no_server'])
    await expect
      .poll(() => page.around.console)
      .toEqual([expect.stringMatching(/relative.*no meaning in a frame/)])
    page.tag.server = 'https://pay.shop.test'
    await page.later(0)
    await page.press(/Pay/)
    expect(page.bff.requests[0]?.form['return_url']).toBe('')
  },
)

test('a blocked pop-up has an event, a console message and a sentence, and the checkout goes on', async () => {
  const page = await listeningPage()
  page.around.blocksPopups = true
  await page.press(/Pay/)
  expect(page.codes).toEqual(['popup_blocked'])
  expect(page.tag.state).toBe('blocked')
  expect(page.status()).toContain('Please open it here.')
  expect(page.tag.shadowRoot?.querySelector('a')).toMatchObject({
    href: 'https://pay.gateway.test/pay/1',
    target: '_blank',
  })
  await expect
    .poll(() => page.around.console)
    .toEqual([expect.stringMatching(/popup_blocked: .*launch="redirect"/)])
  await page.confirm({ status: 801, outcome: 'paid', settled: true })
  expect(page.tag.state).toBe('paid')
})

test.each([
  ['launch', 'pop-up'],
  ['theme', 'blue'],
])('an unknown value of %s is reported before the first click, and counts as auto', async (name, value) => {
  const page = await listeningPage({ attributes: { [name]: value } })
  expect(page.codes).toEqual(['unknown_value'])
  expect(page.tag.state).toBe('idle')
  const sentence = expect.stringMatching(new RegExp(`unknown_value: .*${name}="${value}"`))
  await expect.poll(() => page.around.console).toEqual([sentence])
  expect(page.bff.requests).toEqual([])
})

test('a message is logged once, however often the error occurs', async () => {
  const page = await listeningPage()
  const fail = () => page.bff.failNext({ status: 503, code: 'store_unavailable', retryable: true })
  fail()
  await page.press(/Pay/)
  await expect.poll(() => page.around.console).toHaveLength(1)
  fail()
  await page.press(/Try again/)
  expect(page.codes).toEqual(['store_unavailable', 'store_unavailable'])
  page.bff.failNext({ status: 503, code: 'orders_unavailable', retryable: true })
  await page.press(/Try again/)
  await expect.poll(() => page.around.console).toHaveLength(2)
})

test.each<[string, 'network' | 'invalid_answer', object, string, RegExp]>([
  [
    'names the origin of the script where the attribute server is missing',
    'invalid_answer',
    {},
    'https://cdn.test',
    /: https:\/\/cdn.test \(the origin of the script, because the attribute server is missing\) does not answer/,
  ],
  [
    'names no ALLOWED_ORIGINS where a page opened from disk has no origin',
    'network',
    { location: { protocol: 'file:', origin: 'file://', hostname: '' } },
    'http://127.0.0.1:8080',
    /^(?!.*ALLOWED_ORIGINS).*opened from disk.*Serve it/,
  ],
  [
    'says that the browser is offline',
    'network',
    { navigator: { onLine: false } },
    'https://pay.shop.test',
    /^<gateway-checkout> network: The browser is offline\.$/,
  ],
])('the message %s', (_, code, staged, base, message) => {
  const lines: string[] = []
  const console = { warn: (line: string) => lines.push(line) }
  explain(
    { code, message: '', retryable: true, view: null },
    document.createElement('gateway-checkout'),
    base,
    overlay(window, () => ({ console, ...staged })),
  )
  expect(lines).toEqual([expect.stringMatching(message)])
})
