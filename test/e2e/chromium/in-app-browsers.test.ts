import { randomUUID } from 'node:crypto'
import { devices } from 'playwright'
import { expect, inject, test } from 'vitest'
import type { Page } from 'playwright'
import type { CheckoutView } from '../../../server/api/view.ts'
import type { InAppBrowser } from '../in-app-browsers.ts'
import { createSeededRandom } from '../../support/seeded-random.ts'
import { openChromium } from '../browser/open.ts'
import { openAll, openDemo } from '../demo.ts'
import { IN_APP_BROWSERS } from '../in-app-browsers.ts'
import { PATIENCE } from '../shopper.ts'

// Longer than a session (30 minutes) and its grace period (2 minutes).
const PAST_EXPIRY_MINUTES = 33
const SEED = Number(process.env.SEED ?? 1)

type Checkout = ReturnType<typeof follow>
type Name = keyof typeof IN_APP_BROWSERS

interface Happening {
  /** What becomes of the payment while the shopper is on the hosted page or on the phone. */
  happens(checkout: Checkout): Promise<void>
  shows: Pick<CheckoutView, 'outcome' | 'status' | 'settled'> & Partial<CheckoutView>
  /** What the merchant's backend is told, in order. */
  told: [standing: string, ...events: string[]]
  payments: number
}

const HAPPENINGS: Record<string, Happening> = {
  '801, paid': {
    happens: (checkout) => checkout.act('approve'),
    shows: { outcome: 'paid', status: 801, settled: true, amount_paid: '1500' },
    told: ['fulfilled', 'checkout.paid'],
    payments: 1,
  },
  '801, too much': {
    happens: (checkout) => checkout.act('overpay', 1700),
    shows: { outcome: 'paid', status: 801, settled: true, amount_paid: '1700', discrepancy: 'excess' },
    told: ['fulfilled', 'checkout.paid', 'checkout.overpaid'],
    payments: 1,
  },
  '802, paid in part': {
    happens: (checkout) => checkout.act('partial', 600),
    shows: { outcome: 'partial', status: 802, settled: false, amount_paid: '600' },
    told: ['part_paid', 'checkout.partial'],
    payments: 1,
  },
  '803, nothing tried': {
    happens: () => Promise.resolve(),
    shows: { outcome: 'waiting', status: 803, settled: false },
    told: ['open'],
    payments: 0,
  },
  '803, a wrong PIN': {
    happens: (checkout) => checkout.act('wrong_pin'),
    shows: { outcome: 'unpaid', status: 803, settled: false },
    told: ['open'],
    payments: 1,
  },
  '803, and the session is over': {
    async happens(checkout) {
      await checkout.act('wrong_pin')
      await checkout.becomes({ outcome: 'unpaid' })
      await checkout.expires()
    },
    shows: { outcome: 'unpaid', status: 803, settled: true },
    told: ['unpaid', 'checkout.unpaid'],
    payments: 1,
  },
  '820, expired': {
    happens: (checkout) => checkout.expires(),
    shows: { outcome: 'expired', status: 820, settled: true },
    told: ['unpaid', 'checkout.expired'],
    payments: 0,
  },
  '840, reversed': {
    async happens(checkout) {
      await checkout.act('approve')
      await checkout.becomes({ outcome: 'paid' })
      await checkout.act('reverse')
    },
    shows: { outcome: 'reversed', status: 840, settled: true },
    told: ['taken_back', 'checkout.paid', 'checkout.reversed'],
    payments: 1,
  },
  '850, stuck at the operator': {
    happens: (checkout) => checkout.act('jam'),
    shows: { outcome: 'jammed', status: 850, settled: false },
    told: ['look_at_it', 'checkout.needs_attention'],
    payments: 1,
  },
  '851, on its way': {
    happens: (checkout) => checkout.act('slow'),
    shows: { outcome: 'pending', status: 851, settled: false },
    told: ['open'],
    payments: 1,
  },
}

const [demo, browser] = await openAll(openDemo(), openChromium())

test.each(cases())('%s: %s', async (name, outcome) => {
  const app: InAppBrowser = IN_APP_BROWSERS[name]
  const { shows, told, payments, ...gateway } = happening(outcome)
  const order = `demo-1500-${randomUUID()}`
  const earlier = await demo.checkouts()
  const started = async () => (await demo.checkouts()).slice(earlier.length)

  const hosted = await openShop(app, order)
  await press(hosted)
  const [begun, ...others] = await started()
  if (begun === undefined) throw new Error('The gateway was not asked to open a checkout.')
  expect(others).toEqual([])
  const checkout = follow(begun)
  await gateway.happens(checkout)
  await checkout.becomes(shows)

  const shop = await comeBack(hosted, app, order)
  const isOver = shows.settled && /^(expired|unpaid|reversed)$/.test(shows.outcome)
  // An app that knows nothing any more shows the button. Pressed for an order that ended, and holds no money, the
  // button starts another checkout; for any other order it finds the checkout that there is.
  const isAnew = app.way === 'app again' && isOver
  await sees(shop, isAnew ? { outcome: 'waiting', attempt: 2 } : { attempt: 1, ...shows })
  expect(await started()).toHaveLength(isAnew ? 2 : 1)
  expect(await demo.gatewayStatus(begun.merchant_transaction_id)).toMatchObject({
    status: shows.status,
    payments: Array.from({ length: payments }, () => ({})),
  })
  const [standing, ...heard] = told
  await expect.poll(() => demo.fulfilment(order), PATIENCE).toEqual({ standing, heard })
  // No third-party cookie can be missing where there is no cookie.
  // The only cookie is the demo shop's own.
  const cookies = (await shop.context().cookies()).map(({ name }) => name)
  expect(cookies.filter((name) => name !== 'last-order')).toEqual([])
  await shop.context().close()
})

