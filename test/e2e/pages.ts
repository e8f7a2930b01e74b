import { Hono } from 'hono'
import { randomUUID } from 'node:crypto'
import { createServer, request } from 'node:http'

import { listen as serve } from '../../demo/sandbox/http/listen.ts'
import { freePort, listen } from '../support/free-port.ts'
import { openDemo } from './demo.ts'

import type { IncomingMessage, ServerResponse } from 'node:http'

export async function openDemoWithPages() {
  const [sandboxPort, bffPort, shopPort] = await Promise.all([freePort(), freePort(), freePort()])
  const [pages, gateway] = await Promise.all([openPages(shopPort), openProxy(sandboxPort)])
  const demo = await openDemo({
    SANDBOX_PORT: String(sandboxPort),
    BFF_PORT: String(bffPort),
    SHOP_PORT: String(shopPort),
    GATEWAY_BASE_URL: gateway.origin,
    ALLOWED_ORIGINS: [pages.origin, ...[shopPort, bffPort].flatMap(ownOrigins)].join(','),
  })

  const close = async () => {
    await demo.close()
    await pages.close()
    gateway.close()
  }

  // All requests to the sandbox go through the proxy `gateway`.
  return { ...demo, pages, gateway, close }
}

/** The demo's pages are visited under both. */
const ownOrigins = (port: number) => [`http://127.0.0.1:${port}`, `http://localhost:${port}`]

const PAYER = 'payer-name="Asha Mwangi" payer-email="asha@example.com" payer-msisdn="+254700000001"'

export function tag(bff: string, order: string, attributes: string): string {
  return `<gateway-checkout server="${bff}" order="${order}" ${PAYER} ${attributes}></gateway-checkout>`
}

export function scriptTag(bff: string, file = 'gateway-checkout.js', attributes = 'type="module"'): string {
  return `<script ${attributes} src="${bff}/${file}"></script>`
}

async function openPages(shopPort: number) {
  const pages = new Map<string, { html: string; headers: Record<string, string> }>()
  const reports: string[] = []
  /** What the shop's page has in its head, beside its own. */
  const inShop = { script: '' }
  const app = new Hono()
  app.post('/reports', async (c) => {
    reports.push(await c.req.text())
    return c.body(null, 204)
  })
  app.get('/:name', async (c, next) => {
    const page = pages.get(c.req.param('name'))
    return page ? c.html(page.html, 200, page.headers) : next()
  })
  // Everything else is the shop's.
  app.get('*', async ({ req }) => {
    const { pathname, search } = new URL(req.url)
    const answer = await fetch(`http://127.0.0.1:${shopPort}${pathname}${search}`, { redirect: 'manual' })
    if (!answer.headers.get('content-type')?.startsWith('text/html')) {
      return answer
    }

    const html = (await answer.text()).replace('<head>', (head) => head + inShop.script)
    return new Response(html, { headers: { 'content-type': 'text/html' } })
  })
  const { url: origin, close } = await serve(app, 0)

  return {
    origin,
    reports,
    inShop,
    put(body: (order: string) => string, headers: Record<string, string> = {}) {
      const name = randomUUID()
      const order = `demo-1500-${name}`
      const html = `<!doctype html><html lang="en"><link rel="icon" href="data:,">${body(order)}</html>`
      pages.set(name, { html, headers })
      return `${origin}/${name}?order=${order}`
    },
    close,
  }
}

async function openProxy(port: number) {
  const headers: Record<string, string> = {}
  let gate = Promise.resolve()
  const server = createServer((asked, answer) => void gate.then(() => pass(asked, answer)))

  const pass = (asked: IncomingMessage, answer: ServerResponse) => {
    const { method, url, headers: asks } = asked
    const onward = request({ host: '127.0.0.1', port, method, path: url, headers: asks }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, { ...answered.headers, ...proxy.headers })
      answered.pipe(answer)
    })
    onward.on('error', () => answer.destroy())
    asked.pipe(onward)
  }

  const proxy = {
    origin: await listen(server),
    headers,
    hold() {
      let open = () => {}
      gate = new Promise((resolve) => (open = resolve))
      return open
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
  return proxy
}
