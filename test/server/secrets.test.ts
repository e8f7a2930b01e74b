import { expect, test } from 'vitest'
import { DOWN } from '../support/network.ts'
import { shopWithCheckout } from '../support/shop-with-order.ts'

test('each exchange with the gateway is logged for debugging, without a reference, a token or a body', async () => {
  const { shop } = await shopWithCheckout()
  shop.network.reliability.gateway = DOWN
  await shop.payOut('local')
  const exchanges = shop.logged.filter(({ level }) => level === 'debug').map(({ facts }) => facts)
  const ms = expect.any(Number)
  const trace_id = expect.stringMatching(/^[0-9a-f]{32}$/)
  expect(exchanges.slice(0, 2)).toEqual([
    { method: 'POST', path: '/v1/auth', status: 201, code: null, ms, trace_id: null },
    { method: 'POST', path: '/v2/checkout/initiate', status: 200, code: null, ms, trace_id },
  ])
  const lost = { status: null, code: 'gateway_timeout', ms: 8_000, trace_id }
  expect(exchanges).toContainEqual({ method: 'POST', path: '/v1/payouts/initiate', ...lost })
})
