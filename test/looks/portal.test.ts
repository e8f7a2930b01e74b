import { beforeAll, describe, expect } from 'vitest'

import { openAll } from '../e2e/demo.ts'
import { test, theChromium } from '../e2e/worker.ts'
import { runAxe } from '../support/browsers/axe.ts'
import { expectLooks } from './pictures.ts'
import { openPortals, signIn } from './portal-walk.ts'

import type { BrowserContextOptions, Page, ViewportSize } from 'playwright'

// Even, because the stored pictures have half the size.
const PHONE = { width: 376, height: 800 }
const SMALL_PHONE = { width: 320, height: 640 }
const DESKTOP = { width: 1280, height: 800 }
const LIMIT_MS = 300_000
/** A page asks for itself again after this time. */
const LIVE_MS = 3_000
const THEMES = process.env.FULL ? (['light', 'dark'] as const) : (['light'] as const)

const [[portals], browser] = await Promise.all([openAll(openPortals()), theChromium()])

async function inPortal<T>(
  use: (page: Page) => Promise<T>,
  { url = portals.url, ...options }: BrowserContextOptions & { url?: string } = {},
): Promise<T> {
  const context = await browser.newContext({
    viewport: DESKTOP,
    colorScheme: 'light',
    timezoneId: 'Africa/Nairobi',
    ...options,
  })
  try {
    return await use(await signIn(context, url))
  } finally {
    await context.close()
  }
}

