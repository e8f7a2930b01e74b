import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { createMetrics } from '../../server/metrics/prometheus.ts'
import { readConfig } from '../../server/config.ts'
import { openStore } from '../../server/store/open.ts'
import { readTraceId } from '../../server/trace.ts'
import { PAYOUTS } from '../support/payable.ts'
import { HOME, LIMIT, newRow, NOW } from '../support/stored-rows.ts'
import { createWorld, ENVIRONMENT } from '../support/world.ts'

const SECOND = 1_000
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const TRACEPARENT = `00-${TRACE_ID}-00f067aa0ba902b7-01`

const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end()
})

describe('metrics', () => {
  async function measured(options: Parameters<typeof createWorld>[0] = {}) {
    const config = readConfig(ENVIRONMENT)
    const store = openStore('sqlite::memory:')
    let now = () => NOW
    const metrics = createMetrics({
      config,
      store,
      clock: { now: () => now(), sleep: () => new Promise(() => {}) },
    })
    const shop = await createWorld({ ...options, store, metrics })
    now = () => shop.timeline.now()
    const scrape = async () => (await metrics.fetch(new Request('http://localhost:9464/metrics'))).text()
    return { shop, store, metrics, scrape }
  }

  test('count requests, outcomes, exchanges and deliveries', async () => {
    const { shop, scrape } = await measured()
    shop.order('A-1')
    const begun = await shop.start('A-1')
    await shop.pay(begun, 'approve')
    await shop.later(10 * SECOND)
    await shop.status(begun.checkout_id)
    await shop.ask('/no/such/path')
    const text = await scrape()
    const missing = (lines: string[]) => lines.filter((line) => !text.split('\n').includes(line))
    expect(
      missing([
        'gateway_checkout_requests_total{method="POST",route="/checkout/initiate",status="201"} 1',
        'gateway_checkout_requests_total{method="GET",route="/checkout/status/:checkout_id",status="200"} 1',
        'gateway_checkout_requests_total{method="GET",route="none",status="404"} 1',
        'gateway_checkout_outcomes_total{kind="checkout",outcome="paid"} 1',
        'gateway_checkout_settle_seconds_count{kind="checkout"} 1',
        'gateway_checkout_gateway_seconds_count{method="POST",path="/v2/checkout/initiate",code="ok"} 1',
        'gateway_checkout_delivery_seconds_count{result="delivered"} 1',
        'gateway_checkout_delivery_seconds_count{result="given_up"} 0',
        'gateway_checkout_events_undelivered 0',
        'gateway_checkout_queue_due{queue="transactions"} 0',
        'gateway_checkout_store_up 1',
      ]),
    ).toEqual([])
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds')
    for (const secret of [begun.checkout_id, begun.merchant_transaction_id, 'Asha'])
      expect(text).not.toContain(secret)
  })

  test('show what waits, and how long the oldest has waited', async () => {
    const { shop, store, scrape } = await measured({ backend: () => new Response(null, { status: 500 }) })
    shop.order('A-1')
    await shop.pay(await shop.start('A-1'), 'approve')
    await shop.later(10 * SECOND)
    const account = { ...HOME, base_url: ENVIRONMENT['GATEWAY_BASE_URL'] ?? '' }
    const row = { account, outcome: 'needs_attention', due_at: shop.timeline.now() - 90 * SECOND } as const
    await store.insert(newRow('stuck', { ...row, kind: 'payout' }))
    const text = await scrape()
    for (const line of [
      'gateway_checkout_events_undelivered 1',
      'gateway_checkout_queue_due{queue="transactions"} 1',
      'gateway_checkout_queue_oldest_due_seconds{queue="transactions"} 90',
      'gateway_checkout_attention{kind="payout",outcome="needs_attention"} 1',
      'gateway_checkout_attention{kind="checkout",outcome="jammed"} 0',
    ])
      expect(text.split('\n')).toContain(line)
    expect(text).toMatch(/gateway_checkout_delivery_seconds_count\{result="failed"\} [1-9]/)
  })

  test('start at 0 for each outcome, limit and kind, so that an increase can be computed after a restart', async () => {
    const { scrape } = await measured()
    const lines = (await scrape()).split('\n')
    for (const line of [
      'outcomes_total{kind="checkout",outcome="paid"} 0',
      'outcomes_total{kind="payout",outcome="succeeded"} 0',
      'outcomes_total{kind="charge",outcome="needs_attention"} 0',
      'outcomes_total{kind="airtime",outcome="partial"} 0',
      'settle_seconds_count{kind="payout"} 0',
      'limited_total{limit="api_keys"} 0',
      'limited_total{limit="callbacks"} 0',
      'gateway_seconds_count{method="POST",path="/v1/auth",code="gateway_unauthorized"} 0',
    ])
      expect(lines).toContain(`gateway_checkout_${line}`)
  })

  test('say that the store cannot be written, though it can be read', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'metrics-'))
    const path = join(folder, 'store.sqlite')
    const store = openStore(`sqlite:${path}`)
    endings.push(
      () => rmSync(folder, { recursive: true }),
      () => store.close(),
    )
    let now = NOW
    const clock = { now: () => now, sleep: () => new Promise<void>(() => {}) }
    const metrics = createMetrics({ config: readConfig(ENVIRONMENT), store, clock })
    const up = async () => {
      const text = await (await metrics.fetch(new Request('http://localhost:9464/metrics'))).text()
      return /^gateway_checkout_store_up (\d)$/m.exec(text)?.[1]
    }
    expect(await up()).toBe('1')
    rmSync(path)
    now += 15 * SECOND
    expect(await up()).toBe('0')
  })

  test('say that the store cannot be read, and omit its counts', async () => {
    const { store, scrape } = await measured()
    await store.close()
    const text = await scrape()
    expect(text.split('\n')).toContain('gateway_checkout_store_up 0')
    expect(text).not.toMatch(/^gateway_checkout_(queue_due|events_undelivered)\b/m)
  })

  test('are neither on the public port nor at another path', async () => {
    const { shop, metrics } = await measured()
    expect((await shop.ask('/metrics')).status).toBe(404)
    expect((await metrics.fetch(new Request('http://localhost:9464/'))).status).toBe(404)
  })
})

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

