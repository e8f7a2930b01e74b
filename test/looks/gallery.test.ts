import { mkdirSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'

import { openChromium } from '../e2e/browser/open.ts'
import { openAll, openDemo } from '../e2e/demo.ts'
import { SITUATION_NAMES } from '../support/worlds/situations.ts'
import { pageStates } from './page-states.ts'
import { openSheet } from './sheet.ts'

import type { Demo } from '../e2e/demo.ts'
import type { Browser } from 'playwright'

type Theme = 'light' | 'dark'

const FOLDER = process.env.LOOKS_FOLDER ?? 'node_modules/.cache/looks'
/** Of the element: in the shop on a phone, and where there is room. */
const COLUMNS = [302, 416]
/** A phone and a desktop. */
const PAGES = [360, 1280]
/** Figures of one picture: as many as can be read. */
const MOST = 12
/** The cells of a sheet are as high as their content. */
const STYLE = `body { grid-auto-rows: auto !important; grid-template-rows: auto !important; row-gap: 24px !important }
  gateway-checkout::part(phone) { display: block }`
/** Nothing moves in a picture, so that two runs differ in references, times and ports only. */
const PICTURE = {
  fullPage: true,
  animations: 'disabled',
  style: '* { animation: none !important }',
} as const
const LIMIT_MS = 900_000
/** What a shop that sets everything writes on its tag. */
const ATTRIBUTES = {
  amount: 'KES 1500',
  payee: 'Pwani Goods',
  help: 'tel:+254 700 000 000 | mailto:hello@pwani.example',
}

const draws = process.env.LOOKS === 'draw'
const [demo, browser] = draws ? await openAll(openDemo(), openChromium()) : []

/** Draws the element in every state, several to a picture. */
async function drawElement(chromium: Browser, theme: Theme, width: number): Promise<void> {
  const viewport = { width: 4 * (width + 24) + 24, height: 900 }
  const page = await chromium.newPage({ viewport })
  await openSheet(page, { theme, lang: 'en', width, style: STYLE })
  const names = SITUATION_NAMES
  for (let at = 0; at < names.length; at += MOST) {
    const shown = JSON.stringify(names.slice(at, at + MOST))
    await page.evaluate(`situations.showSituations(${shown}, ${JSON.stringify(ATTRIBUTES)})`)
    const path = `${FOLDER}/element-${width}-${theme}-${at / MOST + 1}.png`
    await page.screenshot({ path, ...PICTURE })
  }

  await page.close()
}

async function drawPages(chromium: Browser, demo: Demo, theme: Theme, width: number): Promise<void> {
  for (const [name, show] of Object.entries(pageStates(demo))) {
    const look = { viewport: { width, height: 740 }, colorScheme: theme }
    // Otherwise, pages refuse the style of the pictures, and a countdown that is not shown moving ends.
    const page = await chromium.newPage({ ...look, bypassCSP: true })
    await show(page, 'en')
    await page.screenshot({ path: `${FOLDER}/${name}-${width}-${theme}.png`, ...PICTURE })
    await page.close()
  }
}

// Nothing is compared: a person looks at the pictures, before and after a change to a style.
test.runIf(draws).each(['light', 'dark'] as const)(
  'every state is drawn at two widths: %s',
  async (theme) => {
    if (!demo || !browser) {
      throw new Error('Nothing is open.')
    }

    mkdirSync(FOLDER, { recursive: true })
    for (const width of COLUMNS) {
      await drawElement(browser, theme, width)
    }
    for (const width of PAGES) {
      await drawPages(browser, demo, theme, width)
    }

    const pages = Object.keys(pageStates(demo)).length * PAGES.length
    const sheets = Math.ceil(SITUATION_NAMES.length / MOST) * COLUMNS.length
    expect(readdirSync(FOLDER).filter((name) => name.includes(theme)).length).toBe(pages + sheets)
  },
  LIMIT_MS,
)
