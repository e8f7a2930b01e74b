import { expect, inject, test } from 'vitest'
import type { Page } from './browser.ts'
import { openBrowser } from './browser/open.ts'
import { openDemoWithPages, scriptTag, tag } from './pages.ts'
import { arrive, visit } from './shopper.ts'
import { openAll } from './demo.ts'

const engine = inject('engine')
const [demo, browser] = await openAll(openDemoWithPages(), openBrowser(engine))

test('a page that is reloaded continues its checkout', async () => {
  const shopper = await visit(browser, demo, { launch: 'popup' })
  const hosted = await shopper.press()
  const { checkout_id } = await shopper.sees('waiting', /./)
  await shopper.page.reload()
  expect(await shopper.sees('waiting', /./)).toMatchObject({ checkout_id })
  await hosted.answer('Enter PIN and approve')
  expect(await shopper.sees('paid', /1,500/)).toMatchObject({ checkout_id })
  await shopper.leave()
})

test('two elements of one checkout are updated by streams and stop polling', async () => {
  const shopper = await visit(browser, demo, { launch: 'popup' })
  const { page } = shopper
  await recordStreamMessages(page)
  const hosted = await shopper.press()
  await received(page, /^beat/, 1)
  const { checkout_id } = await shopper.sees('waiting', /./)
  await page.evaluate(`(() => {
    const tag = document.querySelector('gateway-checkout')
    const other = tag.cloneNode()
    other.setAttribute('checkout-id', '${checkout_id}')
    tag.after(other)
  })()`)
  await received(page, /^beat/, 2)

  await breakFetch(page)
  await hosted.answer('Enter PIN and approve')
  await shopper.sees('paid', /1,500/)
  await received(page, /"status":801/, 2)
  await expect.poll(() => page.evaluate(STATES)).toEqual(['paid', 'paid'])
  await shopper.leave()
})

const OPENER_POLICIES = [
  { shop: 'same-origin', hosted: 'unsafe-none', looksClosed: true },
  { shop: 'unsafe-none', hosted: 'same-origin', looksClosed: true },
]

test.each(OPENER_POLICIES)(
  'a checkout is paid under Cross-Origin-Opener-Policy $shop on the shop and $hosted on the hosted page',
  async (policy) => {
    const { bff, pages, gateway } = demo
    gateway.headers = { 'cross-origin-opener-policy': policy.hosted }
    const address = pages.put((order) => scriptTag(bff) + tag(bff, order, 'launch="popup"'), {
      'cross-origin-opener-policy': policy.shop,
    })
    const shopper = await arrive(await browser.newContext(), demo, address)
    const hosted = await shopper.press()
    await shopper.sees('waiting', policy.looksClosed ? /Not confirmed yet/ : /./)
    await hosted.answer('Enter PIN and approve')
    await hosted.back()
    await shopper.sees('paid', /1,500/, { status: 801, attempt: 1 })
    await shopper.leave()
  },
)

const STATES = `Array.from(document.querySelectorAll('gateway-checkout'), (tag) => tag.state)`

async function recordStreamMessages(page: Page): Promise<void> {
  await page.evaluate(`void (window.wire = [], window.EventSource = class extends EventSource {
    constructor(url) {
      super(url)
      for (const type of ['beat', 'status'])
        this.addEventListener(type, ({ data }) => window.wire.push(type + ' ' + data))
    }
  })`)
}

async function received(page: Page, words: RegExp, times: number): Promise<void> {
  const lines = async () => (await page.evaluate<string[]>('window.wire')).filter((line) => words.test(line))
  await expect.poll(lines, { timeout: 10_000 }).toHaveLength(times)
}

async function breakFetch(page: Page): Promise<void> {
  await page.evaluate(`void (window.fetch = () => Promise.reject(new TypeError('cut')))`)
}
