import { inject, test } from 'vitest'
import { openBrowser } from './browser/open.ts'
import { openDemoWithPages, scriptTag, tag } from './pages.ts'
import { arrive } from './shopper.ts'
import { openAll } from './demo.ts'

const engine = inject('engine')
const [demo, browser] = await openAll(openDemoWithPages(), openBrowser(engine))

const OPENER_POLICIES = [
  { shop: 'same-origin', hosted: 'unsafe-none' },
  { shop: 'unsafe-none', hosted: 'same-origin' },
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
    await shopper.sees('waiting', /Not confirmed yet/)
    await hosted.answer('Enter PIN and approve')
    await hosted.back()
    await shopper.sees('paid', /1,500/, { status: 801, attempt: 1 })
    await shopper.leave()
  },
)
