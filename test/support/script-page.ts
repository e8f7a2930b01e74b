import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { chromium } from 'playwright'
import type { Environment } from '../../server/config.ts'
import { browserPath } from './browsers.ts'
import { chromiumOptions } from './browsers/launch-options.ts'
import { createWorld } from './world.ts'

export interface Served {
  body: string
  headers: Headers
}

/**
 * Opens pages in one Chromium profile, with one cache. The scripts of these pages come from a BFF over HTTP, because
 * Chromium does not verify the signatures of responses that a test replaces inside the browser.
 */
export async function openScriptPages() {
  let world = await createWorld()
  let tamper: (script: Served) => Served = (script) => script
  let requests = 0
  let html = ''
  const app = new Hono()
  app.get('/', (c) => c.html(html))
  app.get('*', async (c) => {
    requests += 1
    const answer = await world.ask(c.req.path)
    const script = tamper({ body: await answer.text(), headers: new Headers(answer.headers) })
    return new Response(script.body, { status: answer.status, headers: script.headers })
  })
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const bff = `http://127.0.0.1:${port}`
  const browser = await chromium.launch(chromiumOptions(await browserPath('chromium')))
  const context = await browser.newContext()

  return {
    bff,
    requests: () => requests,
    async configure(env: Environment) {
      world = await createWorld({ env })
    },
    tamper(change: (script: Served) => Served) {
      tamper = change
    },
    /** Resolves with whether a page at another origin than the BFF's runs the scripts in its HTML. */
    async runs(page: string): Promise<boolean> {
      html = page
      const tab = await context.newPage()
      await tab.goto(`http://localhost:${port}/`)
      const isDefined = await tab.evaluate(`customElements.get('gateway-checkout') !== undefined`)
      await tab.close()
      return isDefined === true
    },
    async close() {
      await browser.close()
      server.close()
    },
  }
}
