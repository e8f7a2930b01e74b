/** A shopper of a shop that a template has written, in a browser. */

import { devices } from 'playwright'
import { expect } from 'vitest'

import type { Browser, Page } from 'playwright'

/** A number with which the payment page asks what the payer does with the prompt. */
const ASKS = '0700000001'
const PAYER = { 'Full name': 'Asha Mwangi', 'E-mail': 'asha@example.com', 'Mobile number': ASKS }

/** Pays with the form in the tag, which needs no JavaScript. Returns the order. */
export async function payWithoutScript(browser: Browser, shop: string): Promise<string> {
  const context = await browser.newContext({ javaScriptEnabled: false })
  try {
    const page = await context.newPage()
    const order = await placeOrder(page, shop)
    for (const [name, value] of Object.entries(PAYER)) {
      await page.getByRole('textbox', { name }).fill(value)
    }

    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    await sendPrompt(page)
    await approve(page)
    return order
  } finally {
    await context.close()
  }
}

/** Pays on a phone, where the payment page takes the place of the shop's. Returns the order. */
export async function payOnPhone(browser: Browser, shop: string): Promise<string> {
  const context = await browser.newContext(devices['Pixel 7'])
  try {
    const page = await context.newPage()
    const order = await placeOrder(page, shop)
    await press(page)
    await sendPrompt(page)
    await approve(page)
    await page.waitForURL((url) => url.origin === new URL(shop).origin && !url.pathname.startsWith('/pay/'))
    await isPaid(page, order)
    await page.reload()
    await isPaid(page, order)
    return order
  } finally {
    await context.close()
  }
}

async function placeOrder(page: Page, shop: string): Promise<string> {
  await page.goto(shop)
  await page.getByRole('button', { name: 'Order', exact: true }).click()
  const order = await page.locator('gateway-checkout').getAttribute('order')
  if (order === null) {
    throw new Error('The tag has no order.')
  }
  return order
}

async function press(page: Page): Promise<void> {
  // Until the tag's script has run, the tag shows the plain form.
  const tag = page.locator('gateway-checkout[state]')
  await tag.getByRole('button').click()
  for (const [name, value] of Object.entries(PAYER)) {
    await page.getByRole('textbox', { name }).fill(value)
  }

  await tag.getByRole('button').first().click()
}

async function sendPrompt(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Pay KES/ }).click()
}

async function approve(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Enter PIN and approve', exact: true }).click()
}

async function isPaid(page: Page, order: string): Promise<void> {
  await page.locator('gateway-checkout[state=paid]').waitFor()
  expect(await page.locator('gateway-checkout').getAttribute('order')).toBe(order)
}
