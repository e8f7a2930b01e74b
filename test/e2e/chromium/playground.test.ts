// Only Chromium's driver can read the clipboard, bypass a content security policy and emulate dark mode.

import { expect, test } from 'vitest'
import type { BrowserContextOptions } from 'playwright'
import { SITUATIONS } from '../../../demo/shop/playground/states.ts'
import { openChromium } from '../browser/open.ts'
import { openAll, openDemo } from '../demo.ts'
import { violations } from '../shopper.ts'

const [demo, browser] = await openAll(openDemo(), openChromium())

const DISTINCTIVE_TEXTS = new Map([
  ['paid.excess', 'too much'],
  ['partial.ended', 'in time'],
  ['waiting.prompted', 'Check your phone'],
  ['waiting.closed', 'not confirmed'],
  ['waiting.offline', 'offline'],
  ['waiting.trouble', 'no news'],
])

// This script runs in the page, because clicks of the driver are too slow.
const PICK = String(async (name: string, words: string) => {
  const [state = ''] = name.split('.')
  const radios = ['state', 'situation'].map((each) =>
    document.querySelector<HTMLInputElement>(
      `[name=${each}][value^="${each === 'state' ? `${state}.` : name}"]`,
    ),
  )
  for (const radio of radios) if (radio?.checkVisibility() && !radio.checked) radio.click()
  const tag = () => document.querySelector('#frame gateway-checkout')
  const says = () => tag()?.shadowRoot?.querySelector('[role=status]')?.textContent ?? ''
  while (tag()?.getAttribute('state') !== state || !new RegExp(words, 'i').test(says()))
    await new Promise(requestAnimationFrame)
  return [radios.map((radio) => radio?.checked), document.querySelector('#tells')?.textContent]
})

test('every situation is shown without a request to the payment server', async () => {
  const { page, asked, leave } = await open()
  for (const [name, { tells }] of SITUATIONS) {
    const shown = page.evaluate(`(${PICK})('${name}', '${DISTINCTIVE_TEXTS.get(name) ?? ''}')`)
    expect(await shown, name).toEqual([[true, true], tells])
  }
  expect(asked).toEqual([])
  await leave()
})

test('the log lists DOM events and requests, latest first', async () => {
  const { page, leave } = await open('?situation=paid.full')
  const lines = page.locator('#log li')
  await lines.filter({ hasText: 'checkout-settled' }).waitFor()
  expect(await lines.locator('code').allTextContents()).toEqual([
    'checkout-settled',
    'checkout-paid',
    'checkout-change',
    'GET /checkout/status/a-checkout-of-the-playground',
  ])
  await lines.first().getByText('checkout-settled').click()
  expect(JSON.parse((await lines.first().locator('pre').textContent()) ?? '')).toMatchObject({ status: 801 })
  await leave()
})

test('a changed control updates the element at once, and the URL restores it', async () => {
  const { page, leave } = await open('?situation=paid.full')
  await page.getByLabel('Language').selectOption('sw')
  await page.getByLabel('Theme').selectOption('dark')
  await page.getByText('Slots').click()
  await page.getByLabel('paid', { exact: true }).last().fill('Asante sana & karibu')
  await page.getByText('Custom properties').click()
  await page.getByLabel('radius').fill('3px')

  const second = await open(await page.evaluate(() => location.search))
  for (const each of [page, second.page]) {
    const tag = each.locator('#frame gateway-checkout[lang=sw][theme=dark][state=paid]')
    await tag.getByText('Asante sana & karibu').waitFor()
    await tag.getByText('Imelipwa').waitFor()
    expect(await tag.getAttribute('style')).toContain('--gateway-checkout-radius: 3px')
    expect(await each.locator('#snippet').textContent()).toContain('Asante sana &amp; karibu')
  }
  await second.leave()
  await leave()
})

test("a situation's needs replace the visitor's choices until another situation is selected", async () => {
  const { page, leave } = await open()
  const phone = page.getByLabel('payer-msisdn')
  await phone.fill('+254711111111')
  await page.getByRole('radio', { name: 'details' }).check()
  expect([await phone.inputValue(), await phone.isDisabled()]).toEqual(['', true])
  await page.getByRole('radio', { name: 'idle' }).check()
  expect([await phone.inputValue(), await phone.isDisabled()]).toEqual(['+254711111111', false])
  await leave()
})

test('arrow keys go through the states, and no form takes the focus away', async () => {
  const { page, leave } = await open()
  await page.getByRole('radio', { name: 'idle' }).focus()
  for (const state of ['details', 'starting', 'blocked']) {
    await page.keyboard.press('ArrowDown')
    await page.locator(`#frame gateway-checkout[state=${state}]`).waitFor()
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('state')
  }
  await leave()
})

test('the copied HTML snippet takes a payment in another page', async () => {
  // The shop's content security policy forbids inline scripts; other pages may allow them.
  const { page, leave } = await open('?launch=redirect&label=Lipa', { bypassCSP: true })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())

  await page.goto(`${demo.shop}/playground/pay`)
  // The snippet has no icon, so the browser requests /favicon.ico.
  await page.route('**/favicon.ico', (route) => route.fulfill({ status: 204 }))
  await page.setContent(copied)
  await page.getByRole('button', { name: 'Lipa' }).click()
  await page.waitForURL(`${demo.sandbox}/pay/*`)
  await leave()
})

test('a click opens the replacement of the hosted page', async () => {
  const { page, leave } = await open('?launch=popup')
  const opened = page.waitForEvent('popup')
  await page.locator('#frame').getByRole('button', { name: 'Pay' }).click()
  const popup = await opened
  await popup.getByRole('heading', { name: /the gateway would take the payment/ }).waitFor()
  await page.locator('#frame gateway-checkout[state=waiting]').waitFor()
  await leave()
})

test.each([
  ['light', 320],
  ['dark', 1280],
] as const)(
  'nothing fails WCAG 2.2 AA in %s at %i pixels, all situations at once',
  async (colorScheme, width) => {
    const { page, leave } = await open('', { colorScheme, viewport: { width, height: 800 } })
    await page.getByText('All states').click()
    for (const name of SITUATIONS.keys())
      await page
        .locator(`#gallery gateway-checkout[state=${name.split('.')[0]}]`)
        .first()
        .waitFor()
    expect(await page.locator('#gallery gateway-checkout').count()).toBe(SITUATIONS.size)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    // The element's own tests check its accessibility in each situation.
    expect(await violations(page, '#gallery gateway-checkout')).toEqual([])
    await leave()
  },
)

async function open(query = '', options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  const complaints: string[] = []
  const asked: string[] = []
  context.on('weberror', (event) => complaints.push(event.error().message))
  context.on('console', (message) => {
    // Situations with errors log messages for developers.
    const isTold = message.text().startsWith('<gateway-checkout>')
    if (message.type() === 'error' && !isTold) complaints.push(`${message.text()} ${message.location().url}`)
  })
  context.on('request', (request) => {
    if (request.url().includes('/checkout/')) asked.push(request.url())
  })
  const page = await context.newPage()
  await page.goto(`${demo.shop}/playground${query}`)
  await page.locator('#frame gateway-checkout').waitFor()
  const leave = async () => {
    await context.close()
    expect(complaints).toEqual([])
  }
  return { page, asked, leave }
}
