import { expect, test } from 'vitest'

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

test('a part that was received does not vanish: a person has to look, and nobody pays the whole again', async () => {
  const { shop, begun } = await shopWithCheckout()
  const reports = (status: number, amount: string, payments: object[]) => ({
    merchant_transaction_id: begun.merchant_transaction_id,
    currency: 'KES',
    status,
    amount,
    payments,
  })
  let report = reports(802, '300', [{ payment_status: 700, amount: '300', transaction_id: 'T-1' }])
  shop.alterAnswers((text) => (JSON.parse(text).status === undefined ? text : JSON.stringify(report)))
  await shop.later(3 * HOUR)
  report = reports(803, '0', [])
  await shop.later(10 * HOUR)
  expect(shop.types()).toEqual(['checkout.partial', 'checkout.partial', 'checkout.needs_attention'])
  expect(await shop.start('A-1')).toMatchObject({ attempt: 1, amount_paid: '300' })
})

test('an order that is lowered to its paid half is not charged again, and the log says what to do', async () => {
  const { shop, begun } = await shopWithCheckout()
  await shop.pay(begun, 'partial', { amount: '250' })
  await shop.later(HOUR)
  shop.order('A-1', '250')
  const before = shop.gatewayRequests().filter((request) => request.startsWith('POST /v2/checkout'))
  const answer = await shop.initiate('A-1')
  expect({ status: answer.status, body: await answer.json() }).toMatchObject({
    status: 409,
    body: { code: 'order_not_payable' },
  })
  expect(shop.gatewayRequests().filter((request) => request.startsWith('POST /v2/checkout'))).toEqual(before)
  expect(JSON.stringify(shop.logged)).toContain(
    'Fulfil or refund these, and give changed terms a new reference.',
  )
})
