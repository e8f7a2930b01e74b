// A merchant who sells in a chat: no shop, no page, no backend. The server, the sandbox and a link.

import { expect, onTestFinished } from 'vitest'

import { freePort } from '../../support/free-port.ts'
import { MERCHANT, run, start } from '../../support/worlds/command-line.ts'
import { openAll } from '../demo.ts'
import { PATIENCE, violations } from '../shopper.ts'
import { test, theChromium } from '../worker.ts'

import type { Page } from 'playwright'

const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, locale: 'en-KE' }
const DETAILS = {
  'Full name': 'Asha Otieno',
  'E-mail address': 'asha@example.com',
  'Mobile number': '0700000001',
}
const TERMS = ['--amount', '1500', '--currency', 'KES', '--narration', 'Two kangas', '--json']

const [[servers], browser] = await Promise.all([openAll(openServers()), theChromium()])

async function openServers() {
  const [port, sandboxPort] = await Promise.all([freePort(), freePort()])
  const bff = `http://127.0.0.1:${port}`
  const env = {
    ...MERCHANT,
    GATEWAY_BASE_URL: `http://127.0.0.1:${sandboxPort}`,
    DEFAULT_COUNTRY: 'KE',
    PUBLIC_URL: bff,
    PORT: String(port),
    STORE_URL: 'sqlite::memory:',
    MERCHANT_NAME: 'Pwani Goods',
    ORDER_SIGNING_KEY: 'a signing key of 32 bytes or more',
  }
  const sandbox = await start(['sandbox', '--port', String(sandboxPort)], {}, /listens on/)
  const server = await start(['serve'], env, /listens on port/)
  return {
    bff,
    async link(order: string): Promise<{ url: string; text: string }> {
      return JSON.parse((await run(['link', order, ...TERMS], env)).out)
    },
    async close() {
      await server.stop()
      await sandbox.stop()
    },
  }
}

async function openPhone(settings: object = {}) {
  const context = await browser.newContext({ ...PHONE, ...settings })
  onTestFinished(() => context.close())
  const complaints: string[] = []
  context.on('console', (message) => message.type() !== 'info' && complaints.push(message.text()))
  return { page: await context.newPage(), complaints }
}

async function giveDetails(page: Page, details: Record<string, string>) {
  for (const [name, value] of Object.entries(details)) {
    await page.getByRole('textbox', { name }).fill(value)
  }

  await page.getByRole('button', { name: 'Continue' }).click()
}

/** Pays on the hosted page, and follows its link back. */
async function payOn(page: Page, address: string) {
  await page.waitForURL(/\/pay\/(?!ey)/)
  await page.getByRole('button', { name: /^Pay KES/ }).click()
  await page.getByRole('button', { name: /^Enter PIN and approve$/ }).click()
  await page.getByRole('link', { name: /Back to the shop/ }).click()
  await page.waitForURL((url) => url.href.startsWith(address))
}

test('a link is paid on a phone, and then says that it is paid', async () => {
  const { url, text } = await servers.link('CHAT-1')
  expect(text).toBe(`Pwani Goods: KES 1,500 for Two kangas. Pay here: ${url}`)
  const { page, complaints } = await openPhone()
  await page.goto(url)
  await page.getByRole('heading', { name: 'Two kangas' }).waitFor()
  expect(await violations(page)).toEqual([])
  await page.locator('gateway-checkout').getByRole('button', { name: /^Pay/ }).click()
  await giveDetails(page, DETAILS)
  await payOn(page, url)
  await page.getByRole('heading', { name: 'Paid' }).waitFor()

  await page.goto(url)
  await page.getByRole('heading', { name: 'Paid' }).waitFor()
  expect(await page.getByRole('button', { name: /^Pay/ }).count()).toBe(0)
  expect(complaints).toEqual([])
})

test('while the pop-up is open, the page names the merchant and the amount once', async () => {
  const { url } = await servers.link('CHAT-4')
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(url)
  await page.locator('gateway-checkout').getByRole('button', { name: /^Pay/ }).click()
  await giveDetails(page, DETAILS)
  await page.locator('gateway-checkout').getByText('Finish in the payment window').waitFor()
  for (const words of ['Pwani Goods', 'KES 1,500']) {
    expect(await page.getByText(words).filter({ visible: true }).count(), words).toBe(1)
  }
})

test('without JavaScript, a form asks for the payer, and a mistake leads back to it', async () => {
  const { url } = await servers.link('CHAT-2')
  const { page } = await openPhone({ javaScriptEnabled: false })
  await page.goto(url)
  await page.getByText(/^Pay K/).click()
  await giveDetails(page, { ...DETAILS, 'Mobile number': '12' })
  await page.getByRole('heading', { name: 'Enter your mobile number' }).waitFor()
  await page.getByRole('link', { name: 'Back to the shop' }).click()
  await page.getByText(/^Pay K/).click()
  await giveDetails(page, DETAILS)
  await payOn(page, url)
  await page.getByRole('heading', { name: 'Paid' }).waitFor()
})

test('where the script is late, the form stands where the button will be', async () => {
  const { url } = await servers.link('CHAT-3')
  const { page } = await openPhone()
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/gateway-checkout.js', async (route) => {
    await held
    await route.continue()
  })
  await page.goto(url, { waitUntil: 'commit' })
  const place = async (selector: string) => page.locator(selector).first().boundingBox()
  await expect.poll(() => place('summary'), PATIENCE).not.toBeNull()
  const before = await place('summary')
  release()
  await page.locator('gateway-checkout[state=idle]').waitFor()
  const after = await place('gateway-checkout button[part=button]')
  for (const side of ['x', 'y', 'width', 'height'] as const) {
    expect(Math.abs((before?.[side] ?? 0) - (after?.[side] ?? 999)), side).toBeLessThan(2)
  }
})
