import { expect, inject, test } from 'vitest'
import { openBrowser } from './browser/open.ts'
import { openDemoWithPages, scriptTag, tag } from './pages.ts'
import { arrive, visit } from './shopper.ts'
import { openAll } from './demo.ts'

const engine = inject('engine')
const [demo, browser] = await openAll(openDemoWithPages(), openBrowser(engine))

test('a page that is reloaded continues its checkout', async () => {
  const shopper = await visit(browser, demo, { launch: 'popup' })
  const hosted = await shopper.press()
  const { checkout_id } = await shopper.sees('waiting', /./)
  await shopper.page.reload()
  expect(await shopper.sees('waiting', /./)).toMatchObject({ checkout_id })
  await hosted.answer('Enter PIN and approve')
  expect(await shopper.sees('paid', /1,500/)).toMatchObject({ checkout_id })
  await shopper.leave()
})

const OPENER_POLICIES = [
  { shop: 'same-origin', hosted: 'unsafe-none', looksClosed: true },
  { shop: 'unsafe-none', hosted: 'same-origin', looksClosed: true },
]

test.each(OPENER_POLICIES)(
  'a checkout is paid under Cross-Origin-Opener-Policy $shop on the shop and $hosted on the hosted page',
  async (policy) => {
    const { bff, pages, gateway } = demo
    gateway.headers = { 'cross-origin-opener-policy': policy.hosted }
    const address = pages.put((order) => scriptTag(bff) + tag(bff, order, 'launch="popup"'), {
      'cross-origin-opener-policy': policy.shop,
    })
    const shopper = await arrive(await browser.newContext(), demo, address)
    const hosted = await shopper.press()
    await shopper.sees('waiting', policy.looksClosed ? /Not confirmed yet/ : /./)
    await hosted.answer('Enter PIN and approve')
    await hosted.back()
    await shopper.sees('paid', /1,500/, { status: 801, attempt: 1 })
    await shopper.leave()
  },
)
