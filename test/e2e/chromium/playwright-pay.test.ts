import { afterAll, expect, inject, onTestFinished } from 'vitest'

import { listen } from '../../../demo/sandbox/http/listen.ts'
import { startSandbox, startServer } from '../../../server/testing.ts'
import { pay } from '../../../server/testing/playwright.ts'
import { scriptTag, tag } from '../pages.ts'
import { test, theChromium } from '../worker.ts'

import type { CheckoutView, Outcome } from '../../../server/api/view.ts'
import type { CheckoutScenario } from '../../../server/testing/playwright.ts'

const PATIENCE = { timeout: 20_000, interval: 20 }

let orders = 0

/** A page with the tag of a new order, whose attributes are the query. */
const servePage = ({ url }: Request): Response => {
  const { searchParams } = new URL(url)
  const order = searchParams.get('order') ?? ''
  return new Response(scriptTag(server.url) + tag(server.url, order, searchParams.get('attributes') ?? ''), {
    headers: { 'content-type': 'text/html' },
  })
}

const [sandbox, shop, browser] = await Promise.all([
  startSandbox(),
  listen({ fetch: servePage }, 0),
  theChromium(),
])
const server = await startServer(sandbox, { env: { ALLOWED_ORIGINS: shop.url } })
afterAll(async () => {
  for (const each of [shop, server, sandbox]) {
    await each.close()
  }
})

/** What the tag shows after each scenario of a checkout. */
const SHOWN = {
  approve: 'paid',
  insufficient_funds: 'unpaid',
  wrong_pin: 'unpaid',
  ignore: 'waiting',
  cancel: 'unpaid',
  partial: 'partial',
  overpay: 'paid',
  slow: 'pending',
  jam: 'jammed',
  reverse: 'reversed',
  refund: 'refunded',
  limit: 'unpaid',
  not_registered: 'unpaid',
  operator_away: 'unpaid',
  silent: 'unpaid',
} as const satisfies Record<CheckoutScenario, Outcome>

/** Opens a page with the tag of a new order, and presses it. */
async function press(attributes: string) {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(`${shop.url}/?${new URLSearchParams({ order: `A-${(orders += 1)}`, attributes })}`)
  await page.locator('gateway-checkout[state=idle]').getByRole('button').click()

  const shows = async (state: string) => {
    await page.locator(`gateway-checkout[state=${state}]`).waitFor()
    await expect.poll(() => context.pages(), PATIENCE).toEqual([page])
  }

  return { page, shows }
}

// The pop-up's way back is part of each test below.
test('with launch="redirect", pay goes back to the shop', async () => {
  const { page, shows } = await press('launch="redirect"')
  await pay(page, 'approve')
  await shows('paid')
})

const ANSWERS = (Object.keys(SHOWN) as CheckoutScenario[]).filter((name) => !/^re(verse|fund)$/.test(name))
/** Outcomes that other tests of this file see, too. */
const SEEN: readonly Outcome[] = ['paid', 'partial', 'unpaid']
/** Without FULL, one scenario for each other outcome: all scenarios are sent alike. */
const CHOSEN = inject('isFull')
  ? ANSWERS
  : ANSWERS.filter(
      (name) => !SEEN.includes(SHOWN[name]) && name === ANSWERS.find((other) => SHOWN[other] === SHOWN[name]),
    )
test.each(CHOSEN)('after pay(page, "%s") the tag shows it', async (scenario) => {
  const { page, shows } = await press('launch="popup"')
  await pay(page, scenario)
  await shows(SHOWN[scenario])
})

// Without FULL, a refund is seen after a part of an order is paid.
test.each(inject('isFull') ? (['reverse', 'refund'] as const) : (['reverse'] as const))(
  'after pay(page, "%s") a paid order shows it',
  async (scenario) => {
    const { page, shows } = await press('launch="popup"')
    await pay(page, 'approve')
    await shows('paid')
    await pay(page, scenario, { sandbox: sandbox.url })

    const stateAfterReload = async () => {
      await page.reload()
      return page.locator('gateway-checkout[state]:not([state=idle])').getAttribute('state')
    }

    await expect.poll(stateAfterReload, PATIENCE).toBe(SHOWN[scenario])
  },
)

test('a scenario that is misspelt or not possible is an error that names it', async () => {
  const { page } = await press('launch="popup"')
  const misspelt = Reflect.apply(pay, undefined, [page, 'aprove'])
  await expect(misspelt).rejects.toThrow(/no scenario "aprove": it is one of approve, .*refund/)
  await expect(pay(page, 'refund')).rejects.toThrow(/"refund".*holds no received money/)
})

test('without a press, pay fails at once, also with the URL of a sandbox', async () => {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(`${shop.url}/?${new URLSearchParams({ order: `A-${(orders += 1)}` })}`)
  await page.locator('gateway-checkout[state=idle]').waitFor()
  await expect(pay(page, 'approve')).rejects.toThrow('No payment page has opened')
  const answered = pay(page, 'approve', { sandbox: sandbox.url })
  await expect(answered).rejects.toThrow('No payment page has opened')
})

test('a customer who was asked on the phone answers there', async () => {
  const { page, shows } = await press('method="prompt" launch="popup"')
  await pay(page, 'wrong_pin', { sandbox: sandbox.url })
  await shows('unpaid')
})

test('partial pays an amount, which is refunded while the order can still be paid', async () => {
  const { page, shows } = await press('launch="popup"')
  await pay(page, 'partial', { amount: '400' })
  await shows('partial')
  const { amount_paid: paid, redirect_url: hosted } = await page.evaluate<CheckoutView>(
    'document.querySelector("gateway-checkout").checkout',
  )
  expect(paid).toBe('400')
  expect(hosted).toBeTruthy()
  await pay(page, 'refund', { sandbox: sandbox.url })
  await shows('refunded')
})
