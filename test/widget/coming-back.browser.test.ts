/** Coming back: to a page that the browser kept, to a tab that was restored, where storage is blocked. */

import { expect, test } from 'vitest'
import { calm, createTag, PAYER, shopPage } from '../support/shop-page.ts'

import type { CheckoutView } from '../../server/api/view.ts'
import type { ShopPage } from '../support/shop-page.ts'

const PAID: Partial<CheckoutView> = { status: 801, outcome: 'paid', settled: true, amount_paid: '1500' }

/** The shopper leaves, and comes back by the back button to the page as it was; what it asked for on that. */
async function backByButton(page: ShopPage, meanwhile = () => {}): Promise<string[]> {
  const before = page.till.requests.length
  window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
  page.around.hidden = true
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  meanwhile()
  page.around.hidden = false
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  await page.later(0.3)
  return page.till.requests.slice(before).map(({ method, path }) => `${method} ${path}`)
}

const STATUS = 'GET /checkout/status/checkout-1'
const INITIATE = 'POST /checkout/initiate'

const OPEN: [string, Partial<CheckoutView>][] = [
  ['waiting', {}],
  ['partial', { status: 802, outcome: 'partial', amount_paid: '500' }],
  ['unpaid', { status: 803, outcome: 'unpaid' }],
  ['pending', { status: 851, outcome: 'pending' }],
  ['jammed', { status: 850, outcome: 'jammed' }],
]

test.each(OPEN)('a page kept while %s knows the truth after one question', async (state, news) => {
  const page = await shopPage({ attributes: { launch: 'redirect' } })
  await page.press(/Pay/)
  page.till.confirm(news)
  await page.later(5)
  expect(page.tag.state).toBe(state)
  expect(await backByButton(page, () => page.till.confirm(PAID))).toEqual([STATUS])
  expect(page.tag.state).toBe('paid')
  expect(page.told.filter((event) => event === 'settled')).toHaveLength(1)
})

const ENDED: [string, Partial<CheckoutView>][] = [
  ['paid', PAID],
  ['partial', { status: 802, outcome: 'partial', amount_paid: '500', settled: true }],
  ['unpaid', { status: 803, outcome: 'unpaid', settled: true }],
  ['expired', { status: 820, outcome: 'expired', settled: true }],
  ['reversed', { status: 840, outcome: 'reversed', settled: true }],
  ['refunded', { status: 841, outcome: 'refunded', settled: true }],
  ['review', { status: 801, outcome: 'review', settled: true }],
]

test.each(ENDED)(
  'a page kept once it ended as %s asks nothing and tells nothing again',
  async (state, news) => {
    const page = await shopPage({ attributes: { launch: 'redirect' } })
    await page.press(/Pay/)
    page.till.confirm(news)
    await page.later(5)
    const told = [...page.told]
    expect(await backByButton(page)).toEqual([])
    expect(page.tag.state).toBe(state)
    expect(page.told).toEqual(told)
  },
)

test('a page kept with its button still has one that works', async () => {
  const page = await shopPage({ attributes: { launch: 'redirect' } })
  expect(await backByButton(page)).toEqual([])
  await page.press(/Pay/)
  expect(page.around.left).toHaveLength(1)
})

test('a page kept after the hosted page was opened opens it again', async () => {
  const page = await shopPage({ attributes: { launch: 'redirect' } })
  await page.press(/Pay/)
  await backByButton(page)
  await page.press(/Go to the payment page/)
  expect(page.around.left).toHaveLength(2)
})

test('a page kept with an expired checkout starts another', async () => {
  const page = await shopPage({ attributes: { launch: 'redirect' } })
  await page.press(/Pay/)
  page.till.confirm({ status: 820, outcome: 'expired', settled: true })
  await page.later(5)
  await backByButton(page)
  await page.press(/Try again/)
  expect(page.till.requests.at(-1)?.path).toBe('/checkout/initiate')
})

