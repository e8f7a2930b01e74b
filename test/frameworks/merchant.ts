import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { serve } from '@hono/node-server'
import vue from '@vitejs/plugin-vue'
import { build, preview } from 'vite'
import type { BuildEnvironmentOptions, InlineConfig, Plugin } from 'vite'
import { startSandbox } from '../../demo/sandbox/index.ts'
import { createApp } from '../../server/app.ts'
import { readConfig } from '../../server/config.ts'
import { openStore } from '../../server/store/open.ts'
import { ENVIRONMENT } from '../support/world.ts'

export const PAGES = ['plain', 'react', 'component', 'react-18/component', 'vue'] as const
export type PageName = (typeof PAGES)[number]

const HOST = '127.0.0.1'
const CACHE = 'node_modules/.cache'

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
  const react18 = [
    { find: /^react(?=$|\/)/, replacement: 'react-18' },
    { find: /^react-dom(?=$|\/)/, replacement: 'react-dom-18' },
  ]
  const names = PAGES.filter((name) => !name.includes('/'))
  await build(config({ build: pages('framework-pages', names) }))
  await build(
    config({
      base: '/react-18/',
      resolve: { alias: react18 },
      build: pages('framework-pages/react-18', ['component']),
    }),
  )
  await build(config({ ...onServer(19) }))
  await build(config({ ...onServer(18), resolve: { alias: react18 } }))
  const server = await preview(config({ build: pages('framework-pages', []), plugins: [rendering] }))
  const [url] = server.resolvedUrls?.local ?? []
  if (url === undefined) throw new Error('The pages are not served.')
  return { origin: new URL(url).origin, close: () => server.close() }
}

function config(more: InlineConfig): InlineConfig {
  return {
    configFile: false,
    logLevel: 'error',
    root: 'test/frameworks/pages',
    plugins: [
      vue({ template: { compilerOptions: { isCustomElement: (tag) => tag === 'gateway-checkout' } } }),
    ],
    // Only development builds of React mount every component twice.
    define: { 'process.env.NODE_ENV': '"development"' },
    preview: { host: HOST, port: 0 },
    ...more,
  }
}

function pages(folder: string, names: readonly string[]): BuildEnvironmentOptions {
  return {
    outDir: resolve(CACHE, folder),
    emptyOutDir: true,
    rolldownOptions: { input: names.map((name) => `test/frameworks/pages/${name}.html`) },
  }
}

function onServer(version: number): InlineConfig {
  return {
    ssr: { noExternal: true },
    build: {
      ssr: 'component.server.tsx',
      outDir: resolve(CACHE, `framework-pages-on-server/react-${version}`),
      emptyOutDir: true,
    },
  }
}

/** Answers with the pages of the component as a server with React has rendered them. */
const rendering: Plugin = {
  name: 'rendering',
  configurePreviewServer({ middlewares }) {
    middlewares.use((request, response, next) => {
      const url = new URL(request.url ?? '', 'http://shop.test')
      if (!url.pathname.endsWith('/component.html')) return next()
      rendered(url).then((page) => response.setHeader('content-type', 'text/html').end(page), next)
    })
  },
}

async function rendered({ pathname, href }: URL): Promise<string> {
  const page = await readFile(resolve(CACHE, `framework-pages${pathname}`), 'utf8')
  const version = pathname.startsWith('/react-18/') ? 18 : 19
  return page.replace('<!--rendered-->', await renderOnServer(version, href))
}

/** Returns the component as a server with this version of React renders it. */
export async function renderOnServer(version: number, address: string): Promise<string> {
  const file = resolve(CACHE, `framework-pages-on-server/react-${version}/component.server.js`)
  const { render }: { render: (query: URLSearchParams) => string } = await import(file)
  return render(new URL(address).searchParams)
}
