import { describe, expect, test } from 'vitest'
import type { CheckoutView } from '../../server/api/view.ts'
import { readCheckout } from '../../server/checkouts/record.ts'
import { createWorld } from '../support/world.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A body of the gateway: `fields` over a report of 803 without payments, or over an error object. */
type Report = (id: string, checkout_reference: string) => { [field: string]: unknown; status_code?: number }

/** Starts a checkout of KES 1500. From `report` on, the gateway reports this of the order's first checkout. */
async function shopWithReports() {
  let reported: Report | null = null
  let checkout: (CheckoutView & { reference: string }) | null = null
  const shop = await createWorld({
    gateway(url) {
      const id = checkout?.merchant_transaction_id ?? ''
      if (!reported || !checkout || !url.endsWith(`/v2/checkout/status/${id}`)) return undefined
      const said = reported(id, checkout.reference)
      const state = {
        amount: '0',
        checkout_reference: checkout.reference,
        currency: 'KES',
        merchant_transaction_id: id,
        payments: [],
        status: 803,
      }
      if (said.status_code !== undefined) return Response.json(said, { status: 404 })
      return Response.json({ ...state, ...said })
    },
  })
  shop.order('A-1', '1500')
  const begun = await shop.start('A-1')
  const [row] = await shop.rows()
  const { record } = readCheckout(row!)
  const reference = (record.phase === 'open' && record.session.checkout_reference) || ''
  checkout = { ...begun, reference }
  return {
    shop,
    begun,
    report: (report: Report) => void (reported = report),
    press: async (): Promise<CheckoutView> => (await shop.initiate('A-1')).json(),
  }
}

const payment = (id: string, payment_status: number, fields: object = {}) => ({
  amount: '1500',
  payment_status,
  currency_code: 'KES',
  account_number: 'ACC-001',
  transaction_id: 'T1',
  external_reference: id,
  ...fields,
})

describe('while an earlier checkout of the order holds or moves money', () => {
  test.each<[string, Report]>([
    ['is jammed', (id) => ({ status: 850, payments: [payment(id, 704)] })],
    [
      'was paid to another account',
      (id) => ({ status: 801, amount: '1500', payments: [payment(id, 700, { account_number: 'ACC-009' })] }),
    ],
    [
      'was paid in part',
      (id) => ({ status: 802, amount: '1000', payments: [payment(id, 700, { amount: '1000' })] }),
    ],
  ])('a press opens no page: late money that %s, beside a live checkout', async (_, late) => {
    const { shop, begun, report, press } = await shopWithReports()
    await shop.later(40 * MINUTE)
    expect(await press()).toMatchObject({ attempt: 2, redirect_url: expect.any(String) })
    report(late)
    await shop.ask(shop.callbackPath(begun), { method: 'POST', body: '{}' })
    await shop.later(5 * SECOND)
    const view = await press()
    expect(view).toMatchObject({ attempt: 1, checkout_id: begun.checkout_id })
    expect(view).not.toHaveProperty('redirect_url')
  })

  test('the gateway is asked before a new checkout, however recently it was', async () => {
    const { shop, begun, report, press } = await shopWithReports()
    while (!(await shop.status(begun.checkout_id)).settled) await shop.later(5 * SECOND)
    await shop.later(10 * SECOND)
    // The operator is late, and the callback is lost.
    report((id) => ({ status: 801, amount: '1500', payments: [payment(id, 700)] }))
    await shop.later(30 * SECOND)
    const before = shop.gatewayRequests().length
    expect(await press()).toMatchObject({ attempt: 1, outcome: 'paid' })
    expect(shop.gatewayRequests().slice(before)).toHaveLength(1)
  })
})

test.each<[string, Report]>([
  ['803, and a payment of an unlisted status', (id) => ({ payments: [payment(id, 709)] })],
  ['803, and an unreadable total', () => ({ amount: '1,500.00' })],
  ['803, and a successful payment', (id) => ({ payments: [payment(id, 700)] })],
  ['820, and a total', () => ({ status: 820, amount: '1500' })],
])('money under %s causes one review, and is not paid again', async (_, held) => {
  const { shop, begun, report, press } = await shopWithReports()
  report(held)
  await shop.later(10 * MINUTE)
  const live = await shop.status(begun.checkout_id)
  expect(live).toMatchObject({ outcome: 'review' })
  expect(live).not.toHaveProperty('redirect_url')
  await shop.later(36 * HOUR)
  expect(shop.types()).toEqual(['checkout.review'])
  expect(await press()).toMatchObject({ attempt: 1, outcome: 'review', settled: true })
})

const PAYABLE = { attempt: 2, outcome: 'waiting', redirect_url: expect.any(String) as unknown }
test.each<[string, Report, string[], object]>([
  ['851', () => ({ status: 851 }), ['review'], { attempt: 1, outcome: 'review', settled: true }],
  ['850', () => ({ status: 850 }), ['needs_attention', 'review'], { attempt: 1, outcome: 'review' }],
  ['120, after 803', () => ({ status_code: 120 }), ['needs_attention', 'unpaid'], PAYABLE],
  ['803 and no amount', () => ({ amount: null }), ['unpaid'], PAYABLE],
  [
    '801 and no reference of the session',
    (id) => ({ status: 801, amount: '1500', checkout_reference: null, payments: [payment(id, 700)] }),
    ['paid'],
    { attempt: 1, outcome: 'paid' },
  ],
])('a checkout for which the gateway reports %s, for ever, ends', async (_, last, events, pressed) => {
  const { shop, report, press } = await shopWithReports()
  await shop.later(20 * MINUTE)
  report(last)
  await shop.later(30 * DAY)
  expect(shop.types()).toEqual(events.map((event) => `checkout.${event}`))
  expect(await press()).toMatchObject(pressed)
})
