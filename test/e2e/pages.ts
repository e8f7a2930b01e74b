/** A shop of the test's own: any page, with any headers, and an ear for what browsers report of them. */

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { freePort } from '../support/free-port.ts'

export interface Pages {
  readonly origin: string
  /**
   * Puts a page up for a new order of KES 1,500; its address, which names the order. Anything at the end of the order's
   * reference makes it another's.
   */
  put(body: (order: string) => string, headers?: Record<string, string>): string
  /** What browsers have posted to `/reports`. */
  readonly reports: string[]
  close(): void
}

export async function openPages(): Promise<Pages> {
  const port = await freePort()
  const pages = new Map<string, { html: string; headers: Record<string, string> }>()
  const reports: string[] = []
  const app = new Hono()
  app.post('/reports', async (c) => {
    reports.push(await c.req.text())
    return c.body(null, 204)
  })
  app.get('/:name', (c) => {
    const page = pages.get(c.req.param('name'))
    return page ? c.html(page.html, 200, page.headers) : c.notFound()
  })
  const server = serve({ fetch: app.fetch, port, hostname: '127.0.0.1' })
  await once(server, 'listening')

  const origin = `http://127.0.0.1:${port}`
  return {
    origin,
    reports,
    put(body, headers = {}) {
      const name = randomUUID()
      const order = `demo-1500-${name}`
      const html = `<!doctype html><html lang="en"><link rel="icon" href="data:,">${body(order)}</html>`
      pages.set(name, { html, headers })
      return `${origin}/${name}?order=${order}`
    },
    close() {
      server.close()
      if ('closeAllConnections' in server) server.closeAllConnections()
    },
  }
}

/** A payer whom the page knows, and who answers by hand. */
const PAYER = 'payer-name="Asha Mwangi" payer-email="asha@example.com" payer-msisdn="+254700000001"'

/** Written as a page writes it. */
export function tag(bff: string, order: string, attributes: string): string {
  return `<gateway-checkout server="${bff}" order="${order}" ${PAYER} ${attributes}></gateway-checkout>`
}

export function scriptTag(bff: string, file = 'gateway-checkout.js', attributes = 'type="module"'): string {
  return `<script ${attributes} src="${bff}/${file}"></script>`
}
