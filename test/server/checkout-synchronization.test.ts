import { describe, expect, test } from 'vitest'
import { CALM, DOWN } from '../support/network.ts'
import { createWorld } from '../support/world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

describe('callbacks', () => {
  test('alone bring the outcome within seconds, however soon after the start they come', async () => {
    const shop = await createWorld()
    shop.order('A-1')
    const begun = await shop.start('A-1')
    await shop.pay(begun, 'approve')
    await shop.later(2_000)
    expect(shop.types()).toEqual(['checkout.paid'])
  })

  test('every outcome arrives without them', async () => {
    const shop = await createWorld()
    shop.network.weather.callbacks = DOWN
    shop.order('A-1')
    const begun = await shop.start('A-1')
    await shop.pay(begun, 'approve')
    await shop.later(2 * MINUTE)
    expect(shop.types()).toEqual(['checkout.paid'])
  })

  test('a forged body changes nothing, and an unknown address is refused', async () => {
    const shop = await createWorld()
    shop.order('A-1')
    const begun = await shop.start('A-1')
    const path = shop.callbackPath(begun)
    const forged = { ...begun, status: 801, amount: '500', payments: [] }
    const answers = [
      await shop.ask(path, { method: 'POST', body: JSON.stringify(forged) }),
      await shop.ask(path, { method: 'POST', body: '<html>' }),
      await shop.ask(`/callbacks/checkout/${begun.merchant_transaction_id}.AAAAAAAAAAAAAAAAAAAAAA`, {
        method: 'POST',
      }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404])
    await shop.later(5_000)
    expect(await shop.status(begun.checkout_id)).toMatchObject({ outcome: 'waiting', amount_paid: '0' })
    expect(shop.types()).toEqual([])
  })

  test('a flood of them does not multiply into questions to the gateway', async () => {
    const shop = await createWorld()
    shop.order('A-1')
    const begun = await shop.start('A-1')
    const path = shop.callbackPath(begun)
    const before = shop.gatewayRequests().length
    await Promise.all(Array.from({ length: 200 }, () => shop.ask(path, { method: 'POST', body: '{}' })))
    await shop.later(5_000)
    expect(shop.gatewayRequests().length - before).toBeLessThanOrEqual(3)
  })

  test('three of each, in any order, tell the merchant once', async () => {
    const shop = await createWorld()
    shop.network.weather.callbacks = { ...CALM, repeated: 1, late: 1 }
    shop.order('A-1')
    const begun = await shop.start('A-1')
    await shop.pay(begun, 'wrong_pin')
    await shop.pay(begun, 'partial', { amount: 100 })
    await shop.pay(begun, 'approve')
    await shop.later(HOUR)
    expect(shop.types()).toEqual(['checkout.paid'])
  })
})

describe('polls', () => {
  test('a hundred pages that watch one checkout are one question', async () => {
    const shop = await createWorld()
    shop.order('A-1')
    const begun = await shop.start('A-1')
    await shop.later(3_000)
    const before = shop.gatewayRequests().length
    await Promise.all(Array.from({ length: 100 }, () => shop.status(begun.checkout_id)))
    expect(shop.gatewayRequests().length - before).toBe(1)
  })

  test('an unchanged view is a 304, and Retry-After says when to ask again', async () => {
    const shop = await createWorld()
    shop.order('A-1')
    const { checkout_id } = await shop.start('A-1')
    await shop.status(checkout_id)
    const first = await shop.ask(`/checkout/status/${checkout_id}`, {
      headers: { origin: 'https://shop.example' },
    })
    expect(first.headers.get('retry-after')).toBe('2')
    expect(first.headers.get('access-control-expose-headers')).toBe('ETag,Retry-After')
    expect(first.headers.get('access-control-allow-origin')).toBe('https://shop.example')
    const etag = first.headers.get('etag') ?? ''
    for (const known of [etag, `W/${etag}`, `"0", ${etag}`]) {
      const headers = { 'if-none-match': known }
      expect((await shop.ask(`/checkout/status/${checkout_id}`, { headers })).status).toBe(304)
    }
  })

  test('no answer from the gateway leaves the checkout as it was', async () => {
    const shop = await createWorld()
    shop.order('A-1')
    const begun = await shop.start('A-1')
    await shop.pay(begun, 'partial', { amount: 100 })
    await shop.later(3_000)
    shop.network.weather.gateway = DOWN
    await shop.later(MINUTE)
    expect(await shop.status(begun.checkout_id)).toMatchObject({ outcome: 'partial', amount_paid: '100' })
  })
})
