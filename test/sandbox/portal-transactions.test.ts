import { expect, test } from 'vitest'

import { formIn, problemsIn, readableIn, signedIn } from '../../server/conformance/portal-visitor.ts'
import { sum } from '../../server/contract/decimal.ts'
import { CHECKOUTS, openMerchant, payout, PAYOUTS, request, SECOND } from './merchant.ts'
import { ARABIC_NAME, LONG_NAME, MARKUP, openTrade } from './portal-trade.ts'

const MANY = process.env.FULL ? 10_000 : 110
const MANY_LIMIT_MS = 300_000

// The tests share one sandbox: those that move money come last.
const trade = await openTrade()
const { app } = trade.sandbox
const visitor = await signedIn(app, 'viewer')
const finance = await signedIn(app, 'finance')
const read = async (path: string) => readableIn((await visitor.open(path)).html)

test.each([
  ['/payments', ['order-waiting', 'order-jammed', 'Jammed 850', 'KES 123,456,789', ARABIC_NAME, LONG_NAME]],
  ['/charges', ['ORDER-7731', 'CHARGE-HELD', 'CHARGE-OPEN', 'Never tried 803', 'Asha Otieno']],
  ['/payouts', ['payout-1', 'WAGES-2', 'Failed 701', 'FAMILY-1', 'SUPPLIER-1', ARABIC_NAME, 'KES 2,500.50']],
  ['/airtime', ['AIRTIME-1', '+254 700 000 001', 'KES 250.50', 'Jammed 604']],
])('%s lists the transactions of its kind, the newest first', async (path, texts) => {
  const text = await read(path)
  for (const each of texts) {
    expect(text).toContain(each)
  }

  expect(text).not.toContain(path === '/payments' ? 'ORDER-7731' : 'order-paid')
})

const idsIn = (html: string) => [...html.matchAll(/class="below"><bdi>([^<]*)</g)].map(([, id]) => id)

test.each([
  ['/payments?q=عائشة', ['order-arabic']],
  [
    '/payments?q=%2B254700000001+KANGAS+order',
    [
      'order-waiting',
      'order-refunded',
      'order-jammed',
      'order-partial',
      'order-failed',
      'order-paid',
      'order-expired',
    ],
  ],
  ['/airtime?q=%2B254+(0)711+119+008', ['AIRTIME-1']],
  ['/payments?q=juma', ['order-jammed']],
  ['/payments?status=Paid&q=kangas', ['order-paid']],
  ['/charges?q=charge-open', ['CHARGE-OPEN']],
  ['/payouts?status=Jammed&q=wages', ['WAGES-JAMMED']],
  ['/airtime?q=AIRTIME-1&status=Jammed', ['AIRTIME-1']],
  ['/payments?q=nothing+like+this', []],
])('%s finds %j', async (path, ids) => {
  const { html } = await visitor.open(path)
  const found = idsIn(html)
  expect(found).toEqual(ids)
  if (ids.length === 0) {
    expect(html).toContain('Nothing matches the search.')
  }
})

test(
  `a list of ${MANY} payments has pages, and a page number that is wrong shows the first or the last`,
  async () => {
    const merchant = await openMerchant()
    for (let index = 1; index <= MANY; index++) {
      await merchant.accepted(CHECKOUTS, request({ merchant_transaction_id: `order-${index}` }))
    }

    const other = await signedIn(merchant.sandbox.app)
    const open = async (query: string) => readableIn((await other.open(`/payments${query}`)).html)
    const pages = Math.ceil(MANY / 25)
    const count = MANY.toLocaleString('en')
    expect(await open('')).toContain(`1–25 of ${count}, page 1 of ${pages}`)
    expect(other.page().html).toContain(`>order-${MANY}<`)
    expect(await open('?page=2')).toContain(`26–50 of ${count}`)
    expect(other.page().html).toContain(`>order-${MANY - 25}<`)
    expect(await open('?page=999999')).toContain(`of ${count}, page ${pages} of ${pages}`)
    expect(other.page().html).toContain('>order-1<')
    for (const wrong of ['0', '-1', 'x', '1e9', '9'.repeat(30)]) {
      expect(await open(`?page=${wrong}`)).toContain(`1–25 of ${count}`)
    }

    expect(await open('?q=order-11&page=2')).not.toContain('page 2 of 1')
  },
  MANY_LIMIT_MS,
)

test('the timeline of a payment has its states, the money and the callbacks in order', async () => {
  const text = await read('/payments/order-refunded')
  const steps = [
    'Checkout created',
    'Payment: pending (703)',
    'Payment: successful (700)',
    'Ledger: checkout paid',
    'Callback acknowledged',
    'Payment: refunded (705)',
    'Ledger: checkout money given back',
  ]
  const places = steps.map((step) => text.indexOf(step))
  expect(places).not.toContain(-1)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  for (const fact of [
    'Asha Otieno',
    'asha@example.com',
    '+254 700 000 001',
    'CHECKOUT-KES',
    'KES 640',
    'Refunded 841',
  ]) {
    expect(text).toContain(fact)
  }
})

