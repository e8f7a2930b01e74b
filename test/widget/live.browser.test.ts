import { expect, test } from 'vitest'

import { PAID, PARTIAL } from '../support/worlds/scripted-bff.ts'
import { calm, createTag, shopPage, startedPage } from '../support/worlds/shop-page.ts'

import type { CheckoutView } from '../../server/api/view.ts'
import type { ShopPage } from '../support/worlds/shop-page.ts'

const STREAM = '/checkout/status/checkout-01-of-the-tests/stream'

async function openPageWithStream(): Promise<ShopPage> {
  const page = await startedPage({ line: 'open' })
  expect(page.streams.open).toBe(1)
  return page
}

async function waitForState({ tag }: ShopPage, state: CheckoutView['outcome']): Promise<void> {
  await expect.poll(() => tag.state).toBe(state)
}

test('is updated by one stream without polls, and closes it at the end', async () => {
  const page = await openPageWithStream()
  await page.later(600)
  expect(page.streams.opened).toEqual([STREAM])
  page.bff.confirm(PARTIAL)
  page.streams.tell()
  await waitForState(page, 'partial')
  page.bff.confirm(PAID)
  page.streams.tell()
  await waitForState(page, 'paid')
  expect(page.events).toEqual(['open', 'change', 'partial', 'change', 'paid', 'settled'])
  expect(page.bff.requests).toHaveLength(1)
  expect({ open: page.streams.open, timers: page.clock.timers }).toEqual({ open: 0, timers: 1 })
})

test('a returning page polls once, and opens a stream only for open checkouts', async () => {
  const over = await shopPage({
    line: 'open',
    view: PAID,
    hash: '#gateway-checkout-checkout-01-of-the-tests',
  })
  await waitForState(over, 'paid')
  expect(over.streams.opened).toEqual([])
  const open = await shopPage({ line: 'open', remembers: 'checkout-01-of-the-tests' })
  await waitForState(open, 'waiting')
  expect(open.bff.requests).toHaveLength(1)
  expect(open.streams.open).toBe(1)
})

test('seven open invoices on one page keep two streams, and the other tags poll', async () => {
  const page = await shopPage({ line: 'open', remembers: 'checkout-01-of-the-tests' })
  await waitForState(page, 'waiting')
  const tags = Array.from({ length: 6 }, (_, index) =>
    createTag({ order: `order-${index + 2}`, 'checkout-id': 'checkout-01-of-the-tests' }),
  )
  document.body.append(...tags)
  await expect.poll(() => tags.map(({ state }) => state)).toEqual(Array(6).fill('waiting'))
  for (const tag of tags) {
    await calm(tag)
  }

  expect(page.streams.open).toBe(2)
  page.bff.confirm(PAID)
  page.streams.tell()
  await page.later(5)
  await expect.poll(() => tags.map(({ state }) => state)).toEqual(Array(6).fill('paid'))
  expect(page.streams.open).toBe(0)
})

test('what cannot be read in a stream is still checking', async () => {
  const page = await openPageWithStream()
  page.streams.tell(JSON.stringify({ ...page.bff.view, ...PAID, status: 803 }))
  await page.later(1)
  expect(page.tag.state).toBe('waiting')
  page.bff.confirm(PAID)
  page.streams.tell()
  await waitForState(page, 'paid')
  expect(page.events.filter((event) => event === 'settled')).toHaveLength(1)
})

test('while the BFF restarts the state is kept, and a stream is opened afterwards', async () => {
  const page = await openPageWithStream()
  await page.later(20)
  page.streams.line = 'refused'
  for (let question = 0; question < 20; question++) {
    page.bff.failNext('network')
  }

  page.streams.cut()
  await page.later(10)
  expect(page.status()).toContain('We are still checking.')
  expect(page.tag.state).toBe('waiting')
  expect(page.events).toEqual(['open'])
  page.streams.line = 'open'
  page.bff.recover()
  await page.later(30)
  await expect.poll(() => page.streams.open).toBe(1)
  expect(page.status()).not.toContain('We are still checking.')
  const asked = page.bff.requests.length
  page.bff.confirm(PAID)
  page.streams.tell()
  await waitForState(page, 'paid')
  expect(page.bff.requests).toHaveLength(asked)
  expect(page.streams.overlaps).toBe(0)
})

test('a removed element has no stream; an element that is added again polls and opens one', async () => {
  const page = await openPageWithStream()
  page.tag.remove()
  await calm(page.tag)
  expect({ open: page.streams.open, timers: page.clock.timers }).toEqual({ open: 0, timers: 0 })
  page.bff.confirm(PARTIAL)
  await page.later(60)
  document.body.append(page.tag)
  await waitForState(page, 'partial')
  await expect.poll(() => page.streams.open).toBe(1)
})
