import { expect, test } from 'vitest'
import type { CheckoutView } from '../../server/api/view.ts'
import { readCheckout } from '../../server/checkouts/record.ts'
import { DAY, MINUTE, SECOND } from '../../server/transactions/schedule.ts'
import { createWorld } from '../support/world.ts'

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
