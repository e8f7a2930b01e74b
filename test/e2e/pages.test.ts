// Pages of shops that hold the tag in their own ways.

import { expect, inject, onTestFinished } from 'vitest'

import { scriptTag, tag } from './pages.ts'
import { arrive, PATIENCE } from './shopper.ts'
import { test, theBrowser, theDemo } from './worker.ts'

import type { Page } from './browser/browser-api.ts'
import type { Visit } from './shopper.ts'

const engine = inject('engine')
const [demo, browser] = await Promise.all([theDemo(), theBrowser()])
const { bff, pages, gateway, sandbox } = demo

const OPENER_POLICIES = [
  { shop: 'same-origin', hosted: 'unsafe-none' },
  { shop: 'unsafe-none', hosted: 'same-origin' },
]

test.each(OPENER_POLICIES)(
  'a checkout is paid under Cross-Origin-Opener-Policy $shop on the shop and $hosted on the hosted page',
  async (policy) => {
    gateway.headers = { 'cross-origin-opener-policy': policy.hosted }
    onTestFinished(() => void (gateway.headers = {}))
    const address = pages.put((order) => scriptTag(bff) + tag(bff, order, 'launch="popup"'), {
      'cross-origin-opener-policy': policy.shop,
    })
    const shopper = await arrive(await browser.newContext(), demo, address)
    const hosted = await shopper.press()
    await shopper.sees('waiting', /Not confirmed yet/)
    await hosted.answer('Enter PIN and approve')
    await hosted.back()
    await shopper.sees('paid', /1,500/, { status: 801, attempt: 1 })
    await shopper.leave()
  },
)

const LISTEN = `
  violated = [],
  addEventListener('securitypolicyviolation', ({ blockedURI }) => violated.push(blockedURI)),
  reported = [],
  globalThis.ReportingObserver && new ReportingObserver(
    (reports) => reported.push(...reports.map(({ body }) => body.blockedURL)),
    { types: ['csp-violation'], buffered: true },
  ).observe()
`

test('a whole checkout violates nothing of a strict content security policy', async () => {
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
  for (const list of lists) {
    await expect.poll(() => shopper.page.evaluate(list), PATIENCE).toEqual(forbidden)
  }

  await shopper.leave(/forbidden/)
})

test('a checkout can be paid in a sandboxed frame that may open windows', async () => {
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

// Like React's StrictMode, the script removes the element and adds it again.
const MOUNT_TWICE = `
  const tag = document.querySelector('gateway-checkout')
  tag.remove()
  document.body.append(tag)
  tag.replaceWith(tag.cloneNode(true))`

const PRESS_AND_MOUNT = `(() => {
  const tag = document.querySelector('gateway-checkout')
  for (let click = 0; click < 20; click++) tag.shadowRoot.querySelector('button').click()
  tag.remove()
  document.body.append(tag)
})()`

test('twenty clicks in each of two tabs, a reload and double mounts start one checkout', async () => {
  const address = pages.put(
    (order) => `<script>settled = 0; addEventListener('checkout-settled', () => (settled += 1))</script>
      ${scriptTag(bff)}${tag(bff, order, 'launch="redirect"')}<script type="module">${MOUNT_TWICE}</script>`,
  )
  const before = await demo.initiated()
  const open = gateway.hold()

  const press = async (shopper: Visit<Page>) => {
    await shopper.tag.getByRole('button').click()
    await shopper.page.evaluate(PRESS_AND_MOUNT)
  }

  const first = await arrive(await browser.newContext(), demo, address)
  await press(first)
  const second = await first.openSecondTab()
  await press(second)
  await first.page.reload()
  await press(first)
  open()

  for (const { page } of [first, second]) {
    await expect.poll(() => page.url(), PATIENCE).toContain(`${sandbox}/pay/`)
  }

  const [merchant_transaction_id = '', ...others] = (await demo.initiated()).slice(before.length)
  expect(others).toEqual([])
  await demo.act({ merchant_transaction_id }, 'approve')
  for (const shopper of [first, second]) {
    await shopper.page.reload()
    await shopper.page.getByRole('link', { name: /Back to the shop/ }).click()
    await shopper.sees('paid', /1,500/, { merchant_transaction_id, attempt: 1 })
    expect(await shopper.page.evaluate('settled')).toBe(1)
    // The first tab is closed because the second tab polls only in the foreground.
    await shopper.page.close()
  }

  await second.leave()
  await first.leave()
})

// The simulated customer of this number does not answer: the test answers.
const SILENT = '+254700009003'

test('a shopper is asked on the phone, cannot pay there, and pays on the payment page', async () => {
  const address = pages.put(
    (order) => `${scriptTag(bff)}<gateway-checkout server="${bff}" order="${order}" method="prompt"
      launch="redirect" payer-name="Asha" payer-email="asha@example.com" payer-msisdn="${SILENT}"></gateway-checkout>`,
  )
  const shopper = await arrive(await browser.newContext(), demo, address)
  await shopper.tag.getByRole('button').click()
  const asked = await shopper.sees('waiting', /Enter your PIN on the phone ending/)
  expect(asked.prompt?.method).toBe('MOMO_KEN')
  await demo.act(asked, 'cancel')
  await shopper.sees('unpaid', /The request was cancelled/, { attempt: 1, settled: true })
  await shopper.page.evaluate(
    `document.querySelector('gateway-checkout').setAttribute('payer-msisdn', '+254700000001')`,
  )
  const hosted = await shopper.submit(/Pay another way/)
  await hosted.answer('Enter PIN and approve')
  await hosted.back()
  await shopper.sees('paid', /1,500/, { attempt: 2 })
  await shopper.leave()
})
