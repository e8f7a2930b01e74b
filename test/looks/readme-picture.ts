// The picture of the README: a payment in the running demo, on three phones beside each other.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chromium } from 'playwright'

import { browserPath } from '../support/browsers/browsers.ts'
import { chromiumOptions } from '../support/browsers/launch-options.ts'
import { freePort } from '../support/free-port.ts'

import type { Browser, Page } from 'playwright'

const PHONE = { width: 360, height: 840 }
/** Between the phones, and around them. */
const GAP = 24
/** Screens show at most this many dots of the picture for each CSS pixel. */
const DENSITY = 2

/** Builds nothing: `npm run build` comes before. Resolves with the bytes of a PNG. */
export async function takePicture(): Promise<Buffer> {
  const [sandbox, bff, shop] = await Promise.all([freePort(), freePort(), freePort()])
  const demo = spawn(process.execPath, ['demo/dist/dev.js'], {
    env: { ...process.env, SANDBOX_PORT: `${sandbox}`, BFF_PORT: `${bff}`, SHOP_PORT: `${shop}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(demo, 'exit')
  const browser = await chromium.launch(chromiumOptions(await browserPath('chromium')))
  try {
    // The demo greets once it listens.
    await once(demo.stdout, 'data', { signal: AbortSignal.timeout(60_000) })
    const screens = await pay(browser, `http://127.0.0.1:${shop}/?amount=1500&payer=known&lang=en`)
    return await beside(browser, screens)
  } finally {
    await browser.close()
    demo.kill('SIGINT')
    await ended
  }
}

/** Pays an order, and resolves with what the phone shows of it. */
async function pay(browser: Browser, address: string): Promise<Buffer[]> {
  const context = await browser.newContext({
    viewport: PHONE,
    deviceScaleFactor: DENSITY,
    isMobile: true,
    hasTouch: true,
    colorScheme: 'light',
    locale: 'en-GB',
    timezoneId: 'Africa/Nairobi',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  const screens: Buffer[] = []

  await page.goto(address)
  const button = page.locator('gateway-checkout').getByRole('button').first()
  await button.waitFor()
  screens.push(await screenOf(page))

  await button.tap()
  const confirm = page.getByRole('button', { name: /^Pay KES/ })
  await page.waitForURL(/\/pay\//)
  await confirm.waitFor()
  screens.push(await screenOf(page))

  await confirm.tap()
  await page.getByRole('button', { name: /^Enter PIN and approve$/ }).tap()
  await page.getByRole('link', { name: /Back to the shop/ }).tap()
  await page.locator('gateway-checkout[state=paid]').waitFor()
  screens.push(await screenOf(page))

  await context.close()
  return screens
}

async function screenOf(page: Page): Promise<Buffer> {
  await page.evaluate(() => scrollTo(0, 0))
  return page.screenshot()
}

async function beside(browser: Browser, screens: readonly Buffer[]): Promise<Buffer> {
  const width = screens.length * (PHONE.width + GAP) + GAP
  const height = PHONE.height + 2 * GAP
  const page = await browser.newPage({ viewport: { width, height }, deviceScaleFactor: DENSITY })
  const images = screens.map((each) => `<img src="data:image/png;base64,${each.toString('base64')}">`)
  await page.setContent(`<style>
    body { margin: 0; padding: ${GAP}px; display: flex; gap: ${GAP}px; background: #e8ebe8 }
    img { width: ${PHONE.width}px; border-radius: 20px; outline: 1px solid #b9c1bc }
  </style>${images.join('')}`)
  return page.screenshot()
}
