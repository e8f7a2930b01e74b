import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { chromium } from 'playwright'
import type { Browser } from 'playwright'
import type { Racer } from './contenders.ts'
import { browsers } from '../../support/browsers.ts'
import { chromiumOptions } from '../../support/browsers/launch-options.ts'

export interface Lap {
  readyMs: number
  scriptCpuMs: number
  layoutShift: number
  /**
   * The duration of the longest task of the page's main thread, in milliseconds; 0 if every task took less than 50 ms,
   * because browsers do not report shorter tasks.
   */
  longestTaskMs: number
  timers: number
  requests: number
}

interface Seen {
  timers: number
  shift: number
  longestTask: number
}

interface Circumstances {
  tags: number
  slowDown: number
  idleMs: number
  // If the page reads the heights of all buttons at once, their tasks become one long task.
  isHurried: boolean
}

export interface Track {
  pair(racers: readonly [Racer, Racer], turn: number, given: Circumstances): Promise<[Lap, Lap]>
  close(): Promise<void>
}

const IN_PAGE = readFileSync('test/bench/element/in-page.js', 'utf8')

export async function openTrack(): Promise<Track> {
  const browser = await chromium.launch(chromiumOptions((await browsers()).chromium))
  return {
    async pair([one, other], turn, given) {
      if (turn % 2 === 0) return [await lap(browser, one, given), await lap(browser, other, given)]
      const second = await lap(browser, other, given)
      return [await lap(browser, one, given), second]
    },
    close: () => browser.close(),
  }
}

async function lap(browser: Browser, { script, tag, styles }: Racer, given: Circumstances): Promise<Lap> {
  const tags = `<div data-tag>${tag}</div>`.repeat(given.tags)
  const page = `<!doctype html><html lang="en"><title>Bench</title><style>${styles}</style><script>${IN_PAGE}</script>${tags}<p>After it.</p>`
  const files = new Map([
    ['/', { type: 'text/html', text: page }],
    ['/script.js', { type: 'text/javascript', text: script }],
  ])
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    const isChunk = /^\/gateway-checkout\/[\w-]+\.js$/.test(path)
    const chunk = { type: 'text/javascript', text: isChunk ? readFileSync(`widget/dist${path}`, 'utf8') : '' }
    const { type, text } = files.get(path) ?? chunk
    response.setHeader('content-type', type).end(text)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const context = await browser.newContext()
  try {
    const tab = await context.newPage()
    await tab.goto(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : ''}/`)
    await tab.evaluate('bench.prepare()')
    const devtools = await context.newCDPSession(tab)
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: given.slowDown })
    let requests = 0
    tab.on('request', (request) => (requests += request.url().startsWith('blob:') ? 0 : 1))
    const cpuMs = async () => {
      const { metrics } = await devtools.send('Performance.getMetrics')
      const spent = metrics.filter(({ name }) => name === 'ScriptDuration' || name === 'V8CompileDuration')
      return spent.reduce((sum, { value }) => sum + value * 1000, 0)
    }
    const before = await cpuMs()
    const readyMs = await tab.evaluate<number>(`bench.run(${given.isHurried})`)
    const scriptCpuMs = (await cpuMs()) - before
    await tab.evaluate('bench.settled()')
    // The second file arrives when the page is idle for the first time.
    await tab.evaluate(`globalThis.customElements.get('gateway-checkout')?.preload()`)
    await tab.evaluate('bench.settled()')
    const { timers: earlier } = await tab.evaluate<Seen>('bench.seen')
    requests = 0
    await tab.waitForTimeout(given.idleMs)
    const {
      timers: all,
      shift: layoutShift,
      longestTask: longestTaskMs,
    } = await tab.evaluate<Seen>('bench.seen')
    const timers = all - earlier
    return { readyMs, scriptCpuMs, layoutShift, longestTaskMs, timers, requests }
  } finally {
    await context.close()
    server.close()
  }
}
