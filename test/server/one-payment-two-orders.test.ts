import { describe, expect, test } from 'vitest'

import { openStore } from '../../server/store/open.ts'
import { sharedPostgres } from '../support/postgres.ts'
import { createSeededRandom } from '../support/seeded-random.ts'
import { CHARGE } from '../support/worlds/chargeable.ts'
import { DAY, HOUR, MINUTE } from '../support/worlds/observed.ts'
import { createWorld } from '../support/worlds/world.ts'

import type { CheckoutView } from '../../server/api/view.ts'
import type { FetchInit } from '../../server/http/exchange.ts'
import type { Store } from '../../server/store/store.ts'

const ENGINES: [string, () => Promise<Store>][] = [
  ['SQLite', async () => openStore('sqlite::memory:')],
  ['Postgres', async () => openStore(await (await sharedPostgres()).newDatabase())],
]

interface Report {
  status: number
  amount: string
  payments: object[]
}

/** What the gateway reports of a session that is paid by one payment. */
const paidBy = (transaction_id: string, fields: Partial<Report> = {}): Report => ({
  status: 801,
  amount: '500',
  payments: [{ payment_status: 700, amount: '500', transaction_id }],
  ...fields,
})

/** A shop whose gateway reports of a session or a charge what the test says. */
async function openShop(store: Store = openStore('sqlite::memory:')) {
  const world = await createWorld({ store, env: { TIME_ZONE: 'Africa/Nairobi' } })
  const reports = new Map<string, Report>()
  world.alterAnswers((text) => reportIn(text))
  return {
    ...world,

    async open(order: string): Promise<CheckoutView> {
      world.order(order)
      return world.start(order)
    },

    async says(reference: string, report: Report) {
      reports.set(reference, report)
      await world.later(MINUTE)
    },

    typesOf: ({ checkout_id }: CheckoutView) =>
      world.delivered.filter(({ data }) => data.checkout_id === checkout_id).map(({ type }) => type),

    retrieve: async ({ checkout_id }: CheckoutView) => (await world.api(`/checkouts/${checkout_id}`)).json(),

    resolve: (says: string, { merchant_transaction_id: reference }: CheckoutView) =>
      world.api(`/checkouts/${reference}/resolve`, { says, by: 'Asha', note: 'Asked the gateway.' }),

    /** Servers beside the shop's, which the gateway tells what it tells the shop. */
    servers: () =>
      [1, 2].map((seed) => {
        const randomness = createSeededRandom(seed, 'replica')
        const fetch = async (url: string, init: FetchInit) => {
          const answer = await world.sandbox.app.request(url, init)
          return new Response(reportIn(await answer.text()), answer)
        }
        return world.replica({ randomness, fetch })
      }),

    day: async () => (await world.api('/days/2026-11-21')).json(),
    reports,
  }

  function reportIn(text: string): string {
    const body = JSON.parse(text)
    const report = reports.get(body.merchant_transaction_id)
    return report && body.status !== undefined ? JSON.stringify({ ...body, ...report }) : text
  }
}

describe.each(ENGINES)('on %s, a payment that was counted for an order', (_, open) => {
  test('counts for no other one: a person is asked, who reads for which it was counted', async () => {
    const shop = await openShop(await open())
    const first = await shop.open('A-1')
    const second = await shop.open('A-2')
    await shop.says(first.merchant_transaction_id, paidBy('TX-1'))
    await shop.says(second.merchant_transaction_id, paidBy('tx-1'))

    expect(await shop.status(first.checkout_id)).toMatchObject({ outcome: 'paid' })
    expect(shop.typesOf(first)).toEqual(['checkout.paid'])
    const events = ['checkout.needs_attention', 'checkout.review']
    expect(shop.typesOf(second)).toEqual(events)
    const attention = `The gateway reports the payment tx-1, which was counted for ${first.merchant_transaction_id} before, and counts there.`
    expect(await shop.retrieve(second)).toMatchObject({
      outcome: 'review',
      discrepancy: 'reference',
      attention,
    })
    const { sums, disagreements } = await shop.day()
    expect(sums).toMatchObject([{ currency: 'KES', count: 1, received: '500' }])
    expect(disagreements).toMatchObject([{ order: 'A-2', why: [{ code: 'alarm', detail: attention }] }])
  })

  test('counts for one of two that two servers hear of at the same time', async () => {
    const shop = await openShop(await open())
    const checkouts = [await shop.open('A-1'), await shop.open('A-2')]
    await shop.later(5_000)
    for (const { merchant_transaction_id } of checkouts) {
      shop.reports.set(merchant_transaction_id, paidBy('TX-1'))
    }

    const outcomes = await Promise.all(
      shop.servers().map(async (server, index) => {
        const answer = await server.request(`/checkout/status/${checkouts[index]?.checkout_id}`)
        return String((await answer.json()).outcome)
      }),
    )
    expect(outcomes.toSorted()).toEqual(['paid', 'review'])
    await shop.later(HOUR)
    expect(shop.types().toSorted()).toEqual(['checkout.needs_attention', 'checkout.paid', 'checkout.review'])
  })
})

