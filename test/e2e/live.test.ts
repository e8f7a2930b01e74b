/** The payment server's stream, across origins and through a real network, as each engine's own EventSource meets it. */

import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { Browser, Page } from './browser.ts'
import type { Demo } from './demo.ts'
import { openBrowser } from './browser/open.ts'
import { openDemo } from './demo.ts'
import { visit } from './shopper.ts'

const engine = inject('engine')
let demo: Demo
let browser: Browser

beforeAll(async () => {
  ;[demo, browser] = await Promise.all([openDemo(), openBrowser(engine)])
})

afterAll(async () => {
  await browser?.close()
  await demo?.close()
})

test('two tags of one checkout are told by streams, and ask nothing more', async () => {
  const shopper = await visit(browser, demo, { launch: 'popup' })
  const { page } = shopper
  await wiretap(page)
  const hosted = await shopper.press()
  await heard(page, /^beat/, 1)
  const { checkout_id } = await shopper.sees('waiting', /./)
  await page.evaluate(`(() => {
    const tag = document.querySelector('gateway-checkout')
    const other = tag.cloneNode()
    other.setAttribute('checkout-id', '${checkout_id}')
    tag.after(other)
  })()`)
  await heard(page, /^beat/, 2)

  await cutQuestions(page)
  await hosted.answer('Enter PIN and approve')
  await shopper.sees('paid', /1,500/)
  await heard(page, /"status":801/, 2)
  await expect.poll(() => page.evaluate(STATES)).toEqual(['paid', 'paid'])
  await shopper.leave()
})

const STATES = `Array.from(document.querySelectorAll('gateway-checkout'), (tag) => tag.state)`

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

async function heard(page: Page, words: RegExp, times: number): Promise<void> {
  const lines = async () => (await page.evaluate<string[]>('window.wire')).filter((line) => words.test(line))
  await expect.poll(lines, { timeout: 10_000 }).toHaveLength(times)
}

/** From now on no question reaches the payment server. */
async function cutQuestions(page: Page): Promise<void> {
  await page.evaluate(`void (window.fetch = () => Promise.reject(new TypeError('cut')))`)
}
