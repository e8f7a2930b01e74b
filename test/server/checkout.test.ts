import { describe, expect, test } from 'vitest'

import { signOrder } from '../../server/index.ts'
import { BFF, SHOP } from '../support/worlds/environment.ts'
import { RELIABLE, DOWN } from '../support/worlds/network.ts'
import { shopWithCheckout, shopWithOrder } from '../support/worlds/shop-with-order.ts'
import { createWorld, formOf, START } from '../support/worlds/world.ts'

import type { World } from '../support/worlds/world.ts'

const KEY = 'a signing key of 32 bytes or more'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

describe('one order, one live checkout', () => {
  test('a first start costs one request', async () => {
    const { shop } = await shopWithCheckout()
    shop.order('A-2')
    await shop.start('A-2')
    const opening = 'POST /v2/checkout/initiate'
    expect(shop.gatewayRequests()).toEqual(['POST /v1/auth', opening, opening])
  })

  describe('an order that the gateway refuses as a duplicate', () => {
    const DUPLICATE = {
      status_code: 172,
      status_description: 'Generic validation failure',
      message: 'duplicate',
    }
    const PAYMENT = { payment_status: 700, amount: '500', transaction_id: 'T1' }

    /** The gateway refuses the first request, and knows a session under its id. */
    async function refusedOnce(report: { status: number; amount: string; payments: readonly object[] }) {
      let refused: string | null = null
      const { shop } = await shopWithOrder({
        gateway(url, { body }) {
          const [, id] = /\/v2\/checkout\/status\/(.+)$/.exec(url) ?? []
          if (id !== undefined && id === refused) {
            const payments = report.payments.map((each) => ({ ...each, external_reference: id }))
            const session = { merchant_transaction_id: id, checkout_reference: 'C', currency: 'KES' }
            return Response.json({ ...session, ...report, payments })
          }
          if (refused !== null || !url.endsWith('/initiate')) {
            return undefined
          }

          refused = JSON.parse(body ?? '').merchant_transaction_id
          return Response.json(DUPLICATE, { status: 400 })
        },
      })
      const sent = () => shop.gatewayRequests().filter((request) => request.endsWith('/initiate')).length
      return { shop, sent }
    }

    test('an order that the gateway refuses as a duplicate is paid if the gateway has its money, and is never sent again', async () => {
      const { shop, sent } = await refusedOnce({ status: 801, amount: '500', payments: [PAYMENT] })
      for (let start = 0; start < 2; start++) {
        const view = await shop.start('A-1')
        expect(view).toMatchObject({ outcome: 'paid', attempt: 1 })
        expect(view).not.toHaveProperty('redirect_url')
      }

      expect(sent()).toBe(1)
    })

    test('an order refused as a duplicate that nobody can pay is given up, and the next press has a page', async () => {
      const { shop, sent } = await refusedOnce({ status: 803, amount: '0', payments: [] })
      expect((await shop.initiate('A-1')).status).toBe(502)
      expect(await shop.start('A-1')).toMatchObject({ attempt: 2, redirect_url: expect.any(String) })
      expect(sent()).toBe(2)
    })
  })

  test.each([
    [
      'with an error',
      () => Response.json({ status_code: 172, status_description: 'Archived' }, { status: 400 }),
    ],
    ['with a page', () => new Response('<h1>Not found</h1>', { status: 404 })],
  ])('an order is paid beside an old attempt about which the gateway answers %s', async (_, answer) => {
    let isOld = false
    const { shop } = await shopWithCheckout({
      gateway: (url) => (isOld && url.includes('/v2/checkout/status/') ? answer() : undefined),
    })
    await shop.later(HOUR)
    isOld = true
    expect((await shop.initiate('A-1')).status).toBe(503)
    await shop.later(DAY)
    await shop.initiate('A-1')
    await shop.later(MINUTE)
    expect(await shop.start('A-1')).toMatchObject({ attempt: 2 })
  })

  test('an order whose amount is 0 is named in the log', async () => {
    const { shop } = await shopWithOrder()
    shop.order('A-0', 0)
    await shop.initiate('A-0')
    expect(shop.logged).toContainEqual(
      expect.objectContaining({ level: 'warn', message: expect.stringMatching(/amount .*more than zero/) }),
    )
    const before = shop.logged.filter(({ level }) => level === 'warn')
    await shop.initiate('A-1')
    expect(shop.logged.filter(({ level }) => level === 'warn')).toEqual(before)
  })

  describe('an order that the shop gives no longer', () => {
    const posts = (shop: World) =>
      shop.gatewayRequests().filter((line) => line === 'POST /v2/checkout/initiate').length

    test('an order that the shop gives no longer is shown as paid to whoever has paid it', async () => {
      const { shop, begun: checkout } = await shopWithCheckout()
      await shop.pay(checkout, 'approve')
      await shop.later(MINUTE)
      shop.orders.delete('A-1')
      expect(await shop.start('A-1')).toMatchObject({ checkout_id: checkout.checkout_id, outcome: 'paid' })
      const plain = formOf('A-1', {}, { origin: SHOP, accept: 'text/html' })
      const { status, headers } = await shop.ask('/checkout/initiate', plain)
      expect({ status, location: headers.get('location') }).toEqual({
        status: 303,
        location: `${BFF}/checkout/return/${checkout.checkout_id}`,
      })
    })

    test('an order that the shop gives no longer leads nobody to its page, and is not started again', async () => {
      const { shop, begun: checkout } = await shopWithCheckout()
      shop.orders.delete('A-1')
      const before = posts(shop)
      const shown = await shop.start('A-1')
      expect(shown).toMatchObject({ checkout_id: checkout.checkout_id, outcome: 'waiting' })
      expect(shown).not.toHaveProperty('redirect_url')
      await shop.later(HOUR)
      expect((await shop.initiate('A-1')).status).toBe(404)
      expect(posts(shop)).toBe(before)
    })

    test('a signed order that has ended is shown as paid to whoever has paid it', async () => {
      const shop = await createWorld({ ordersFromConfig: true, env: { ORDER_SIGNING_KEY: KEY } })
      const text = await signOrder(
        { order: 'A-1', amount: 500, currency: 'KES', narration: 'Two kangas' },
        { key: KEY, audience: BFF, issuedAt: START / 1_000, lifetime: 60 },
      )
      const checkout = await shop.start(text)
      await shop.pay(checkout, 'approve')
      await shop.later(5 * MINUTE)
      expect(await shop.start(text)).toMatchObject({ checkout_id: checkout.checkout_id, outcome: 'paid' })
    })
  })

  test('a changed order waits until the old terms can no longer be paid', async () => {
    const { shop } = await shopWithCheckout()
    shop.order('A-1', '600')
    const refused = await shop.initiate('A-1')
    expect({ status: refused.status, 'content-type': refused.headers.get('content-type') }).toEqual({
      status: 409,
      'content-type': 'application/problem+json',
    })
    expect(await refused.json()).toMatchObject({ code: 'order_changed', retryable: false, status: 409 })
    await shop.later(40 * MINUTE)
    expect(await shop.start('A-1')).toMatchObject({ amount: '600', attempt: 2 })
  })

  test.each([
    ['whose answer was lost is settled by the next click', { ...RELIABLE, answerLost: 1 }, 0, 1],
    ['whose answer was lost is found by asking', { ...RELIABLE, answerLost: 1 }, 2 * MINUTE, 1],
    ['that never arrived is given up after two minutes', DOWN, 5 * MINUTE, 2],
  ])('an intent %s', async (_, reliability, ms, attempt) => {
    const { shop } = await shopWithCheckout()
    shop.order('A-2')
    shop.network.reliability.gateway = reliability
    const unclear = await shop.initiate('A-2')
    expect(unclear.status).toBe(503)
    expect(await unclear.json()).toMatchObject({ code: 'gateway_unavailable', retryable: true })
    shop.network.reliability.gateway = RELIABLE
    await shop.later(ms)
    expect(await shop.start('A-2')).toMatchObject({ attempt, outcome: 'waiting' })
  })
})

test('what another process has just sent is not sent', async () => {
  let posts = 0
  let isAway = true
  const { shop } = await shopWithOrder({
    gateway(url) {
      if (!url.endsWith('/initiate')) {
        return undefined
      }

      posts += 1
      return isAway ? new Response(null, { status: 503 }) : undefined
    },
  })
  await shop.initiate('A-1')
  await shop.later(10_000)
  isAway = false
  const commit = shop.store.commit.bind(shop.store)
  let raced = 0
  // The other process stores its send between this one's look and its own mark.
  shop.store.commit = async (id, revision, change) => {
    const isMark = change.sent_at !== undefined && raced === 0
    const saved = await commit(id, revision, change)
    if (!isMark) {
      return saved
    }

    raced += 1
    return null
  }
  const before = posts
  await shop.initiate('A-1')
  expect({ raced, posts }).toEqual({ raced: 1, posts: before })
})
