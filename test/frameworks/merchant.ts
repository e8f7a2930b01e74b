import { once } from 'node:events'
import { serve } from '@hono/node-server'
import vue from '@vitejs/plugin-vue'
import { build, preview } from 'vite'
import type { InlineConfig } from 'vite'
import { startSandbox } from '../../demo/sandbox/index.ts'
import { createApp } from '../../server/app.ts'
import { readConfig } from '../../server/config.ts'
import { openStore } from '../../server/store/open.ts'
import { ENVIRONMENT } from '../support/world.ts'

export const PAGES = ['plain', 'react', 'hydrated', 'vue'] as const
export type PageName = (typeof PAGES)[number]

const HOST = '127.0.0.1'

export async function openMerchant() {
  const pages = await openPages()
  const sandbox = await startSandbox({ port: 0 })
  const store = openStore('sqlite::memory:')
  const server = serve({ fetch: (request) => bff.fetch(request), port: 0, hostname: HOST })
  await once(server, 'listening')
  const address = server.address()
  const bffUrl = `http://${HOST}:${typeof address === 'object' && address ? address.port : ''}`
  const env = { GATEWAY_BASE_URL: sandbox.url, PUBLIC_URL: bffUrl, ALLOWED_ORIGINS: pages.origin }
  const bff = createApp({
    config: readConfig({ ...ENVIRONMENT, ...env, MERCHANT_WEBHOOK_URL: undefined }),
    store,
    clock: sandbox.timeline,
    orders: (order) => ({ order, amount: '1500', currency: 'KES', narration: `Two kangas, ${order}` }),
  })
  const work = new AbortController()
  const working = bff.work(work.signal)

  return {
    address(page: PageName, order: string, wishes: Record<string, string> = {}): string {
      return `${pages.origin}/${page}.html?${new URLSearchParams({ order, server: bffUrl, ...wishes })}`
    },

    async countInitiateRequests(order: string): Promise<number> {
      const answer = await sandbox.app.request('/_sandbox/requests')
      const { requests }: { requests: { body: Record<string, unknown> | null }[] } = await answer.json()
      return requests.filter(({ body }) => body?.narration === `Two kangas, ${order}`).length
    },

    async close() {
      work.abort()
      await Promise.all([working, pages.close(), new Promise((resolve) => server.close(resolve))])
      await Promise.all([store.close(), sandbox.close()])
    },
  }
}

async function openPages() {
  const config: InlineConfig = {
    configFile: false,
    logLevel: 'error',
    root: 'test/frameworks/pages',
    plugins: [
      vue({ template: { compilerOptions: { isCustomElement: (tag) => tag === 'gateway-checkout' } } }),
    ],
    // Only development builds of React mount every component twice.
    define: { 'process.env.NODE_ENV': '"development"' },
    build: {
      outDir: '../../../node_modules/.cache/framework-pages',
      emptyOutDir: true,
      rolldownOptions: { input: PAGES.map((name) => `test/frameworks/pages/${name}.html`) },
    },
    preview: { host: HOST, port: 0 },
  }
  await build(config)
  const server = await preview(config)
  const [url] = server.resolvedUrls?.local ?? []
  if (url === undefined) throw new Error('The pages are not served.')
  return { origin: new URL(url).origin, close: () => server.close() }
}
