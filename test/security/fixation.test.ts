import { SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'

import { readConfig } from '../../server/config/config.ts'
import { API_KEY, BFF, ENVIRONMENT, SHOP } from '../support/worlds/environment.ts'
import { shopWithCheckout } from '../support/worlds/shop-with-order.ts'
import { START, createWorld } from '../support/worlds/world.ts'

import type { World } from '../support/worlds/world.ts'

const KEY = 'a signing key of 32 bytes or more'
const NOW = START / 1000
const HOUR_MS = 3_600_000

const signed = (claims: object, key = KEY) =>
  new SignJWT({
    amount: '1500',
    currency: 'KES',
    narration: 'Two kangas',
    order: 'A-1',
    aud: BFF,
    iat: NOW,
    ...claims,
  })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime(NOW + 600)
    .sign(new TextEncoder().encode(key))

const resume = (world: World, order: string, checkout_id: string) =>
  world.ask('/checkout/resume', {
    method: 'POST',
    headers: { accept: 'application/json', origin: SHOP },
    body: new URLSearchParams({ order, checkout_id }),
  })

async function resultOf(answer: Response): Promise<string> {
  const { code, order, outcome } = await answer.json()
  return answer.ok ? `${order} ${outcome}` : `${answer.status} ${code}`
}

test('a checkout belongs to the order that started it, and to no other', async () => {
  const world = await createWorld()
  for (const order of ['A-1', 'A-2']) {
    world.order(order)
  }

  const first = await world.start('A-1')
  const second = await world.start('A-2')
  for (const order of ['A-1', 'a-1']) {
    expect(await resultOf(await resume(world, order, first.checkout_id))).toBe('A-1 waiting')
  }

  const refused = new Set<string>()
  for (const [order, id] of [
    ['A-1', second.checkout_id],
    ['A-2', first.checkout_id],
    ['A-3', first.checkout_id],
    ['A-1', 'unknown'],
  ] as const) {
    refused.add(await (await resume(world, order, id)).text())
  }

  // A checkout of somebody else looks like one that does not exist.
  expect([...refused]).toEqual([
    expect.stringMatching(/"status":404.*"unknown_checkout"|"unknown_checkout".*404/),
  ])
})

test('a checkout is asked about at the gateway only for its own order', async () => {
  const world = await createWorld()
  world.order('A-1')
  const { checkout_id, ...begun } = await world.start('A-1')
  await world.pay(begun, 'approve')
  await world.later(30_000)
  const before = world.gatewayRequests().length
  await resume(world, 'A-2', checkout_id)
  expect(world.gatewayRequests()).toHaveLength(before)
  expect(await resultOf(await resume(world, 'A-1', checkout_id))).toBe('A-1 paid')
})

describe('the checkout of a signed order', () => {
  const open = () => createWorld({ ordersFromConfig: true, env: { ORDER_SIGNING_KEY: KEY } })

  test('the checkout of a signed order belongs to every order of its reference that was signed, also an expired one', async () => {
    const world = await open()
    const text = await signed({})
    const { checkout_id } = await world.start(text)
    const again = await signed({ iat: NOW - 5, narration: 'signed anew', order: 'a-1' })
    for (const order of [text, again]) {
      expect(await resultOf(await resume(world, order, checkout_id))).toMatch(/^A-1/)
    }

    await world.later(20 * 60_000)
    for (const order of [text, again]) {
      expect(await resultOf(await resume(world, order, checkout_id))).toMatch(/^A-1/)
    }
  })

  test('the checkout of a signed order does not belong to what the merchant did not sign for it', async () => {
    const world = await open()
    const text = await signed({})
    const { checkout_id } = await world.start(text)
    const [header = '', payload = '', signature = ''] = (await signed({ order: 'A-2' })).split('.')
    for (const order of [
      await signed({ order: 'A-2' }),
      await signed({}, `another ${KEY}`),
      await signed({ aud: 'https://other.example' }),
      await signed({ nbf: NOW + HOUR_MS }),
      [header, text.split('.')[1], signature].join('.'),
      [text.split('.')[0], payload, text.split('.')[2]].join('.'),
      'A-1',
      '...',
    ]) {
      expect(await resultOf(await resume(world, order, checkout_id))).toBe('404 unknown_checkout')
    }
  })
})

test('the checkout of a resolver that maps references belongs to the texts that started it', async () => {
  const world = await createWorld()
  const texts = ['session-of-asha', 'cart 7']
  for (const text of texts) {
    world.order(text, '1500', { order: 'A-1' })
  }

  const ids = new Set<string>()
  for (const text of texts) {
    ids.add((await world.start(text)).checkout_id)
  }

  expect(ids.size).toBe(1)
  const [id = ''] = ids
  // The resolver is not asked again.
  world.orders.clear()
  for (const text of texts) {
    expect(await resultOf(await resume(world, text, id))).toBe('A-1 waiting')
  }

  for (const text of ['session-of-juma', 'A-1']) {
    expect(await resultOf(await resume(world, text, id))).toBe('404 unknown_checkout')
  }
})

test('a server with the same store and another account knows nothing about a checkout that was paid in the sandbox', async () => {
  const { shop, begun, id } = await shopWithCheckout()
  await shop.pay(begun, 'approve')
  await shop.later(60_000)
  expect((await shop.status(id)).outcome).toBe('paid')
  const other = shop.replica({
    config: readConfig({
      ...ENVIRONMENT,
      GATEWAY_ENVIRONMENT: 'production',
      GATEWAY_REHEARSAL: '1',
      STORE_URL: 'sqlite:/data/checkout.sqlite',
      GATEWAY_ACCOUNT_NUMBER: 'ACC-777',
      GATEWAY_CONSUMER_SECRET: 'another-secret-of-another-account',
      MERCHANT_WEBHOOK_URL: undefined,
      MERCHANT_WEBHOOK_SECRET: undefined,
    }),
  })
  const headers = { accept: 'application/json', authorization: `Bearer ${API_KEY}` }
  const paths = ['/api/checkouts/', '/api/history/', '/checkout/status/', '/checkout/return/']
  for (const path of [...paths.map((each) => each + id), `/checkout/status/${id}/stream`]) {
    expect({ path, status: (await other.request(path, { headers })).status }).toEqual({ path, status: 404 })
  }

  const body = new URLSearchParams({ order: 'A-1', checkout_id: id })
  expect((await other.request('/checkout/resume', { method: 'POST', headers, body })).status).toBe(404)
})
