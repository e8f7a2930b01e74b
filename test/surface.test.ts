import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createBuilder } from 'vite'
import { afterAll, expect, test } from 'vitest'

import { openChromium } from './e2e/browser/open.ts'
import { freshView } from './support/worlds/scripted-bff.ts'

const PAGE = 'https://shop.test/'
/** Serves another version of the element; with FULL, the same sources with the oldest Lit. */
const CDN = 'https://cdn.test'
const SERVER = 'https://pay.test'
const isFull = Boolean(process.env.FULL)
const OLDEST = isFull ? 'node_modules/.cache/built-with-oldest-lit' : 'widget/dist'

if (isFull) {
  await buildWithOldestLit()
}

const browser = await openChromium()
afterAll(() => browser.close())

async function onPage<Result>(scripts: string, script: string, folder = 'widget/dist'): Promise<Result> {
  const page = await browser.newPage()
  const headers = { 'access-control-allow-origin': '*' }
  const paid = { ...freshView(0), status: 801, outcome: 'paid', settled: true }
  const body = `<gateway-checkout order="order-1" payer-name="Asha" checkout-id="checkout-01-of-the-tests" server="${SERVER}">
    </gateway-checkout><script>${RECORD_EVENTS}</script>${scripts}`
  await page.route(`${SERVER}/**`, (route, request) =>
    route.fulfill({ path: folder + new URL(request.url()).pathname, headers }),
  )
  await page.route(`${CDN}/**`, (route, request) =>
    route.fulfill({ path: OLDEST + new URL(request.url()).pathname, headers }),
  )
  await page.route(`${SERVER}/checkout/**`, (route) => route.fulfill({ json: paid, headers }))
  await page.route(PAGE, (route) => route.fulfill({ contentType: 'text/html', body }))
  try {
    await page.goto(PAGE)
    return await page.evaluate<Result>(script)
  } finally {
    await page.close()
  }
}

const MODULE = `<script type="module" src="${SERVER}/gateway-checkout.js"></script>`
const SCRIPT = `<script src="${SERVER}/gateway-checkout.classic.js"></script>`
const TEXT = `<script>
  fetch('${SERVER}/gateway-checkout.classic.js').then(async (file) => (0, eval)(await file.text()))
</script>`
const RECORD_EVENTS = `var events = []
  for (const type of ['change', 'paid', 'settled', 'error'])
    addEventListener('checkout-' + type, ({ detail }) => events.push([type, Object.keys(detail).toSorted().join()]))`
const PAID = `
  const tag = document.querySelector('gateway-checkout')
  await customElements.whenDefined('gateway-checkout')
  while (tag.state !== 'paid') await new Promise(requestAnimationFrame)`

const READ_SURFACE = `(async () => {
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
    events,
    said,
    view: Object.keys(view).toSorted(),
    read: [payerName, payerMsisdn, returnUrl, checkoutId, form],
    written: tag.getAttribute('payer-email'),
    validity: [tag.validity.valid, tag.checkValidity(), tag.reportValidity()],
    hasRoot: renderRoot === tag.shadowRoot,
    statics: [constructor.formAssociated, constructor.defaultServer, Object.keys(constructor.environment)],
    preloaded: await constructor.preload(),
    globals: Object.keys(globalThis).filter((name) => name.length < 3),
  }
})()`

test.each([
  ['a module', MODULE],
  ['a classic script', SCRIPT],
  ['a classic script run as text, without an address of its own', TEXT],
  ['both the other way round', SCRIPT + MODULE],
])('loaded as %s', async (_, scripts) => {
  expect(await onPage(scripts, READ_SURFACE)).toEqual(surface(scripts))
})

test.runIf(isFull)('built with lit 3.3.1, the element is the same', async () => {
  const maps = readdirSync(OLDEST, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.map'),
  )
  const sources = maps.flatMap(
    (name): string[] => JSON.parse(readFileSync(`${OLDEST}/${name}`, 'utf8')).sources,
  )
  const lit = sources.filter((source) => /(lit-html|reactive-element)\.js$/.test(source))
  expect(lit).toEqual(Array(2).fill(expect.stringContaining('lit-3.3.1')))
  expect(await onPage(MODULE, READ_SURFACE, OLDEST)).toEqual(surface(MODULE))
})

async function buildWithOldestLit(): Promise<void> {
  const builder = await createBuilder({
    logLevel: 'error',
    resolve: {
      alias: [
        { find: /^lit(?=\/html\.js$)/, replacement: 'lit-3.3.1' },
        {
          find: /^(?=@lit\/reactive-element$)/,
          replacement: resolve('node_modules/lit-3.3.1/node_modules') + '/',
        },
      ],
    },
    environments: { cdn: { build: { outDir: OLDEST, emptyOutDir: true } } },
  })
  await builder.build(builder.environments.cdn!)
}

test('a second version under another name has its own tag, events, parts, styles and errors', async () => {
  const first = '<script type="module" src="https://pay.test/gateway-checkout.js"></script>'
  const result = await onPage(
    first,
    `(async () => {
      ${PAID}
      const lines = []
      console.error = (text) => lines.push(text)
      const { GatewayCheckout, define } = await import('${CDN}/gateway-checkout.js')
      define('checkout-v2')
      define('checkout-v2')
      const style = document.head.appendChild(document.createElement('style'))
      style.textContent = 'checkout-v2[state=paid]::part(status) { letter-spacing: 3px }'
      const targets = []
      addEventListener('checkout-paid', ({ target }) => targets.push(target.localName))
      const other = document.createElement('checkout-v2')
      for (const { name, value } of tag.attributes) if (name !== 'state') other.setAttribute(name, value)
      document.body.append(other)
      while (other.state !== 'paid') await new Promise(requestAnimationFrame)
      await other.updateComplete
      const status = other.shadowRoot.querySelector('[role=status]')
      const spacing = ({ shadowRoot }) => getComputedStyle(shadowRoot.querySelector('[role=status]')).letterSpacing
      const wrong = document.createElement('checkout-v2')
      const codes = []
      wrong.addEventListener('checkout-error', ({ detail }) => codes.push(detail.code))
      document.body.append(wrong)
      wrong.start()
      while (lines.length === 0) await new Promise(requestAnimationFrame)
      const taken = () => { define('gateway-checkout') }
      let error = ''
      try { taken() } catch ({ name }) { error = name }
      return {
        isOther: other instanceof GatewayCheckout && !(tag instanceof GatewayCheckout),
        default: GatewayCheckout.defaultServer,
        text: status.innerText,
        spacing: [spacing(tag), spacing(other)],
        targets,
        codes,
        lines,
        error,
      }
    })()`,
  )
  expect(result).toEqual({
    isOther: true,
    default: CDN,
    text: expect.stringContaining('Paid'),
    spacing: ['normal', '3px'],
    targets: ['checkout-v2'],
    codes: ['no_order'],
    lines: [expect.stringMatching(/^<checkout-v2> no_order: /)],
    error: 'NotSupportedError',
  })
})

function surface(scripts: string) {
  const view = Object.keys(freshView(0)).toSorted()
  return {
    events: [
      ...['change', 'paid', 'settled'].map((type) => [type, view.join()]),
      ['error', 'code,message,retryable,view'],
    ],
    said: 'Pay now',
    view,
    read: ['Asha', '', '', 'checkout-01-of-the-tests', null],
    written: 'asha@example.com',
    validity: [true, true, true],
    hasRoot: true,
    statics: [
      true,
      scripts.includes(MODULE) ? expect.any(String) : '',
      ['fetch', 'clock', 'random', 'window'],
    ],
    preloaded: undefined,
    globals: [],
  }
}
