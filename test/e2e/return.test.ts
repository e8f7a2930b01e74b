/** Films the return of a shopper who has paid, on a slow phone, frame by frame. */

import { expect, inject, onTestFinished } from 'vitest'

import { openAll } from './demo.ts'
import { tag } from './pages.ts'
import { openScripts } from './scripts.ts'
import { arrive, PATIENCE } from './shopper.ts'
import { test, theBrowser, theChromium, theDemo } from './worker.ts'

import type { Browser, Page } from './browser/browser-api.ts'

const engine = inject('engine')
const demo = await theDemo()
const [scripts] = await openAll(openScripts(demo.bff))

const LATE_MS = process.env.FULL ? 3_000 : 400
/** The card of a result is as high as its content: what stands below it moves once. */
const LARGEST_SHIFT = { paid: 0.05, other: 0.1 }
const LEAST_HEIGHT = 160

/** What a shopper sees in each frame: the state, the button, the words and the height of the tag. */
const CAMERA = `<script>
  var film = [], shift = 0
  // Under its own name, it would hide the one that follows.
  const { fetch: ask } = window
  window.fetch = async (...asked) => {
    if (/checkout.(status|resume)/.test(asked[0])) await new Promise((resolve) => setTimeout(resolve, ${LATE_MS}))
    return ask(...asked)
  }
  if (PerformanceObserver.supportedEntryTypes.includes('layout-shift'))
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) shift += value
    }).observe({ type: 'layout-shift', buffered: true })
  const take = () => {
    requestAnimationFrame(take)
    const tag = document.querySelector('gateway-checkout')
    const root = tag?.shadowRoot
    if (!root) return
    const button = root.querySelector('button[part=button]')
    const isOffered = !!button?.checkVisibility({ checkVisibilityCSS: true })
    const words = root.querySelector('[role=status]').textContent.replace(/\\s+/g, ' ').trim()
    film.push({ state: tag.state, isOffered, words, height: tag.offsetHeight })
  }
  take()
</script>`

const RECEIPT = `document.querySelector('gateway-checkout').shadowRoot.querySelector('[part=receipt]').textContent`

interface Frame {
  state: string
  isOffered: boolean
  words: string
  height: number
}

const PLACES = [
  ['with the checkout in the address alone', 'sessionStorage.clear()'],
  [
    'with the checkout in the tab alone, by a link of the shop',
    'location.replace(location.pathname + location.search)',
  ],
]

/** Of the shop's page. Only Chromium is told a width. Without FULL, the narrowest. */
const CHROMIUM_WIDTHS = inject('isFull') ? [320, 360, 1280] : [320]
const WIDTHS = engine === 'chromium' ? CHROMIUM_WIDTHS : [0]

if (engine === 'chromium') {
  film(await theChromium(), async (tab, width) => {
    const devtools = await tab.context().newCDPSession(tab)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 6 })
    await tab.setViewportSize({ width, height: 760 })
  })
} else {
  film(await theBrowser(), async () => {})
}

function film<Tab extends Page>(
  browser: Browser<Tab>,
  slowDown: (tab: Tab, width: number) => Promise<void>,
): void {
  const returnToShop = async (width: number, does: string) => {
    demo.pages.inShop.script = CAMERA
    onTestFinished(() => void (demo.pages.inShop.script = ''))
    const query = 'amount=1500&launch=redirect&payer=known&lang=en'
    const shopper = await arrive(await browser.newContext(), demo, `${demo.pages.origin}/?${query}`)
    const hosted = await shopper.press()
    await hosted.answer(does)
    await slowDown(shopper.page, width)
    await hosted.back()
    return shopper
  }

  test.each(WIDTHS)(
    "a return to the shop's own page offers no button, and hardly moves what stands there, at %i px",
    async (width) => {
      const shopper = await returnToShop(width, 'Enter PIN and approve')
      await shopper.sees('paid', /Paid/)
      await expect.poll(() => shopper.page.evaluate(RECEIPT), PATIENCE).toContain('Copy')
      const film = await shopper.page.evaluate<Frame[]>('film')
      expect(film.filter(({ isOffered }) => isOffered)).toEqual([])
      expect(await shopper.page.evaluate<number>('shift')).toBeLessThanOrEqual(LARGEST_SHIFT.paid)
    },
  )

  test.each(WIDTHS)('a return after a failed payment hardly moves anything, at %i px', async (width) => {
    const shopper = await returnToShop(width, 'Enter a wrong PIN')
    await shopper.sees('unpaid', /The PIN was wrong/)
    expect(await shopper.page.evaluate<number>('shift')).toBeLessThanOrEqual(LARGEST_SHIFT.other)
  })

  test.each(PLACES)('a return never blinks: %s', async (_, before) => {
    const address = demo.pages.put(
      (order) =>
        `${CAMERA}<script>if (film && location.hash) { ${before} }</script>` +
        // Until the element is defined, its height is the page's affair.
        `<script type="module" blocking="render" src="${scripts.origin}/gateway-checkout.js"></script>` +
        `<body style="margin: 16px"><h1>Your order</h1>` +
        tag(demo.bff, order, 'launch="redirect" amount="KES 1500" payee="Pwani Goods"') +
        '<p>Kikoi beach wrap</p>'.repeat(12),
    )
    const shopper = await arrive(await browser.newContext(), demo, address)
    const hosted = await shopper.press()
    await hosted.answer('Enter PIN and approve')
    await slowDown(shopper.page, 390)
    const arrived = scripts.hold()
    setTimeout(arrived, LATE_MS)
    await hosted.back()
    await shopper.sees('paid', /Paid/)
    const film = await shopper.page.evaluate<Frame[]>('film')
    expect(film.filter(({ isOffered }) => isOffered)).toEqual([])
    expect(film.filter(({ height }) => height < LEAST_HEIGHT)).toEqual([])
    expect([...new Set(film.map(({ words }) => words))]).toEqual([
      expect.stringMatching(/^Checking your payment Please do not pay again\. KES 1,500$/),
      expect.stringMatching(/^Paid /),
    ])
    expect(await shopper.page.evaluate<number>('shift')).toBeLessThanOrEqual(LARGEST_SHIFT.paid)
  })
}
