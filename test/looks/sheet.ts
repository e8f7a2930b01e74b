import { readFileSync } from 'node:fs'
import { build } from 'vite'

import type { Browser, Page } from 'playwright'
import type { Rolldown } from 'vite'

const PAGE = 'https://shop.test/'
const SERVER = 'https://pay.test'
const SITUATIONS = `${PAGE}situations.js`
const DIST = 'widget/dist'

const FONT = 'DejaVu Sans'

export interface Sheet {
  theme: 'light' | 'dark'
  lang: string
  width: number
  style?: string
  /**
   * The name of a CSS feature, such as `color-mix`, that is replaced with `unknown` in the element's script. The
   * browser then ignores the feature, as an old browser would.
   */
  unknown?: string
}

const [{ output }] = (await build({
  configFile: false,
  logLevel: 'error',
  build: { write: false, lib: { entry: 'test/support/worlds/situations.ts', formats: ['es'] } },
})) as [Rolldown.RolldownOutput]
const [{ code: script }] = output

export async function draw(browser: Browser, sheet: Sheet): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 4 * (sheet.width + 24) + 24, height: 900 } })
  await openSheet(page, sheet)
  await page.evaluate(`situations.showAllSituations('${sheet.lang}')`)
  return page
}

/** Opens an empty page on which `situations` can be shown. */
export async function openSheet(page: Page, sheet: Sheet): Promise<void> {
  await serve(page, sheet)
  await page.goto(PAGE)
  await page.waitForFunction('globalThis.situations')
}

// Cells have fixed heights, so that a change in one cell does not move the others.
function markup({ theme, width, style = '' }: Sheet): string {
  return `<!doctype html><html lang="en"><title>Looks</title><style>
    :root { color-scheme: ${theme}; background: Canvas; font: 16px '${FONT}' }
    body { display: grid; grid: 640px / repeat(4, ${width}px); grid-auto-rows: 390px; gap: 0 24px; margin: 8px 24px }
    figure { margin: 0; overflow: hidden }
    figcaption { color: GrayText; font: 11px '${FONT}' }
    /* Every state in which the shopper can pay has it. Its tests open it. */
    gateway-checkout::part(phone) { display: none }
    ${style}</style><body></body><script type="module">
      import '${SERVER}/gateway-checkout.js'
      import * as situations from '${SITUATIONS}'
      globalThis.situations = situations
    </script></html>`
}

async function serve(page: Page, sheet: Sheet): Promise<void> {
  const headers = { 'access-control-allow-origin': '*' }
  await page.route(PAGE, (route) => route.fulfill({ contentType: 'text/html', body: markup(sheet) }))
  await page.route(SITUATIONS, (route) => route.fulfill({ contentType: 'text/javascript', body: script }))
  await page.route(`${SERVER}/gateway-checkout**`, (route) => {
    const element = readFileSync(`${DIST}/gateway-checkout.js`, 'utf8')
    const body = sheet.unknown ? element.replaceAll(sheet.unknown, 'unknown') : element
    return route.fulfill({ contentType: 'text/javascript', body, headers })
  })
  await page.route(`${SERVER}/gateway-checkout/**`, (route) =>
    route.fulfill({ path: `${DIST}${new URL(route.request().url()).pathname}`, headers }),
  )
}
