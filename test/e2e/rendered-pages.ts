/** Serves pages with a rendered element, and counts the checkouts that each page starts. */

import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { renderCheckout } from '../../server/index.ts'
import type { RenderCheckoutOptions } from '../../server/index.ts'
import { freshView } from '../support/scripted-bff.ts'

/** When the page requests the element's script. */
export type Arrival = 'mousemove' | 'mousedown' | 'click' | 'DOMContentLoaded'

export interface RenderedPage {
  arrival: Arrival
  /** From the event to the request of the script, in milliseconds. */
  delayMs: number
  options?: Partial<RenderCheckoutOptions>
  /** The page is sent up to this text; the rest follows when the element has been defined. */
  splitAfter?: string
  /** The page removes the element when it has been defined, before the rest of the page is there. */
  isRemoved?: boolean
}

const PAYER = { payerName: 'Asha', payerEmail: 'asha@example.com', payerMsisdn: '+254700000001' }

export async function openRenderedPages() {
  const pages = new Map<string, RenderedPage>()
  /** How each order was started: by the plain form, or by the element. */
  const starts = new Map<string, ('form' | 'element')[]>()
  let defined = () => {}

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const { pathname, searchParams } = new URL(request.url ?? '', origin)
    const page = pages.get(searchParams.get('page') ?? '')
    if (pathname === '/checkout/initiate') return start(request, response)
    if (pathname === '/hosted') return send(response, 'text/html', 'The payment page.')
    if (pathname.startsWith('/gateway-checkout'))
      return send(response, 'text/javascript', await readFile(`widget/dist${pathname}`))
    if (pathname === '/defined') {
      response.writeHead(204).end()
      return defined()
    }
    if (page && pathname === '/page') return sendPage(response, page, searchParams.get('page')!)
    response.writeHead(404).end()
  }

  async function sendPage(response: ServerResponse, page: RenderedPage, order: string) {
    const text = html(page, order)
    const { splitAfter } = page
    if (splitAfter === undefined) return send(response, 'text/html', text)
    const end = text.indexOf(splitAfter) + splitAfter.length
    if (end < splitAfter.length) throw new Error(`The page has no ${splitAfter}.`)
    const isDefined = new Promise<void>((resolve) => (defined = resolve))
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
    response.write(text.slice(0, end))
    await isDefined
    response.end(text.slice(end))
  }

  async function start(request: IncomingMessage, response: ServerResponse) {
    const order = new URLSearchParams(await text(request)).get('order') ?? ''
    const isElement = request.headers.accept?.includes('application/json') ?? false
    starts.set(order, [...(starts.get(order) ?? []), isElement ? 'element' : 'form'])
    const redirect_url = `${origin}/hosted?order=${order}`
    if (!isElement) return void response.writeHead(303, { location: redirect_url }).end()
    const view = { ...freshView(Date.now()), order, checkout_id: `checkout-${order}`, redirect_url }
    return send(response, 'application/json', JSON.stringify(view))
  }

  function html({ arrival, delayMs, options, splitAfter, isRemoved }: RenderedPage, order: string): string {
    const tag = renderCheckout(order, { server: origin, launch: 'redirect', ...PAYER, ...options })
    return `<!doctype html><html lang="${options?.lang ?? 'en'}"><meta charset="utf-8"><link rel="icon" href="data:,">
      <script>const ARRIVAL = '${arrival}', DELAY_MS = ${delayMs};${SCRIPT}</script>
      ${splitAfter === undefined ? '' : earlyScript(isRemoved ? 'removed.remove()' : '')}
      <p>Your order</p>${tag}<p id="after">Terms</p>`
  }

  const server = createServer((request, response) => void answer(request, response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  return {
    origin,
    starts,
    /** Returns the URL of a page with this order. */
    put(order: string, page: RenderedPage): string {
      pages.set(order, page)
      return `${origin}/page?page=${order}`
    },
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function send(response: ServerResponse, type: string, body: string | Buffer): void {
  response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' }).end(body)
}

/** Defines the element while the page is still arriving. The element's first update runs before the request is sent. */
const earlyScript = (then: string) => `<script type="module" async>
  import '/gateway-checkout.js'
  globalThis.removed = tag()
  ${then}
  await fetch('/defined')
</script>`

/** Runs in the page. `look` describes what may not change when the element takes over. */
const SCRIPT = `
  const load = () => setTimeout(() => import('/gateway-checkout.js'), DELAY_MS)
  addEventListener(ARRIVAL, load, { once: true, capture: true })
  var shift = 0
  if (PerformanceObserver.supportedEntryTypes.includes('layout-shift'))
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) shift += value
    }).observe({ type: 'layout-shift', buffered: true })
  const tag = () => document.querySelector('gateway-checkout')
  const button = () => tag().shadowRoot.querySelector('button')
  const boxOf = (node) => JSON.stringify(node.getBoundingClientRect())
  const styleOf = (node) => {
    const style = getComputedStyle(node)
    return Object.fromEntries(Array.from(style).filter((name) => !name.startsWith('--')).map((name) => [name, style.getPropertyValue(name)]))
  }
  const look = () => {
    const { shadowRoot } = tag()
    const shown = [tag(), ...shadowRoot.querySelectorAll('.base, button, [part=terms]')]
    return {
      boxes: [...shown, document.querySelector('#after')].map(boxOf),
      styles: shown.map(styleOf),
      text: shadowRoot.querySelector('.base').innerText,
      buttons: shadowRoot.querySelectorAll('button').length,
      hasFocus: shadowRoot.activeElement === button(),
    }
  }
  // The first update writes the state.
  const isTakenOver = () => tag().getAttribute('state') === 'idle'
  const middle = () => {
    const { left, top, width, height } = button().getBoundingClientRect()
    return { x: left + width / 2, y: top + height / 2 }
  }
`
