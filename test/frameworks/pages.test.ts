import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Browser } from 'playwright'
import { openChromium } from '../e2e/browser/open.ts'
import type { PageName } from './merchant.ts'
import { PAGES, openMerchant, renderOnServer } from './merchant.ts'

const COMPONENTS: PageName[] = ['component', 'react-18/component']

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

test.concurrent.each(PAGES.filter((page) => !COMPONENTS.includes(page)))(
  '%s: pressed, paid, heard and shown',
  async (page) => {
    const order = `order-${page}`
    const shopper = await visit(merchant.address(page, order))
    await pay(shopper)
    await shopper.page.getByText(`Thank you for ${order}`).waitFor()
    await shopper.tag.getByRole('status').filter({ hasText: /1,500/ }).waitFor()
    expect(await shopper.tag.getAttribute('state')).toBe('paid')
    expect(await merchant.countInitiateRequests(order)).toBe(1)
    await shopper.leave()
  },
)

test.concurrent('React mounts everything twice in StrictMode, and one checkout begins', async () => {
  const shopper = await visit(merchant.address('react', 'order-twice', { begins: '' }))
  await shopper.page.locator('gateway-checkout[state=blocked]').waitFor()
  expect(await shopper.page.evaluate(() => performance.getEntriesByName('mounted').length)).toBe(2)
  expect(await merchant.countInitiateRequests('order-twice')).toBe(1)
  // The checkout started without a click, so the browser blocked the pop-up.
  await shopper.leave(/popup_blocked/)
})

test.concurrent.each(COMPONENTS)('%s: a payment before hydration reaches the handlers once', async (page) => {
  const order = `order-early-${page}`
  const shopper = await visit(merchant.address(page, order, { waits: '' }))
  await pay(shopper)
  await shopper.page.locator('gateway-checkout[state=paid]').waitFor()
  expect(await shopper.page.locator('output').textContent()).toBe('')
  await shopper.page.evaluate(() => dispatchEvent(new Event('hydrate')))
  await shopper.page.getByText(`Thank you for ${order}`).waitFor()
  expect(await shopper.page.locator('#heard').textContent()).toBe('change paid settled')
  await shopper.leave()
})

test.concurrent.each(COMPONENTS)(
  '%s: every event reaches its handler once, and the words are set',
  async (page) => {
    const shopper = await visit(merchant.address(page, `order-heard-${page}`))
    await shopper.tag.getByRole('button', { name: 'Pay for the kangas' }).waitFor()
    await pay(shopper)
    await shopper.page.getByText(`Thank you for order-heard-${page}`).waitFor()
    const heard = (await shopper.page.locator('#heard').textContent())?.split(' ')
    expect([heard?.[0], heard?.slice(-3)]).toEqual(['open', ['change', 'paid', 'settled']])
    await shopper.leave()
  },
)

test.each([19, 18])(
  'React %i writes the tag on a server, with its attributes and content',
  async (version) => {
    const html = await renderOnServer(version, merchant.address('component', 'A-1'))
    const flag = version === 18 ? 'required="true"' : 'required=""'
    expect(html).toMatch(
      /^<gateway-checkout order="A-1" server="http:[^"]+" payer-name="Asha Mwangi" payer-email="asha@example.com" payer-msisdn="\+254700000001" launch="popup" /,
    )
    expect(html).toContain(` ${flag} class="pay"><p>Pay at the counter.</p></gateway-checkout><output>`)
  },
)

type Shopper = Awaited<ReturnType<typeof visit>>

async function pay({ page, tag }: Shopper): Promise<void> {
  const popup = page.waitForEvent('popup')
  await tag.getByRole('button', { name: /Pay/ }).click()
  const hosted = await popup
  await hosted.getByRole('button', { name: /^Pay KES/ }).click()
  await hosted.getByRole('button', { name: 'Enter PIN and approve', exact: true }).click()
}

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
