import { chromium } from 'playwright'
import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { browserPath } from '../support/browsers.ts'
import { chromiumOptions } from '../support/browsers/launch-options.ts'
import { describedApp } from '../support/described.ts'

const DOCS = 'http://docs.test/docs'

let page: Page
const violations: string[] = []

beforeAll(async () => {
  const browser = await chromium.launch(chromiumOptions(await browserPath('chromium')))
  page = await browser.newPage()
  page.on('console', (message) => message.type() === 'error' && violations.push(message.text()))
  page.on('pageerror', ({ message }) => violations.push(message))
  const answer = await describedApp.request('/docs')
  const headers = Object.fromEntries(answer.headers)
  const body = await answer.text()
  await page.route(DOCS, (route) => route.fulfill({ headers, body }))
  await page.goto(DOCS)
})
afterAll(() => page.context().browser()?.close())

const visible = () => page.locator('main article:not(.list):visible, main tr[id]:visible').count()

test('the box leaves the entries with every typed word, and links to them', async () => {
  const all = await visible()
  await page.getByLabel('Filter').fill('rotat TRUSTED')
  expect(await visible()).toBe(0)
  await page.getByLabel('Filter').fill('trusted_PROXIES  proxies')
  const names = await page
    .locator('main :is(tr[id], article[id]):visible')
    .evaluateAll((found) => found.map(({ id }) => id))
  expect(names).toContain('Configuration-TRUSTED_PROXIES')
  expect(names).toContain('too_many_requests')
  expect(names.length).toBeLessThan(all / 10)
  expect(await page.getByRole('status').innerText()).toBe(`${names.length} of ${all}`)
  expect(await page.locator('nav li:visible').count()).toBe(names.length)
  expect(await page.getByRole('heading', { name: 'Airtime', exact: true }).isVisible()).toBe(false)
  await page.getByLabel('Filter').fill('')
  expect(await visible()).toBe(all)
})

test('a link to a hidden entry shows everything again', async () => {
  const all = await visible()
  await page.getByLabel('Filter').fill('createPayout')
  await page.evaluate(() => (location.hash = '#Configuration-PORT'))
  await expect.poll(visible).toBe(all)
  expect(await page.getByLabel('Filter').inputValue()).toBe('')
})

test('the policy of the page allows its script and style, and nothing is reported', () => {
  expect(violations).toEqual([])
})
