import { expect, test } from 'vitest'

import { openStore } from '../../server/store/open.ts'
import { initiateAnswer } from '../support/spec/shapes.ts'
import { BFF } from '../support/worlds/environment.ts'
import { shopWithCheckout } from '../support/worlds/shop-with-order.ts'
import { START, createWorld, formOf } from '../support/worlds/world.ts'

import type { Environment } from '../../server/config/variables.ts'

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

test.each([
  ['without TLS', 'http://gateway.example/checkout/1', 'protocol'],
  ['with a user name', 'https://x@gateway.example/checkout/1', 'user name'],
  ['with a password', 'https://:y@gateway.example/checkout/1', 'password'],
  ['on another host', 'https://gateway.example.evil.example/checkout/1', 'GATEWAY_PAGE_HOSTS'],
  ['on another port', 'https://gateway.example:8443/checkout/1', 'GATEWAY_PAGE_HOSTS'],
])('a hosted page that is not the page of the gateway is never opened: %s', async (_, redirect_url, why) => {
  const { answers, logged } = await start(redirect_url)
  expect(answers.map(({ status }) => status)).toEqual([502, 502])
  for (const answer of answers) {
    expect(await answer.text()).not.toContain(redirect_url)
  }

  expect(logged).toContainEqual(expect.stringContaining(why))
})

test.each([
  ['https://gateway.example/lipa/é', 'https://gateway.example/lipa/%C3%A9'],
  ['https://gateway.example/1\r\nSet-Cookie: a=b', 'https://gateway.example/1Set-Cookie:%20a=b'],
  ['https://gateway.example/1\u0001/2', 'https://gateway.example/1%01/2'],
  [' https://gate\tway.example/1 ', 'https://gateway.example/1'],
])('a hosted page is opened only with a URL that a header can carry: %j', async (given, opened) => {
  const [json, form] = (await start(given)).answers
  expect(await json?.json()).toMatchObject({ redirect_url: opened })
  expect({ status: form?.status, location: form?.headers.get('location') }).toEqual({
    status: 303,
    location: opened,
  })
})

async function start(redirect_url: string) {
  const shop = await createWorld({
    env: { GATEWAY_BASE_URL: 'https://gateway.example', PUBLIC_URL: 'https://pay.shop.example' },
    gateway(url, { body }) {
      if (!url.endsWith('/initiate')) {
        return undefined
      }

      const { merchant_transaction_id, amount } = JSON.parse(body ?? '{}')
      const expires_at = new Date(START + 3_600_000).toISOString()
      return Response.json({ ...initiateAnswer, merchant_transaction_id, amount, expires_at, redirect_url })
    },
  })
  const answers: Response[] = []
  for (const accept of ['application/json', 'text/html']) {
    shop.order(accept, '1500')
    answers.push(await shop.ask('/checkout/initiate', formOf(accept, {}, { accept })))
  }

  return { answers, logged: shop.logged.map(({ message }) => message) }
}

const MINUTE = 60_000

test.each<[string, age: number, queriesMost: number]>([
  ['a new checkout', 0, 2],
  ['an old checkout', 10 * MINUTE, 20],
])(
  'the return page of %s causes at most one query per second, however often it is loaded',
  async (_, age, queriesMost) => {
    const pauseMs = queriesMost * 1_000
    const store = openStore('sqlite::memory:')
    let commits = 0
    const commit = store.commit.bind(store)
    const { shop, id } = await shopWithCheckout({
      store: Object.assign(store, {
        commit: (...args: Parameters<typeof commit>) => ((commits += 1), commit(...args)),
      }),
    })
    await shop.later(age)
    const queriesBefore = shop.gatewayRequests().length
    commits = 0
    const load = () => shop.ask(`/checkout/return/${id}`, { headers: { accept: 'text/html' } })
    const startedAt = shop.timeline.now()
    while (shop.timeline.now() < startedAt + pauseMs - 100) {
      await Promise.all(Array.from({ length: 10 }, load))
      await shop.later(pauseMs / 100)
    }

    const queries = shop.gatewayRequests().length - queriesBefore
    expect(queries).toBeLessThanOrEqual(queriesMost)
    // A request for a query, and its answer. A request that is stored already is not stored again.
    expect(commits).toBeLessThanOrEqual(3 * queriesMost)
  },
)

test('a shopper who returns a moment after a query sees what was paid since', async () => {
  const { shop, begun, id } = await shopWithCheckout()
  await shop.status(id)
  await shop.pay(begun, 'approve')
  await shop.ask(`/checkout/return/${id}`, { headers: { accept: 'text/html' } })
  expect(shop.types()).toEqual(['checkout.paid'])
})

