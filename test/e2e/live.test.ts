/** The payment server's stream, across origins and through a real network, as each engine's own EventSource meets it. */

import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { Browser, Page } from './browser.ts'
import type { Market } from './market.ts'
import { openBrowser } from './browser/open.ts'
import { openMarket } from './market.ts'
import { visit } from './shopper.ts'

const engine = inject('engine')
let market: Market
let browser: Browser

beforeAll(async () => {
  ;[market, browser] = await Promise.all([openMarket(), openBrowser(engine)])
})

afterAll(async () => {
  await browser?.close()
  await market?.close()
})

test('two windows of one checkout are told by streams, and ask nothing more', async () => {
  const shopper = await visit(browser, market, { launch: 'popup' })
  await wiretap(shopper.page)
  const hosted = await shopper.press()
  await said(shopper.page, /^beat/)
  const { checkout_id } = await shopper.sees('waiting', /./)

  const second = await shopper.again()
  await wiretap(second.page)
  await second.page.evaluate(`document.querySelector('gateway-checkout').checkoutId = '${checkout_id}'`)
  await said(second.page, /^beat/)

  for (const { page } of [shopper, second]) await cutQuestions(page)
  await hosted.answer('Enter PIN and approve')
  for (const window of [shopper, second]) {
    await window.sees('paid', /1,500/)
    await said(window.page, /"status":801/)
  }
  await second.leave()
})

/** Writes down what streams say from now on. */
async function wiretap(page: Page): Promise<void> {
  await page.evaluate(`void (window.wire = [], window.EventSource = class extends EventSource {
    constructor(url) {
      super(url)
      for (const type of ['beat', 'status'])
        this.addEventListener(type, ({ data }) => window.wire.push(type + ' ' + data))
    }
  })`)
}

async function said(page: Page, words: RegExp): Promise<void> {
  await expect
    .poll(() => page.evaluate<string[]>('window.wire'), { timeout: 10_000 })
    .toContainEqual(expect.stringMatching(words))
}

/** From now on no question reaches the payment server. */
async function cutQuestions(page: Page): Promise<void> {
  await page.evaluate(`void (window.fetch = () => Promise.reject(new TypeError('cut')))`)
}
