/** A contact sheet: one page with every scene in a cell of its own, as Chromium draws it. */

import { readFileSync } from 'node:fs'
import { NOW, SCENES, viewOf } from './scenes.ts'

import type { Browser, Page } from 'playwright'
import type { GatewayCheckout } from '../../widget/index.ts'
import type { Scene } from './scenes.ts'

const PAGE = 'https://shop.test/'
const SERVER = 'https://pay.test'
const DIST = 'widget/dist'

/** What all machines that run the tests have, and draw alike; with it, lines break at the same words. */
const FONT = 'DejaVu Sans'

export interface Sheet {
  theme: 'light' | 'dark'
  lang: string
  /** Of each tag, in CSS pixels. */
  width: number
  /** What the page's own style sheet says beside that. */
  style?: string
  /** What the browser is too old to know. */
  unknown?: string
}

/** The sheet, drawn and still. */
export async function draw(browser: Browser, sheet: Sheet): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 4 * (sheet.width + 24) + 24, height: 900 } })
  await serve(page, sheet)
  await page.goto(PAGE)
  await page.evaluate(fill, { scenes: SCENES, server: SERVER, lang: sheet.lang, now: NOW })
  return page
}

/** Cells are as tall as they always are, so that what grows in one moves no other. */
function markup({ theme, width, style = '' }: Sheet): string {
  return `<!doctype html><html lang="en"><title>Looks</title><style>
    :root { color-scheme: ${theme}; background: Canvas; font: 16px '${FONT}' }
    body { display: grid; grid: 560px / repeat(4, ${width}px); grid-auto-rows: 280px; gap: 0 24px; margin: 8px 24px }
    figure { margin: 0; overflow: hidden }
    figcaption { color: GrayText; font: 11px '${FONT}' }
    ${style}</style><script type="module" src="${SERVER}/gateway-checkout.js"></script><body></body></html>`
}

async function serve(page: Page, sheet: Sheet): Promise<void> {
  const headers = { 'access-control-allow-origin': '*' }
  await page.route(PAGE, (route) => route.fulfill({ contentType: 'text/html', body: markup(sheet) }))
  await page.route(`${SERVER}/gateway-checkout**`, (route) => {
    const script = readFileSync(`${DIST}/gateway-checkout.js`, 'utf8')
    const body = sheet.unknown ? script.replaceAll(sheet.unknown, 'unknown') : script
    return route.fulfill({ contentType: 'text/javascript', body, headers })
  })
  await page.route(`${SERVER}/gateway-checkout/**`, (route) =>
    route.fulfill({ path: `${DIST}${new URL(route.request().url()).pathname}`, headers }),
  )
  await page.route(`${SERVER}/checkout/**`, async (route) => {
    const scene = asked(route.request().url(), route.request().postData())
    if (scene === undefined || scene.refusal) {
      const code = scene?.refusal ?? 'unknown_checkout'
      return route.fulfill({ status: 404, json: { code, retryable: false, detail: 'Not here.' }, headers })
    }
    // A checkout without a view is one that the BFF is still asked for.
    if (scene.view) return route.fulfill({ json: viewOf(scene), headers })
  })
}

interface Told {
  scenes: readonly Scene[]
  server: string
  lang: string
  now: number
}

function asked(url: string, form: string | null): Scene | undefined {
  const name = new URLSearchParams(form ?? '').get('order') ?? new URL(url).pathname.split('/')[3]
  return SCENES.find((scene) => scene.name === name)
}

/** Runs in the page. */
async function fill({ scenes, server, lang, now }: Told): Promise<void> {
  await customElements.whenDefined('gateway-checkout')
  const element = document.createElement('gateway-checkout').constructor as typeof GatewayCheckout
  const until = async (name: string, isSo: () => boolean) => {
    for (let frame = 0; !isSo(); frame++) {
      if (frame > 300) throw new Error(`It does not come to show "${name}".`)
      await new Promise(requestAnimationFrame)
    }
  }
  const show = async ({ name, state, attributes, view, press, submits }: Scene) => {
    const popup = {
      closed: press === 'closed',
      document: { body: {} },
      location: { replace() {} },
      close() {},
    }
    const given: Record<PropertyKey, unknown> = {
      open: () => (press === 'blocked' ? null : popup),
      EventSource: undefined,
    }
    const around = new Proxy(window, {
      get: (real, key) => {
        if (key in given) return given[key]
        const value: unknown = Reflect.get(real, key, real)
        return typeof value === 'function' && !/^[A-Z]/.test(String(key)) ? value.bind(real) : value
      },
    })
    // Timers never fire, except the one that notices a closed pop-up: any other would time out the request.
    let isStill = true
    const after = (_: number, run: () => void) => {
      if (!isStill) requestAnimationFrame(run)
      return () => {}
    }
    const clock = { now: () => now, after }
    element.environment = { ...element.environment, clock, window: around }
    const tag = document.createElement('gateway-checkout')
    tag.addEventListener('checkout-close', () => (isStill = true))
    const all = {
      order: name,
      server,
      lang,
      launch: 'popup',
      'payer-name': 'Asha Mwangi',
      'payer-email': 'asha@example.com',
      'payer-msisdn': '+254700000001',
      'checkout-id': view ? name : '',
      ...attributes,
    }
    for (const [attribute, value] of Object.entries(all)) tag.setAttribute(attribute, value)
    const caption = document.createElement('figcaption')
    caption.textContent = name
    const figure = document.body.appendChild(document.createElement('figure'))
    figure.append(caption, tag)
    if (view) await until(name, () => tag.checkout !== null)
    isStill = press !== 'closed'
    if (press) tag.start()
    await until(name, () => tag.state === state)
    const base = () => tag.shadowRoot?.querySelector<HTMLElement>('.base')
    await until(name, () => base()?.lang === lang)
    if (submits) base()?.querySelector('form')?.requestSubmit()
    await until(name, () => isStill)
    if (state === 'paid') await until(name, () => base()?.querySelector('[part=receipt] button') !== null)
    await tag.updateComplete
  }
  await Promise.all(scenes.map(show))
  ;(document.activeElement instanceof HTMLElement ? document.activeElement : document.body).blur()
}
