/** A gateway that does not answer, or not to be used. */

import { describe, expect, test } from 'vitest'
import { DOWN } from '../support/network.ts'
import { createWorld } from '../support/world.ts'

const MINUTE = 60_000

test('a gateway that gives no usable answer for half an hour is somebody to be told of', async () => {
  const shop = await createWorld()
  shop.order('A-1')
  await shop.start('A-1')
  shop.network.weather.gateway = DOWN
  const alarms = () => shop.logged.filter(({ level }) => level === 'error')
  await shop.later(10 * MINUTE)
  expect(alarms()).toEqual([])
  await shop.later(40 * MINUTE)
  expect(alarms()).toMatchObject([
    { facts: { kind: 'checkout', failures: 10 }, message: expect.stringMatching(/a person should look/) },
  ])
})

describe('an attempt that ended, and cannot be requested about,', () => {
  test.each([
    ['fails', { fault: 'reset', next: 3 }],
    ['takes too long', { fault: 'latency', ms: 6_000, next: 1 }],
  ])('lets none begin while the question %s: it may hold money that nobody has seen', async (_, fault) => {
    const shop = await createWorld()
    shop.order('A-1')
    await shop.start('A-1')
    await shop.later(40 * 60_000)
    await shop.control('/faults', { route: '/v2/checkout/status', ...fault })
    expect((await shop.initiate('A-1')).status).toBe(503)
    expect(shop.gatewayRequests().filter((request) => request.endsWith('/initiate'))).toHaveLength(1)
    await shop.later(10_000)
    expect(await shop.start('A-1')).toMatchObject({ attempt: 2 })
  })
})