/** Two orders, for the second of which the gateway reports the payment of the first. */
async function openDoubted(report: Report = paidBy('TX-1')) {
  const shop = await openShop()
  const first = await shop.open('A-1')
  const second = await shop.open('A-2')
  await shop.says(first.merchant_transaction_id, paidBy('TX-1'))
  await shop.says(second.merchant_transaction_id, report)
  return { ...shop, first, second }
}

test.each<[string, Report, outcome: string, events: string[]]>([
  ['beside another payment', paidBy('TX-1', { status: 802 }), 'partial', ['needs_attention', 'partial']],
])(
  'a payment that was counted for an order calls a person about another one: %s',
  async (_, report, outcome, events) => {
    const shop = await openDoubted(report)
    expect(await shop.retrieve(shop.second)).toMatchObject({ outcome, attention: expect.any(String) })
    expect(shop.typesOf(shop.second)).toEqual(events.map((type) => `checkout.${type}`))
  },
)

test.each(['paid', 'not_paid', 'returned'])(
  'an order with a payment of another one that a person resolves as %s stays so',
  async (says) => {
    const shop = await openDoubted()
    expect((await shop.resolve(says, shop.second)).status).toBe(200)
    const resolved = await shop.retrieve(shop.second)
    // What was not paid can be, until its session ends.
    expect(resolved).toMatchObject({ settled: says !== 'not_paid', attention: null })
    await shop.later(2 * DAY)
    const { outcome, amount_paid } = resolved
    expect(await shop.retrieve(shop.second)).toMatchObject({ outcome, amount_paid, settled: true })
    expect(shop.typesOf(shop.second).slice(2)).toEqual(['checkout.resolved'])
  },
)

test('a payment that was counted for an attempt counts for no later one of its order', async () => {
  const shop = await openShop()
  const first = await shop.open('A-1')
  const part = { payment_status: 700, amount: '200', transaction_id: 'TX-1' }
  await shop.says(first.merchant_transaction_id, { status: 802, amount: '200', payments: [part] })
  await shop.later(DAY)
  shop.order('A-1', '300')
  const second = await shop.start('A-1')
  const rest = { ...part, amount: '300', transaction_id: 'TX-2' }
  await shop.says(second.merchant_transaction_id, { status: 801, amount: '500', payments: [part, rest] })
  expect(second.attempt).toBe(2)
  expect(await shop.retrieve(second)).toMatchObject({ outcome: 'review', discrepancy: 'reference' })
  expect((await shop.day()).sums).toMatchObject([{ received: '200' }])
})

test('a charge that a payment of an order is reported for confirms no service', async () => {
  const shop = await openShop()
  const first = await shop.open('A-1')
  await shop.says(first.merchant_transaction_id, paidBy('TX-1'))
  expect((await shop.api('/charges', CHARGE)).status).toBe(201)
  await shop.says(
    'C-1',
    paidBy('TX-1', {
      amount: '1000',
      payments: [{ payment_status: 700, amount: '1000', transaction_id: 'TX-1' }],
    }),
  )
  const charge = await (await shop.api('/charges/C-1')).json()
  expect(charge).toMatchObject({
    outcome: 'needs_attention',
    discrepancy: 'reference',
    attention: expect.stringContaining(first.merchant_transaction_id),
    fulfilment: { stage: 'open', payment_id: null },
  })
  for (const status of ['SUCCESSFUL', 'FAILED']) {
    const answer = await shop.api('/charges/C-1/acknowledge', { status, narration: 'Said in a test' })
    expect(answer.ok).toBe(false)
  }

  await shop.later(HOUR)
  expect(shop.gatewayRequests()).not.toContain('POST /transactions/acknowledge')
})
