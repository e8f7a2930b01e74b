import { describe, expect, test } from 'vitest'

import {
  createChargeWorld,
  createReluctantBackend,
  createToldGateway,
  paying,
} from '../support/worlds/charge-world.ts'
import { DOWN } from '../support/worlds/network.ts'
import { DAY, HOUR, MINUTE } from '../support/worlds/observed.ts'
import { shopWithCheckout } from '../support/worlds/shop-with-order.ts'
import { toldCharge } from '../support/worlds/told-charge.ts'

import type { ToldPayment } from '../support/worlds/charge-world.ts'

const IN_NAIROBI = { TIME_ZONE: 'Africa/Nairobi' }
const HERE = '2026-11-21'

/** An order of 500 about which the gateway says what it is told to. */
async function ordered() {
  const { shop, begun, id } = await shopWithCheckout({ env: IN_NAIROBI })
  let report: object | null = null
  shop.alterAnswers((text) => {
    const isStatus = report !== null && JSON.parse(text).status !== undefined
    return isStatus ? JSON.stringify(report) : text
  })
  return {
    news: () => shop.delivered.map(({ type, data }) => `${type} ${String(data['amount_paid'])}`),
    view: () => shop.status(id),
    sums: async () => (await (await shop.api(`/days/${HERE}`)).json()).sums,

    async hears(status: number, amount: string | undefined, payments: ToldPayment[]) {
      const { merchant_transaction_id } = begun
      report = { merchant_transaction_id, currency: 'KES', status, amount, payments }
      await shop.ask(shop.callbackPath(begun), { method: 'POST', body: '{}' })
      await shop.later(10 * MINUTE)
    },
  }
}

describe('an order whose money goes back in several returns', () => {
  test('is reversed when the first of two payments goes back after the second, beside the total of before', async () => {
    const shop = await ordered()
    const first = paying(700, '500', 'T1')
    await shop.hears(801, '500', [first])
    await shop.hears(801, '1000', [first, paying(700, '500', 'T2')])
    await shop.hears(841, '500', [first, paying(705, '500', 'T2')])
    expect(await shop.view()).toMatchObject({ outcome: 'paid', amount_paid: '500' })
    await shop.hears(840, '500', [paying(702, '500', 'T1'), paying(705, '500', 'T2')])
    expect(await shop.view()).toMatchObject({ outcome: 'reversed', amount_paid: '0' })
    expect(shop.news().at(-1)).toBe('checkout.reversed 0')
    expect(await shop.sums()).toMatchObject([{ received: '1000', returned: '1000', net: '0' }])
  })

  test('has nothing left when the rest goes back after a part, beside the total of before', async () => {
    const shop = await ordered()
    const paid = paying(700, '500', 'T1')
    await shop.hears(801, '500', [paid])
    await shop.hears(841, '300', [paid, paying(705, '200', 'T1')])
    await shop.hears(840, '300', [paid, paying(705, '200', 'T1'), paying(702, '300', 'T1')])
    expect(shop.news()).toEqual(['checkout.paid 500', 'checkout.refunded 300', 'checkout.reversed 0'])
    expect(await shop.sums()).toMatchObject([{ received: '500', returned: '500', net: '0' }])
  })

  test('has nothing left after two equal refunds of one payment', async () => {
    const shop = await ordered()
    const paid = paying(700, '500', 'T1')
    const half = paying(705, '250', 'T1')
    await shop.hears(801, '500', [paid])
    await shop.hears(841, '250', [paid, half])
    await shop.hears(841, '0', [paid, half, half])
    expect(shop.news()).toEqual(['checkout.paid 500', 'checkout.refunded 250', 'checkout.refunded 0'])
    expect(await shop.sums()).toMatchObject([{ received: '500', returned: '500', net: '0' }])
  })

  test('is for a person to look at when the list and the total contradict each other', async () => {
    const shop = await ordered()
    const paid = paying(700, '500', 'T1')
    await shop.hears(801, '500', [paid])
    await shop.hears(841, '0', [paid, paying(705, '200', 'T1')])
    expect(await shop.view()).toMatchObject({ outcome: 'review', discrepancy: 'amount' })
  })

  test('counts the list when the gateway states no total', async () => {
    const shop = await ordered()
    await shop.hears(801, undefined, [paying(700, '500', 'T1')])
    await shop.hears(841, undefined, [paying(705, '200', 'T1')])
    expect(shop.news()).toEqual(['checkout.paid 500', 'checkout.refunded 300'])
  })
})

