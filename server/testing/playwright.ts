/** The package entry `gateway-checkout-server/testing/playwright`: Playwright's `test` with our fixtures, and `pay`. */

import { expect, test as base } from '@playwright/test'

import { isScenarioOf, listScenarios } from '../../demo/sandbox/scenarios.ts'
import { fixtures } from '../testing.ts'

import type { CheckoutScenario } from '../../demo/sandbox/scenarios.ts'
import type { Fixtures } from '../testing.ts'
import type { Page } from '@playwright/test'

export { expect }
export type { CheckoutScenario }

export const test = base.extend<Fixtures>(fixtures)

export interface PayOptions {
  /** With `partial` and `overpay`: what is paid, as decimal text in major units. Default: half, or a tenth more. */
  amount?: string
  /**
   * The URL of the sandbox, for an answer without the hosted page, about the checkout of the tag on `page`. It is
   * needed where there is no such page: if the tag asks on the phone, and for `reverse` and `refund`.
   */
  sandbox?: string
}

/** The attribute of the sandbox's hosted page with the `merchant_transaction_id` that is paid there. */
const TRANSACTION = 'data-transaction'
/** The same of the tag. An expression in text, because this package is compiled without the types of the DOM. */
const TRANSACTION_OF_TAG = `document.querySelector('gateway-checkout')?.checkout?.merchant_transaction_id`

/** Whether the page has a tag, and none of its tags was pressed. */
const IS_UNPRESSED = `[...document.querySelectorAll('gateway-checkout')].length > 0 &&
  [...document.querySelectorAll('gateway-checkout')].every(({ state }) => !state || state === 'idle')`

const isCheckoutScenario = isScenarioOf('checkout')
const CHECKOUT_SCENARIOS = listScenarios()
  .map(({ name }) => name)
  .filter(isCheckoutScenario)
  .join(', ')

/**
 * Answers as the customer does on the sandbox's hosted page, in `page` or in a window beside it, and goes back to the
 * shop. Waits for the hosted page like an action of Playwright, so it may follow the press immediately. The shop learns
 * the outcome from the gateway afterwards: wait for what it shows, with `expect`.
 *
 * @throws {Error} if there is no such scenario, if the tag was not pressed, or if the scenario is not possible now, for
 * example `refund` before anything is paid.
 * @example
 *   await pay(page, 'insufficient_funds')
 */
export async function pay(page: Page, scenario: CheckoutScenario, options: PayOptions = {}): Promise<void> {
  const { amount, sandbox } = options
  if (!isCheckoutScenario(scenario)) {
    throw new Error(`There is no scenario ${JSON.stringify(scenario)}: it is one of ${CHECKOUT_SCENARIOS}.`)
  }

  const hasOtherPages = page.context().pages().length > 1
  // A page that is being left for the payment page cannot be asked.
  const isUnpressed = !hasOtherPages && (await page.evaluate<boolean>(IS_UNPRESSED).catch(() => false))
  if (isUnpressed) {
    throw new Error('No payment page has opened: press the button of the tag before pay().')
  }
  if (sandbox !== undefined) {
    const id = await page.waitForFunction(TRANSACTION_OF_TAG)
    return answer(page, sandbox, String(await id.jsonValue()), { scenario, amount })
  }

  const hosted = await hostedPageBeside(page)
  const id = await hosted.locator(`[${TRANSACTION}]`).getAttribute(TRANSACTION)
  await answer(page, hosted.url(), id ?? '', { scenario, amount })
  // The page shows the answer at once when it is loaded again. It may leave for the shop before it has loaded.
  await hosted.reload({ waitUntil: 'commit' })
  // The link to the shop stands elsewhere when the payment has ended.
  await hosted.locator('.back, .message a.button').click()
}

function hostedPageBeside(page: Page): Promise<Page> {
  const context = page.context()

  const untilHosted = async (candidate: Page) => {
    await candidate.locator(`[${TRANSACTION}]`).waitFor({ state: 'attached' })
    return candidate
  }

  return Promise.any([...context.pages().map(untilHosted), context.waitForEvent('page').then(untilHosted)])
}

async function answer(page: Page, sandbox: string, id: string, payment: object): Promise<void> {
  const url = new URL(`/_sandbox/checkouts/${encodeURIComponent(id)}/pay`, sandbox)
  const response = await page.request.post(url.href, { data: payment })
  if (!response.ok()) {
    throw new Error(`The sandbox refuses ${JSON.stringify(payment)}: ${await response.text()}`)
  }
}
