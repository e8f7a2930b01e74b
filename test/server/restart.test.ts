import { beforeEach, expect, test } from 'vitest'
import type { World } from '../support/world.ts'
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