test('a decision is not sent about a payment that went back in two equal refunds', async () => {
  const { told, shop } = await toldCharge()
  told.falls(true)
  told.says(801, [paying(700, '1000', 'T1')])
  await shop.later(5 * MINUTE)
  const half = paying(705, '500', 'T1')
  told.says(841, [paying(700, '1000', 'T1'), half, half], 'C-1', '0')
  await shop.later(HOUR)
  told.falls(false)
  await shop.later(HOUR)
  expect(told.taken).toEqual([])
  expect(await shop.read()).toMatchObject({ outcome: 'refunded', amount_paid: '0' })
})

test('a refund of a part is no other payment, about which the merchant would have to decide', async () => {
  const { told, shop } = await toldCharge()
  told.says(801, [paying(700, '1500', 'T1')])
  await shop.later(5 * MINUTE)
  told.says(841, [paying(705, '500', 'T1')], 'C-1', '1500')
  await shop.later(DAY)
  expect(told.taken).toEqual(['SUCCESSFUL T1'])
  expect(await shop.read()).toMatchObject({ outcome: 'succeeded', amount_paid: '1000', attention: null })
})

describe('a charge that is reported as one payment record, of which a part goes back', () => {
  async function refundedInPart(backend = createReluctantBackend()) {
    let record: object | null = null
    const told = createToldGateway()
    const shop = await createChargeWorld({
      backend: backend.answer,
      env: IN_NAIROBI,
      gateway: (url, init) => {
        const isStatus = init.method === 'GET' && /charges\/[^/]+\/status$/.test(url)
        return isStatus && record ? Response.json(record) : told.answer(url, init)
      },
    })
    const says = (payment_status: number, amount: string) => {
      const payment = paying(payment_status, amount, 'T1')
      record = { ...payment, external_reference: 'C-1', charge_request_id: '22406', currency_code: 'KES' }
    }

    await shop.charge()
    says(700, '1000')
    await shop.later(5 * MINUTE)
    says(705, '200')
    await shop.later(2 * HOUR)
    return { shop, told }
  }

  test('has the rest', async () => {
    const backend = createReluctantBackend()
    backend.isWilling = true
    const { shop } = await refundedInPart(backend)
    const news = shop.delivered.map(({ type, data }) => `${type} ${String(data['amount_paid'])}`)
    expect(news).toEqual(['charge.succeeded 1000', 'charge.refunded 800'])
    const { sums } = await (await shop.api(`/days/${HERE}`)).json()
    expect(sums).toMatchObject([{ received: '1000', returned: '200', net: '800' }])
  })

  test('has a decision about the rest', async () => {
    const { shop, told } = await refundedInPart()
    const body = { stage: 'confirmed', payment_id: 'T1' }
    expect(await shop.acknowledge('SUCCESSFUL')).toMatchObject({ body })
    expect(told.taken).toEqual(['SUCCESSFUL T1'])
  })
})

describe('a refund on the ninth day, whose callback is lost', () => {
  async function refundedLate() {
    const { shop, begun } = await shopWithCheckout()
    await shop.pay(begun, 'approve')
    await shop.later(8 * DAY)
    shop.network.reliability.callbacks = DOWN
    await shop.pay(begun, 'refund')
    await shop.later(5 * DAY)
    const told = () => shop.delivered.map(({ type }) => type)
    expect(told()).toEqual(['checkout.paid'])
    return { shop, told }
  }

  test('a lost refund is told on the thirtieth day', async () => {
    const { shop, told } = await refundedLate()
    await shop.later(16 * DAY)
    expect(told()).toEqual(['checkout.paid'])
    await shop.later(2 * DAY)
    expect(told()).toEqual(['checkout.paid', 'checkout.refunded'])
  })

  test('a lost refund is told as soon as the merchant asks', async () => {
    const { shop, told } = await refundedLate()
    expect(await (await shop.api('/checkouts/A-1')).json()).toMatchObject({ outcome: 'refunded' })
    await shop.later(MINUTE)
    expect(told()).toEqual(['checkout.paid', 'checkout.refunded'])
  })

  test('a lost refund is told as soon as somebody opens the page of the order', async () => {
    const { shop, told } = await refundedLate()
    await shop.ask('/pay/A-1', { headers: { accept: 'text/html' } })
    await shop.later(MINUTE)
    expect(told()).toEqual(['checkout.paid', 'checkout.refunded'])
  })
})