/** Returns what is wrong with the page that is shown. */
async function faultsOf(page: Page): Promise<string[]> {
  const faults: string[] = []
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme })
    const found = await runAxe(page, { resultTypes: ['violations'] })
    faults.push(
      ...found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${colorScheme}, ${id}: ${html}`)),
    )
  }

  const widths = {
    '100%': await widthOn(page, PHONE, '100%'),
    '200%': await widthOn(page, SMALL_PHONE, '200%'),
  }
  if (widths['100%'] > PHONE.width || widths['200%'] > SMALL_PHONE.width) {
    faults.push(`too wide: ${JSON.stringify(widths)}`)
  }
  return faults
}

/** Returns how wide the page is in a window, with text of a size. */
async function widthOn(page: Page, viewport: ViewportSize, fontSize: string): Promise<number> {
  await page.setViewportSize(viewport)
  const width = await page.evaluate((size) => {
    document.documentElement.style.fontSize = size
    return document.documentElement.scrollWidth
  }, fontSize)
  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'))
  await page.setViewportSize(DESKTOP)
  return width
}

/** Returns the texts that are printed over another one. */
const overlaps = (page: Page) =>
  page.evaluate(() => {
    const lines: { node: Node; box: DOMRect }[] = []
    const texts = document.createTreeWalker(document.querySelector('main')!, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const { currentNode: node } = texts
      const parent = node.parentElement
      const range = document.createRange()
      range.selectNodeContents(node)
      // What only a screen reader hears lies over other texts.
      if (parent && !parent.closest('thead, option, .visually-hidden')) {
        // A long text is cut after two lines.
        const { bottom } = (parent.closest('small') ?? parent).getBoundingClientRect()
        const boxes = [...range.getClientRects()].filter((box) => box.bottom <= bottom + 1)
        lines.push(...boxes.map((box) => ({ node, box })))
      }
    }

    const isOver = (one: DOMRect, other: DOMRect) =>
      Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
      Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 6
    return lines.flatMap(({ node, box }, at) =>
      lines
        .slice(at + 1)
        .filter((other) => other.node !== node && isOver(box, other.box))
        .map((other) => `${node.nodeValue} / ${other.node.nodeValue}`),
    )
  })

/** Returns the links, buttons and boxes that are lower than 24 px: WCAG 2.2, 2.5.8. */
const lowTargets = (page: Page) =>
  page.locator('main :is(a, button, summary, input, select)').evaluateAll((all) =>
    all.flatMap((each) => {
      const { width, height } = each.getBoundingClientRect()
      return width > 1 && height > 0 && height < 24 ? [`${each.textContent || each.id} ${height}`] : []
    }),
  )

const OTHER_WIDTHS = [600, 700, 768, 850, 1024, 1150, 1280]

/** Returns the widths of a window in which a table is wider than its card. Without FULL, tries the least and another. */
async function widthsOfWideTables(page: Page, at: number): Promise<string[]> {
  const tables = page.locator('table')
  const wide: string[] = []
  if ((await tables.count()) === 0) {
    return wide
  }

  const others = OTHER_WIDTHS.filter((_, index) => process.env.FULL || index === at % OTHER_WIDTHS.length)
  for (const width of [SMALL_PHONE.width, ...others]) {
    await page.setViewportSize({ width, height: 740 })
    const over = await tables.evaluateAll((all) =>
      all.map((table) => table.scrollWidth - table.parentElement!.clientWidth),
    )
    if (over.some((px) => px > 0)) {
      wide.push(`at ${width} px: ${over.join(', ')}`)
    }
  }

  return wide
}

/** Returns what the page says twice in a row. */
const repetitions = (page: Page) =>
  page.locator('main').evaluate((main) => {
    const textsOf = (root: Element, selector: string) =>
      [...root.querySelectorAll(selector)].map(({ textContent }) => textContent.trim().toLowerCase())
    const bare = [...main.querySelectorAll('form')].filter(
      (form) => form.querySelector('input:not([type=hidden]), select') === null,
    )
    const buttons = bare.flatMap((form) => textsOf(form.closest('.card')!, 'h2, button'))
    const searches = textsOf(main, '[role=search] :is(label, button)')
    const facts = [...main.querySelectorAll('dl > div')].flatMap((fact) => {
      const [label = '', value = ''] = textsOf(fact, 'dt, dd')
      return value.includes(label.replace(/s$/, '')) ? [label, label] : []
    })
    const results = textsOf(main, '.card:not(:has(.timeline)) :is(p, small)').filter((text) =>
      text.endsWith('.'),
    )
    return [buttons, searches, facts, results].flatMap((texts) =>
      texts.filter((text, at) => text !== '' && texts.indexOf(text) !== at),
    )
  })

describe('every page of the portal', () => {
  const statuses: Record<string, number | undefined> = {}
  const faults: Record<string, string[]> = {}
  const crowded: Record<string, string[]> = {}
  const wide: Record<string, string[]> = {}
  const doubled: Record<string, string[]> = {}
  const errors: string[] = []
  const nothing = Object.fromEntries(portals.paths.map((path) => [path, []]))

  // Each page is opened once for all tests.
  beforeAll(async () => {
    await inPortal(async (page) => {
      page.on('pageerror', ({ message }) => errors.push(message))
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
      for (const [at, path] of portals.paths.entries()) {
        await page.setViewportSize(DESKTOP)
        const answer = await page.goto(`${portals.url}/portal${path}`)
        statuses[path] = answer?.status()
        doubled[path] = await repetitions(page)
        if (process.env.FULL || at % 3 === 0) {
          faults[path] = await faultsOf(page)
        }

        await page.setViewportSize({ width: 360, height: 740 })
        crowded[path] = [...(await overlaps(page)), ...(await lowTargets(page))]
        wide[path] = await widthsOfWideTables(page, at)
      }
    })
  }, LIMIT_MS)

  test('every page of the portal opens without an error', () => {
    expect(new Set(Object.values(statuses))).toEqual(new Set([200]))
    expect(errors).toEqual([])
  })

  test('axe finds nothing on every third page, with FULL on each, and a phone shows them without scrolling sideways, with large text too', () => {
    expect(Object.keys(faults).length).toBeGreaterThan(portals.paths.length / 4)
    expect(Object.entries(faults).filter(([, found]) => found.length > 0)).toEqual([])
  })

  test('on a phone, no text of the portal is printed over another, and no target is lower than 24 px', () => {
    expect(crowded).toEqual(nothing)
  })

  test('no table of the portal is wider than its card, however wide the window', () => {
    expect(wide).toEqual(nothing)
  })

  test('no page of the portal says one thing twice in a row: a head and its cell, a field and its button, a card and its button', () => {
    expect(doubled).toEqual(nothing)
  })
})

test(
  'the menu of the portal unfolds below its button, which stays where it is pressed',
  async () => {
    await inPortal(
      async (page) => {
        await page.goto(`${portals.url}/portal/payments`)
        const menu = page.getByText('Menu', { exact: true })
        const heading = page.getByRole('heading', { name: 'Payments' })
        const placesOf = async () => ({
          menu: await menu.boundingBox(),
          heading: await heading.boundingBox(),
        })
        const before = await placesOf()
        await menu.click()
        await page.locator('details').getByRole('link', { name: 'Onboarding' }).waitFor()
        expect(await placesOf()).toEqual(before)
        await menu.click()
        expect(await page.locator('details').getByRole('link', { name: 'Onboarding' }).isVisible()).toBe(
          false,
        )
      },
      { viewport: SMALL_PHONE },
    )
  },
  LIMIT_MS,
)

test(
  'no phone number is torn on a small phone, in the list of payments',
  async () => {
    await inPortal(
      async (page) => {
        await page.goto(`${portals.url}/portal/payments`)
        const numbers = page.locator('td bdi', { hasText: /^\+254/ })
        const lines = await numbers.evaluateAll((all) => all.map((number) => number.getClientRects().length))
        expect(lines.length).toBeGreaterThan(5)
        expect(new Set(lines)).toEqual(new Set([1]))
      },
      { viewport: SMALL_PHONE },
    )
  },
  LIMIT_MS,
)

test(
  'axe finds nothing on an empty list, a page that does not exist, and a refused form',
  async () => {
    await inPortal(
      async (page) => {
        for (const path of ['/payments', '/payments/nobody']) {
          await page.goto(`${portals.emptyUrl}/portal${path}`)
          expect({ path, faults: await faultsOf(page) }).toEqual({ path, faults: [] })
        }

        await page.goto(`${portals.emptyUrl}/portal/keys`)
        const create = page.getByRole('button', { name: 'Create the key' })
        await create.evaluate((button) => button.closest('form')?.setAttribute('novalidate', ''))
        await create.click()
        await page.getByRole('alert').waitFor()
        expect(await faultsOf(page)).toEqual([])
      },
      { url: portals.emptyUrl },
    )
  },
  LIMIT_MS,
)

test(
  'an open page shows what has changed, and leaves alone what is being typed',
  async () => {
    await inPortal(async (page) => {
      await page.clock.install()
      await page.goto(`${portals.url}/portal/payments/order-failed`)
      await portals.trade.pay('approve', {}, 'order-failed')
      await page.clock.runFor(LIVE_MS)
      await page.getByText('Payment: successful (700)').waitFor()
      await page.goto(`${portals.url}/portal/payments/order-partial`)
      await page.getByLabel('How').selectOption('reverse')
      await portals.trade.pay('wrong_pin', {}, 'order-partial')
      await page.clock.runFor(LIVE_MS)
      await page.getByText('Payment: failed (701)').waitFor()
      expect(await page.getByLabel('How').inputValue()).toBe('reverse')
    })
  },
  LIMIT_MS,
)

test('the first page after the sign-in has the time zone of the browser', async () => {
  await inPortal((page) => page.getByText('Times: Lagos (GMT+1)').waitFor(), { timezoneId: 'Africa/Lagos' })
})

// The pictures come last, from a sandbox of their own: the tests above change what is shown.
test.runIf(process.env.FULL).each([
  ['phone', PHONE, 'light', ['/payments/order-jammed', '/deliveries']],
  ['desktop', DESKTOP, 'dark', ['', '/payments', '/accounts']],
] as const)(
  'the pages look as they did on a %s',
  async (_, viewport, colorScheme, paths) => {
    const fresh = await openPortals()
    try {
      await inPortal(
        async (page) => {
          const changed: string[] = []
          for (const path of paths) {
            await page.goto(`${fresh.url}/portal${path}`)
            const name = path.slice(1).replace('/', '_') || 'overview'
            changed.push(...(await expectLooks(page, `portal/${name}`, 1)))
          }

          expect(changed).toEqual([])
        },
        { url: fresh.url, viewport, colorScheme, bypassCSP: true },
      )
    } finally {
      await fresh.close()
    }
  },
  LIMIT_MS,
)
