import { describe, expect, test } from 'vitest'

import { readConfig } from '../../../server/config/config.ts'
import { createMetrics } from '../../../server/metrics/prometheus.ts'
import { openStore } from '../../../server/store/open.ts'
import { MINUTE, SECOND } from '../../../server/transactions/schedule.ts'
import { newRow, NOW } from '../../support/contracts/stored-rows.ts'
import { ENVIRONMENT } from '../../support/worlds/environment.ts'
import { DOWN, RELIABLE } from '../../support/worlds/network.ts'
import { createWorld } from '../../support/worlds/world.ts'

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

    const read = async (name: string) => {
      const line = new RegExp(`^gateway_checkout_${name}(?:\\{\\w+="(\\w+)"\\})? (\\d+)$`, 'gm')
      const lines = (await scrape()).matchAll(line)
      return Object.fromEntries([...lines].map(([, label = '', value]) => [label, Number(value)]))
    }

    return { shop, store, metrics, scrape, read }
  }

  test('metrics count requests, outcomes, exchanges and deliveries', async () => {
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
    for (const secret of [begun.checkout_id, begun.merchant_transaction_id, 'Asha']) {
      expect(text).not.toContain(secret)
    }
  })

  test('metrics show what waits, and how long the oldest has waited', async () => {
    const { shop, store, scrape } = await measured({ backend: () => new Response(null, { status: 500 }) })
    shop.order('A-1')
    await shop.pay(await shop.start('A-1'), 'approve')
    await shop.later(10 * SECOND)
    const row = { outcome: 'needs_attention', due_at: shop.timeline.now() - 90 * SECOND } as const
    await store.insert(newRow('stuck', { ...row, kind: 'payout' }))
    const text = await scrape()
    for (const line of [
      'gateway_checkout_events_undelivered 1',
      'gateway_checkout_queue_due{queue="transactions"} 1',
      'gateway_checkout_queue_oldest_due_seconds{queue="transactions"} 90',
      'gateway_checkout_attention{kind="payout",outcome="needs_attention"} 1',
      'gateway_checkout_attention{kind="checkout",outcome="jammed"} 0',
    ]) {
      expect(text.split('\n')).toContain(line)
    }

    expect(text).toMatch(/gateway_checkout_delivery_seconds_count\{result="failed"\} [1-9]/)
  })

  test('metrics start at 0 for each outcome, limit and kind, so that an increase can be computed after a restart', async () => {
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
    ]) {
      expect(lines).toContain(`gateway_checkout_${line}`)
    }
  })

  test('metrics say that the store cannot be read, and omit its counts', async () => {
    const { store, scrape } = await measured()
    await store.close()
    const text = await scrape()
    expect(text.split('\n')).toContain('gateway_checkout_store_up 0')
    expect(text).not.toMatch(/^gateway_checkout_(queue_due|events_undelivered)\b/m)
  })

  test("metrics show how far this server's clock is ahead of the gateway's", async () => {
    const { shop, scrape } = await measured()
    shop.order('A-1')
    const { checkout_id } = await shop.start('A-1')
    expect(await scrape()).toMatch(/^gateway_checkout_clock_skew_seconds 0$/m)
    shop.bffClock.aheadMs = -40 * MINUTE
    await shop.later(10 * SECOND)
    await shop.status(checkout_id)
    expect(await scrape()).toMatch(/^gateway_checkout_clock_skew_seconds -2(399|400)(\.\d+)?$/m)
  })

  test('metrics count the open streams', async () => {
    const { shop, read } = await measured()
    shop.order('A-1')
    const { checkout_id } = await shop.start('A-1')
    const open = () => shop.ask(`/checkout/status/${checkout_id}/stream`)
    const first = await open()
    const second = await open()
    expect(await read('streams')).toEqual({ '': 2 })
    await first.body?.cancel()
    expect(await read('streams')).toEqual({ '': 1 })
    await second.body?.cancel()
    expect(await read('streams')).toEqual({ '': 0 })
  })

  test('metrics tell that the breaker of the gateway or of the backend is open', async () => {
    let status = 500
    const { shop, read } = await measured({ backend: () => new Response(null, { status }) })
    const started = []
    for (let order = 1; order <= 25; order++) {
      shop.order(`A-${order}`)
      started.push(await shop.start(`A-${order}`))
    }

    expect(await read('breaker_open')).toEqual({ gateway: 0, backend: 0 })
    for (const checkout of started) {
      await shop.pay(checkout, 'approve')
    }

    await shop.later(MINUTE)
    expect(await read('breaker_open')).toEqual({ gateway: 0, backend: 0 })
    shop.network.reliability.merchant = DOWN
    await shop.later(10 * MINUTE)
    expect(await read('breaker_open')).toEqual({ gateway: 0, backend: 1 })
    shop.network.reliability.merchant = RELIABLE
    status = 200
    shop.network.reliability.gateway = DOWN
    for (let order = 101; order <= 125; order++) {
      shop.order(`A-${order}`)
      await shop.initiate(`A-${order}`)
    }

    await shop.later(MINUTE)
    expect(await read('breaker_open')).toEqual({ gateway: 1, backend: 0 })
    shop.network.reliability.gateway = RELIABLE
    await shop.later(MINUTE)
    expect(await read('breaker_open')).toEqual({ gateway: 0, backend: 0 })
  })
})
