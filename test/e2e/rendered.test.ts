/**
 * Presses the button of a rendered element before, during and after the takeover by the element's script, as a shopper
 * with a mouse does. Each press starts exactly one checkout.
 */

import { expect, inject, test } from 'vitest'
import type { RenderCheckoutOptions } from '../../server/index.ts'
import type { Page } from './browser.ts'
import type { Arrival } from './rendered-pages.ts'
import { createSeededRandom } from '../support/seeded-random.ts'
import { openBrowser } from './browser/open.ts'
import { openAll } from './demo.ts'
import { openRenderedPages } from './rendered-pages.ts'

const PRESSES = inject('isFull') ? 1_000 : 24
const SEED = 1
const PRESSES_TIMEOUT_MS = 30_000 + PRESSES * 10_000
const PATIENCE = { timeout: 30_000, interval: 5 }
const LONGEST_DELAY_MS = 30

const engine = inject('engine')
const [pages, browser] = await openAll(openRenderedPages(), openBrowser(engine))
const context = await browser.newContext()
// WebKit ends a session whose last page is closed.
const page = await context.newPage()

interface Look {
  boxes: string[]
  styles: Record<string, string>[]
  text: string
  buttons: number
  hasFocus: boolean
}

/** Waits until the element has taken over the button. */
async function takenOver(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate<boolean>('isTakenOver()'), PATIENCE).toBe(true)
}

async function pressed(page: Page, between = async () => {}): Promise<void> {
  await page.mouse.down()
  await between()
  await page.mouse.up()
}

const PRESS: Record<string, { arrival: Arrival; press: (page: Page) => Promise<void> }> = {
  'before the script is requested': { arrival: 'click', press: (page) => pressed(page) },
  'while the script arrives': { arrival: 'mousemove', press: (page) => pressed(page) },
  'begun before the takeover and ended after it': {
    arrival: 'mousedown',
    press: (page) => pressed(page, () => takenOver(page)),
  },
  'after the takeover': {
    arrival: 'mousemove',
    press: async (page) => {
      await takenOver(page)
      await pressed(page)
    },
  },
}

test(
  `${PRESSES} presses around the takeover start ${PRESSES} checkouts: none is lost, none counts twice`,
  { timeout: PRESSES_TIMEOUT_MS, retry: 0 },
  async () => {
    const random = createSeededRandom(SEED, 'presses')
    const orders = Array.from({ length: PRESSES }, (_, index) => `press-${index}`)
    const startedBy: Record<string, Set<string>> = {}
    for (const [index, order] of orders.entries()) {
      const kinds = Object.keys(PRESS)
      const kind = kinds[index % kinds.length]!
      const { arrival, press } = PRESS[kind]!
      await page.goto(pages.put(order, { arrival, delayMs: random.between(0, LONGEST_DELAY_MS) }))
      const { x, y } = await page.evaluate<{ x: number; y: number }>('middle()')
      // A mouse that stands still does not move, so it comes from elsewhere.
      await page.mouse.move(1, 1 + (index % 2))
      await page.mouse.move(x, y)
      await press(page)
      const isThere = `location.href.endsWith('/hosted?order=${order}') && document.readyState === 'complete'`
      await expect.poll(() => page.evaluate(isThere), { ...PATIENCE, message: `${order} ${kind}` }).toBe(true)
      startedBy[kind] = (startedBy[kind] ?? new Set()).add(String(pages.starts.get(order)))
    }
    expect(orders.filter((order) => pages.starts.get(order)?.length !== 1)).toEqual([])
    expect(startedBy).toMatchObject({
      'before the script is requested': new Set(['form']),
      'begun before the takeover and ended after it': new Set(['element']),
      'after the takeover': new Set(['element']),
    })
  },
)

// In this WebKit, the first part of such a page requests no script before the rest arrives, so the test would wait.
test
  .skipIf(engine === 'webkit')
  .each([
    '<gateway-checkout',
    '<template shadowrootmode="open" shadowrootdelegatesfocus>',
    '</style>',
    '<div part="base"',
    '<div part="status idle" role="status" aria-atomic="false"></div>',
    '<slot part="label" name="label">Pa',
    '</slot></button>',
    '<p part="terms" class="soft">Pwani',
  ])(
  'an element whose script arrives when the page is there up to %s shows its text once',
  async (splitAfter) => {
    const order = `split-${splitAfter.replaceAll(/\W/g, '')}`
    const options = { amount: 'KES 1500', payee: 'Pwani Goods' }
    await page.goto(pages.put(order, { arrival: 'DOMContentLoaded', delayMs: 0, options, splitAfter }))
    await takenOver(page)
    const { text, buttons } = await page.evaluate<Look>('look()')
    expect([text.replaceAll(/\s+/g, ' ').trim(), buttons]).toEqual(['Pay KES 1,500 Pwani Goods', 1])
    const bases = `tag().shadowRoot.querySelectorAll('.base, [role=status], [part=terms]').length`
    expect(await page.evaluate(bases)).toBe(3)
    await page.evaluate('void button().click()')
    const isThere = `location.href.endsWith('/hosted?order=${order}')`
    await expect.poll(() => page.evaluate(isThere), PATIENCE).toBe(true)
    expect(pages.starts.get(order)).toEqual(['element'])
  },
)

test.skipIf(engine === 'webkit')(
  'an element that the page removes while it arrives does nothing when the rest is there',
  async () => {
    const part = { splitAfter: '<div part="base"', isRemoved: true } as const
    await page.goto(pages.put('removed', { arrival: 'DOMContentLoaded', delayMs: 0, ...part }))
    await page.evaluate('new Promise((resolve) => setTimeout(resolve))')
    expect(await page.evaluate('[removed.isConnected, removed.hasUpdated]')).toEqual([false, false])
  },
)

const LOOKS: Record<string, Partial<RenderCheckoutOptions>> = {
  'with its own words': {},
  'in light, with amount and payee': { theme: 'light', amount: 'KES 1500', payee: 'Pwani Goods' },
  'in dark, with a label': { theme: 'dark', label: 'Pay now', amount: 'KES 1500', payee: 'Pwani Goods' },
  'in Arabic': { lang: 'ar', payee: 'Pwani Goods' },
  disabled: { disabled: true },
}

test.each(Object.entries(LOOKS))(
  'the takeover of a button %s changes neither its style, its place nor the focus',
  async (_, options) => {
    const order = `look-${JSON.stringify(options).length}`
    await page.goto(pages.put(order, { arrival: 'mousedown', delayMs: 0, options }))
    await page.evaluate('void button().focus()')
    const before = await page.evaluate<Look>('look()')
    await page.evaluate('void (was = button(), load())')
    await takenOver(page)
    expect(await page.evaluate<Look>('look()')).toEqual(before)
    expect(await page.evaluate('was === button() && shift')).toBe(0)
    expect([before.buttons, before.hasFocus]).toEqual([1, !options.disabled])
  },
)
