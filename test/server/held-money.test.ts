import { describe, expect, test } from 'vitest'

import { MINUTE, SECOND } from '../../server/transactions/schedule.ts'
import { DOWN } from '../support/worlds/network.ts'
import { HOUR } from '../support/worlds/observed.ts'
import { shopWithCheckout } from '../support/worlds/shop-with-order.ts'

// What a checkout without an answer that can be used comes to, and what holds money, is proven by `pay-in` and
// `attempt`.
test('the gateway is asked before a new checkout, however recently it was', async () => {
  const { shop, begun, id } = await shopWithCheckout()
  shop.network.reliability.callbacks = DOWN
  while (!(await shop.status(id)).settled) {
    await shop.later(5_000)
  }

  await shop.later(10_000)
  // The operator is late, and the callback is lost.
  shop.alterAnswers((text) => {
    const { merchant_transaction_id: external_reference, ...body } = JSON.parse(text)
    const payment = { amount: '500', payment_status: 700, transaction_id: 'T1', external_reference }
    const paid = { ...body, merchant_transaction_id: external_reference, amount: '500', payments: [payment] }
    return body.status === undefined ? text : JSON.stringify({ ...paid, status: 801 })
  })
  await shop.later(30_000)
  const before = shop.gatewayRequests().length
  expect(await (await shop.initiate('A-1')).json()).toMatchObject({ attempt: 1, outcome: 'paid' })
  expect(shop.gatewayRequests().slice(before)).toEqual([
    `GET /v2/checkout/status/${begun.merchant_transaction_id}`,
  ])
})

test('an order whose attempt has ended is started anew at a gateway that takes longer than a page waits', async () => {
  const { shop } = await shopWithCheckout()
  await shop.later(40 * MINUTE)
  const slow = { route: '/v2/checkout/status', fault: 'latency', ms: 5 * SECOND, probability: 1, seed: 1 }
  await shop.control('/faults', slow)
  const started = shop.initiate('A-1')
  await shop.later(10 * SECOND)
  expect(await (await started).json()).toMatchObject({ attempt: 2 })
})

test('a session that has ended waits for the payment of its last seconds', async () => {
  const { shop, begun, id } = await shopWithCheckout()
  await shop.later(30 * MINUTE - 5 * SECOND)
  await shop.pay(begun, 'approve')
  const listedAt = shop.timeline.now() + MINUTE
  shop.alterAnswers((text) => {
    const { status, ...body } = JSON.parse(text)
    const isUnlisted = status !== undefined && shop.timeline.now() < listedAt
    return isUnlisted ? JSON.stringify({ ...body, amount: '0', payments: [], status: 820 }) : text
  })
  await shop.later(5 * SECOND + 100)
  expect((await shop.ask(`/checkout/return/${id}`)).status).toBe(303)
  expect(await shop.start('A-1')).toMatchObject({ attempt: 1, outcome: 'waiting' })
  await shop.later(HOUR)
  expect(shop.types()).toEqual(['checkout.paid'])
})

describe('money that was received', () => {
  /** A checkout about which the gateway says what it is told to. */
  async function openReported() {
    const { shop, begun } = await shopWithCheckout()
    let report: object | null = null
    shop.alterAnswers((text) => {
      const isStatus = report !== null && JSON.parse(text).status !== undefined
      return isStatus ? JSON.stringify(report) : text
    })
    return {
      ...shop,
      says(status: number, amount: string, payments: object[] = []) {
        const { merchant_transaction_id } = begun
        report = { merchant_transaction_id, currency: 'KES', status, amount, payments }
      },
      calls: () => shop.ask(shop.callbackPath(begun), { method: 'POST', body: '{}' }),
    }
  }

  const payment = (payment_status: number, amount: string, transaction_id = 'T-1') => {
    return { payment_status, amount, transaction_id }
  }
  const moving = payment(703, '200', 'T-2')

  test.each([
    ['at once', null],
    ['after 850', [850, []]],
    ['after 851', [851, []]],
    ['after 803 with another payment on its way', [803, [moving]]],
  ] as const)(
    'a part that was received does not vanish %s: a person has to look, and nobody pays the whole again',
    async (_, between) => {
      const shop = await openReported()
      shop.says(802, '300', [payment(700, '300')])
      await shop.later(HOUR)
      if (between) {
        const [status, payments] = between
        shop.says(status, '0', [...payments])
        await shop.later(10 * MINUTE)
      }

      shop.says(803, '0')
      await shop.later(10 * HOUR)
      expect(shop.types()).toEqual(['checkout.partial', 'checkout.partial', 'checkout.needs_attention'])
      expect(await shop.start('A-1')).toMatchObject({ attempt: 1, amount_paid: '300' })
    },
  )

  test('what cannot be read does not vanish: a person has to look, and nobody pays the whole again', async () => {
    const shop = await openReported()
    shop.says(803, '0', [{ payment_status: 709, amount: '500' }])
    await shop.later(10 * MINUTE)
    shop.says(850, '0')
    await shop.later(10 * MINUTE)
    shop.says(803, '0')
    await shop.later(10 * HOUR)
    expect(shop.types()).toContain('checkout.needs_attention')
    expect(await shop.start('A-1')).toMatchObject({ attempt: 1, outcome: 'review' })
  })

  test('a part that was received does not shrink: nobody pays what is missing of it again', async () => {
    const shop = await openReported()
    shop.says(802, '300', [payment(700, '300')])
    await shop.later(10 * MINUTE)
    shop.says(802, '100', [payment(700, '100', 'T-2')])
    await shop.later(3 * HOUR)
    expect(shop.types()).toContain('checkout.needs_attention')
    shop.order('A-1', '400')
    expect((await shop.initiate('A-1')).status).toBe(409)
  })

  test('what went back is not paid again by an answer from before', async () => {
    const shop = await openReported()
    shop.says(801, '500', [payment(700, '500')])
    await shop.later(30 * MINUTE)
    for (const status of [840, 801, 840]) {
      shop.says(status, status === 801 ? '500' : '0', [payment(status === 801 ? 700 : 702, '500')])
      await shop.calls()
      await shop.later(5 * SECOND)
    }

    expect(shop.types()).toEqual(['checkout.paid', 'checkout.reversed'])
  })

  test('an excess is told once, though an answer from before does not have it', async () => {
    const shop = await openReported()
    const payments = [payment(700, '500'), payment(700, '500', 'T-2')]
    shop.says(801, '500', payments.slice(0, 1))
    await shop.later(10 * MINUTE)
    for (const count of [2, 1, 2]) {
      shop.says(801, String(count * 500), payments.slice(0, count))
      await shop.calls()
      await shop.later(5 * SECOND)
    }

    expect(shop.types()).toEqual(['checkout.paid', 'checkout.overpaid'])
  })
})
