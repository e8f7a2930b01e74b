import { afterAll, beforeAll, describe, expect, inject } from 'vitest'

import { openAll, openDemo } from '../e2e/demo.ts'
import { PATIENCE, violations } from '../e2e/shopper.ts'
import { test, theChromium } from '../e2e/worker.ts'
import { contrastsOf } from './contrast.ts'
import { pageStates } from './page-states.ts'

import type { Page } from 'playwright'

const PHONE = { width: 320, height: 640 }
const LIMIT_MS = 300_000

const isFull = inject('isFull')
const [[demo], browser] = await Promise.all([
  // The lightest grey on which white text can be read.
  openAll(openDemo({ MERCHANT_ACCENT: '#747474' })),
  theChromium(),
])

/** The pages that are measured without FULL. */
const SAMPLE = {
  en: ['hosted-partial', 'shop-developers', 'docs'],
  ar: ['return-partial', 'playground'],
}

test.each(['en', 'ar'] as const)(
  'no page around the element is wider than a small phone, with text of twice the size: %s',
  async (lang) => {
    const page = await browser.newPage({ viewport: PHONE, bypassCSP: true })
    const wide: string[] = []
    for (const [name, show] of Object.entries(pageStates(demo))) {
      if (!isFull && !SAMPLE[lang].includes(name)) {
        continue
      }
      // The hosted page and the pages for developers have one language.
      if (lang !== 'en' && /^(hosted|docs)/.test(name)) {
        continue
      }

      await show(page, lang)
      await page.addStyleTag({ content: 'html:root { font-size: 200% !important }' })
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      if (width > PHONE.width) {
        wide.push(`${name}: ${width} px`)
      }
    }

    await page.close()
    expect(wide).toEqual([])
  },
  LIMIT_MS,
)

const LONG = 'KES 1,234,567.50'

/** Opens a page on a small phone, once for the tests of a `describe`. */
function openedOnce(name: string) {
  const opened: { page?: Page } = {}
  beforeAll(async () => {
    opened.page = await browser.newPage({ viewport: PHONE, bypassCSP: true })
    await pageStates(demo)[name]!(opened.page, 'en')
  }, LIMIT_MS)
  afterAll(() => opened.page?.close())
  return () => opened.page!
}

describe.each(['hosted-paid', 'hosted-waiting', 'return-paid', 'return-waiting', 'pay'])('%s', (name) => {
  const page = openedOnce(name)
  beforeAll(async () => {
    await page().addStyleTag({ content: 'html:root { font-size: 200% !important }' })
  })

  test(`no amount is smaller than the text around it on a small phone, with text of twice the size: ${name}`, async () => {
    const sizes = await page()
      .locator('p.amount')
      .evaluate((amount) => {
        const sizeOf = (node: Element) => Number.parseFloat(getComputedStyle(node).fontSize)
        return { amount: sizeOf(amount), text: sizeOf(document.body) }
      })
    expect(sizes.amount).toBeGreaterThanOrEqual(sizes.text)
  })

  test(`no long number of an amount is torn on a small phone, with text of twice the size: ${name}`, async () => {
    const amount = page().locator('p.amount')
    await amount.evaluate((node, text) => (node.textContent = text), LONG)
    const lines = await amount.evaluate((node) => {
      const number = document.createRange()
      number.setStart(node.firstChild!, node.textContent.indexOf(' ') + 1)
      number.setEnd(node.firstChild!, node.textContent.length)
      return new Set([...number.getClientRects()].map(({ top }) => Math.round(top))).size
    })
    expect(lines).toBe(1)
  })
})

