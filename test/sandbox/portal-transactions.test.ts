import { expect, test } from 'vitest'
import { CHECKOUTS, openMerchant, request, SECOND } from './merchant.ts'
import { ARABIC_NAME, LONG_NAME, MARKUP, openTrade } from './portal-trade.ts'
import { openPortal, readableIn } from './portal-visitor.ts'

const MANY = process.env.FULL ? 10_000 : 110
const MANY_LIMIT_MS = 300_000

const trade = await openTrade()
const visitor = openPortal(trade.sandbox.app)
await visitor.signIn('viewer@sandbox.test')
const read = async (path: string) => readableIn((await visitor.open(path)).html)

test.each([
  ['/payments', ['order-waiting', 'order-jammed', 'Jammed 850', 'KES 123,456,789', ARABIC_NAME, LONG_NAME]],
  ['/charges', ['ORDER-7731', 'CHARGE-HELD', 'CHARGE-OPEN', 'Unpaid 803', 'Asha Otieno']],
  ['/payouts', ['payout-1', 'WAGES-2', 'Failed 701', 'FAMILY-1', 'SUPPLIER-1', ARABIC_NAME, 'KES 2,500.50']],
  ['/airtime', ['AIRTIME-1', '+254700000001', 'KES 250.50', 'Jammed 604']],
])('%s lists the transactions of its kind, the newest first', async (path, texts) => {
  const text = await read(path)
  for (const each of texts) expect(text).toContain(each)
  expect(text).not.toContain(path === '/payments' ? 'ORDER-7731' : 'order-paid')
})

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
  ['/airtime?q=%2B254+(0)711+119+008', ['+254711119008']],
  ['/payments?q=juma', ['order-jammed']],
  ['/payments?status=801&q=kangas', ['order-paid']],
  ['/charges?q=charge-open', ['CHARGE-OPEN']],
  ['/payouts?status=704&q=wages', ['WAGES-JAMMED']],
  ['/airtime?q=AIRTIME-1&status=604', ['+254711119008']],
  ['/payments?q=nothing+like+this', []],
])('%s finds %j', async (path, ids) => {
  const { html } = await visitor.open(path)
  const found = [...html.matchAll(/<th role="rowheader"[^>]*><a[^>]*><bdi>([^<]*)</g)].map(([, id]) => id)
  expect(found).toEqual(ids)
  if (ids.length === 0) expect(html).toContain('Nothing matches the search.')
})

test(
  `a list of ${MANY} payments has pages, and a page number that is wrong shows the first or the last`,
  async () => {
    const merchant = await openMerchant()
    for (let index = 1; index <= MANY; index++)
      await merchant.accepted(CHECKOUTS, request({ merchant_transaction_id: `order-${index}` }))
    const other = openPortal(merchant.sandbox.app)
    await other.signIn()
    const open = async (query: string) => readableIn((await other.open(`/payments${query}`)).html)
    const pages = Math.ceil(MANY / 25)
    const count = MANY.toLocaleString('en')
    expect(await open('')).toContain(`1–25 of ${count}, page 1 of ${pages}`)
    expect(other.page().html).toContain(`>order-${MANY}<`)
    expect(await open('?page=2')).toContain(`26–50 of ${count}`)
    expect(other.page().html).toContain(`>order-${MANY - 25}<`)
    expect(await open('?page=999999')).toContain(`of ${count}, page ${pages} of ${pages}`)
    expect(other.page().html).toContain('>order-1<')
    for (const wrong of ['0', '-1', 'x', '1e9', '9'.repeat(30)])
      expect(await open(`?page=${wrong}`)).toContain(`1–25 of ${count}`)
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
    '+254700000001',
    'CHECKOUT-KES',
    'KES 640',
    'Refunded 841',
  ])
    expect(text).toContain(fact)
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
  expect((await visitor.open(path)).html).not.toContain('/resend')
  const developer = openPortal(trade.sandbox.app)
  await developer.signIn('developer@sandbox.test')
  await developer.open(path)
  const sent = trade.callbacks.length
  await developer.send('resend')
  expect((await developer.follow()).html).toContain('The same bytes are being sent again.')
  await trade.later(SECOND)
  expect(trade.callbacks.slice(sent).map(({ text }) => text)).toEqual([original.body])
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
