import { expect, test } from 'vitest'

import { HOUR, MINUTE } from '../support/observed.ts'
import { createWorld } from '../support/world.ts'

const FAILURE = { status_code: 174, status_description: 'Generic failure', message: 'duplicate' }

/** A shop whose gateway loses its first answer to each start, and answers every repetition with a failure. */
async function openShop() {
  const known = new Set<string>()
  const shop = await createWorld({
    async gateway(url, init) {
      if (!url.endsWith('/v2/checkout/initiate')) {
        return undefined
      }
      const { merchant_transaction_id: id } = JSON.parse(String(init.body))
      if (known.has(id)) {
        return Response.json(FAILURE, { status: 500 })
      }
      known.add(id)
      await shop.sandbox.app.request(url, init)
      return new Response(null, { status: 504 })
    },
  })
  shop.order('A-1')
  const starts = () => shop.gatewayRequests().filter((each) => each.startsWith('POST /v2/checkout/initiate'))
  return { ...shop, countStarts: () => starts().length }
}

test('a checkout whose page is unknown is sent again by a press only', async () => {
  const shop = await openShop()
  expect((await shop.initiate('A-1')).status).toBe(503)
  const sent = shop.countStarts()
  await shop.later(10 * MINUTE)
  expect(shop.countStarts()).toBe(sent)
  expect((await shop.initiate('A-1')).status).toBe(503)
  expect(shop.countStarts()).toBeGreaterThan(sent)
})

test('a checkout whose page is unknown ends with its session, and its order can be paid again', async () => {
  const shop = await openShop()
  await shop.initiate('A-1')
  await shop.later(HOUR)
  expect(shop.types()).toEqual(['checkout.expired'])
  await shop.initiate('A-1')
  expect((await shop.rows()).map(({ attempt }) => attempt).toSorted((a, b) => a - b)).toEqual([1, 2])
})