/** Every browser with every outcome. Without `FULL`, each browser and each outcome at least once, drawn by `SEED`. */
function cases(): [name: Name, outcome: string][] {
  const names = Object.keys(IN_APP_BROWSERS) as Name[]
  const outcomes = Object.keys(HAPPENINGS)
  if (inject('isFull'))
    return names.flatMap((name) => outcomes.map((outcome): [Name, string] => [name, outcome]))
  const random = createSeededRandom(SEED, 'in-app browsers')
  const shuffled = <T>(list: T[]) =>
    list
      .map((each) => ({ each, at: random.fraction() }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ each }) => each)
  const mixed = shuffled(names)
  return shuffled(outcomes).flatMap((outcome, at) =>
    mixed.slice(at % mixed.length, (at % mixed.length) + 1).map((name): [Name, string] => [name, outcome]),
  )
}

function happening(outcome: string): Happening {
  const found = HAPPENINGS[outcome]
  if (found === undefined) throw new TypeError(`There is no outcome ${outcome}.`)
  return found
}

function follow(checkout: Pick<CheckoutView, 'checkout_id' | 'merchant_transaction_id'>) {
  const becomes = (view: Partial<CheckoutView>) =>
    expect.poll(() => demo.view(checkout), PATIENCE).toMatchObject(view)
  return {
    act: (scenario: string, amount?: number) => demo.act(checkout, scenario, amount),
    becomes,
    /** Moves the clock past the session's expiry, until the payment server knows the end. */
    async expires() {
      await demo.later(PAST_EXPIRY_MINUTES)
      const isOver = async () => (await demo.view(checkout)).settled || demo.later(1)
      await expect.poll(isOver, { timeout: 40_000, interval: 1_000 }).toBe(true)
    },
  }
}

async function openShop(app: InAppBrowser, order: string): Promise<Page> {
  const context = await browser.newContext(devices['Pixel 7'])
  await app.prepare(context)
  const page = await context.newPage()
  await page.goto(addressOf(order, app))
  return page
}

function addressOf(order: string, { launch, host = '127.0.0.1' }: InAppBrowser): string {
  const query = new URLSearchParams({ amount: '1500', launch, payer: 'known', lang: 'en', order })
  return `${demo.shop.replace('127.0.0.1', host)}/?${query}`
}

/** Presses the button, and the link in its place where no window opens, until the hosted page or an outcome is there. */
async function press(page: Page): Promise<void> {
  const tag = page.locator('gateway-checkout')
  await tag.getByRole('button').first().click()
  const arrived = async () => {
    if (page.url().startsWith(demo.sandbox)) return true
    const { state } = await page.evaluate<Shown>(SHOWN).catch(() => ({ state: 'gone' }))
    if (state === 'blocked') await tag.getByRole('link').click()
    return !/^(idle|starting|blocked|gone)$/.test(state)
  }
  await expect.poll(arrived, PATIENCE).toBe(true)
}

interface Shown {
  state: string
  view?: CheckoutView
}

const SHOWN = `(() => {
  const { state, checkout: view } = document.querySelector('gateway-checkout')
  return { state, view }
})()`

async function sees(page: Page, view: Partial<CheckoutView>): Promise<void> {
  const shown = () => page.evaluate<Shown>(SHOWN)
  await expect.poll(shown, PATIENCE).toMatchObject({ state: view.outcome, view })
}

async function comeBack(page: Page, app: InAppBrowser, order: string): Promise<Page> {
  switch (app.way) {
    case 'link':
      await followLinks(page)
      return page
    case 'shop again':
      await page.getByRole('link', { name: /Back to the shop/ }).click()
      await page.goto(addressOf(order, app))
      return page
    case 'app again': {
      await page.context().close()
      const again = await openShop(app, order)
      await press(again)
      await followLinks(again)
      return again
    }
  }
}

/** Follows the links back to the shop. Pages on the way may reload themselves, or go on by themselves. */
async function followLinks(page: Page): Promise<void> {
  const isBack = async () => {
    const isThere = new URL(page.url()).port === new URL(demo.shop).port
    if (!isThere)
      await page
        .getByRole('link', { name: 'Back to the shop' })
        .click({ timeout: 2_000 })
        .catch(() => {})
    return isThere
  }
  await expect.poll(isBack, PATIENCE).toBe(true)
}
