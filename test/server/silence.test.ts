/** A gateway that does not answer, or not to be used. */

import { expect, test } from 'vitest'
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
