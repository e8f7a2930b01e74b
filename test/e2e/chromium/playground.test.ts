// Only Chromium's driver can emulate dark mode.

import { expect, onTestFinished } from 'vitest'

import { SITUATIONS } from '../../../demo/shop/playground/states.ts'
import { violations } from '../shopper.ts'
import { test, theChromium, theDemo } from '../worker.ts'

import type { BrowserContextOptions } from 'playwright'

const [demo, browser] = await Promise.all([theDemo(), theChromium()])

test('every situation is shown without a request to the payment server', async () => {
  const { page, asked, leave } = await open()
  for (const name of SITUATIONS.keys()) {
    await page.getByLabel('State').selectOption(name)
    await page.locator(`#frame gateway-checkout[state=${name.split('.')[0]}]`).waitFor()
  }

  expect(asked).toEqual([])
  await leave()
})

test('the URL keeps the state, the language and the theme, and the log lists the DOM events, latest first', async () => {
  const { page, leave } = await open()
  await page.getByLabel('State').selectOption('paid.full')
  await page.getByLabel('Language').selectOption('sw')
  await page.getByLabel('Theme').selectOption('dark')
  await page.reload()
  await page
    .locator('#frame gateway-checkout[lang=sw][theme=dark][state=paid]')
    .getByText('Imelipwa')
    .waitFor()
  expect(await page.locator('#log li').allTextContents()).toEqual([
    'checkout-settled 801 paid KES 1500 of 1500',
    'checkout-paid 801 paid KES 1500 of 1500',
    'checkout-change 801 paid KES 1500 of 1500',
  ])
  await leave()
})

test.each([
  ['light', 320],
  ['dark', 1280],
] as const)('nothing fails WCAG 2.2 AA in %s at %i pixels', async (colorScheme, width) => {
  const { page, leave } = await open({ colorScheme, viewport: { width, height: 800 } })
  await page.locator('#frame gateway-checkout[state=idle]').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  expect(await violations(page)).toEqual([])
  await leave()
})

async function open(options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  onTestFinished(() => context.close())
  const complaints: string[] = []
  const asked: string[] = []
  context.on('weberror', (event) => complaints.push(event.error().message))
  context.on('console', (message) => {
    // Situations with errors log messages for developers.
    const isTold = message.text().startsWith('<gateway-checkout>')
    if (message.type() === 'error' && !isTold) {
      complaints.push(`${message.text()} ${message.location().url}`)
    }
  })
  context.on('request', (request) => {
    if (request.url().includes('/checkout/')) {
      asked.push(request.url())
    }
  })
  const page = await context.newPage()
  await page.goto(`${demo.shop}/playground`)

  const leave = async () => {
    await context.close()
    expect(complaints).toEqual([])
  }

  return { page, asked, leave }
}
