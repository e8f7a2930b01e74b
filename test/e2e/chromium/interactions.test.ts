// The CPU time of the page's main thread for each interaction, on a CPU six times slower, beside a bare LitElement button
// in the same page.

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { Browser, CDPSession, Page } from 'playwright'
import { litButton } from '../../bench/element/contenders.ts'
import { freshView, PAID } from '../../support/scripted-bff.ts'
import { openChromium } from '../browser/open.ts'

const SLOW_DOWN = 6
const ROUNDS = 3
/** The most CPU time that an interaction may take beyond a press of the bare button. */
const MOST_MS = 50
/** On a slow machine, the bare button is slow, too. */
const MOST_TIMES = 2
const LIMIT_MS = 300_000
const SHOP = 'https://shop.test/'
const SERVER = 'https://pay.test'
const PAYER = 'payer-name="Asha Mwangi" payer-email="asha@example.com" payer-msisdn="+254700000001"'

let browser: Browser

beforeAll(async () => {
  browser = await openChromium()
})

afterAll(() => browser?.close())

// Only with `FULL`. The limit is not met yet: alone on two cores, the answer takes 249 ms and the bare button 65 ms.
test.runIf(inject('isFull'))(
  'no interaction takes 50 ms of CPU time more than a press of a bare button, 6 × slowed down',
  { timeout: LIMIT_MS },
  async () => {
    const rounds: Record<string, number>[] = []
    for (let round = 0; round < ROUNDS; round++) rounds.push(await measure())
    const figures = Object.fromEntries(
      Object.keys(rounds[0] ?? {}).map((what) => [what, median(rounds.map((each) => each[what] ?? NaN))]),
    )
    const { bare = NaN, ...interactions } = figures
    console.log(
      Object.entries(figures)
        .map(([what, ms]) => `${what}: ${ms.toFixed(1)} ms`)
        .join(', '),
    )
    expect(bare).toBeGreaterThan(0)
    const limit = bare + Math.max(MOST_MS, MOST_TIMES * bare)
    expect(Object.entries(interactions).filter(([, ms]) => !(ms <= limit))).toEqual([])
  },
)

async function measure(): Promise<Record<string, number>> {
  const page = await openPage()
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOW_DOWN })
  const cost = async (act: () => Promise<unknown>, isDone = 'true') => {
    await page.evaluate('settled()')
    const before = await cpuMs(devtools)
    await act()
    await page.evaluate(`until(() => ${isDone})`)
    await page.evaluate('settled()')
    return (await cpuMs(devtools)) - before
  }
  const click = async (selector: string) => {
    const { x, y } = await page.evaluate<{ x: number; y: number }>(`middleOf('${selector}')`)
    for (const type of ['mousePressed', 'mouseReleased'] as const)
      await devtools.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 })
  }
  const figures = {
    bare: await cost(() => click('lit-button'), 'pressed'),
    'a press that asks for the payer': await cost(() => click('#asked'), `asked.state === 'details'`),
    'a letter typed into the form': await cost(() =>
      devtools.send('Input.dispatchKeyEvent', { type: 'char', text: 'A' }),
    ),
    'a press': await cost(() => click('#known'), `known.state === 'starting'`),
    'the answer to it': await cost(() => page.evaluate('release()'), `known.state === 'waiting'`),
    'another language': await cost(() => page.evaluate(`void (known.lang = 'sw')`), `langOf(known) === 'sw'`),
    'another state': await cost(
      () => page.evaluate('confirmPaid()'),
      `known.shadowRoot.querySelector('[part=receipt] button')`,
    ),
  }
  await page.context().close()
  return figures
}

async function cpuMs(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN) * 1_000
}

async function openPage(): Promise<Page> {
  // Frames of an animation would be counted with the interaction, as many as the machine draws meanwhile.
  const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  const headers = { 'access-control-allow-origin': '*' }
  const { script, styles } = await litButton()
  const html = `<!doctype html><html lang="en"><title>Interactions</title><style>${styles}</style>
    <script>${IN_PAGE}</script><script type="module">${script}</script>
    <script type="module" src="${SERVER}/gateway-checkout.js"></script><lit-button></lit-button>
    <gateway-checkout id="known" order="order-1" launch="popup" ${PAYER}></gateway-checkout>
    <gateway-checkout id="asked" order="order-2" launch="popup"></gateway-checkout>`
  await page.route(SHOP, (route) => route.fulfill({ contentType: 'text/html', body: html }))
  await page.route(`${SERVER}/**`, (route) => {
    const { pathname } = new URL(route.request().url())
    const body = readFileSync(`widget/dist${pathname}`, 'utf8')
    return route.fulfill({ contentType: 'text/javascript', body, headers })
  })
  await page.goto(SHOP)
  await page.evaluate('until(() => langOf(known) && langOf(asked))')
  return page
}

/** A payment server and windows that cost nothing, and waiting that does not poll. */
const IN_PAGE = `
  const view = ${JSON.stringify({ ...freshView(Date.now()), expires_at: '2099-01-01T00:00:00Z' })}
  const answer = () => Response.json(view, { headers: { 'Retry-After': '60' } })
  let release
  window.fetch = async (url) => {
    if (String(url).endsWith('/initiate')) await new Promise((resolve) => (release = resolve))
    return answer()
  }
  delete window.EventSource
  window.open = () => ({ closed: false, document: { body: {} }, location: { replace() {} }, focus() {}, close() {} })
  var pressed = false
  addEventListener('pay', () => (pressed = true), true)
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const settled = async () => { for (let frames = 0; frames < 3; frames++) await frame() }
  const langOf = ({ shadowRoot }) => shadowRoot?.querySelector('.base')?.lang
  const middleOf = (selector) => {
    const box = document.querySelector(selector).shadowRoot.querySelector('button').getBoundingClientRect()
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  }
  const until = async (isSo) => { while (!isSo()) await frame() }
  const confirmPaid = () => {
    Object.assign(view, ${JSON.stringify({ ...PAID, version: 2 })})
    window.dispatchEvent(new Event('online'))
  }`

function median(figures: number[]): number {
  return figures.toSorted((one, other) => one - other)[Math.floor(figures.length / 2)] ?? NaN
}
