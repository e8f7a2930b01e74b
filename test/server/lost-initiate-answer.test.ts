import { expect, test } from 'vitest'

import { HOUR, MINUTE } from '../support/worlds/observed.ts'
import { createWorld } from '../support/worlds/world.ts'

const FAILURE = { status_code: 174, status_description: 'Generic failure', message: 'duplicate' }

const DUPLICATE = { status_code: 172, status_description: 'Validation failure', message: 'duplicate' }
const fail = () => Response.json(FAILURE, { status: 500 })

/** A shop whose gateway loses its first answer to each start, and answers every repetition with a failure. */
async function openShop(repeat = fail) {
  const gateway = { isLossy: true }
  const known = new Set<string>()
  const shop = await createWorld({
    async gateway(url, init) {
      if (!url.endsWith('/v2/checkout/initiate')) {
        return undefined
      }

      const { merchant_transaction_id: id } = JSON.parse(String(init.body))
      if (known.has(id)) {
        return repeat()
      }

      known.add(id)
      if (!gateway.isLossy) {
        return undefined
      }

      await shop.sandbox.app.request(url, init)
      return new Response(null, { status: 504 })
    },
  })
  shop.order('A-1')
  const starts = () => shop.gatewayRequests().filter((each) => each.startsWith('POST /v2/checkout/initiate'))
  return { ...shop, gateway, countStarts: () => starts().length }
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

test('a checkout whose page is unknown is given up when the gateway refuses its repetition: the next press has a page', async () => {
  const shop = await openShop(() => Response.json(DUPLICATE, { status: 400 }))
  // The request is repeated within a press, too.
  expect((await shop.initiate('A-1')).status).toBe(502)
  shop.gateway.isLossy = false
  const begun = await shop.start('A-1')
  expect(begun).toMatchObject({ attempt: 2, redirect_url: expect.any(String) })
  await shop.pay(begun, 'approve')
  await shop.later(HOUR)
  expect(shop.types()).toEqual(['checkout.paid'])
})