test(
  'in forced colours, how much is paid can be seen',
  async () => {
    const page = await browser.newPage({ viewport: PHONE, forcedColors: 'active', bypassCSP: true })
    await pageStates(demo)['return-partial']!(page, 'en')
    const shot = await page.locator('progress').screenshot({ animations: 'disabled' })
    const levels = await page.evaluate(
      async (src) => {
        const image = Object.assign(new Image(), { src })
        await image.decode()
        const { width, height } = image
        const context = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d')
        context?.drawImage(image, 0, 0)
        const levelAt = (part: number) => context?.getImageData(width * part, height / 2, 1, 1).data[0]
        // 600 of 1,500.
        return { paid: levelAt(0.2), unpaid: levelAt(0.8) }
      },
      `data:image/png;base64,${shot.toString('base64')}`,
    )
    expect(levels).toEqual({ paid: 0, unpaid: 255 })
    await page.close()
  },
  LIMIT_MS,
)

// That these are folded by the page, and which others are, is in `server/routes/return`.
const FOLDED = isFull
  ? ['return-failed', 'return-partial', 'return-expired', 'return-paid']
  : ['return-failed']

test.each([...FOLDED.map((name) => [name, false] as const), ['return-stuck', true] as const])(
  'the addresses of the shop are in view only where nobody else can help: %s, %s',
  async (name, isOpen) => {
    const page = await browser.newPage({ viewport: PHONE })
    await pageStates(demo)[name]!(page, 'en')
    expect(await page.getByRole('link', { name: '+254 700 000 000' }).isVisible()).toBe(isOpen)
    await page.close()
  },
  LIMIT_MS,
)

test(
  'the addresses of the shop stay folded or unfolded when the page of an outcome is fetched again',
  async () => {
    const page = await browser.newPage({ viewport: PHONE })
    await page.clock.install()
    await pageStates(demo)['return-failed']!(page, 'en')
    const address = page.getByRole('link', { name: '+254 700 000 000' })
    let fetched = 0
    page.on('response', (response) => void (fetched += Number(/checkout.return/.test(response.url()))))
    const fetchTo = (times: number) =>
      expect
        .poll(async () => {
          await page.clock.fastForward(5_000)
          return fetched
        }, PATIENCE)
        .toBeGreaterThanOrEqual(times)

    // What a fetch brings stands there before the next one.
    await fetchTo(2)
    expect(await address.isVisible()).toBe(false)
    await page.locator('summary').click()
    await fetchTo(fetched + 2)
    expect(await address.isVisible()).toBe(true)
    await page.close()
  },
  LIMIT_MS,
)

test(
  'the amount of a failed payment stands apart from the sentences above it, and one button is loud',
  async () => {
    const page = await browser.newPage({ viewport: PHONE })
    await pageStates(demo)['return-failed']!(page, 'en')
    const { above, gap } = await page.locator('p.amount').evaluate((amount) => {
      const before = amount.previousElementSibling!
      const between = before.previousElementSibling!
      return {
        above: before.getBoundingClientRect().top - between.getBoundingClientRect().bottom,
        gap: amount.getBoundingClientRect().top - before.getBoundingClientRect().bottom,
      }
    })
    expect(gap).toBeGreaterThan(2 * above)
    expect(await page.locator('main .primary').allTextContents()).toEqual(['Try again'])
    await page.close()
  },
  LIMIT_MS,
)

test.each(['light', 'dark'] as const)(
  'the loud button can be read and its focus be seen in the colour of a merchant, whatever is done with it: %s',
  async (colorScheme) => {
    const page = await browser.newPage({ viewport: PHONE, colorScheme })
    await pageStates(demo)['return-failed']!(page, 'en')
    const loud = page.locator('main a.primary')
    await loud.hover()
    expect((await contrastsOf(loud)).text).toBeGreaterThanOrEqual(4.5)
    await page.mouse.down()
    expect((await contrastsOf(loud)).text).toBeGreaterThanOrEqual(4.5)
    await page.mouse.move(0, 0)
    await page.mouse.up()
    await page.keyboard.press('Shift')
    await loud.focus()
    const { text, outline } = await contrastsOf(loud)
    expect(text).toBeGreaterThanOrEqual(4.5)
    expect(outline).toBeGreaterThanOrEqual(3)
    await page.close()
  },
  LIMIT_MS,
)

