import { readFileSync } from 'node:fs'
import { describe, expect, onTestFinished } from 'vitest'

import { en } from '../../../widget/words/en.ts'
import sw from '../../../widget/words/sw.ts'
import { scriptTag, tag } from '../pages.ts'
import { test, theChromium, theDemo } from '../worker.ts'

import type { Page } from 'playwright'

const [demo, browser] = await Promise.all([theDemo(), theChromium()])
const { bff, pages } = demo

const { integrity }: { integrity: Record<string, string> } = JSON.parse(
  readFileSync('widget/dist/integrity.json', 'utf8'),
)
const NAMES = Object.keys(integrity)
const FILE = NAMES.find((name) => /@[\d.]+\.js$/.test(name)) ?? ''
const CLASSIC = NAMES.find((name) => name.endsWith('.classic.js')) ?? ''
const SWAHILI = NAMES.find((name) => name.includes('/sw-')) ?? ''

test.each([
  ['the module, and Swahili by the import map', FILE, 'type="module"'],
  ['the classic script, which has Swahili in it', CLASSIC, ''],
])('a page pins %s', async (_, name, type) => {
  const page = await pinning(name, type)
  await page.evaluate(`document.querySelector('gateway-checkout').removeAttribute('payer-name')`)
  await page.getByRole('button').click()
  await page.getByText(sw.payer_name).waitFor()
})

test('the page in the README pins every file of the build', () => {
  const readme = readFileSync('widget/README.md', 'utf8')
  const [, map = '{}'] = /<script type="importmap">([^]*?)<\/script>/.exec(readme) ?? []
  const at = (file: string) => file.replace('./', 'https://cdn.example/')
  const hashes = Object.entries(integrity).map(([file, hash]) => [at(file), hash])
  expect(JSON.parse(map)).toEqual({ integrity: Object.fromEntries(hashes) })
})

test('a changed file of the module is refused', async () => {
  const page = await pinning(FILE, 'type="module"', FILE)
  await page.waitForFunction('globalThis.isRefused')
  expect(await page.evaluate(`customElements.get('gateway-checkout') === undefined`)).toBe(true)
})

test('a changed file of a language is refused, and the tag speaks English', async () => {
  const page = await pinning(FILE, 'type="module"', SWAHILI)
  await page.evaluate(`document.querySelector('gateway-checkout').removeAttribute('payer-name')`)
  await page.getByRole('button').click()
  await page.getByText(en.payer_name).waitFor()
})

async function newPage(): Promise<Page> {
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  return page
}

async function pinning(name: string, type: string, tampered?: string): Promise<Page> {
  const page = await newPage()
  const at = (file: string) => file.replace('.', bff)
  const map = { integrity: Object.fromEntries(NAMES.map((each) => [at(each), integrity[each]])) }
  const address = pages.put(
    (order) => `<script type="importmap">${JSON.stringify(map)}</script>
      <script ${type} src="${at(name)}" integrity="${integrity[name]}" crossorigin onerror="isRefused = true">
      </script>${tag(bff, order, 'lang="sw"')}`,
  )
  if (tampered) {
    await page.route(at(tampered), async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: `${await response.text()};` })
    })
  }

  const refusal = tampered && page.waitForEvent('console', (message) => /integrity/.test(message.text()))
  await page.goto(address)
  await refusal
  return page
}

describe('markup in the content of a page leads no payment to another server', () => {
  const elsewhere = 'http://127.0.0.3:9'

  test.each([
    [
      '<base>, with a relative server',
      `<base href="${elsewhere}/">`,
      scriptTag(bff),
      (order: string) => tag('/pay', order, 'launch="redirect"'),
      `${pages.origin}/pay/checkout/initiate`,
    ],
    [
      '<img name="currentScript">, with the classic script',
      `<img name="currentScript" src="${elsewhere}/gateway-checkout.js" alt="">`,
      scriptTag(bff, 'gateway-checkout.classic.js', ''),
      (order: string) => tag('', order, 'launch="redirect"'),
      undefined,
    ],
  ])(
    'markup in the content of a page leads no payment to another server: %s',
    async (_, markup, script, tagFor, asked) => {
      const page = await newPage()
      const requests: string[] = []
      await page.route(/\/checkout\/initiate$/, (route) => {
        requests.push(route.request().url())
        return route.abort()
      })
      await page.goto(pages.put((order) => `<p>${markup}</p>${script}${tagFor(order)}`))
      await page.getByRole('button', { name: /^Pay/ }).click()
      await page.getByText(/No connection|You cannot pay/).waitFor()
      expect(requests).toEqual(asked ? [asked] : [])
    },
  )
})

test('markup in the content of a page keeps nobody from paying: a form named "defaultView"', async () => {
  const page = await newPage()
  const requests: string[] = []
  await page.route(/\/checkout\/initiate$/, (route) => {
    requests.push(route.request().url())
    return route.abort()
  })
  const markup = '<form name="defaultView"></form>'
  await page.goto(pages.put((order) => `${markup}${scriptTag(bff)}${tag(bff, order, 'launch="redirect"')}`))
  await page.getByRole('button', { name: /^Pay/ }).click()
  await expect.poll(() => requests).toEqual([`${bff}/checkout/initiate`])
})

test('a script without type="module" is an error that says so', async () => {
  const page = await newPage()
  const error = page.waitForEvent('pageerror')
  await page.goto(pages.put((order) => scriptTag(bff, 'gateway-checkout.js', '') + tag(bff, order, '')))
  expect((await error).message).toMatch(/outside a module/)
})