test('the timeline of a payout has each attempt to send its callback, and leads to the answers', async () => {
  const text = await read('/payouts/WAGES-2')
  expect(text).toContain('Payout accepted (720)')
  expect(text).toContain('Failed (701)')
  expect(text).toContain('The operator declined the payout.')
  expect(text).toContain('Callback not acknowledged')
  expect(text).toContain('answered 503')
  const [link = ''] = /\/portal\/deliveries\/[0-9a-f]+/.exec(visitor.page().html) ?? []
  const { html } = await visitor.ask(link)
  expect(html).toContain('&lt;h1&gt;Not now&lt;/h1&gt;')
  expect(html).toContain('href="/portal/payouts/WAGES-2"')
})

test('a delivery is sent again with the same bytes, by developers, who alone see the form', async () => {
  const [original] = await trade.deliveries('WAGES-2')
  const path = `/deliveries/${original.id}`
  expect((await visitor.open(path)).html).not.toContain('/replay')
  const developer = await signedIn(app, 'developer')
  await developer.open(path)
  const sent = trade.callbacks.length
  await developer.send('replay')
  expect((await developer.follow()).html).toContain('The callback is being sent again.')
  await trade.later(SECOND)
  expect(trade.callbacks.slice(sent).map(({ text }) => text)).toEqual([original.body])
})

test('a delivery that is sent again to a forbidden host says so, on the page of the new one', async () => {
  const merchant = await openMerchant({ callbackHosts: [] })
  await merchant.begin({ callback_url: 'https://pay.shop.example/callbacks/abc' })
  await merchant.pay('approve')
  const [original] = await merchant.deliveries('order-1')
  const developer = await signedIn(merchant.sandbox.app, 'developer')
  await developer.open(`/deliveries/${original.id}`)
  const { location } = await developer.send('replay')
  expect(location).not.toContain(original.id)
  expect((await developer.follow()).html).toContain('unless --callback-host allows it')
})

test.each([
  '/payments/ORDER-7731',
  '/airtime/AIRTIME-1/254700000009',
  '/deliveries/nobody',
  '/accounts/ACC-002',
])('%s does not exist', async (path) => {
  expect(await visitor.open(path)).toMatchObject({ status: 404 })
})

test('markup in names, narrations and references is shown as text', async () => {
  const id = encodeURIComponent(MARKUP)
  for (const path of [
    '/payments',
    `/payments/${id}`,
    '/deliveries',
    '/accounts/ACC-001',
    `/payments?q=${id}`,
  ]) {
    const { status, html } = await visitor.open(path)
    expect(status).toBe(200)
    expect(html).toContain('&lt;b&gt;free&lt;/b&gt;')
    expect(html).not.toContain('<script>alert')
    expect(html).not.toContain('<b>free')
  }
})

test('each account shows its balance, and what is reserved and held', async () => {
  const text = readableIn((await visitor.open('/accounts')).html)
  const { accounts } = await trade.ledger()
  const balance = (name: string) =>
    Number(accounts.find(({ account }: { account: string }) => account === name)?.balance ?? 0)
  const shown = (name: string) => balance(name).toLocaleString('en', { maximumFractionDigits: 2 })
  expect(text).toContain(`KES ACC-001 KES ${shown('float/ACC-001/KES')}`)
  expect(balance('reserved/ACC-001/KES')).toBeGreaterThan(0)
  expect(text).toContain(`Reserved for payouts and airtime KES ${shown('reserved/ACC-001/KES')}`)
  expect(text).toContain(`Held until a service is confirmed KES ${shown('held/ACC-001/KES')}`)
  expect(text).toContain(`UGX ACC-001-UGX UGX ${shown('float/ACC-001-UGX/UGX')}`)
  expect(text).toContain('PARTNER-001 KES 1,000')
})

test('a statement has every movement of one currency, and ends with the balance', async () => {
  await trade.begin({ merchant_transaction_id: 'order-ugx', service_code: 'CHECKOUT-UGX', amount: 75_000 })
  await trade.pay('approve', {}, 'order-ugx')
  const { statements } = await trade.control('/accounts/ACC-001/statement')
  const { balance, rows } = statements[0]
  expect(sum(rows.map(({ amount }: { amount: string }) => amount))).toBe(balance)
  const { html } = await visitor.open('/accounts/ACC-001')
  const text = readableIn(html)
  expect(text).toContain(`1–${rows.length} of ${rows.length}`)
  for (const { what } of rows) {
    expect(text.toLowerCase()).toContain(what)
  }

  expect(text).not.toContain('order-ugx')
  expect(html).toContain('href="/portal/payments/order-paid"')
  expect(html).toContain('href="/portal/airtime/AIRTIME-1/254722229101"')
  expect(readableIn((await visitor.open('/accounts/ACC-001-UGX')).html)).toContain('+UGX 75,000')
  expect(readableIn((await visitor.open('/accounts/ACC-001?q=WAGES-2&status=out')).html)).toContain(
    '1–1 of 1',
  )
})

