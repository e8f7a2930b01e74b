import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, inject, onTestFinished, vi } from 'vitest'

import { en } from '../../widget/words/en.ts'
import sw from '../../widget/words/sw.ts'
import { listen } from '../support/free-port.ts'
import { test, theBrowser } from './worker.ts'

import type { Page } from './browser/browser-api.ts'

const PATIENCE = { timeout: 20_000, interval: 50 }

const PAGE = `<!doctype html><script type="module">
  import { GatewayCheckout } from '/gateway-checkout.js'
  globalThis.timers = []
  let isPress = false
  const after = (ms, run) => {
    if (isPress || ms < 1_000) return clock.after(ms, run)
    timers.push([ms, run])
    return () => (timers = timers.filter(([, other]) => other !== run))
  }
  const { window, clock, ...rest } = GatewayCheckout.environment
  GatewayCheckout.environment = { ...rest, window, clock: { now: () => 0, after } }
  const tag = Object.assign(document.createElement('gateway-checkout'), { lang: 'sw', order: 'A-1' })
  // In Firefox, a page is not loaded before the files are that were requested while it was loaded.
  addEventListener('load', () => setTimeout(() => {
    document.body.append(tag)
    // A press shows the form for the payer's details, in words that only the file of a language has.
    isPress = true
    tag.start()
    isPress = false
  }))
</script>`

const SEEN = `(() => {
  const tag = document.querySelector('gateway-checkout')
  const label = tag?.shadowRoot?.querySelector('[part=form] label')
  return label ? [label.closest('[lang]').lang + ' ' + label.textContent.trim(), timers.map(([ms]) => ms)] : null
})()`

const WAITED = 'timers.map(([ms]) => ms)'

const PASS = `(timers.splice(0).forEach(([, run]) => run()), true)`

const ENGLISH = `en ${en.payer_name}`
const SWAHILI = `sw ${sw.payer_name}`
const engine = inject('engine')
const browser = await theBrowser()
let page: Page
let address = ''
let asked = 0
let missing = 0
let gate = Promise.resolve()

const shop = createServer(({ url = '' }, answer) => {
  if (url === '/') {
    return void answer.setHeader('content-type', 'text/html').end(PAGE)
  }

  const file = `widget/dist${url}`
  if (!existsSync(file)) {
    return void answer.writeHead(404).end()
  }
  if (url.includes('/sw-') && asked++ < missing) {
    return void answer.writeHead(503).end()
  }

  const isHeld = url.includes('/sw-') ? gate : Promise.resolve()
  void isHeld.then(() => answer.setHeader('content-type', 'text/javascript').end(readFileSync(file)))
})

beforeAll(async () => {
  address = await listen(shop)
})

afterAll(() => {
  shop.close()
  shop.closeAllConnections()
})

async function open(failures: number): Promise<void> {
  asked = 0
  missing = failures
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  page = await context.newPage()
  await page.goto(address)
}

async function sees(seen: unknown): Promise<void> {
  await vi.waitFor(async () => expect(await page.evaluate(SEEN)).toEqual(seen), PATIENCE)
}

test('a language that fails to load is replaced by English and retried', async () => {
  await open(1)
  await sees([ENGLISH, [5_000]])
  expect(asked).toBe(1)
  await page.evaluate(PASS)
  if (engine === 'firefox') {
    // Firefox caches the failed import until the page is reloaded.
    await sees([ENGLISH, [10_000]])
    expect(asked).toBe(1)
    await page.reload()
  }

  await sees([SWAHILI, []])
  expect(asked).toBe(2)
})

test('a language that is slow is waited for for three seconds, and replaces English later', async () => {
  let arrived = () => {}
  gate = new Promise((resolve) => (arrived = resolve))
  onTestFinished(() => arrived())
  await open(0)
  await vi.waitFor(async () => expect(await page.evaluate(WAITED)).toEqual([3_000]), PATIENCE)
  expect(await page.evaluate(SEEN)).toBeNull()
  await page.evaluate(PASS)
  await sees([ENGLISH, []])
  arrived()
  await sees([SWAHILI, []])
})
