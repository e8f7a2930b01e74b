/** Draws `demo/screenshot.png`, the picture of the README: the button, the payment and the outcome, on a phone. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { chromium } from 'playwright'
import { browserPath } from '../support/browsers.ts'
import { chromiumOptions } from '../support/browsers/launch-options.ts'
import { freePort } from '../support/free-port.ts'

import type { Page } from 'playwright'

const FILE = 'demo/screenshot.png'
const PHONE = { width: 360, height: 840 }
const GAP = 24

export async function draw(): Promise<void> {
  const [sandbox, bff, shop] = await Promise.all([freePort(), freePort(), freePort()])
  const env = { ...process.env, SANDBOX_PORT: `${sandbox}`, BFF_PORT: `${bff}`, SHOP_PORT: `${shop}` }
  const demo = spawn(process.execPath, ['demo/dist/dev.js'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(demo, 'exit')
  const browser = await chromium.launch(chromiumOptions(await browserPath('chromium')))
  try {
    await once(demo.stdout, 'data')
    const page = await browser.newPage({ viewport: PHONE, deviceScaleFactor: 2, colorScheme: 'light' })
    const shots = await pay(page, `http://127.0.0.1:${shop}/?launch=redirect`, `http://127.0.0.1:${sandbox}`)
    writeFileSync(FILE, await sideBySide(page, shots))
  } finally {
    await browser.close()
    demo.kill('SIGINT')
    await ended
  }
}

/** Pays once, and returns a picture of the shop, of the hosted page, and of the shop with the outcome. */
async function pay(page: Page, address: string, sandbox: string): Promise<Buffer[]> {
  const shots: Buffer[] = []
  const shoot = async () => shots.push(await page.screenshot())
  const lookAtTill = () => page.locator('.till').evaluate((till) => till.scrollIntoView({ block: 'end' }))

  await page.goto(address)
  await page.locator('gateway-checkout[state=idle]').waitFor()
  await lookAtTill()
  await shoot()
  await page.locator('gateway-checkout').getByRole('button').click()
  // The button of the hosted page has the same words as the shop's.
  await page.waitForURL(`${sandbox}/pay/*`)
  await page.getByRole('button', { name: /^Pay KES/ }).waitFor()
  await shoot()
  await page.getByRole('button', { name: /^Pay KES/ }).click()
  await page.getByRole('button', { name: 'Enter PIN and approve' }).click()
  await page.getByRole('link', { name: 'Back to the shop' }).click()
  await page.locator('gateway-checkout[state=paid]').getByRole('button', { name: 'Print' }).waitFor()
  await lookAtTill()
  await page.locator('gateway-checkout').evaluate(async ({ shadowRoot }) => {
    await Promise.all(shadowRoot?.getAnimations().map(({ finished }) => finished) ?? [])
  })
  await shoot()
  return shots
}

async function sideBySide(page: Page, shots: readonly Buffer[]): Promise<Buffer> {
  const images = shots.map((shot) => `<img src="data:image/png;base64,${shot.toString('base64')}">`)
  await page.setViewportSize({
    width: shots.length * (PHONE.width + GAP) + GAP,
    height: PHONE.height + 2 * GAP,
  })
  await page.goto('about:blank')
  await page.setContent(`<style>
      body { margin: 0; padding: ${GAP}px; display: flex; gap: ${GAP}px; background: #e9ece8 }
      img { width: ${PHONE.width}px; border-radius: 24px; box-shadow: 0 0 0 1px #0002 }
    </style>${images.join('')}`)
  return page.screenshot()
}
