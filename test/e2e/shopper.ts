import { expect, onTestFinished, vi } from 'vitest'

import { runAxe } from '../support/browsers/axe.ts'

import type { Outcome, CheckoutView } from '../../server/api/view.ts'
import type { Browser, Context, Locator, Page } from './browser/browser-api.ts'
import type { Demo } from './demo.ts'

export const PATIENCE = { timeout: 20_000, interval: 50 }

const SHOWN = `(() => {
  const tag = document.querySelector('gateway-checkout')
  const status = tag.shadowRoot.querySelector('[role=status]')
  const words = status?.checkVisibility() ? status.textContent : ''
  return { state: tag.getAttribute('state'), view: tag.checkout, words }
})()`

// Firefox requests this icon for pages without an icon, and logs an error.
const UNASKED = '/favicon.ico'

interface Settings {
  launch?: 'redirect' | 'popup'
  payer?: 'known' | 'asked'
}

export async function visit<Tab extends Page>(
  browser: Browser<Tab>,
  demo: Demo,
  settings: Settings = {},
): Promise<Visit<Tab>> {
  return enter(await browser.newContext(), demo, settings)
}

export async function enter<Tab extends Page>(
  context: Context<Tab>,
  demo: Demo,
  settings: Settings = {},
): Promise<Visit<Tab>> {
  const { launch = 'redirect', payer = 'known' } = settings
  const query = new URLSearchParams({ amount: '1500', launch, payer, lang: 'en' })
  return arrive(context, demo, `${demo.shop}/?${query}`)
}

export async function arrive<Tab extends Page>(
  context: Context<Tab>,
  demo: Demo,
  address: string,
): Promise<Visit<Tab>> {
  onTestFinished(() => context.close())
  const complaints = complaintsIn(context)
  const page = await context.newPage()
  await page.goto(address)
  return new Visit(page, await page.url(), demo, context, complaints)
}

function complaintsIn(context: Context): string[] {
  const complaints: string[] = []

  const note = (complaint: string) => {
    if (!complaint.includes(UNASKED)) {
      complaints.push(complaint)
    }
  }

  context.on?.('weberror', (event) => note(event.error().message))
  context.on?.('console', (message) => {
    if (message.type() === 'error') {
      note(message.text())
    }
  })
  return complaints
}

export class Visit<Tab extends Page> {
  readonly page: Tab
  readonly order: string
  readonly #address: string
  readonly #demo: Demo
  readonly #context: Context<Tab>
  readonly #complaints: string[]

  constructor(page: Tab, address: string, demo: Demo, context: Context<Tab>, complaints: string[]) {
    this.page = page
    this.order = new URL(address).searchParams.get('order') ?? ''
    this.#address = address
    this.#demo = demo
    this.#context = context
    this.#complaints = complaints
  }

  get tag(): Locator {
    return this.page.locator('gateway-checkout')
  }

  async press(): Promise<HostedPage<Tab>> {
    return this.opened(() => this.tag.getByRole('button').first().click())
  }

  async submit(name: RegExp): Promise<HostedPage<Tab>> {
    return this.opened(() => this.page.getByRole('button', { name }).click())
  }

  async follow(): Promise<HostedPage<Tab>> {
    return this.opened(() => this.tag.getByRole('link').click())
  }

  /** Resolves with the hosted page that opens once `act` is done. */
  async opened(act: () => Promise<void>): Promise<HostedPage<Tab>> {
    const before = await this.#hosted()
    await act()
    const page = await vi.waitFor(async () => {
      const opened = (await this.#hosted()).find((each) => !before.includes(each))
      if (opened === undefined) {
        throw new Error('No hosted page opened.')
      }
      return opened
    }, PATIENCE)
    return new HostedPage(page, this.page, this.#context)
  }

  async windows(): Promise<number> {
    return (await this.#context.pages()).length
  }

  async #hosted(): Promise<Tab[]> {
    const hosted: Tab[] = []
    for (const page of await this.#context.pages()) {
      if ((await page.url()).startsWith(`${this.#demo.sandbox}/pay/`)) {
        hosted.push(page)
      }
    }

    return hosted
  }

  async sees(outcome: Outcome, words: RegExp, facts: Partial<CheckoutView> = {}): Promise<CheckoutView> {
    const view = { outcome, order: this.order, ...facts }
    await expect
      .poll(() => this.page.evaluate(SHOWN), PATIENCE)
      .toMatchObject({ state: outcome, words: expect.stringMatching(words), view })
    return this.page.evaluate<CheckoutView>(`document.querySelector('gateway-checkout').checkout`)
  }

  async merchantReceives(standing: string, ...heard: string[]): Promise<void> {
    await expect.poll(() => this.#demo.fulfilment(this.order), PATIENCE).toEqual({ standing, heard })
  }

  async eventLog(): Promise<string[]> {
    const lines = await this.page.evaluate<string[]>(
      `Array.from(document.querySelectorAll('#events li'), (line) => line.textContent)`,
    )
    return lines.toReversed().filter((line) => !/^checkout-(open|close)/.test(line))
  }

  async openSecondTab(): Promise<Visit<Tab>> {
    return arrive(this.#context, this.#demo, this.#address)
  }

  async leave(expectedErrors = /^$/): Promise<void> {
    await this.#context.close()
    expect(this.#complaints.filter((complaint) => !expectedErrors.test(complaint))).toEqual([])
  }
}

export class HostedPage<Tab extends Page> {
  readonly page: Tab
  readonly #shop: Tab
  readonly #context: Context<Tab>

  constructor(page: Tab, shop: Tab, context: Context<Tab>) {
    this.page = page
    this.#shop = shop
    this.#context = context
  }

  async answer(does: string): Promise<void> {
    await this.page.getByRole('button', { name: /^Pay KES/ }).click()
    await this.page.getByRole('button', { name: new RegExp(`^${does}$`) }).click()
  }

  async payPart(amount: number): Promise<void> {
    await this.page.getByRole('button', { name: /^Pay KES/ }).click()
    await this.page.getByRole('textbox', { name: /Another amount/ }).fill(String(amount))
    await this.page.getByRole('button', { name: /^Pay a part$/ }).click()
  }

  async back(): Promise<void> {
    await this.page.getByRole('link', { name: /Back to the shop/ }).click()
    await expect.poll(() => this.#isBack(), PATIENCE).toBe(true)
  }

  async #isBack(): Promise<boolean> {
    if (this.page === this.#shop) {
      return /[?&]order=demo-/.test(await this.page.url())
    }
    return !(await this.#context.pages()).includes(this.page)
  }
}

export async function violations(page: Page): Promise<string[]> {
  // A page that is being parsed has no tree.
  await expect.poll(() => page.evaluate('document.readyState'), PATIENCE).toBe('complete')
  const runOnly = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
  const found = await runAxe(page, { runOnly, resultTypes: ['violations'] })
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
