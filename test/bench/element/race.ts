import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { chromium } from 'playwright'

import { browserPath } from '../../support/browsers/browsers.ts'
import { chromiumOptions } from '../../support/browsers/launch-options.ts'
import { listen } from '../../support/free-port.ts'

import type { Racer } from './contenders.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright'

interface Circumstances {
  tags?: number
  slowDown?: number
}

export interface Track {
  /** One lap of a script that is in memory: the milliseconds from its evaluation until the button is ready. */
  lap(racer: Racer, given: Circumstances): Promise<number>
  /** One navigation on a cheap phone: the milliseconds until the button is ready. */
  arrive(racer: Racer): Promise<number>
  close(): Promise<void>
}

/** A cheap phone: a processor four times slower, 1.6 Mbit/s, 150 ms. */
export const CHEAP_SLOW_DOWN = 4
const NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 }
const IN_PAGE = readFileSync('test/bench/element/in-page.js', 'utf8')

export async function openTrack(): Promise<Track> {
  const browser = await chromium.launch(chromiumOptions(await browserPath('chromium')))
  return {
    lap: (racer, given) => onPage(browser, racer, given.tags ?? 1, (scene) => lap(scene, given)),
    arrive: (racer) => onPage(browser, racer, 1, arrive),
    close: () => browser.close(),
  }
}

interface Scene {
  tab: Page
  devtools: CDPSession
  origin: string
  /** Answers the requests for our second file, which otherwise wait. */
  release: () => void
}

async function onPage<Result>(
  browser: Browser,
  racer: Racer,
  tags: number,
  act: (scene: Scene) => Promise<Result>,
): Promise<Result> {
  const { promise: released, resolve: release } = withResolvers()
  const server = createServer((request, response) => void answer(request, response, racer, tags, released))
  const origin = await listen(server)
  let context: BrowserContext | undefined
  try {
    context = await browser.newContext()
    const tab = await context.newPage()
    const devtools = await context.newCDPSession(tab)
    return await act({ tab, devtools, origin, release })
  } finally {
    release()
    await context?.close()
    server.close()
  }
}

async function answer(
  { url = '' }: IncomingMessage,
  response: ServerResponse,
  { script, serve, tag, styles, button }: Racer,
  tags: number,
  released: Promise<void>,
): Promise<void> {
  if (url.endsWith('.js') || url.endsWith('?again')) {
    if (url !== script) {
      await released
    }

    const served = await serve(url)
    return void response
      .writeHead(served.status, Object.fromEntries(served.headers))
      .end(Buffer.from(await served.arrayBuffer()))
  }

  const head = `<!doctype html><html lang="en"><title>Bench</title><style>${styles}</style>
    <script>globalThis.benchButton = '${button}';globalThis.benchScript = '${script}';${IN_PAGE}</script>`
  const body = `${`<div data-tag>${tag}</div>`.repeat(tags)}<p>After it.</p>`
  const page = url === '/all' ? `${head}<script type="module" src="${script}"></script>${body}` : head + body
  response.setHeader('content-type', 'text/html').end(page)
}

async function lap({ tab, devtools, origin }: Scene, { slowDown = 1 }: Circumstances): Promise<number> {
  await tab.goto(`${origin}/`)
  await tab.evaluate('bench.prepare()')
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowDown })
  return tab.evaluate<number>('bench.run()')
}

async function arrive({ tab, devtools, origin, release }: Scene): Promise<number> {
  release()
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', NETWORK)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CHEAP_SLOW_DOWN })
  await tab.goto(`${origin}/all`)
  return tab.evaluate<number>('bench.arrival')
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((settle) => (resolve = settle))
  return { promise, resolve }
}
