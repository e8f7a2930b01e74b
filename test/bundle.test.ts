/** What a merchant's page downloads. Reads what `npm run build` left in `widget/dist`. */

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { chromium } from 'playwright'
import { describe, expect, test } from 'vitest'
import { browsers } from './support/browsers.ts'
import { chromiumOptions } from './support/browsers/launch-options.ts'
import { freshView } from './support/till.ts'
import { createWorld } from './support/world.ts'

const DIST = 'widget/dist'
const FILE = `${DIST}/gateway-checkout.js`
const CLASSIC = `${DIST}/gateway-checkout.classic.js`
const ALL = `${DIST}/gateway-checkout.all.js`
const { version: VERSION }: { version: string } = JSON.parse(readFileSync('widget/package.json', 'utf8'))
const LARGEST_BROTLI_BYTES = 14_000
const LARGEST_CHUNK_BROTLI_BYTES = 1_100
/** What developers are told when something is wrong, and no shopper downloads otherwise. */
const LARGEST_DIAGNOSIS_BROTLI_BYTES = 1_500

/** What a browser may be given: the widget, lit, and the plain files of the contract. */
const WELCOME = [
  /^widget\//,
  /^server\/contract\/(status|view|countries|decimal)\.ts$/,
  /^node_modules\/(lit|lit-html|lit-element|@lit\/reactive-element)\//,
]

const chunks = existsSync(`${DIST}/gateway-checkout`)
  ? readdirSync(`${DIST}/gateway-checkout`).filter((name) => name.endsWith('.js'))
  : []

test('the one file that a page loads is 14 kB or less, everything included', () => {
  const bytes = brotliCompressSync(readFileSync(FILE)).byteLength
  expect(bytes).toBeLessThanOrEqual(LARGEST_BROTLI_BYTES)
})

test('four languages, a receipt’s tools and what developers are told are loaded later, each small', () => {
  const sizes = chunks.map((name) => {
    const bytes = brotliCompressSync(readFileSync(`${DIST}/gateway-checkout/${name}`)).byteLength
    return [name.split('-')[0] ?? '', bytes] as const
  })
  expect(sizes.map(([name]) => name)).toEqual(['ar', 'diagnosis', 'fr', 'pt', 'receipt', 'sw'])
  const largest = (name: string) =>
    name === 'diagnosis' ? LARGEST_DIAGNOSIS_BROTLI_BYTES : LARGEST_CHUNK_BROTLI_BYTES
  expect(sizes.filter(([name, bytes]) => bytes > largest(name))).toEqual([])
})

test.each([FILE, CLASSIC, ALL, ...chunks.map((name) => `${DIST}/gateway-checkout/${name}`)])(
  '%s is made of the widget and lit alone',
  (file) => {
    expect(modules(file).filter((path) => !WELCOME.some((pattern) => pattern.test(path)))).toEqual([])
    expect(readFileSync(file, 'utf8')).not.toMatch(/zod|ZodError|node:[a-z]+|x-access-token|consumer_secret/)
  },
)