const targetsBelow = (page: Page, px: number) =>
  page.locator('a, summary, input').evaluateAll(
    (all, least) =>
      all.flatMap((each) => {
        const { width, height } = each.getBoundingClientRect()
        const isSmall = width > 0 && (width < least || height < least)
        return isSmall ? [each.outerHTML] : []
      }),
    px,
  )

test.each(['bff', 'sandbox'] as const)(
  'the page /docs of the %s has its contents in view, and targets of 24 px',
  async (server) => {
    const page = await browser.newPage({ viewport: PHONE })
    await page.goto(`${demo[server]}/docs`)
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(30_000)
    expect(await targetsBelow(page, 24)).toEqual([])
    // Both pages are made alike; the one of the payment server is three times as long.
    if (isFull || server === 'sandbox') {
      expect(await violations(page)).toEqual([])
    }

    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    const { y = -1 } = (await page.getByRole('navigation').boundingBox()) ?? {}
    expect(y).toBeGreaterThanOrEqual(0)
    expect(y).toBeLessThan(PHONE.height / 2)
    await page.close()
  },
  LIMIT_MS,
)

// Axe is run on it in `e2e/chromium/playground`.
test(
  'the playground has targets of 24 px',
  async () => {
    const page = await browser.newPage({ viewport: PHONE })
    await page.goto(`${demo.shop}/playground`)
    expect(await targetsBelow(page, 24)).toEqual([])
    await page.close()
  },
  LIMIT_MS,
)

test(
  'the banner of the hosted page reaches both edges of a narrow window',
  async () => {
    const page = await browser.newPage({ viewport: PHONE })
    await pageStates(demo)['hosted-paid']!(page, 'en')
    const box = await page.locator('.environment').boundingBox()
    expect(box).toMatchObject({ x: 0, width: PHONE.width })
    await page.close()
  },
  LIMIT_MS,
)

describe('the shop, with an order on hold', () => {
  const page = openedOnce('shop-stuck')

  test('the shop says once that a payment is delayed: in the tag', async () => {
    await page().getByRole('heading', { name: 'Your order is on hold' }).waitFor()
    expect(await page().getByText('delayed').count()).toBe(1)
  })

  test('the shop says once that an order is on hold, and of no such order that it is being paid', async () => {
    await page().getByRole('heading', { name: 'Your order is on hold' }).waitFor()
    const goods = page().getByRole('group', { name: 'This order is not finished yet.' })
    expect(await goods.getByRole('radio').first().isDisabled()).toBe(true)
    expect(await page().getByText('on hold').count()).toBe(1)
    expect(await page().getByText('being paid').count()).toBe(0)
  })
})

test(
  'the page /docs filters what is shown, and a link unfolds what it leads to, whatever the filter hides',
  async () => {
    const page = await browser.newPage({ viewport: PHONE })
    const shown = page.locator('article:not([hidden])')
    await page.goto(`${demo.bff}/docs`)
    const all = await shown.count()
    await page.getByRole('searchbox').fill('POST /api/payouts/imt')
    const few = await shown.count()
    expect(few).toBeGreaterThan(0)
    expect(few).toBeLessThan(all / 10)
    expect(await page.getByRole('status').textContent()).toBe(`${few} of ${all}`)
    expect(await page.getByRole('navigation').getByRole('link').allTextContents()).toContain('Payouts')
    expect(await page.getByRole('navigation').getByRole('link').allTextContents()).not.toContain('Schemas')

    await shown.first().locator('summary').click()
    await shown.first().getByRole('link', { name: 'TransferRequest' }).click()
    const schema = page.locator('#TransferRequest')
    await schema.getByRole('table').waitFor()
    expect(await shown.count()).toBe(all)
    await page.close()
  },
  LIMIT_MS,
)

test(
  'the page /docs is complete without a script, and has no filter then',
  async () => {
    const context = await browser.newContext({ viewport: PHONE, javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(`${demo.bff}/docs`)
    expect(await page.getByRole('searchbox').count()).toBe(0)
    await page.locator('#TransferRequest summary').click()
    await page.locator('#TransferRequest').getByRole('table').waitFor()
    await context.close()
  },
  LIMIT_MS,
)
