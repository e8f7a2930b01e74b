import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Browser } from 'playwright'
import { openChromium } from '../e2e/browser/open.ts'
import { PAGES, openMerchant } from './merchant.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let merchant: Awaited<ReturnType<typeof openMerchant>>
let browser: Browser

beforeAll(async () => {
  ;[merchant, browser] = await Promise.all([openMerchant(), openChromium()])
})

afterAll(async () => {
  await browser?.close()
  await merchant?.close()
})

test.concurrent.each(PAGES)('%s: pressed, paid, heard and shown', async (page) => {
  const order = `order-${page}`
  const shopper = await visit(merchant.address(page, order))
  const popup = shopper.page.waitForEvent('popup')
  await shopper.tag.getByRole('button', { name: /Pay/ }).click()
  const hosted = await popup
  await hosted.getByRole('button', { name: /^Send prompt/ }).click()
  await hosted.getByRole('button', { name: 'Enter PIN and approve', exact: true }).click()
  await shopper.page.getByText(`Thank you for ${order}`).waitFor()
  await shopper.tag.getByRole('status').filter({ hasText: /1,500/ }).waitFor()
  expect(await shopper.tag.getAttribute('state')).toBe('paid')
  expect(await merchant.countInitiateRequests(order)).toBe(1)
  await shopper.leave()
})

test.concurrent('React mounts everything twice in StrictMode, and one checkout begins', async () => {
  const shopper = await visit(merchant.address('react', 'order-twice', { begins: '' }))
  await shopper.page.locator('gateway-checkout[state=blocked]').waitFor()
  expect(await shopper.page.evaluate(() => performance.getEntriesByName('mounted').length)).toBe(2)
  expect(await merchant.countInitiateRequests('order-twice')).toBe(1)
  // The checkout started without a click, so the browser blocked the pop-up.
  await shopper.leave(/popup_blocked/)
})

async function visit(address: string) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const complaints: string[] = []
  context.on('weberror', (event) => complaints.push(event.error().message))
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  const page = await context.newPage()
  await page.goto(address)
  return {
    page,
    tag: page.locator('gateway-checkout'),
    async leave(expected = /^Lit is in dev mode/) {
      await context.close()
      const rest = complaints.filter((text) => !text.startsWith('Lit is in dev mode') && !expected.test(text))
      expect(rest).toEqual([])
    },
  }
}
