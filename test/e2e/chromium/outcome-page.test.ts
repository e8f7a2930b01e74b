/** The page of the payment server that shows how a checkout stands, and follows it. */

import { expect, onTestFinished } from 'vitest'

import { en } from '../../../widget/words/en.ts'
import { PATIENCE, violations } from '../shopper.ts'
import { test, theChromium, theDemo } from '../worker.ts'

import type { BrowserContextOptions, Page } from 'playwright'

/** The page asks for itself again after this time. */
const REFRESH_MS = 5_000

const [demo, browser] = await Promise.all([theDemo(), theChromium()])

/** Opens the page of a new checkout, whose time passes when the test says so. */
async function openOutcome(options: BrowserContextOptions = {}) {
  const context = await browser.newContext(options)
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const begun = await demo.begin(`demo-1500-${crypto.randomUUID()}`)
  await page.clock.install()
  await page.goto(`${demo.bff}/checkout/return/${begun.checkout_id}`)
  await page.getByRole('heading', { name: 'Waiting for your payment' }).waitFor()
  return { context, page, begun }
}

/** Resolves once the page has fetched itself again, or has failed to: more time would end its patience. */
async function fetchAgain(page: Page) {
  const ended = Promise.race([page.waitForEvent('requestfinished'), page.waitForEvent('requestfailed')])
  await page.clock.runFor(REFRESH_MS)
  await ended
}

/** Resolves once the page has fetched itself so often that it has a text. */
async function sees(page: Page, text: string) {
  const isShown = async () => {
    await fetchAgain(page)
    return page.getByText(text).isVisible()
  }

  await expect.poll(isShown, PATIENCE).toBe(true)
}

test('the page of the payment server shows the outcome in place, without loading again', async () => {
  const { page, begun } = await openOutcome()
  await page.evaluate('globalThis.isSamePage = true')
  await demo.act(begun, 'approve')
  await sees(page, 'Paid to')
  expect(await page.title()).toBe('Paid')
  expect(await page.evaluate('globalThis.isSamePage')).toBe(true)
  expect(await violations(page)).toEqual([])
})

test('on the page of the payment server, a number of the receipt is copied, or else selected', async () => {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const begun = await demo.begin(`demo-1500-${crypto.randomUUID()}`)
  await demo.act(begun, 'approve')
  await page.goto(`${demo.bff}/checkout/return/${begun.checkout_id}`)
  const number = page.locator('#number-0')
  const button = page.locator('[aria-describedby=number-0]')
  await button.click()
  await expect.poll(() => button.textContent(), PATIENCE).toBe('✓ Copied')
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await number.textContent())

  // A live region announces a second copy only if its text changes.
  await button.click()
  await expect.poll(() => button.textContent(), PATIENCE).toBe('✓ Copied\u00a0')

  await page.evaluate(`navigator.clipboard.writeText = () => Promise.reject(new DOMException('Denied.'))`)
  await button.click()
  await expect.poll(() => button.textContent(), PATIENCE).toBe('Not copied')
  expect(await page.evaluate('String(getSelection())')).toBe(await number.textContent())
})

/** Notes what is added to the live regions, which is what a screen reader announces. */
const LISTEN = `heard = [], new MutationObserver((changes) => {
  for (const { target, addedNodes } of changes) {
    for (const node of addedNodes) {
      const text = node.textContent.trim()
      const region = (target.nodeType === 1 ? target : target.parentElement).closest('[aria-live=polite]')
      if (text && region) {
        heard.push(text)
      }
    }
  }
}).observe(document.body, { childList: true, subtree: true }), 0`

test('the page of the payment server changes only what has changed, and announces no more', async () => {
  const { page, begun } = await openOutcome({ permissions: ['clipboard-read', 'clipboard-write'] })
  const copy = page.locator('.reference', { hasText: 'Order:' }).getByRole('button')
  await copy.click()
  await expect.poll(() => copy.textContent(), PATIENCE).toBe('✓ Copied')
  // What page translators do.
  await page.locator('.test').evaluate((line) => (line.innerHTML = '<font>Testmodus.</font>'))
  await page.evaluate(LISTEN)
  const link = page.getByRole('link', { name: en.openPage })
  await link.focus()
  await demo.act(begun, 'partial', 600)
  await sees(page, 'KES 900 to go')
  expect(await copy.textContent()).toBe('✓ Copied')
  expect(await page.locator('.test').textContent()).toBe('Testmodus.')
  const heard = await page.evaluate<string[]>('heard')
  expect(heard.map((text) => text.replaceAll(/[\u00a0\u2068\u2069]/g, ' '))).toEqual([
    expect.stringContaining('900 to go'),
    expect.stringContaining('We have received'),
  ])
  expect(await page.evaluate('document.activeElement.textContent')).toContain('Pay the remaining')

  // The link that has the focus is gone.
  await demo.act(begun, 'approve')
  await sees(page, 'Paid to')
  expect(await page.evaluate('document.activeElement.localName')).toBe('h1')
  expect(await copy.textContent()).toBe('✓ Copied')
})

test('the page of the payment server says that it has no connection, and when it is back, no more', async () => {
  const { context, page } = await openOutcome()
  await context.setOffline(true)
  await sees(page, en.offline)
  expect(await page.getByText('Waiting for your payment').isVisible()).toBe(true)
  await context.setOffline(false)
  const isGone = async () => {
    await fetchAgain(page)
    return page.getByText(en.offline).isHidden()
  }

  await expect.poll(isGone, PATIENCE).toBe(true)
})

test('no heading of the page of the payment server is smaller than its text, twice as large', async () => {
  const { page } = await openOutcome({ viewport: { width: 320, height: 640 } })
  await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
  const sizes = await page.evaluate<{ heading: number; text: number }>(`(() => {
    const sizeOf = (selector) => parseFloat(getComputedStyle(document.querySelector(selector)).fontSize)
    return { heading: sizeOf('h1'), text: sizeOf('#detail') }
  })()`)
  expect(sizes.heading).toBeGreaterThanOrEqual(sizes.text)
})