const APP_PAGE = 'capacitor://localhost/thanks/1'
const RETURN_URLS =
  'https://shop.example/thanks,https://shop.example/caf%C3%A9/,https://other.example,capacitor://localhost'

async function returned(
  return_url: string,
  env: Environment = { RETURN_URLS },
): Promise<[status: number, location: string | null]> {
  const world = await createWorld({ env })
  world.order('A-1')
  const started = await world.initiate('A-1', { return_url })
  if (!started.ok) {
    return [started.status, (await started.json()).code]
  }

  const { checkout_id } = await started.json()
  const { status, headers } = await world.ask(`/checkout/return/${checkout_id}`)
  return [status, headers.get('location')?.replace(/#.*/, '') ?? null]
}

test.each([
  ...'https://shop.example/thanks/../admin https://shop.example/thanks/%2e%2e/admin'.split(' '),
  ...'https://shop.example/thanks/.%2E/admin https://shop.example/thanks\\..\\admin'.split(' '),
  ...'https://shop.example/thanks/..%2fadmin https://shop.example/thanks/..%2F..%2Fadmin'.split(' '),
  ...'https://shop.example/thanks/..%5cadmin https://shop.example/thanks/%5C..%5Cadmin'.split(' '),
  ...'https://shop.example/thanks/%252e%252e/admin https://shop.example/thanks/..%252fadmin'.split(' '),
  ...'https://shop.example/thanks/..%25255cadmin https://shop.example/thanks/..;/admin'.split(' '),
  ...'https://shop.example/thanks/%2e%2e;a=1/admin https://shop.example/thanks/%E0%A4%A'.split(' '),
  ...'https://shop.example/thanks/..%3b/admin https://shop.example/thanks/..%253bx/admin'.split(' '),
  ...'https://shop.example/thanks/..%3f/admin https://shop.example/thanks/..%23/admin'.split(' '),
  ...'https://shop.example/thanks/..%09/admin https://shop.example/thanks/.%09./admin'.split(' '),
  ...'https://shop.example/thanks/..%00/admin https://shop.example/thanks/..%20/admin'.split(' '),
  ...'https://shop.example/thanks/%EF%BC%8E%EF%BC%8E/admin https://shop.example/thanks/.%E2%80%8B./a'.split(
    ' ',
  ),
  ...'https://shop.example/thanks/..%EF%BC%8Fadmin https://shop.example/thanks/%25%32%65./admin'.split(' '),
  ...'https://shop.example/thanksgiving https://shop.example/thanks%2fgiving'.split(' '),
  ...'https://shop.example.evil.example/thanks https://shop.example@evil.example/thanks'.split(' '),
  ...'https://x@shop.example/thanks https://shop.example:444/thanks http://shop.example/thanks'.split(' '),
  ...'//evil.example/thanks javascript:alert(1)//https://shop.example/thanks'.split(' '),
  ...'data:text/html,https://shop.example/thanks blob:https://other.example/0f7c'.split(' '),
])('a return URL that leaves its folder is refused: %s', async (url) => {
  expect(await returned(url)).toEqual([422, 'return_url_not_allowed'])
})

test.each([
  ['https://shop.example/thanks'],
  ['https://shop.example/thanks/'],
  ['https://shop.example/thanks/A-1?a=..%2f&b=1'],
  ['https://shop.example/other/../thanks/1', 'https://shop.example/thanks/1'],
  ['https://shop.example/%74hanks/1'],
  ['https://shop.example/thanks/..a/b..'],
  ['https://shop.example/thanks/100%25'],
  ['https://shop.example/thanks/a%3bb/c%3fd/e%20f'],
  ['https://shop.example/thanks/a%2eb/...'],
  ['https://shop.example/café/1', 'https://shop.example/caf%C3%A9/1'],
  ['https://shop.example/caf%c3%a9/1'],
])('a return URL is allowed however it writes the same path: %s', async (url, location = url) => {
  expect(await returned(url)).toEqual([303, location])
})

test('a return URL on an origin that is allowed as a whole may have any path', async () => {
  for (const url of ['https://other.example/a%2fb/..;/c', APP_PAGE]) {
    expect(await returned(url)).toEqual([303, url])
  }
})

test.each([
  ['is allowed', {}, 303],
  ['is refused if RETURN_URLS do not name it', { RETURN_URLS }, 422],
])('a return URL on the origin of PUBLIC_URL %s', async (_, env, status) => {
  expect((await returned(`${BFF}/basket`, env))[0]).toBe(status)
  expect(await returned('capacitor://localhosts/1', env)).toEqual([422, 'return_url_not_allowed'])
})