test('what is loaded later lies beside the file, under a name that changes with its content', () => {
  const dynamic = /import\(\s*[`'"]([^`'"]+)[`'"]/g
  const named = new Set([...readFileSync(FILE, 'utf8').matchAll(dynamic)].map(([, name]) => name))
  expect(named).toEqual(new Set(chunks.map((name) => `./gateway-checkout/${name}`)))
  for (const name of chunks) expect(name).toMatch(/^[a-z][\w-]*-[\w-]{8}\.js$/)
})

test('a chunk imports nothing, so that it is the same beside the file of a version', () => {
  for (const name of chunks)
    expect(readFileSync(`${DIST}/gateway-checkout/${name}`, 'utf8')).not.toMatch(/\bimport\b/)
})

test('the classic script and the module with every language in it load nothing later', () => {
  expect(readFileSync(CLASSIC, 'utf8')).not.toMatch(/\bimport\(|\bexport\b/)
  expect(readFileSync(ALL, 'utf8')).not.toMatch(/\bimport\b(?!\.meta)/)
})

test('each is there again under a name for ever, and the hashes of all such names are an import map', () => {
  for (const file of [FILE, CLASSIC, ALL])
    expect(readFileSync(pinned(file), 'utf8')).toBe(readFileSync(file, 'utf8'))
  const { integrity } = JSON.parse(readFileSync(`${DIST}/integrity.json`, 'utf8'))
  const names = [FILE, CLASSIC, ALL].map((file) => posix.basename(pinned(file)))
  expect(integrity).toEqual(
    Object.fromEntries(
      [...names, ...chunks.map((name) => `gateway-checkout/${name}`)].map((name) => [
        `./${name}`,
        `sha384-${createHash('sha384')
          .update(readFileSync(`${DIST}/${name}`))
          .digest('base64')}`,
      ]),
    ),
  )
})

function pinned(file: string): string {
  return file.replace('gateway-checkout.', `gateway-checkout@${VERSION}.`)
}

/** The modules that a built file was made of, from its source map. */
function modules(file: string): string[] {
  const map: { sources: string[] } = JSON.parse(readFileSync(`${file}.map`, 'utf8'))
  return map.sources.map((source) => posix.join(posix.dirname(file), source))
}

test('the payment server serves it to any page, and says when it has not changed', async () => {
  const shop = await createWorld()
  const served = await shop.ask('/gateway-checkout.js')
  expect(await served.text()).toBe(readFileSync(FILE, 'utf8'))
  expect(served.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(served.headers.get('access-control-allow-origin')).toBe('*')
  const etag = served.headers.get('etag') ?? ''
  expect((await shop.ask('/gateway-checkout.js', { headers: { 'if-none-match': etag } })).status).toBe(304)
})

test('the payment server lets what is named for ever be kept for ever, and the rest be asked about', async () => {
  const shop = await createWorld()
  const caching = async (path: string) => (await shop.ask(path)).headers.get('cache-control')
  for (const file of [FILE, CLASSIC, ALL]) {
    const name = posix.basename(file)
    expect(await caching(`/${name}`)).toBe('public, max-age=300, must-revalidate')
    expect(await caching(`/${posix.basename(pinned(name))}`)).toMatch(/immutable/)
  }
  for (const name of chunks) expect(await caching(`/gateway-checkout/${name}`)).toMatch(/immutable/)
  expect((await shop.ask('/gateway-checkout@0.0.0.js')).status).toBe(404)
})

test('the payment server says where each source map is', async () => {
  const shop = await createWorld()
  for (const name of ['gateway-checkout.js', `gateway-checkout/${chunks[0]}`]) {
    const path = (await shop.ask(`/${name}`)).headers.get('sourcemap') ?? ''
    const map = await shop.ask(posix.join('/', posix.dirname(name), path))
    expect(map.headers.get('content-type')).toBe('application/json')
    expect(await map.text()).toBe(readFileSync(`${DIST}/${name}.map`, 'utf8'))
  }
})

describe('what a page can name is as it was written, whatever is shortened inside', () => {
  const PAGE = 'https://shop.test/'
  const SERVER = 'https://pay.test'

  /** A page of a shop that loads these files from the payment server, and what a script in it comes to. */
  async function onPage<Result>(scripts: string, script: string): Promise<Result> {
    const browser = await chromium.launch(chromiumOptions((await browsers()).chromium))
    try {
      const page = await browser.newPage()
      const type = 'text/javascript; charset=utf-8'
      const headers = { 'access-control-allow-origin': '*', 'content-type': type }
      for (const file of [FILE, CLASSIC])
        await page.route(`${SERVER}/${posix.basename(file)}`, (route) =>
          route.fulfill({ path: file, headers }),
        )
      await page.route(`${SERVER}/checkout/**`, (route) =>
        route.fulfill({
          json: { ...freshView(0), status: 801, outcome: 'paid', settled: true },
          headers: { 'access-control-allow-origin': '*' },
        }),
      )
      await page.route(PAGE, (route) =>
        route.fulfill({
          contentType: 'text/html',
          body: `<gateway-checkout order="order-1" payer-name="Asha" checkout-id="checkout-1" server="${SERVER}">
            </gateway-checkout><script>${HEAR}</script>${scripts}`,
        }),
      )
      await page.goto(PAGE)
      return await page.evaluate<Result>(script)
    } finally {
      await browser.close()
    }
  }

  const MODULE = `<script type="module" src="${SERVER}/gateway-checkout.js"></script>`
  const SCRIPT = `<script src="${SERVER}/gateway-checkout.classic.js"></script>`
  const TEXT = `<script>
    fetch('${SERVER}/gateway-checkout.classic.js').then(async (file) => (0, eval)(await file.text()))
  </script>`
  /** Writes down every event and what its detail is made of. */
  const HEAR = `var told = []
    for (const type of ['change', 'paid', 'settled', 'error'])
      addEventListener('checkout-' + type, ({ detail }) => told.push([type, Object.keys(detail).toSorted().join()]))`
  const PAID = `
    const tag = document.querySelector('gateway-checkout')
    await customElements.whenDefined('gateway-checkout')
    while (tag.state !== 'paid') await new Promise(requestAnimationFrame)`

  test.each([
    ['a module', MODULE],
    ['a classic script', SCRIPT],
    ['a classic script run as text, without an address of its own', TEXT],
    ['both', MODULE + SCRIPT],
    ['both the other way round', SCRIPT + MODULE],
  ])('loaded as %s', async (_, scripts) => {
    const surface = await onPage<Record<string, unknown>>(
      scripts,
      `(async () => {
        ${PAID}
        const { constructor } = tag
        tag.payerEmail = 'asha@example.com'
        tag.disabled = true
        await tag.updateComplete
        const { payerName, payerMsisdn, returnUrl, checkoutId, form, renderRoot } = tag
        const view = tag.checkout
        tag.reset()
        tag.lang = 'en'
        tag.words = { en: { pay: 'Pay now' } }
        await tag.updateComplete
        const said = tag.shadowRoot.querySelector('button').textContent.trim()
        tag.order = tag.checkoutId = ''
        tag.disabled = false
        await tag.updateComplete
        tag.start()
        return {
          told,
          said,
          view: Object.keys(view).toSorted(),
          read: [payerName, payerMsisdn, returnUrl, checkoutId, form],
          written: tag.getAttribute('payer-email'),
          validity: [tag.validity.valid, tag.checkValidity(), tag.reportValidity()],
          hasRoot: renderRoot === tag.shadowRoot,
          observed: constructor.observedAttributes.toSorted(),
          statics: [constructor.formAssociated, constructor.defaultServer, Object.keys(constructor.environment)],
          globals: Object.keys(globalThis).filter((name) => name.length < 3),
        }
      })()`,
    )
    const view = Object.keys(freshView(0)).toSorted()
    expect(surface).toEqual({
      told: [
        ...['change', 'paid', 'settled'].map((type) => [type, view.join()]),
        ['error', 'code,message,retryable,view'],
      ],
      said: 'Pay now',
      view,
      read: ['Asha', '', '', 'checkout-1', null],
      written: 'asha@example.com',
      validity: [true, true, true],
      hasRoot: true,
      observed: [
        'checkout-id',
        'country',
        'disabled',
        'label',
        'lang',
        'launch',
        'name',
        'order',
        'payer-email',
        'payer-msisdn',
        'payer-name',
        'required',
        'return-url',
        'server',
        'state',
        'theme',
      ],
      statics: [
        true,
        scripts.includes(MODULE) ? expect.any(String) : '',
        ['fetch', 'clock', 'random', 'window'],
      ],
      globals: [],
    })
  })

  test('two builds draw side by side, and a class of one can be extended', async () => {
    const states = await onPage(
      SCRIPT,
      `(async () => {
        ${PAID}
        const { GatewayCheckout } = await import('${SERVER}/gateway-checkout.js')
        customElements.define('another-checkout', class extends GatewayCheckout {})
        const other = document.createElement('another-checkout')
        for (const { name, value } of tag.attributes) other.setAttribute(name, value)
        document.body.append(other)
        while (other.state !== 'paid') await new Promise(requestAnimationFrame)
        const status = ({ shadowRoot }) => shadowRoot.querySelector('[role=status]').innerText
        await Promise.all([tag.updateComplete, other.updateComplete])
        return [status(tag), status(other)]
      })()`,
    )
    expect(states).toEqual([expect.stringContaining('Paid'), expect.stringContaining('Paid')])
  })
})
