import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openChromium } from './e2e/browser/open.ts'

const SHOP = 'https://shop.test/'
const HELP = /<gateway-checkout> trusted_types: .*trusted-types lit-html\..*'allow-duplicates'/

const IMPORT_MAP = JSON.stringify({
  imports: {
    lit: '/node_modules/lit/index.js',
    'lit-html': '/node_modules/lit-html/lit-html.js',
    'lit-html/is-server.js': '/node_modules/lit-html/is-server.js',
    'lit-element/lit-element.js': '/node_modules/lit-element/lit-element.js',
    '@lit/reactive-element': '/node_modules/@lit/reactive-element/reactive-element.js',
  },
})
const MODULE = '<script type="module" src="/widget/dist/gateway-checkout.js"></script>'
const CLASSIC = '<script src="/widget/dist/gateway-checkout.classic.js"></script>'
const FROM_NPM = `<script type="importmap">${IMPORT_MAP}</script>
  <script type="module" src="/widget/dist/define.js"></script>`

const browser = await openChromium()
afterAll(() => browser.close())

/** Opens a page, and waits until the element is defined, or until the console has a message about it. */
async function open(scripts: string, policy: string, waitFor: 'element' | 'help', suffix = '') {
  const page = await browser.newPage()
  const logged: string[] = []
  page.on('console', (message) => logged.push(message.text()))
  await page.route(`${SHOP}**`, (route, request) => {
    const { pathname } = new URL(request.url())
    const path = resolve(`.${pathname}`)
    if (pathname !== '/' && existsSync(path)) return route.fulfill({ path })
    const headers = { [`content-security-policy${suffix}`]: `${policy}; require-trusted-types-for 'script'` }
    const body = `<gateway-checkout order="A-1" server="https://pay.test">Pay at the counter</gateway-checkout>${scripts}`
    return route.fulfill({ contentType: 'text/html', headers, body })
  })
  try {
    await page.goto(SHOP)
    const isDefined = () => page.evaluate(`customElements.get('gateway-checkout') !== undefined`)
    const helps = () => logged.filter((text) => text.startsWith('<gateway-checkout>'))
    await expect.poll(async () => (waitFor === 'help' ? helps().length > 0 : isDefined())).toBe(true)
    await page.waitForLoadState('networkidle')
    return { isDefined: await isDefined(), helps: helps(), shown: await page.locator('body').innerText() }
  } finally {
    await page.close()
  }
}

describe.each([
  ['the module', MODULE],
  ['the package from npm', FROM_NPM],
])('where Trusted Types forbid Lit, %s', (_, scripts) => {
  test('says once what is missing, and leaves the content of the tag', async () => {
    const { isDefined, helps, shown } = await open(scripts, 'trusted-types other', 'help')
    expect(isDefined).toBe(false)
    expect(helps).toEqual([expect.stringMatching(HELP)])
    expect(shown).toContain('Pay at the counter')
  })

  test('works with what it asks for', async () => {
    expect(await open(scripts, 'trusted-types lit-html', 'element')).toMatchObject({
      isDefined: true,
      helps: [],
    })
  })

  test('says nothing under a policy that only reports', async () => {
    const opened = await open(scripts, 'trusted-types other', 'element', '-report-only')
    expect(opened).toMatchObject({ isDefined: true, helps: [] })
  })
})

test('a page with two scripts that contain Lit is told of allow-duplicates', async () => {
  const { helps } = await open(MODULE + CLASSIC, 'trusted-types lit-html', 'help')
  expect(helps).toContainEqual(expect.stringMatching(HELP))
  const policy = `trusted-types lit-html 'allow-duplicates'`
  expect(await open(MODULE + CLASSIC, policy, 'element')).toMatchObject({ isDefined: true, helps: [] })
})
