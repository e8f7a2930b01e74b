import { describe, expect, test } from 'vitest'
import { readTraceId } from '../../server/http/trace.ts'
import { PAYOUTS } from '../support/payable.ts'
import { createWorld } from '../support/world.ts'

const SECOND = 1_000
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const TRACEPARENT = `00-${TRACE_ID}-00f067aa0ba902b7-01`

describe('a trace', () => {
  const idsOf = (headers: (string | undefined)[]) =>
    new Set(headers.filter(Boolean).map((header) => readTraceId(header)))

  test("of the merchant's request goes on to the gateway and to the event, over a restart", async () => {
    const away = { is: true }
    const shop = await createWorld({ backend: () => new Response(null, { status: away.is ? 500 : 204 }) })
    await shop.api('/payouts', PAYOUTS.local, { traceparent: TRACEPARENT })
    await shop.later(60 * SECOND)
    await shop.restart()
    away.is = false
    await shop.later(600 * SECOND)
    expect(shop.types()).toContain('payout.succeeded')
    expect(idsOf(shop.traceparents.gateway)).toEqual(new Set([TRACE_ID]))
    expect(idsOf(shop.traceparents.merchant)).toEqual(new Set([TRACE_ID]))
    expect(new Set(shop.traceparents.merchant).size).toBe(shop.traceparents.merchant.length)
    const about = shop.logged.filter(({ facts }) => 'trace_id' in facts && facts.trace_id === TRACE_ID)
    expect(about.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        'Exchange with the gateway',
        'The payout is settled: succeeded.',
        'An event could not be delivered to the merchant; it is retried.',
        "The merchant's backend accepted payout.succeeded.",
      ]),
    )
  })

  test('of a checkout begins here, whatever its page sends, and differs from every other', async () => {
    const shop = await createWorld()
    for (const order of ['A-1', 'A-2']) {
      shop.order(order)
      const answer = await shop.ask('/checkout/initiate', {
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/json', traceparent: TRACEPARENT },
        body: JSON.stringify({
          order,
          payer_name: 'A B',
          payer_email: 'a@b.example',
          payer_msisdn: '0700000001',
        }),
      })
      await shop.pay(await answer.json(), 'approve')
    }
    await shop.later(10 * SECOND)
    const told = idsOf(shop.traceparents.merchant)
    expect(told.size).toBe(2)
    expect(told).not.toContain(TRACE_ID)
    expect(idsOf(shop.traceparents.gateway)).toEqual(told)
  })

  test.each([
    '',
    '00-0-0-01',
    `ff-${TRACE_ID}-00f067aa0ba902b7-01`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
  ])('is not taken over from the invalid header "%s"', (header) => expect(readTraceId(header)).toBeNull())
})
