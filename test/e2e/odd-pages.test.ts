import { expect, inject, test } from 'vitest'
import { openBrowser } from './browser/open.ts'
import { openDemoWithPages, scriptTag, tag } from './pages.ts'
import { arrive } from './shopper.ts'
import { openAll } from './demo.ts'

const PATIENCE = { timeout: 20_000, interval: 50 }

const LISTEN = `
  violated = [],
  addEventListener('securitypolicyviolation', ({ blockedURI }) => violated.push(blockedURI)),
  reported = [],
  globalThis.ReportingObserver && new ReportingObserver(
    (reports) => reported.push(...reports.map(({ body }) => body.blockedURL)),
    { types: ['csp-violation'], buffered: true },
  ).observe()
`

const engine = inject('engine')
const [demo, browser] = await openAll(openDemoWithPages(), openBrowser(engine))

test('a whole checkout violates nothing of a strict content security policy', async () => {
  const { bff, pages } = demo
  const policy = `default-src 'none'; script-src ${bff}; connect-src ${bff}; img-src data:;
    require-trusted-types-for 'script'; trusted-types lit-html 'allow-duplicates'; report-uri /reports`
  const address = pages.put((order) => scriptTag(bff) + tag(bff, order, 'lang="sw" launch="popup"'), {
    'content-security-policy': policy.replaceAll(/\s+/g, ' '),
  })
  const shopper = await arrive(await browser.newContext(), demo, address)
  await shopper.page.evaluate(`void (${LISTEN})`)
  const hosted = await shopper.press()
  await hosted.answer('Enter PIN and approve')
  await hosted.back()
  await shopper.sees('paid', /Imelipwa.*1,500/s)

  // One violation is caused on purpose. Reports keep their order, so earlier violations would come first.
  await shopper.page.evaluate(`void Object.assign(new Image(), { src: '/forbidden' })`)
  const forbidden = [expect.stringContaining(`${pages.origin}/forbidden`)]
  await expect.poll(() => pages.reports, PATIENCE).toEqual(forbidden)
  const lists = engine === 'chromium' ? ['violated', 'reported'] : ['violated']
  for (const list of lists) await expect.poll(() => shopper.page.evaluate(list), PATIENCE).toEqual(forbidden)
  await shopper.leave(/forbidden/)
})

test('a checkout can be paid in a sandboxed frame that may open windows', async () => {
  const { bff, pages } = demo
  const framed = pages.put((order) => scriptTag(bff) + tag(bff, order, 'launch="popup"'))
  const rights = 'allow-scripts allow-same-origin allow-forms allow-popups'
  const shopper = await arrive(
    await browser.newContext(),
    demo,
    pages.put(
      () => `<button onclick="frames[0].document.querySelector('gateway-checkout').start()">Buy</button>
        <iframe sandbox="${rights}" src="${framed}"></iframe>`,
    ),
  )
  const state = `frames[0].document.querySelector('gateway-checkout')?.state`
  await expect.poll(() => shopper.page.evaluate(state), PATIENCE).toBe('idle')
  const hosted = await shopper.submit(/Buy/)
  await hosted.answer('Enter PIN and approve')
  await hosted.back()
  await expect.poll(() => shopper.page.evaluate(state), PATIENCE).toBe('paid')
  await shopper.leave()
})
