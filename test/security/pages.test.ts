import { describe, expect, test } from 'vitest'
import { shopWithCheckout } from '../support/shop-with-order.ts'
import { initiateAnswer } from '../support/spec-shapes.ts'
import { createWorld, PAYER, START } from '../support/world.ts'

const TAGS = [
  'en-aa-bb',
  'sw-TZ-TZ',
  'en-a',
  'fr-x',
  'pt_BR',
  'en-u-',
  'ar-'.repeat(11),
  '"><script>',
  '\r\nX: 1',
]

test.each(TAGS)(
  'a language that is not a BCP 47 tag does not break the return page of a paid checkout: %j',
  async (tag) => {
    const { shop, begun } = await shopWithCheckout({}, { launch: 'popup', lang: tag })
    await shop.pay(begun, 'approve')
    for (const accepted of [tag.replace(/[\r\n]/g, ''), 'en']) {
      const headers = { accept: 'text/html', 'accept-language': accepted }
      const answer = await shop.ask(`/checkout/return/${begun.checkout_id}`, { headers })
      const page = await answer.text()
      expect([answer.status, page.match(/<html lang="[a-zA-Z-]+"/)?.length]).toEqual([200, 1])
      expect(page).not.toContain('<script>"')
    }
  },
)

test('no cache keeps a page', async () => {
  const { shop, begun } = await shopWithCheckout({}, { launch: 'popup' })
  for (const path of [
    `/checkout/return/${begun.checkout_id}`,
    '/checkout/return/unknown',
    '/checkout/status/unknown',
  ]) {
    const { headers } = await shop.ask(path, { headers: { accept: 'text/html' } })
    expect(headers.get('content-type')).toContain('text/html')
    expect(headers.get('cache-control')).toBe('no-store')
  }
})

describe('a hosted page that is not the page of the gateway', () => {
  test.each([
    ['without TLS', 'http://gateway.example/checkout/1', 'protocol'],
    ['with a user name', 'https://x@gateway.example/checkout/1', 'user name'],
    ['with a password', 'https://:y@gateway.example/checkout/1', 'password'],
    ['on another host', 'https://gateway.example.evil.example/checkout/1', 'GATEWAY_PAGE_HOSTS'],
    ['on another port', 'https://gateway.example:8443/checkout/1', 'GATEWAY_PAGE_HOSTS'],
  ])('is never opened: %s', async (_, redirect_url, why) => {
    const { answers, logged } = await start(redirect_url)
    expect(answers.map(({ status }) => status)).toEqual([502, 502])
    for (const answer of answers) expect(await answer.text()).not.toContain(redirect_url)
    expect(logged).toContainEqual(expect.stringContaining(why))
  })

  test.each([
    ['https://gateway.example/lipa/é', 'https://gateway.example/lipa/%C3%A9'],
    ['https://gateway.example/1\r\nSet-Cookie: a=b', 'https://gateway.example/1Set-Cookie:%20a=b'],
    ['https://gateway.example/1\u0001/2', 'https://gateway.example/1%01/2'],
    [' https://gate\tway.example/1 ', 'https://gateway.example/1'],
  ])('is opened only with a URL that a header can carry: %j', async (given, opened) => {
    const [json, form] = (await start(given)).answers
    expect(await json?.json()).toMatchObject({ redirect_url: opened })
    expect([form?.status, form?.headers.get('location')]).toEqual([303, opened])
  })
})

async function start(redirect_url: string) {
  const shop = await createWorld({
    env: { GATEWAY_BASE_URL: 'https://gateway.example', PUBLIC_URL: 'https://pay.shop.example' },
    gateway(url, { body }) {
      if (!url.endsWith('/initiate')) return undefined
      const { merchant_transaction_id, amount } = JSON.parse(body ?? '{}')
      const expires_at = new Date(START + 3_600_000).toISOString()
      return Response.json({ ...initiateAnswer, merchant_transaction_id, amount, expires_at, redirect_url })
    },
  })
  const answers: Response[] = []
  for (const accept of ['application/json', 'text/html']) {
    shop.order(accept, '1500')
    const body = new URLSearchParams({ order: accept, ...PAYER }).toString()
    const type = 'application/x-www-form-urlencoded'
    const headers = { accept, 'content-type': type }
    answers.push(await shop.ask('/checkout/initiate', { method: 'POST', headers, body }))
  }
  return { answers, logged: shop.logged.map(({ message }) => message) }
}
