import { beforeEach, expect, test } from 'vitest'
import type { World } from '../support/world.ts'
import { DOWN, RELIABLE } from '../support/network.ts'
import { createWorld } from '../support/world.ts'

const SECOND = 1_000

let shop: World
// A request for a payout's status would query the gateway, so the stored row is read.
const outcomeOf = async (reference: string) =>
  (await shop.rows()).find((row) => row.reference === reference)?.outcome

beforeEach(async () => {
  shop = await createWorld()
  await shop.control('/faults', { route: '*', fault: 'callback_drop', probability: 1, seed: 1 })
})

test('a payout whose answer was lost in a crash is settled within 30 seconds', async () => {
  await shop.payOut('local', { payout_reference: 'P-first' })
  // The gateway has the payout; the server is killed before the gateway's response arrives.
  await shop.control('/faults', { route: '/v1/payouts/initiate', fault: 'latency', ms: 5_000, next: 1 })
  // The killed server never answers.
  shop.payOut('local').catch(() => {})
  await shop.later(1)
  await shop.restart()
  expect(await outcomeOf('P-1')).toBe('sending')
  await shop.later(30 * SECOND)
  expect(await outcomeOf('P-1')).toBe('succeeded')
})

test('a payout that was sent a second time just before a crash is settled within 30 seconds', async () => {
  await shop.payOut('local', { payout_reference: 'P-first' })
  const sends = () => shop.gatewayRequests().filter((sent) => sent === 'POST /v1/payouts/initiate').length
  shop.network.reliability.gateway = DOWN
  shop.payOut('local').catch(() => {})
  await shop.later(10 * SECOND)
  shop.network.reliability.gateway = RELIABLE
  await shop.control('/faults', { route: '/v1/payouts/initiate', fault: 'latency', ms: 5_000, next: 1 })
  for (let waited = 0; sends() < 2 && waited < 300; waited++) await shop.later(SECOND)
  expect(sends()).toBe(2)
  await shop.restart()
  expect(await outcomeOf('P-1')).toBe('sending')
  await shop.later(30 * SECOND)
  expect(await outcomeOf('P-1')).toBe('succeeded')
})

test('a payout that was sent a second time after a long outage is settled within 30 seconds', async () => {
  await shop.payOut('local', { payout_reference: 'P-first' })
  const sends = () => shop.gatewayRequests().filter((sent) => sent === 'POST /v1/payouts/initiate').length
  shop.network.reliability.gateway = DOWN
  shop.payOut('local').catch(() => {})
  await shop.later(300 * SECOND)
  const before = sends()
  shop.network.reliability.gateway = RELIABLE
  for (let waited = 0; sends() === before && waited < 900; waited++) await shop.later(SECOND)
  expect(sends()).toBe(before + 1)
  expect(await outcomeOf('P-1')).toBe('pending')
  await shop.later(30 * SECOND)
  expect(await outcomeOf('P-1')).toBe('succeeded')
})

test('a payout that was being queried in a crash is settled within 30 seconds', async () => {
  await shop.payOut('local')
  await shop.control('/faults', { route: '/v1/payouts/P-1/status', fault: 'latency', ms: 5_000, next: 1 })
  await shop.later(21 * SECOND)
  expect(shop.gatewayRequests()).toContain('GET /v1/payouts/P-1/status')
  await shop.restart()
  expect(await outcomeOf('P-1')).toBe('pending')
  await shop.later(30 * SECOND)
  expect(await outcomeOf('P-1')).toBe('succeeded')
})