const GIVEN_BACK = [
  ['/payments/order-paid', 'refund', 'Refunded 841'],
  ['/payments/order-partial', 'reverse', 'Reversed 840'],
  ['/charges/CHARGE-HELD', 'refund', 'Refunded 841'],
  ['/charges/ORDER-7731', 'reverse', 'Reversed 840'],
  ['/payouts/payout-1', 'refund', 'Refunded 705'],
  ['/payouts/FAMILY-1', 'reverse', 'Reversed 702'],
] as const

const RESOLVED = [
  ['/payments/order-jammed', 'success', 'Paid 801'],
  ['/charges/CHARGE-JAMMED', 'decline', 'Failed 803'],
  ['/payouts/WAGES-JAMMED', 'success', 'Processed 700'],
  ['/payouts/IMT-JAMMED', 'decline', 'Failed 701'],
  ['/airtime/AIRTIME-1/254711119008', 'decline', 'Failed 603'],
] as const

async function expectBalanced(): Promise<void> {
  const { totals } = await trade.ledger()
  expect([...new Set(Object.values(totals))]).toEqual(['0.00'])
}

test.each([
  ['/payments/order-paid', 'give-back', { as: 'refund' }, ['sure']],
  ['/payments/order-paid', 'give-back', { as: 'everything', sure: 'on' }, ['as']],
  ['/payments/order-paid', 'give-back', { as: 'success' }, ['as', 'sure']],
  ['/payments/order-jammed', 'resolve', { sure: 'on' }, ['as']],
  ['/payments/order-jammed', 'resolve', { as: 'refund', sure: 'on' }, ['as']],
  ['/payouts/WAGES-JAMMED', 'resolve', { as: 'success', sure: 'yes' }, ['sure']],
])('%s refuses %s with %j', async (path, name, fields, problems) => {
  await finance.open(path)
  const before = await trade.ledger()
  const { status, html } = await finance.send(name, fields)
  expect([status, Object.keys(problemsIn(html)).toSorted()]).toEqual([422, problems])
  expect(await trade.ledger()).toEqual(before)
})

test('a refund from a second window is refused, names its field and moves nothing', async () => {
  const first = finance
  const second = await signedIn(app)
  for (const visitor of [first, second]) {
    await visitor.open('/payments/order-arabic')
  }

  await first.send('give-back', { as: 'refund', sure: 'on' })
  const before = await trade.ledger()
  const { status, html } = await second.send('give-back', { as: 'reverse', sure: 'on' })
  expect(status).toBe(422)
  expect(problemsIn(html)).toEqual({ as: 'The checkout holds no received money.' })
  expect(html).toContain('Nothing was changed')
  expect(await trade.ledger()).toEqual(before)
})

test.each(GIVEN_BACK)('finance gives %s back: %s', async (path, as, status) => {
  await finance.open(path)
  const { location } = await finance.send('give-back', { as, sure: 'on' })
  expect(location).toBe(`/portal${path}`)
  const text = readableIn((await finance.follow()).html)
  expect(text).toContain('The money was given back.')
  expect(text).toContain(status)
  expect(text).not.toContain('Give the money back')
  await expectBalanced()
})

test('finance cannot end a payout that is still on its way', async () => {
  await trade.accepted(PAYOUTS, payout({ payout_reference: 'ON-ITS-WAY' }))
  const { html: jammed } = await finance.open('/payouts/WAGES-JAMMED')
  const { action, fields } = formIn(jammed, 'resolve', { as: 'success', sure: 'on' })
  const before = await trade.ledger()
  const { status, html } = await finance.post({
    action: action.replace('WAGES-JAMMED', 'ON-ITS-WAY'),
    fields,
  })
  expect({ status, problems: problemsIn(html) }).toEqual({
    status: 422,
    problems: { as: 'It is unprocessed, not jammed.' },
  })
  expect(await trade.ledger()).toEqual(before)
})

test.each(RESOLVED)('finance resolves %s: %s', async (path, as, status) => {
  await finance.open(path)
  await finance.send('resolve', { as, sure: 'on' })
  const text = readableIn((await finance.follow()).html)
  expect(text).toContain('The result was recorded.')
  expect(text).toContain(status)
  expect(text).not.toContain('Record the result')
  await expectBalanced()
})