test('one line is logged for a payment, its delivery and a refusal', async () => {
  const shop = await createWorld()
  shop.order('A-1')
  const begun = await shop.start('A-1')
  await shop.pay(begun, 'approve')
  await shop.later(10 * SECOND)
  await shop.initiate('no such order')
  const lines = shop.logged.filter(({ level }) => level === 'info')
  const trace_id = expect.stringMatching(/^[0-9a-f]{32}$/)
  expect(lines).toMatchObject([
    {
      message: 'The checkout is settled: paid.',
      facts: { kind: 'checkout', reference: begun.merchant_transaction_id, outcome: 'paid', trace_id },
    },
    {
      message: "The merchant's backend accepted checkout.paid.",
      facts: { type: 'checkout.paid', attempt: 1, trace_id },
    },
    {
      message: 'A request was refused: There is no such order.',
      facts: { code: 'order_unknown', status: 404, route: '/checkout/initiate', trace_id: null },
    },
  ])
})

test('a large backlog is counted up to a limit', async () => {
  const store = openStore('sqlite::memory:')
  endings.push(() => store.close())
  for (let i = 0; i < LIMIT + 5; i++) await store.insert(newRow(`row ${i}`))
  const due = { of: 'due', queue: 'transactions', now: NOW } as const
  expect(await store.count(HOME, due, LIMIT)).toBe(LIMIT)
  expect(await store.count(HOME, { ...due, now: NOW - 1 }, LIMIT)).toBe(0)
  expect(await store.count(HOME, { of: 'outcome', kind: 'checkout', outcome: 'waiting' }, 100)).toBe(
    LIMIT + 5,
  )
})
