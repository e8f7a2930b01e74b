import { describe, expect, it } from 'vitest'
import { HOUR, MINUTE, openMerchant } from './merchant.ts'

const THREE_DAYS = 72 * HOUR

describe('a callback', () => {
  it('is retried three times over 48 hours while the response is not 200', async () => {
    const merchant = await openMerchant({ reply: () => new Response('busy', { status: 503 }) })
    await merchant.begin()
    await merchant.pay('approve')
    await merchant.later(THREE_DAYS)
    expect(merchant.callbacks.map(({ at }) => at - 250)).toEqual([0, MINUTE, HOUR, 48 * HOUR])
    expect(new Set(merchant.callbacks.map(({ text }) => text)).size).toBe(1)
    const [delivery] = await merchant.deliveries()
    expect(delivery).toMatchObject({ state: 'given_up', next_attempt_at: null })
    expect(delivery.attempts).toHaveLength(4)
    expect(delivery.attempts[0]).toEqual({
      at: '2026-11-21T09:00:00.250Z',
      took_ms: 0,
      outcome: { status: 503, answer: 'busy' },
    })
  })

  it('is not acknowledged by 201, 204 or a redirect', async () => {
    for (const status of [201, 204, 302]) {
      const merchant = await openMerchant({
        reply: () => new Response(null, { status, headers: { location: 'http://127.0.0.1/elsewhere' } }),
      })
      await merchant.begin()
      await merchant.pay('approve')
      await merchant.later(2 * MINUTE)
      expect(merchant.callbacks).toHaveLength(2)
    }
  })

  it('ends with the first 200', async () => {
    let answered = 0
    const merchant = await openMerchant({
      reply: () => new Response('OK', { status: answered++ === 0 ? 500 : 200 }),
    })
    await merchant.begin()
    await merchant.pay('approve')
    await merchant.later(THREE_DAYS)
    expect(merchant.callbacks).toHaveLength(2)
    const [delivery] = await merchant.deliveries()
    expect(delivery.state).toBe('delivered')
  })

  it('times out after ten seconds and does not delay others', async () => {
    const merchant = await openMerchant({
      reply: (url) => (url.includes('silent') ? new Promise(() => {}) : new Response('OK')),
    })
    await merchant.begin({ callback_url: 'http://127.0.0.1:9/silent' })
    await merchant.begin({ merchant_transaction_id: 'order-2' })
    await merchant.pay('approve')
    await merchant.pay('approve', {}, 'order-2')
    await merchant.later(1_000)
    expect(merchant.callbacks).toHaveLength(2)
    await merchant.later(10_000)
    const [silent] = await merchant.deliveries()
    const [other] = await merchant.deliveries('order-2')
    expect(silent.attempts).toMatchObject([
      { took_ms: 10_000, outcome: { error: 'No answer within 10000 ms.' } },
    ])
    expect(other.state).toBe('delivered')
  })

  it('is retried when the target cannot be reached', async () => {
    const merchant = await openMerchant({ reply: () => Promise.reject(new Error('connection refused')) })
    await merchant.begin()
    await merchant.pay('approve')
    await merchant.later(THREE_DAYS)
    expect(merchant.callbacks).toHaveLength(4)
  })

  it('goes beyond this machine only to callbackHosts', async () => {
    const callback_url = 'https://pay.shop.example/callbacks/abc'
    const closed = await openMerchant()
    await closed.begin({ callback_url })
    await closed.pay('approve')
    await closed.later(THREE_DAYS)
    expect(closed.callbacks).toEqual([])
    expect(await closed.deliveries()).toMatchObject([{ state: 'blocked' }])

    const open = await openMerchant({ callbackHosts: ['pay.shop.example'] })
    await open.begin({ callback_url })
    await open.pay('approve')
    await open.later(MINUTE)
    expect(open.callbacks).toHaveLength(1)
  })

  it('can be resent with the same bytes', async () => {
    const merchant = await openMerchant()
    await merchant.begin()
    await merchant.pay('partial')
    await merchant.pay('approve')
    await merchant.later(MINUTE)
    const [first] = await merchant.deliveries()
    expect((await merchant.post(`/_sandbox/callbacks/${first.id}/resend`, {})).status).toBe(200)
    await merchant.later(MINUTE)
    expect(merchant.callbacks.map(({ body }) => body?.status)).toEqual([802, 801, 802])
    expect(merchant.callbacks[2]?.text).toBe(merchant.callbacks[0]?.text)
    expect((await merchant.post('/_sandbox/callbacks/none/resend', {})).status).toBe(404)
  })

  it('is not sent after a reset', async () => {
    const merchant = await openMerchant({ reply: () => new Response('busy', { status: 503 }) })
    await merchant.begin()
    await merchant.pay('approve')
    await merchant.later(1_000)
    await merchant.post('/_sandbox/reset', {})
    await merchant.later(THREE_DAYS)
    expect(merchant.callbacks).toHaveLength(1)
  })
})
