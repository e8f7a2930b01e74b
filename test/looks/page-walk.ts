// The pages around the element, each in every state that a shopper or a developer sees.

import { BFF } from '../support/world.ts'
import { SHOP } from './stopped-demo.ts'
import type { Page } from 'playwright'
import type { CheckoutView } from '../../server/api/view.ts'
import type { StoppedDemo } from './stopped-demo.ts'

export interface Stop {
  name: string
  /** Shows the stop. `lang` is the language of the element and of the return page. */
  show: (page: Page, demo: StoppedDemo, lang: string) => Promise<void>
}

type Fate = (demo: StoppedDemo, view: CheckoutView) => Promise<unknown>

const ORDER = 'demo-1500-basket'

/** What happens to a checkout before a page shows it. */
const FATES: Record<string, Fate> = {
  waiting: async () => {},
  failed: (demo, view) => demo.pay(view, 'wrong_pin'),
  partial: (demo, view) => demo.pay(view, 'partial', { amount: '600' }),
  stuck: (demo, view) => demo.pay(view, 'jam'),
  paid: (demo, view) => demo.pay(view, 'approve'),
  expired: (demo) => demo.later(31),
}

export const STOPS: readonly Stop[] = [
  ...Object.entries(FATES).flatMap(([name, fate]) => [hosted(name, fate), returned(name, fate)]),
  {
    name: 'hosted-prompted',
    async show(page, demo) {
      await openHosted(page, demo)
      await page.getByRole('button', { name: /^Pay KES/ }).click()
      await page.getByText('Check your phone').waitFor()
    },
  },
  {
    name: 'hosted-refused',
    async show(page, demo) {
      await openHosted(page, demo)
      await page.locator('#msisdn').fill('12')
      await page.getByRole('button', { name: /^Pay KES/ }).click()
      await page.locator('#msisdn-error').waitFor()
      // The ring around the field is too thin for a picture of half the size.
      await page.locator('#msisdn').blur()
    },
  },
  {
    name: 'return-error',
    show: async (page) => void (await page.goto(`${BFF}/checkout/return/nothing`)),
  },
  {
    name: 'shop-developers',
    async show(page, _, lang) {
      await page.goto(shopAddress(lang))
      await page.locator('.bench summary').click()
      await sees(page, 'idle', lang)
    },
  },
  {
    name: 'playground',
    async show(page, _, lang) {
      await page.goto(`${SHOP}/playground?lang=${lang}`)
      await sees(page, 'idle', lang)
    },
  },
]

function hosted(name: string, befall: Fate): Stop {
  return {
    name: `hosted-${name}`,
    show: async (page, demo) => openHosted(page, demo, befall),
  }
}

async function openHosted(page: Page, demo: StoppedDemo, befall: Fate = async () => {}): Promise<void> {
  const view = await demo.start({ order: ORDER, returnUrl: shopAddress('en'), launch: 'redirect' })
  await befall(demo, view)
  await page.goto(view.redirect_url ?? '')
}

// The page that a pop-up shows. It stays open here, because no script opened it.
function returned(name: string, befall: Fate): Stop {
  return {
    name: `return-${name}`,
    async show(page, demo, lang) {
      const view = await demo.start({ order: ORDER, returnUrl: shopAddress(lang), launch: 'popup', lang })
      await befall(demo, view)
      await page.goto(`${BFF}/checkout/return/${view.checkout_id}`)
    },
  }
}

function shopAddress(lang: string): string {
  return `${SHOP}/?${new URLSearchParams({ amount: '1500', lang, order: ORDER })}`
}

/** Waits until the element shows the state in the language, with everything that loads later. */
async function sees(page: Page, state: string, lang: string): Promise<void> {
  const tag = page.locator(`gateway-checkout[state=${state}]`)
  await tag.locator(`.base[lang=${lang}]`).waitFor()
  if (state === 'paid') await tag.locator('[part=receipt] button').first().waitFor()
}
