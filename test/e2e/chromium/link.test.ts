// A merchant who sells in a chat: no shop, no page, no backend. The server, the sandbox and a link.

import { join } from 'node:path'
import { afterAll, expect, inject, onTestFinished } from 'vitest'

import { newStoreFolder } from '../../support/folder.ts'
import { freePort } from '../../support/free-port.ts'
import { MERCHANT, start } from '../../support/worlds/command-line.ts'
import { runHere } from '../../support/worlds/terminal.ts'
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
const SUBJECT = ['--currency', 'KES', '--narration', 'Two kangas', '--json']
const TERMS = ['--amount', '1500', ...SUBJECT]

const isFull = inject('isFull')
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
    STORE_URL: `sqlite:${join(newStoreFolder(afterAll), 'store.sqlite')}`,
    MERCHANT_NAME: 'Pwani Goods',
    ORDER_SIGNING_KEY: 'a signing key of 32 bytes or more',
  }
  const sandbox = await start(['sandbox', '--port', String(sandboxPort)], {}, /listens on/)
  const server = await start(['serve'], env, /listens on port/)
  return {
    bff,
    async link(order: string): Promise<{ url: string; text: string }> {
      return JSON.parse((await runHere(['link', order, ...TERMS], env)).out)
    },
    async reusableLink(...more: string[]): Promise<{ url: string; text: string }> {
      return JSON.parse((await runHere(['link', '--reusable', ...SUBJECT, ...more], env)).out)
    },
    async checkouts(): Promise<{ order: string; outcome: string; link: { id: string } | null }[]> {
      return JSON.parse((await runHere(['api', 'GET', '/api/checkouts'], env)).out).items
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
  await page.waitForURL(/\/pay\/(?!ey|link-)/)
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

test('without JavaScript, a form asks for the payer, and a mistake leads back to it, and not to the shop', async () => {
  const { url } = await servers.link('CHAT-2')
  const { page } = await openPhone({ javaScriptEnabled: false })
  await page.goto(url)
  await page.getByText(/^Pay K/).click()
  await giveDetails(page, { ...DETAILS, 'Mobile number': '12' })
  await page.getByRole('heading', { name: 'Enter your mobile number' }).waitFor()
  expect(await page.getByRole('link').allTextContents()).toEqual(['Try again'])
  await page.getByRole('link', { name: 'Try again' }).click()
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

/** Presses the page of a link. Resolves with the address of the order. */
async function order(page: Page, name: string) {
  await page.getByRole('spinbutton').fill('2')
  await page.getByRole('textbox', { name: 'Name on the ticket' }).fill(name)
  await page.getByRole('button', { name: 'Continue' }).dblclick()
  // The second press may end the navigation of the first one.
  await expect.poll(() => page.url(), PATIENCE).toMatch(/\/pay\/link-/)
  await page.locator('gateway-checkout').waitFor()
  return page.url()
}

async function payOrder(page: Page, address: string, isScripted: boolean) {
  const button = page.locator('gateway-checkout').getByRole('button', { name: /^Pay/ })
  await (isScripted ? button : page.locator('summary')).click()
  await giveDetails(page, DETAILS)
  await payOn(page, address)
}

/** Resolves with the receipt that the page of a paid order shows. */
async function receiptOn(page: Page): Promise<string> {
  await page.getByRole('heading', { name: 'Paid' }).waitFor()
  await page.getByText('KES 3,000').waitFor()
  return page.locator('code').first().innerText()
}

const lastPartOf = (address: string) => address.slice(address.lastIndexOf('/') + 1)

async function goBackTo(page: Page, address: string) {
  for (let steps = 0; page.url() !== address; steps++) {
    expect(steps).toBeLessThan(8)
    await page.goBack()
  }
}

test('one link is paid by several, also by one who presses twice and goes back: each has an order and a receipt', async () => {
  const terms = ['--amount', '1500', '--max-quantity', '5', '--question', 'Name on the ticket']
  const { url, text } = await servers.reusableLink(...terms)
  expect(text).toBe(`Pwani Goods: KES 1,500 for Two kangas. Pay here: ${url}`)
  const payers = [
    { name: 'Asha', settings: {} },
    ...(isFull ? [{ name: 'Juma', settings: { javaScriptEnabled: false } }] : []),
    { name: 'Wambui', settings: { javaScriptEnabled: false } },
  ]
  const paid: { name: string; address: string; page: Page; receipt: string }[] = []
  for (const { name, settings } of payers) {
    const { page } = await openPhone(settings)
    await page.goto(url)
    await page.getByRole('heading', { name: 'Two kangas' }).waitFor()
    const address = await order(page, name)
    if (name === 'Wambui') {
      await page.goBack()
      await page.waitForURL(url)
      expect(await order(page, name)).toBe(address)
    }

    await payOrder(page, address, name === 'Asha')
    paid.push({ name, address: page.url().replace(/#.*/, ''), page, receipt: await receiptOn(page) })
    expect(page.url()).toContain(address)
    if (name === 'Wambui') {
      await goBackTo(page, url)
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.waitForURL(/\/pay\/link-/)
      expect(await receiptOn(page)).toBe(paid.at(-1)?.receipt)
    }
  }

  expect(new Set(paid.map(({ address }) => address)).size).toBe(payers.length)
  expect(new Set(paid.map(({ receipt }) => receipt)).size).toBe(payers.length)
  for (const { page, receipt } of paid) {
    const shown = await page.content()
    expect(paid.filter((each) => shown.includes(each.receipt)).map((each) => each.receipt)).toEqual([receipt])
  }

  const id = lastPartOf(url)
  const stored = (await servers.checkouts()).filter(({ link }) => link?.id === id)
  expect(stored).toMatchObject(
    paid.map(({ name, address }) => ({
      order: lastPartOf(address),
      outcome: 'paid',
      link: { amount: '1500', quantity: 2, answer: name },
    })),
  )
})

test.each([
  ['one amount', ['--amount', '1500']],
  [
    'amounts to choose from, pieces and a question',
    ['--amount', '500', '--amount', '1000', '--max-quantity', '9', '--question', 'Name'],
  ],
])('the page of a link with %s is accessible', async (_, options) => {
  const { url } = await servers.reusableLink(...options)
  const { page, complaints } = await openPhone()
  await page.goto(url)
  expect(await violations(page)).toEqual([])
  const low = await page
    .locator('label, form button, input:not([type=radio], [type=hidden])')
    .evaluateAll((all) =>
      all.flatMap((each) => {
        const { height } = each.getBoundingClientRect()
        return height < 44 ? [`${each.textContent} ${height}`] : []
      }),
    )
  expect(low).toEqual([])
  expect(complaints).toEqual([])
})

test('the page of a link that is shown again after a slip names it beside its field, and is accessible', async () => {
  const amounts = ['--amount', '500', '--amount', '1000', '--max-quantity', '9', '--question', 'Name']
  const { url } = await servers.reusableLink(...amounts)
  const { page } = await openPhone()
  await page.goto(url)
  await page.getByRole('radio', { name: 'KES 500' }).check()
  const quantity = page.getByRole('spinbutton')
  await quantity.fill('10')
  // An older browser checks less.
  await page.locator('form').evaluate((form) => form.toggleAttribute('novalidate'))
  await page.getByRole('textbox', { name: 'Name' }).fill('Asha')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Enter a whole number from 1 to 9.').waitFor()
  expect(await violations(page)).toEqual([])
  expect(await quantity.getAttribute('aria-describedby')).toBe('wrong-quantity')
  expect(await page.getByRole('radio', { name: 'KES 500' }).isChecked()).toBe(true)
  await quantity.fill('2')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(/\/pay\/link-/)
  await page.getByText('KES 1,000').first().waitFor()
})
