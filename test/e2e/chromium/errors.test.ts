/** What a developer is told of a page that a real payment server refuses, and what is left when it cannot be told. */

import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, Page } from 'playwright'
import type { Demo } from '../demo.ts'
import { openChromium } from '../browser/open.ts'
import { openDemo } from '../demo.ts'

let demo: Demo
let browser: Browser
/** A shop that nobody told the payment server about. */
const stranger = createServer((_, answer) =>
  answer.setHeader('content-type', 'text/html').end(
    `<!doctype html><html lang="en"><script type="module" src="${demo.bff}/gateway-checkout.js"></script>
     <script>
       var told = []
       addEventListener('checkout-error', ({ detail }) => told.push(detail.code))
       addEventListener('unhandledrejection', ({ reason }) => told.push(String(reason)))
     </script>
     <gateway-checkout order="demo-1500-a" payer-name="A" payer-email="a@b.ke" payer-msisdn="+254700000001">
     </gateway-checkout>`,
  ),
)

beforeAll(async () => {
  await once(stranger.listen(0, '127.0.0.1'), 'listening')
  ;[demo, browser] = await Promise.all([openDemo(), openChromium()])
})

afterAll(async () => {
  await browser?.close()
  await demo?.close()
  stranger.close()
})

async function press(page: Page): Promise<string> {
  const at = stranger.address()
  const origin = `http://127.0.0.1:${typeof at === 'object' && at ? at.port : ''}`
  await page.goto(origin)
  await page.getByRole('button', { name: /^Pay/ }).click()
  await page.getByText('No connection to the payment service').waitFor()
  return origin
}

test('the console names an origin that the payment server does not allow, and the remedy', async () => {
  const page = await browser.newPage()
  const sentence = page.waitForEvent('console', (message) => message.text().startsWith('<gateway-checkout>'))
  const origin = await press(page)
  expect((await sentence).text()).toContain(`its ALLOWED_ORIGINS contains ${origin}`)
  expect(await page.evaluate('told')).toEqual(['network'])
  await page.close()
})

test('without the module of console messages, everything else works', async () => {
  const page = await browser.newPage()
  await page.route('**/console-*.js', (route) => route.abort())
  const aborted = page.waitForEvent('requestfailed', (request) => /console-/.test(request.url()))
  await press(page)
  await aborted
  expect(await page.evaluate('told')).toEqual(['network'])
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await page.close()
})
