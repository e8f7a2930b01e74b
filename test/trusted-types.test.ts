import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect } from 'vitest'

import { test, theChromium } from './e2e/worker.ts'

const PATIENCE = { timeout: 20_000, interval: 50 }
const SHOP = 'https://shop.test/'
const HELP = /<gateway-checkout> trusted_types: .*trusted-types lit-html\..*'allow-duplicates'/

const IMPORT_MAP = JSON.stringify({
  imports: {
    'lit/html.js': '/node_modules/lit/html.js',
    'lit-html': '/node_modules/lit-html/lit-html.js',
    '@lit/reactive-element': '/node_modules/@lit/reactive-element/reactive-element.js',
  },
})
const MODULE = '<script type="module" src="/widget/dist/gateway-checkout.js"></script>'
const CLASSIC = '<script src="/widget/dist/gateway-checkout.classic.js"></script>'
const FROM_NPM = `<script type="importmap">${IMPORT_MAP}</script>
  <script type="module" src="/widget/dist/define.js"></script>`

const browser = await theChromium()

/**
 * Opens a page, and waits until the element is defined, or until the console has a message about it. For `form`, also
 * presses the button, and returns the form that is posted.
 */
async function open(scripts: string, policy: string, waitFor: 'element' | 'help' | 'form', suffix = '') {
  const page = await browser.newPage()
  const logged: string[] = []
  page.on('console', (message) => logged.push(message.text()))
  await page.route(`${SHOP}**`, (route, request) => {
    const { pathname } = new URL(request.url())
    const path = resolve(`.${pathname}`)
    if (pathname !== '/' && existsSync(path)) {
      return route.fulfill({ path })
    }

    const headers = { [`content-security-policy${suffix}`]: `${policy}; require-trusted-types-for 'script'` }
    const body = `<gateway-checkout order="A-1" server="https://pay.test">Pay at the counter</gateway-checkout>${scripts}`
    return route.fulfill({ contentType: 'text/html', headers, body })
  })
  try {
    await page.goto(SHOP)
    const isDefined = () => page.evaluate(`customElements.get('gateway-checkout') !== undefined`)
    const helps = () => logged.filter((text) => text.startsWith('<gateway-checkout>'))
    await expect
      .poll(async () => (waitFor === 'element' ? isDefined() : helps().length > 0), PATIENCE)
      .toBe(true)
    await page.waitForLoadState('networkidle')
    const seen = {
      isDefined: await isDefined(),
      helps: helps(),
      shown: await page.locator('body').innerText(),
    }
    if (waitFor !== 'form') {
      return seen
    }

    const form = page.waitForRequest('https://pay.test/checkout/initiate')
    await page.locator('gateway-checkout button').click()
    return { ...seen, form: (await form).postData() }
  } finally {
    await page.close()
  }
}

describe.each([
  ['the module', MODULE],
  ['the classic script', CLASSIC],
  ['the package from npm', FROM_NPM],
])('where Trusted Types forbid Lit, %s', (_, scripts) => {
  test('where Trusted Types forbid Lit, the element says once what is missing, and pays by a plain form', async () => {
    expect(await open(scripts, 'trusted-types other', 'form')).toMatchObject({
      helps: [expect.stringMatching(HELP)],
      form: expect.stringMatching(/^order=A-1&/),
    })
  })

  test('where Trusted Types forbid Lit, the element works with what it asks for', async () => {
    expect(await open(scripts, 'trusted-types lit-html', 'element')).toMatchObject({
      isDefined: true,
      helps: [],
    })
  })

  test('where Trusted Types forbid Lit, the element says nothing under a policy that only reports', async () => {
    const opened = await open(scripts, 'trusted-types other', 'element', '-report-only')
    expect(opened).toMatchObject({ isDefined: true, helps: [] })
  })
})

test('two scripts of the element need one policy', async () => {
  const opened = await open(MODULE + CLASSIC, 'trusted-types lit-html', 'element')
  expect(opened).toMatchObject({ isDefined: true, helps: [] })
})
