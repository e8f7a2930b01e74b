import { expect } from 'vitest'

import { visit } from './shopper.ts'
import { test, theBrowser, theDemo } from './worker.ts'

import type { Outcome, CheckoutView } from '../../server/api/view.ts'
import type { Page } from './browser/browser-api.ts'
import type { HostedPage, Visit } from './shopper.ts'

const [demo, browser] = await Promise.all([theDemo(), theBrowser()])

test('paid in full', async () => {
  const shopper = await visit(browser, demo, { launch: 'redirect' })
  const hosted = await shopper.press()
  await hosted.answer('Enter PIN and approve')
  await hosted.back()
  await confirmed(shopper, 'paid', /1,500/, { status: 801, amount_paid: '1500', discrepancy: null })
  await shopper.merchantReceives('fulfilled', 'checkout.paid')
  expect((await shopper.eventLog()).at(-1)).toMatch(/^checkout-settled 801 paid KES 1500/)
  await shopper.leave()
})

test('paid in part, then the rest', async () => {
  const shopper = await visit(browser, demo, { launch: 'popup' })
  const first = await shopper.press()
  await first.payPart(600)
  await first.back()
  await confirmed(shopper, 'partial', /900.*600/s, { status: 802, settled: false })

  const second = await shopper.press()
  await second.answer('Enter PIN and approve')
  await second.back()
  await confirmed(shopper, 'paid', /1,500/, { status: 801, attempt: 1 })
  await shopper.merchantReceives('fulfilled', 'checkout.partial', 'checkout.paid')
  const lines = await shopper.eventLog()
  expect(lines.findIndex((line) => line.includes('802 partial'))).toBeLessThan(
    lines.findIndex((line) => line.includes('801 paid')),
  )
  await shopper.leave()
})

async function confirmed(
  shopper: Visit<Page>,
  outcome: Outcome,
  words: RegExp,
  facts: Partial<CheckoutView>,
): Promise<void> {
  const shown = await shopper.sees(outcome, words, { amount: '1500', currency: 'KES', ...facts })
  const gateway = await demo.gatewayStatus(shown.merchant_transaction_id)
  expect(gateway.status).toBe(shown.status)
}

test.each<[string, (shopper: Visit<Page>) => Promise<HostedPage<Page>>]>([
  ['in a pop-up', (shopper) => shopper.press()],
  [
    'opened by the link, after the pop-up was blocked',
    async (shopper) => {
      await shopper.page.evaluate('void (window.open = () => null)')
      await shopper.tag.getByRole('button').first().click()
      return shopper.follow()
    },
  ],
])('a hosted page %s cannot navigate the shop, and closes itself', async (_, open) => {
  const shopper = await visit(browser, demo, { launch: 'popup' })
  await shopper.page.evaluate('void (window.stays = true)')
  const hosted = await open(shopper)
  const attack = `window.opener ? (window.opener.location.href = '${demo.bff}/docs') : 'no opener'`
  expect(await hosted.page.evaluate(attack)).toBe('no opener')
  await hosted.answer('Enter PIN and approve')
  await hosted.back()
  await shopper.sees('paid', /1,500/)
  expect(await shopper.page.evaluate('window.stays')).toBe(true)
  expect(await shopper.page.url()).toContain(`${demo.shop}/?`)
  await shopper.leave()
})
