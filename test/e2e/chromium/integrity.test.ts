/** Pages that name the files they load by content: `integrity.json` on the page, the files from the payment server. */

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Browser, Page } from 'playwright'
import type { Demo } from '../demo.ts'
import { openChromium } from '../browser/open.ts'
import { openDemo } from '../demo.ts'

const { integrity }: { integrity: Record<string, string> } = JSON.parse(
  readFileSync('widget/dist/integrity.json', 'utf8'),
)
const NAMES = Object.keys(integrity)
const FILE = NAMES.find((name) => /@[\d.]+\.js$/.test(name)) ?? ''
const CLASSIC = NAMES.find((name) => name.endsWith('.classic.js')) ?? ''
const ALL = NAMES.find((name) => name.endsWith('.all.js')) ?? ''
const SWAHILI = NAMES.find((name) => name.includes('/sw-')) ?? ''

let demo: Demo
let browser: Browser
let html = ''
const pages = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end(html))

beforeAll(async () => {
  await once(pages.listen(0, '127.0.0.1'), 'listening')
  ;[demo, browser] = await Promise.all([openDemo(), openChromium()])
})

afterAll(async () => {
  await browser?.close()
  await demo?.close()
  pages.close()
})

test.each([
  ['the module, and Swahili by the import map', FILE, 'type="module"', /^Lipa/],
  ['the classic script, which has Swahili in it', CLASSIC, '', /^Lipa/],
  ['the module that has Swahili in it', ALL, 'type="module"', /^Lipa/],
])('a page pins %s', async (_, name, type, label) => {
  const page = await open(name, type)
  await page.getByRole('button', { name: label }).waitFor()
  await page.close()
})

describe('what was tampered with is refused', () => {
  test.each([
    ['the module', FILE, 'type="module"'],
    ['the classic script', CLASSIC, ''],
  ])('%s', async (_, name, type) => {
    const page = await open(name, type, name)
    await page.waitForFunction('globalThis.isRefused')
    expect(await page.evaluate(`customElements.get('gateway-checkout') === undefined`)).toBe(true)
    await page.close()
  })

  test('a language: the tag speaks English', async () => {
    const page = await open(FILE, 'type="module"', SWAHILI)
    await page.getByRole('button', { name: /^Pay/ }).waitFor()
    await page.close()
  })
})

/** A page in Swahili that pins one file, perhaps where a file is not what it was. */
async function open(name: string, type: string, tampered?: string): Promise<Page> {
  const page = await browser.newPage()
  const at = (file: string) => file.replace('.', demo.bff)
  const map = { integrity: Object.fromEntries(NAMES.map((each) => [at(each), integrity[each]])) }
  html = `<!doctype html><html lang="sw"><script type="importmap">${JSON.stringify(map)}</script>
    <script ${type} src="${at(name)}" integrity="${integrity[name]}" crossorigin onerror="isRefused = true">
    </script><gateway-checkout order="pinned" server="${demo.bff}"></gateway-checkout>`
  if (tampered)
    await page.route(at(tampered), async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: `${await response.text()};` })
    })
  const refusal = tampered && page.waitForEvent('console', (message) => /integrity/.test(message.text()))
  await page.goto(address())
  await refusal
  return page
}

/** Not by the driver's hand: Chromium lets no page that came from nowhere load anything from this machine. */
function address(): string {
  const at = pages.address()
  return `http://127.0.0.1:${typeof at === 'object' && at ? at.port : ''}`
}
