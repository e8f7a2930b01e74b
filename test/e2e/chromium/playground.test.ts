/**
 * The playground: every state without a payment server, what the page is told, and what is to be copied. Only
 * Chromium's driver can read the clipboard, pass by a policy and prefer the dark.
 */

import axe from 'axe-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AxeResults } from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright'
import type { Demo } from '../demo.ts'
import { SITUATIONS } from '../../../demo/shop/playground/states.ts'
import { openChromium } from '../browser/open.ts'
import { openDemo } from '../demo.ts'

let demo: Demo
let browser: Browser

beforeAll(async () => {
  ;[demo, browser] = await Promise.all([openDemo(), openChromium()])
})

afterAll(async () => {
  await browser?.close()
  await demo?.close()
})

/** What is told apart within one state by its words alone. */
const WORDS = new Map([
  ['paid.excess', /too much/],
  ['partial.ended', /in time/],
  ['waiting.prompted', /on your phone/],
  ['waiting.closed', /not confirmed/i],
  ['waiting.offline', /offline/],
  ['waiting.trouble', /no news/i],
])

test('every situation is shown, and no payment server is asked', async () => {
  const { page, asked, leave } = await open()
  for (const [name, { label, tells }] of SITUATIONS) {
    const [state = ''] = name.split('.')
    await page.getByRole('radio', { name: state, exact: true }).check()
    const ways = page.getByRole('group', { name: `Ways to be ${state}` })
    await ways.getByLabel(label, { exact: true }).check()
    const tag = page.locator(`#frame gateway-checkout[state=${state}]`)
    await tag.waitFor()
    const words = WORDS.get(name)
    if (words) await tag.getByRole('status').filter({ hasText: words }).waitFor()
    expect(await page.locator('#tells').textContent()).toBe(tells)
  }
  expect(asked).toEqual([])
  await leave()
})

test('the log has what the page was told and what was asked, the latest first', async () => {
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

test('what is written reaches the tag at once, and another visitor by the address', async () => {
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

test('what a state needs goes before what was written, and comes back after it', async () => {
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

test('the lines for plain HTML, copied into a page, pay', async () => {
  // The shop's own policy forbids scripts between the lines, which another page may have.
  const { page, leave } = await open('?launch=redirect&label=Lipa', { bypassCSP: true })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())

  await page.goto(`${demo.shop}/playground/pay`)
  // The lines name no icon, so the browser looks for one.
  await page.route('**/favicon.ico', (route) => route.fulfill({ status: 204 }))
  await page.setContent(copied)
  await page.getByRole('button', { name: 'Lipa' }).click()
  await page.waitForURL(`${demo.sandbox}/pay/*`)
  await leave()
})

test('a press opens the stand-in of the payment page', async () => {
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
    // What is only to be looked at has to be read all the same.
    await page.evaluate(() =>
      document.querySelectorAll<HTMLElement>('[inert]').forEach((each) => (each.inert = false)),
    )
    expect(await violations(page)).toEqual([])
    await leave()
  },
)

async function open(query = '', options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  const complaints: string[] = []
  const asked: string[] = []
  context.on('weberror', (event) => complaints.push(event.error().message))
  context.on('console', (message) => {
    // What is in the way in a situation that is shown is told to developers, as it should be.
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

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const runOnly = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
  const results: AxeResults = await page.evaluate(`axe.run(${JSON.stringify({ runOnly })})`)
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
