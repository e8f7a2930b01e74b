/**
 * Tests what happens when a shopper opens a page of the shop by a URL with a checkout id in the fragment. The tests run
 * the shop, the BFF and the sandbox.
 */

import { randomUUID } from 'node:crypto'
import { expect, inject, test } from 'vitest'
import type { CheckoutView } from '../../../server/api/view.ts'
import { openBrowser } from '../browser/open.ts'
import { openAll, openDemo } from '../demo.ts'
import { arrive, PATIENCE } from '../shopper.ts'

const [demo, browser] = await openAll(openDemo(), openBrowser(inject('engine')))

const STATE = `document.querySelector('gateway-checkout')?.state`
const REMEMBERED = 'sessionStorage.length'

async function paidCheckout(): Promise<CheckoutView> {
  const view = await demo.begin(`demo-1500-${randomUUID()}`)
  await demo.act(view, 'approve')
  await expect.poll(() => demo.view(view), PATIENCE).toMatchObject({ outcome: 'paid' })
  return view
}

const linkTo = (order: string, { checkout_id }: CheckoutView) =>
  `${demo.shop}/?amount=1500&launch=redirect&payer=known&lang=en&order=${order}#gateway-checkout=${checkout_id}`

test('a link with the paid checkout of somebody else shows nothing and reports nothing, also after a reload', async () => {
  const attacker = await paidCheckout()
  const order = `demo-1500-${randomUUID()}`
  const victim = await arrive(await browser.newContext(), demo, linkTo(order, attacker))
  const refused = `performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/checkout/resume'))`
  await expect.poll(() => victim.page.evaluate(refused), PATIENCE).toBe(true)
  for (let load = 0; load < 2; load++) {
    await expect.poll(() => victim.page.evaluate(STATE), PATIENCE).toBe('idle')
    expect(await victim.page.evaluate('location.hash')).toBe('')
    expect([await victim.eventLog(), await victim.page.evaluate(REMEMBERED)]).toEqual([[], 0])
    await victim.page.reload()
  }
  const hosted = await victim.press()
  expect(await hosted.page.url()).toContain(`${demo.sandbox}/pay/`)
  await victim.leave(/404/)
})

test("a link with the order's own checkout shows its outcome in another browser", async () => {
  const own = await paidCheckout()
  const shopper = await arrive(await browser.newContext(), demo, linkTo(own.order, own))
  await shopper.sees('paid', /1,500/, { checkout_id: own.checkout_id })
  await shopper.leave()
})
