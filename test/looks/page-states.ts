// The pages around the element, each in every state that a shopper or a developer sees.

import { randomUUID } from 'node:crypto'
import { expect, vi } from 'vitest'

import { PATIENCE } from '../e2e/shopper.ts'

import type { Outcome } from '../../server/api/view.ts'
import type { Demo } from '../e2e/demo.ts'
import type { Page } from 'playwright'

/** The outcome of a checkout whose page is shown, and what the payer does for it. */
const FATES: Record<string, readonly [outcome: Outcome, scenario?: string, amount?: number]> = {
  waiting: ['waiting'],
  failed: ['unpaid', 'wrong_pin'],
  partial: ['partial', 'partial', 600],
  stuck: ['jammed', 'jam'],
  paid: ['paid', 'approve'],
  expired: ['expired'],
}

async function checkoutAfter(demo: Demo, fate: string, lang = 'en') {
  const [outcome, scenario, amount] = FATES[fate]!
  const order = `demo-1500-${randomUUID()}`
  const view = await demo.begin(order, { lang, return_url: `${demo.shop}/?order=${order}` })
  if (scenario) {
    await demo.act(view, scenario, amount)
  } else if (outcome === 'expired') {
    await demo.later(33)
  }

  await vi.waitFor(async () => expect(await demo.view(view)).toMatchObject({ outcome }), PATIENCE)
  return view
}

const sees = (page: Page, lang: string) =>
  page.locator(`gateway-checkout[state=idle] .base[lang=${lang}]`).waitFor()

/** How each page is opened. `lang` is the language of the element and of the return page. */
export function pageStates(demo: Demo): Record<string, (page: Page, lang: string) => Promise<unknown>> {
  const open = async (page: Page, fate: string) =>
    page.goto((await checkoutAfter(demo, fate)).redirect_url ?? '')

  return {
    ...Object.fromEntries(Object.keys(FATES).map((fate) => [`hosted-${fate}`, (page) => open(page, fate)])),
    ...Object.fromEntries(
      Object.keys(FATES).map((fate) => [
        `return-${fate}`,
        async (page, lang) => {
          const { checkout_id } = await checkoutAfter(demo, fate, lang)
          return page.goto(`${demo.bff}/checkout/return/${checkout_id}`)
        },
      ]),
    ),
    async 'hosted-prompted'(page) {
      await open(page, 'waiting')
      await page.getByRole('button', { name: /^Pay KES/ }).click()
      await page.getByText('Check your phone').waitFor()
    },
    async 'hosted-refused'(page) {
      await open(page, 'waiting')
      await page.locator('#msisdn').fill('12')
      await page.getByRole('button', { name: /^Pay KES/ }).click()
      await page.locator('#msisdn-error').waitFor()
    },
    async pay(page, lang) {
      await page.goto(`${demo.bff}/pay/demo-1500-${randomUUID()}?lang=${lang}`)
      await page.locator('gateway-checkout[state=idle]').waitFor()
    },
    'return-error': (page) => page.goto(`${demo.bff}/checkout/return/nothing`),
    async shop(page, lang) {
      await page.goto(`${demo.shop}/?amount=1500&lang=${lang}`)
      await sees(page, lang)
    },
    async 'shop-waiting'(page, lang) {
      await page.goto(`${demo.shop}/?amount=1500&launch=popup&payer=known&lang=${lang}`)
      await sees(page, lang)
      await page.locator('gateway-checkout').getByRole('button').first().click()
      await page.locator('gateway-checkout[state=waiting]').waitFor()
    },
    ...Object.fromEntries(
      ['paid', 'failed', 'partial', 'stuck', 'expired'].map((fate) => [
        `shop-${fate}`,
        async (page: Page, lang: string) => {
          const { order, checkout_id } = await checkoutAfter(demo, fate, lang)
          await page.goto(
            `${demo.shop}/?amount=1500&lang=${lang}&order=${order}#gateway-checkout-${checkout_id}`,
          )
          await page.locator(`gateway-checkout[state=${FATES[fate]![0]}]`).waitFor()
        },
      ]),
    ),
    async 'shop-developers'(page, lang) {
      await page.goto(`${demo.shop}/?amount=1500&lang=${lang}&order=demo-1500-basket`)
      await page.locator('.bench summary').click()
      await sees(page, lang)
    },
    async playground(page, lang) {
      await page.goto(`${demo.shop}/playground?lang=${lang}`)
      await sees(page, lang)
    },
    docs: (page) => page.goto(`${demo.bff}/docs`),
    'docs-sandbox': (page) => page.goto(`${demo.sandbox}/docs`),
  }
}