test('a page kept with an error can be tried again', async () => {
  const page = await shopPage({ attributes: { launch: 'redirect' } })
  page.till.failNext('network')
  await page.press(/Pay/)
  expect(page.tag.state).toBe('error')
  await backByButton(page)
  await page.press(/Try again/)
  expect(page.around.left).toHaveLength(1)
})

test('a page kept with a form still has what was written in it', async () => {
  const page = await shopPage({ attributes: { 'payer-name': '', launch: 'redirect' } })
  await page.press(/Pay/)
  const input = page.tag.shadowRoot?.querySelector('input')
  if (input) input.value = 'Juma'
  expect(await backByButton(page)).toEqual([])
  await page.press(/Go to the payment page/)
  expect(page.till.requests[0]?.form['payer_name']).toBe('Juma')
})

test('a page kept with a link in place of a pop-up keeps the link, and is fresh', async () => {
  const page = await shopPage()
  page.around.blocksPopups = true
  await page.press(/Pay/)
  expect(await backByButton(page)).toEqual([STATUS])
  expect(page.tag.shadowRoot?.querySelector('a')?.href).toBe('https://pay.gateway.test/pay/1')
})

test('a page left while it started asks for the same checkout again, and tells of no error', async () => {
  const page = await shopPage({ attributes: { launch: 'redirect' } })
  const answer = page.till.hold()
  await page.press(/Pay/)
  expect(await backByButton(page, answer)).toEqual([INITIATE])
  expect(page.told).toEqual(['open'])
  expect(page.around.left).toHaveLength(1)
})

test('a page left while it started leaves no empty pop-up behind, and opens another when it is back', async () => {
  const page = await shopPage()
  const answer = page.till.hold()
  await page.press(/Pay/)
  expect(await backByButton(page, answer)).toEqual([INITIATE])
  expect(page.around.popups).toMatchObject([{ closed: true, address: '' }])
  await page.press(/Go to the payment page/)
  expect(page.around.popups).toHaveLength(2)
})

test('an answer from before the page was left is not taken for news', async () => {
  const page = await shopPage({ attributes: { launch: 'redirect' } })
  await page.press(/Pay/)
  const answer = page.till.hold()
  await page.later(5)
  const asked = await backByButton(page, () => {
    page.till.confirm(PAID)
    answer()
  })
  expect(asked).toEqual([STATUS])
  expect(page.tag.state).toBe('paid')
})

test('a tab that was restored, or reloaded, knows the truth after one question', async () => {
  const page = await shopPage({ view: PAID, remembers: 'checkout-1' })
  expect(page.till.requests.map(({ path }) => path)).toEqual(['/checkout/status/checkout-1'])
  expect(page.tag.state).toBe('paid')
})

test('a tab in which another has paid knows the truth after one question', async () => {
  const page = await shopPage({ view: PAID })
  await page.press(/Pay/)
  expect(page.till.requests).toHaveLength(1)
  expect(page.tag.state).toBe('paid')
  expect(page.around.popups).toMatchObject([{ closed: true }])
})

test('where storage is blocked it pays, and after a reload a press finds the checkout again', async () => {
  const page = await shopPage({ around: { blocksStorage: true } })
  await page.press(/Pay/)
  page.till.confirm(PAID)
  const reloaded = createTag({ ...PAYER, launch: 'popup' })
  document.body.replaceChildren(reloaded)
  await calm(reloaded)
  expect(reloaded.state).toBe('idle')
  reloaded.start()
  await calm(reloaded)
  expect(reloaded.state).toBe('paid')
})

test('where storage is blocked, the return from the hosted page is known by its address', async () => {
  const page = await shopPage({
    around: { blocksStorage: true },
    view: PAID,
    hash: '#gateway-checkout=checkout-1',
  })
  expect(page.till.requests).toHaveLength(1)
  expect(page.tag.state).toBe('paid')
})
