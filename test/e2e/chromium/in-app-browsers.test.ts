/**
 * The browsers inside other apps, in which a shopper follows a link to the shop: each with one thing that goes wrong.
 */

import { randomUUID } from 'node:crypto'
import { devices } from 'playwright'
import { expect, onTestFinished } from 'vitest'

import { PATIENCE } from '../shopper.ts'
import { test, theChromium, theDemo } from '../worker.ts'

import type { CheckoutView } from '../../../server/api/view.ts'
import type { BrowserContext, Page } from 'playwright'

interface InAppBrowser {
  /** How the shop's tag opens the hosted page. */
  launch: 'auto' | 'popup'
  /** The host under which the shop is opened. Default: the payment server's host. */
  host?: string
  prepare(context: BrowserContext): Promise<unknown>
}

const IN_APP_BROWSERS = {
  'one window only: no window.open, and links to new windows do nothing': {
    launch: 'popup',
    prepare: (context) => context.addInitScript(stayInOneWindow),
  },
  'third-party cookies are off, and so is storage': {
    launch: 'auto',
    host: 'localhost',
    prepare: (context) => context.addInitScript(refuseStorage),
  },
  'an old WebView': { launch: 'auto', prepare: (context) => context.addInitScript(forgetFeatures) },
} as const satisfies Record<string, InAppBrowser>

const [demo, browser] = await Promise.all([theDemo(), theChromium()])

test.each(Object.keys(IN_APP_BROWSERS) as (keyof typeof IN_APP_BROWSERS)[])('%s', async (name) => {
  const app: InAppBrowser = IN_APP_BROWSERS[name]
  const order = `demo-1500-${randomUUID()}`
  const earlier = await demo.checkouts()
  const started = async () => (await demo.checkouts()).slice(earlier.length)

  const page = await openShop(app, order)
  await press(page)
  const [begun, ...others] = await started()
  if (begun === undefined) {
    throw new Error('The gateway was not asked to open a checkout.')
  }

  expect(others).toEqual([])
  await demo.act(begun, 'approve')

  await seesAtTheShop(page, { outcome: 'paid', status: 801, settled: true, amount_paid: '1500', attempt: 1 })
  expect(await started()).toHaveLength(1)
  expect((await demo.gatewayStatus(begun.merchant_transaction_id)).payments).toHaveLength(1)
  await expect
    .poll(() => demo.fulfilment(order), PATIENCE)
    .toEqual({ standing: 'fulfilled', heard: ['checkout.paid'] })
  // No third-party cookie can be missing where there is no cookie. The only cookie is the demo shop's own.
  const cookies = (await page.context().cookies()).map(({ name }) => name)
  expect(cookies.filter((name) => name !== 'last-order')).toEqual([])
})

async function openShop(app: InAppBrowser, order: string): Promise<Page> {
  const { launch, host = '127.0.0.1' } = app
  const context = await browser.newContext(devices['Pixel 7'])
  onTestFinished(() => context.close())
  await app.prepare(context)
  const page = await context.newPage()
  const query = new URLSearchParams({ amount: '1500', launch, payer: 'known', lang: 'en', order })
  await page.goto(`${demo.shop.replace('127.0.0.1', host)}/?${query}`)
  return page
}

/** Presses the button, and the link in its place where no window opens. Resolves on the hosted page. */
async function press(page: Page): Promise<void> {
  const tag = page.locator('gateway-checkout')
  await tag.getByRole('button').first().click()
  await page.locator('gateway-checkout[state=blocked], [data-transaction]').first().waitFor()
  if (!page.url().startsWith(demo.sandbox)) {
    await tag.getByRole('link').click()
  }

  await page.waitForURL(`${demo.sandbox}/**`)
}

interface Shown {
  state: string
  view?: CheckoutView
}

const SHOWN = `(() => {
  const { state, checkout: view } = document.querySelector('gateway-checkout')
  return { state, view }
})()`

async function seesAtTheShop(page: Page, view: Partial<CheckoutView>): Promise<void> {
  await goBack(page)
  const shown = () => page.evaluate<Shown>(SHOWN)
  await expect.poll(() => shown().catch(() => null), PATIENCE).toMatchObject({ state: view.outcome, view })
}

/** Follows the links back to the shop. A page on the way may go on by itself: then there is no link to follow. */
async function goBack(page: Page): Promise<void> {
  const isShop = ({ port }: URL) => port === new URL(demo.shop).port
  const arrived = page.waitForURL(isShop)

  const follow = async () => {
    while (!isShop(new URL(page.url()))) {
      await page.getByRole('link', { name: 'Back to the shop' }).click()
    }
  }

  void follow().catch(() => {})
  await arrived
}

/** Acts like a WebView whose app implements no windows: `window.open` returns null, `target` makes a link dead. */
function stayInOneWindow() {
  window.open = () => null
  addEventListener(
    'click',
    (event) => {
      const link = event.composedPath().find((each) => each instanceof HTMLAnchorElement)
      if (link?.target && link.target !== '_self') {
        event.preventDefault()
      }
    },
    true,
  )
}

function refuseStorage() {
  for (const name of ['sessionStorage', 'localStorage', 'indexedDB', 'caches']) {
    Object.defineProperty(window, name, {
      get() {
        throw new DOMException('Access is denied for this document.', 'SecurityError')
      },
    })
  }
}

/** Removes what a WebView of Chromium 94 lacks: the oldest that runs ES2022, which the element is built for. */
function forgetFeatures() {
  const forget = (from: object | undefined, ...names: string[]) => {
    for (const name of names) {
      if (from) {
        Reflect.deleteProperty(from, name)
      }
    }
  }

  forget(window, 'structuredClone', 'navigation', 'Navigation', 'TrustedHTML', 'CloseWatcher', 'reportError')
  forget(HTMLElement.prototype, 'popover', 'showPopover', 'hidePopover', 'togglePopover', 'inert')
  forget(Element.prototype, 'setHTMLUnsafe', 'getHTML', 'ariaNotify', 'checkVisibility')
  forget(ShadowRoot.prototype, 'setHTMLUnsafe', 'getHTML')
  forget(HTMLTemplateElement.prototype, 'shadowRootMode', 'shadowRootDelegatesFocus')
  forget(Document, 'parseHTMLUnsafe')
  forget(Document.prototype, 'startViewTransition', 'prerendering')
  forget(ElementInternals.prototype, 'states')
  forget(AbortSignal, 'any', 'timeout')
  forget(AbortSignal.prototype, 'throwIfAborted')
  forget(Array, 'fromAsync')
  forget(Array.prototype, 'findLast', 'findLastIndex', 'toSorted', 'toReversed', 'toSpliced', 'with')
  forget(Object, 'groupBy')
  forget(Map, 'groupBy')
  forget(Promise, 'withResolvers', 'try')
  forget(URL, 'canParse', 'parse')
  forget(URLSearchParams.prototype, 'size')
  forget(String.prototype, 'isWellFormed', 'toWellFormed')
  forget(Set.prototype, 'union', 'intersection', 'difference', 'isSubsetOf')
  forget((globalThis as { Iterator?: { prototype: object } }).Iterator?.prototype, 'map', 'filter', 'toArray')
  forget(
    (globalThis as { scheduler?: { constructor: { prototype: object } } }).scheduler?.constructor.prototype,
    'yield',
  )
  forget(CSS, 'highlights', 'registerProperty')
}
