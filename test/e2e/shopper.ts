/** A shopper with a browser: what a person sees and presses, in words. */

import { chromium } from 'playwright'
import { expect } from 'vitest'
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright'
import type { Outcome, View } from '../../server/contract/view.ts'
import type { GatewayCheckout } from '../../widget/index.ts'
import type { Market } from './market.ts'
import { browsers } from '../support/browsers.ts'
import { chromiumOptions } from '../support/browsers/launch-options.ts'

export type LaunchMode = 'auto' | 'redirect' | 'popup'

/** The page asks every few seconds, and a machine that is busy takes its time. */
const PATIENCE = { timeout: 20_000 }

export async function openBrowser(): Promise<Browser> {
  // Playwright lets every pop-up through; a shopper's browser does not.
  return chromium.launch({
    ...chromiumOptions((await browsers()).chromium),
    ignoreDefaultArgs: ['--disable-popup-blocking'],
  })
}

export interface Wishes {
  launch?: LaunchMode
  amount?: number
  payer?: 'known' | 'asked'
  lang?: 'en' | 'sw'
  context?: BrowserContextOptions
}

/** Opens the shop in a context of its own. */
export async function visit(browser: Browser, market: Market, wishes: Wishes = {}): Promise<Visit> {
  const { launch = 'redirect', amount = 1500, payer = 'known', lang = 'en', context } = wishes
  const opened = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...context })
  opened.setDefaultTimeout(PATIENCE.timeout)
  const page = await opened.newPage()
  const settings = new URLSearchParams({ amount: String(amount), launch, payer, lang })
  await page.goto(`${market.shop}/?${settings}`)
  return new Visit(page, market, opened)
}

export class Visit {
  readonly page: Page
  readonly order: string
  readonly #market: Market
  readonly #context: BrowserContext
  /** Errors of any page: what a script threw, what a policy refused, what could not be loaded. */
  readonly #complaints: string[] = []

  constructor(page: Page, market: Market, context: BrowserContext) {
    context.on('weberror', (event) => this.#complaints.push(event.error().message))
    context.on('console', (message) => {
      if (message.type() === 'error') this.#complaints.push(message.text())
    })
    this.page = page
    this.order = new URL(page.url()).searchParams.get('order') ?? ''
    this.#market = market
    this.#context = context
  }

  get tag(): Locator {
    return this.page.locator('gateway-checkout')
  }

  /** Presses the tag's button, or the one of its form; the hosted page that opens, wherever that is. */
  async press(): Promise<HostedPage> {
    return this.#opened(() => this.tag.getByRole('button').first().click())
  }

  /** Sends the form that stands in for the tag where no script runs. */
  async submit(name: string): Promise<HostedPage> {
    return this.#opened(() => this.page.getByRole('button', { name }).click())
  }

  async #opened(act: () => Promise<void>): Promise<HostedPage> {
    const apart = this.#context.waitForEvent('page')
    const inPlace = this.page.waitForURL(`${this.#market.sandbox}/pay/*`).then(() => this.page)
    const first = Promise.any([apart, inPlace])
    await act()
    return this.#at(await first)
  }

  /** What a merchant's script does that calls `start()` on its own: no browser counts that as a click. */
  async startWithoutClick(): Promise<void> {
    const devtools = await this.#context.newCDPSession(this.page)
    const expression = `document.querySelector('gateway-checkout').start()`
    await devtools.send('Runtime.evaluate', { expression, userGesture: false })
    await devtools.detach()
  }

  /** Follows the link that stands in for a blocked pop-up. */
  async follow(): Promise<HostedPage> {
    const tab = this.#context.waitForEvent('page')
    await this.tag.getByRole('link').click()
    return this.#at(await tab)
  }

  async #at(page: Page): Promise<HostedPage> {
    await page.waitForURL(`${this.#market.sandbox}/pay/*`)
    return new HostedPage(page, this.page)
  }

  /** Waits until the tag shows an outcome in these words, and holds a view with these facts. */
  async sees(outcome: Outcome, words: RegExp, facts: Partial<View> = {}): Promise<View> {
    const view = () => this.tag.evaluate((tag: GatewayCheckout) => tag.checkout)
    await expect.poll(view, PATIENCE).toMatchObject({ outcome, order: this.order, ...facts })
    await this.page.locator(`gateway-checkout[state=${outcome}]`).waitFor()
    await this.tag.getByRole('status').filter({ hasText: words }).waitFor()
    const shown = await view()
    if (shown === null) throw new Error('The tag forgot its view.')
    return shown
  }

  /** Waits for the merchant's backend to have heard of it. */
  async merchantHears(standing: string, ...heard: string[]): Promise<void> {
    await expect.poll(() => this.#market.heard(this.order), PATIENCE).toEqual({ standing, heard })
  }

  /** What the shop's page was told, the first first, without the events that only say that a page opened or closed. */
  async told(): Promise<string[]> {
    const lines = await this.page.locator('#events li').allTextContents()
    return lines.toReversed().filter((line) => !/^checkout-(open|close)/.test(line))
  }

  /** Pictures for a person to look at, on a phone and on a desk. */
  async photograph(name: string): Promise<void> {
    for (const width of [360, 1280]) {
      await this.page.setViewportSize({ width, height: 800 })
      await this.page.screenshot({ path: `test-results/e2e/${name}-${width}.png`, fullPage: true })
    }
  }

  /** The same page of the shop in a second window. */
  async again(): Promise<Visit> {
    const page = await this.#context.newPage()
    await page.goto(this.page.url())
    return new Visit(page, this.#market, this.#context)
  }

  /** Closes everything, and fails if a page complained meanwhile. */
  async leave(): Promise<void> {
    await this.#context.close()
    expect(this.#complaints).toEqual([])
  }
}

export class HostedPage {
  readonly page: Page
  readonly #shop: Page

  constructor(page: Page, shop: Page) {
    this.page = page
    this.#shop = shop
  }

  /** Has a prompt sent to the phone, and answers it as the button on the simulated phone says. */
  async answer(does: string, amount?: number): Promise<void> {
    await this.page.getByRole('button', { name: /^Send prompt/ }).click()
    const button = this.page.getByRole('button', { name: does, exact: true })
    if (amount !== undefined) {
      const form = this.page.locator('form').filter({ has: button })
      await form.getByRole('textbox').fill(String(amount))
    }
    await button.click()
  }

  /** Goes back to the shop: a pop-up closes, a page returns to where it came from. */
  async back(): Promise<void> {
    const isPopup = this.page !== this.#shop
    const gone = isPopup ? this.page.waitForEvent('close') : this.page.waitForURL(/[?&]order=demo-/)
    await this.page.getByRole('link', { name: 'Back to the shop' }).click()
    await gone
  }
}
