// The pages report to the test's server, because drivers cannot wait for a page from the back/forward cache.

import { randomUUID } from 'node:crypto'
import { expect, inject, onTestFinished, test } from 'vitest'

import { openBrowser } from './browser/open.ts'
import { openAll } from './demo.ts'
import { openDemoWithPages, scriptTag, tag } from './pages.ts'

import type { CheckoutView } from '../../server/api/view.ts'
import type { Page } from './browser/browser-api.ts'

const PATIENCE = { timeout: 20_000, interval: 50 }
// A browser does not cache a page while an aborted request of the page is still closing, so tests retry.
const TRIES = 3
const PAST_EXPIRY_MINUTES = 33

const engine = inject('engine')
const [demo, browser] = await openAll(openDemoWithPages(), openBrowser(engine, { keepsPages: true }))

interface Report {
  wasKept: boolean
  states: [name: string, state: string][]
}

const WATCH = `<script>
  const states = () => Array.from(document.querySelectorAll('gateway-checkout'), ({ id, state }) => [id, state])
  const isOpen = ([, state]) => /^(undefined|starting|waiting|partial|unpaid|blocked)$/.test(state)
  addEventListener('pageshow', async ({ persisted: wasKept }) => {
    if (!wasKept && performance.getEntriesByType('navigation')[0].type !== 'back_forward') return
    while (states().some(isOpen)) await new Promise((resolve) => setTimeout(resolve, 5))
    await fetch('/reports', { method: 'POST', body: JSON.stringify({ wasKept, states: states() }) })
    document.querySelector('gateway-checkout')?.shadowRoot.querySelector('button').click()
  })
</script>`

const PRESS = `<script type="module">
  window.open = () => null
  const pressed = [...document.querySelectorAll('.pressed')]
  await Promise.all(pressed.map(({ updateComplete }) => updateComplete))
  for (const tag of pressed) tag.start()
</script>`

test('a page without a running checkout is cached like an empty page, and its button works', async () => {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const empty = await untilKept(true, () => leaveAndReturn(page, () => WATCH))
  expect(empty.wasKept || engine !== 'chromium').toBe(true)

  const ended = new Map([
    ['expired', await checkoutWith('expired')],
    ['paid', await checkoutWith('paid')],
  ])
  const { wasKept } = await untilKept(empty.wasKept, async () => {
    const before = await demo.initiated()
    const report = await leaveAndReturn(page, (order) => pageOf(order, ended))
    expect(report.states.filter(([name, state]) => name !== state)).toEqual([])
    await expect.poll(() => demo.initiated(), PATIENCE).toHaveLength(before.length + 1)
    // The button leads away, and would interrupt the next visit.
    await expect.poll(() => page.url(), PATIENCE).toContain('/pay/')
    return report
  })
  expect(wasKept).toBe(empty.wasKept)
})

function pageOf(order: string, checkouts: Map<string, CheckoutView>): string {
  const { bff } = demo
  const taken = [...checkouts].map(([name, view]) =>
    tag(bff, view.order, `id="${name}" checkout-id="${view.checkout_id}"`),
  )
  return `${WATCH}${scriptTag(bff)}
    ${tag(bff, `${order}-idle`, 'id="idle" launch="redirect"')}
    <gateway-checkout id="details" class="pressed" server="${bff}" order="${order}-details"></gateway-checkout>
    ${tag(bff, 'nobody-knows-it', 'id="error" class="pressed"')}
    ${taken.join('')}${PRESS}`
}

async function checkoutWith(outcome: 'expired' | 'paid'): Promise<CheckoutView> {
  const view = await demo.begin(`demo-1500-${randomUUID()}`)
  await (outcome === 'paid' ? demo.act(view, 'approve') : demo.later(PAST_EXPIRY_MINUTES))
  await expect.poll(() => demo.view(view), PATIENCE).toMatchObject({ outcome })
  return view
}

async function untilKept(kept: boolean, visit: () => Promise<Report>, tries = TRIES): Promise<Report> {
  const report = await visit()
  return report.wasKept === kept || tries === 1 ? report : await untilKept(kept, visit, tries - 1)
}

async function leaveAndReturn(page: Page, html: (order: string) => string): Promise<Report> {
  const { pages } = demo
  const before = pages.reports.length
  await page.goto(pages.put(html))
  const unlike = async () =>
    (await page.evaluate<Report['states']>('states()')).filter(([name, state]) => name !== state)
  await expect.poll(unlike, PATIENCE).toEqual([])
  await page.goto(pages.put(() => 'Elsewhere'))
  await page.evaluate('void setTimeout(() => history.back())')
  await expect.poll(() => pages.reports.length, PATIENCE).toBe(before + 1)
  return JSON.parse(pages.reports.at(-1) ?? '')
}
