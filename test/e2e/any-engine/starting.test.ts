import { expect, inject, test } from 'vitest'
import type { Page } from '../browser.ts'
import type { Visit } from '../shopper.ts'
import { openBrowser } from '../browser/open.ts'
import { openDemoWithPages, scriptTag, tag } from '../pages.ts'
import { arrive } from '../shopper.ts'
import { openAll } from '../demo.ts'

const PATIENCE = { timeout: 20_000, interval: 50 }

const engine = inject('engine')
const [demo, browser] = await openAll(openDemoWithPages(), openBrowser(engine))

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
  const { bff, pages, gateway, sandbox } = demo
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

  for (const { page } of [first, second])
    await expect.poll(() => page.url(), PATIENCE).toContain(`${sandbox}/pay/`)
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
