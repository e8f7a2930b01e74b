import { describe, expect, test } from 'vitest'
import { DOWN } from '../support/network.ts'
import { createWorld } from '../support/world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

describe('the outcomes', () => {
  test('a payment in full is confirmed by the gateway and told to the merchant once', async () => {
    const shop = await createWorld()
    shop.order('A-1', '500')
    const begun = await shop.start('A-1')
    expect(begun).toMatchObject({ order: 'A-1', status: null, outcome: 'waiting', amount: '500', attempt: 1 })
    expect(begun.redirect_url).toMatch(/\/pay\//)

    await shop.pay(begun, 'approve')
    await shop.later(2_000)
    const paid = await shop.status(begun.checkout_id)
    expect(paid).toMatchObject({
      status: 801,
      outcome: 'paid',
      settled: true,
      amount_paid: '500',
      discrepancy: null,
    })
    expect(paid.redirect_url).toBeUndefined()
    expect(shop.types()).toEqual(['checkout.paid'])
    expect(shop.heard[0]!.data).toMatchObject({ order: 'A-1', status: 801, version: paid.version })
  })

  test('a part is told, and the rest completes the same checkout', async () => {
    const shop = await createWorld()
    shop.order('A-1', '500')
    const { checkout_id } = await shop.start('A-1')
    await shop.pay(await shop.status(checkout_id), 'partial', { amount: 200 })
    await shop.later(2_000)
    const part = await shop.status(checkout_id)
    expect(part).toMatchObject({ status: 802, outcome: 'partial', settled: false, amount_paid: '200' })
    expect(part.redirect_url).toMatch(/\/pay\//)

    await shop.pay(part, 'approve')
    await shop.later(3_000)
    expect(await shop.status(checkout_id)).toMatchObject({ status: 801, outcome: 'paid', amount_paid: '500' })
    expect(shop.types()).toEqual(['checkout.partial', 'checkout.paid'])
  })

  test('a part until expiry ends as partial, which holds money', async () => {
    const shop = await createWorld()
    shop.order('A-1', '500')
    const begun = await shop.start('A-1')
    await shop.pay(begun, 'partial', { amount: 200 })
    await shop.later(31 * MINUTE)
    expect(await shop.status(begun.checkout_id)).toMatchObject({
      status: 802,
      outcome: 'partial',
      settled: true,
    })
    expect(shop.heard.map(({ type, data }) => [type, data.settled])).toEqual([
      ['checkout.partial', false],
      ['checkout.partial', true],
    ])
  })

  test('a failed try is no end before the session is over', async () => {
    const shop = await createWorld()
    shop.order('A-1')
    const begun = await shop.start('A-1')
    await shop.pay(begun, 'wrong_pin')
    await shop.later(2_000)
    expect(await shop.status(begun.checkout_id)).toMatchObject({
      status: 803,
      outcome: 'unpaid',
      settled: false,
    })
    expect(shop.types()).toEqual([])

    await shop.later(33 * MINUTE)
    expect(await shop.status(begun.checkout_id)).toMatchObject({
      status: 803,
      outcome: 'unpaid',
      settled: true,
    })
    expect(shop.types()).toEqual(['checkout.unpaid'])
  })

  test('a prompt that is still open is not a failure', async () => {
    const shop = await createWorld()
    shop.order('A-1')
    const begun = await shop.start('A-1')
    await shop.pay(begun, 'ignore')
    await shop.later(3_000)
    expect(await shop.status(begun.checkout_id)).toMatchObject({ outcome: 'waiting', settled: false })
  })

  test('a session that nobody paid expires', async () => {
    const shop = await createWorld()
    shop.order('A-1')
    const begun = await shop.start('A-1')
    await shop.later(31 * MINUTE)
    expect(await shop.status(begun.checkout_id)).toMatchObject({
      status: 820,
      outcome: 'expired',
      settled: true,
    })
    expect(shop.types()).toEqual(['checkout.expired'])
  })

  test('too much is paid, with the excess named and told', async () => {
    const shop = await createWorld()
    shop.order('A-1', '500')
    const begun = await shop.start('A-1')
    await shop.pay(begun, 'overpay', { amount: 700 })
    await shop.later(2_000)
    expect(await shop.status(begun.checkout_id)).toMatchObject({
      status: 801,
      outcome: 'paid',
      discrepancy: 'excess',
      amount: '500',
      amount_paid: '700',
    })
    expect(shop.types()).toEqual(['checkout.paid', 'checkout.overpaid'])
  })

  test('a jammed payment needs a person and is no end', async () => {
    const shop = await createWorld()
    shop.order('A-1')
    const begun = await shop.start('A-1')
    await shop.pay(begun, 'jam')
    await shop.later(2_000)
    expect(await shop.status(begun.checkout_id)).toMatchObject({ outcome: 'jammed', settled: false })
    expect(shop.types()).toEqual(['checkout.needs_attention'])
  })

  test.each([
    ['reverse', 840, 'reversed'],
    ['refund', 841, 'refunded'],
  ])('money that leaves again days later is told: %s', async (scenario, status, outcome) => {
    const shop = await createWorld()
    shop.network.weather.callbacks = DOWN
    shop.order('A-1')
    const begun = await shop.start('A-1')
    await shop.pay(begun, 'approve')
    await shop.later(5 * DAY)
    await shop.pay(begun, scenario)
    await shop.later(3 * DAY)
    expect(await shop.status(begun.checkout_id)).toMatchObject({ status, outcome, settled: true })
    expect(shop.types()).toEqual(['checkout.paid', `checkout.${outcome}`])
  })

  test('money on its way at expiry keeps the end open until it arrives', async () => {
    const shop = await createWorld({ env: { CHECKOUT_EXPIRES_MINUTES: '1' } })
    shop.order('A-1')
    const begun = await shop.start('A-1')
    await shop.later(MINUTE - 5_000)
    await shop.pay(begun, 'slow')
    await shop.later(10_000)
    expect(await shop.status(begun.checkout_id)).toMatchObject({ settled: false })
    await shop.later(5 * MINUTE)
    expect(shop.types()).toEqual(['checkout.paid'])
  })
})

describe('the merchant is told', () => {
  test('again until the backend takes it, in order and under the same id', async () => {
    let refusals = 3
    const tried: string[] = []
    const shop = await createWorld({
      backend: ({ id, type }) => {
        tried.push(`${type} ${id}`)
        return new Response(null, { status: refusals-- > 0 ? 500 : 200 })
      },
    })
    shop.order('A-1', '500')
    const begun = await shop.start('A-1')
    await shop.pay(begun, 'partial', { amount: 200 })
    await shop.later(3_000)
    await shop.pay(begun, 'approve')
    await shop.later(HOUR)
    expect(shop.types()).toEqual(['checkout.partial', 'checkout.paid'])
    expect(new Set(tried.slice(0, 4)).size).toBe(1)
    expect(tried).toHaveLength(5)
  })
})
