import { expect, test } from 'vitest'

import { GatewayCheckout } from '../../widget/index.ts'
import { PAID } from '../support/worlds/scripted-bff.ts'
import { calm, createTag, PAYER, shopPage } from '../support/worlds/shop-page.ts'

test('the element pays inside another shadow root, whose page hears of it', async () => {
  const page = await shopPage()
  const host = document.createElement('div')
  document.body.append(host)
  host.attachShadow({ mode: 'closed' }).append(page.tag)
  await calm(page.tag)
  page.tag.start()
  await page.confirm(PAID)
  expect(page.tag.state).toBe('paid')
  expect(page.events).toEqual(['open', 'change', 'paid', 'settled'])
})

test('a tag that was parsed, connected and configured before it is defined takes everything up', async () => {
  const page = await shopPage()
  document.body.innerHTML = '<gateway-checkout-parsed order="order-1" lang="en"></gateway-checkout-parsed>'
  const early = document.body.firstElementChild
  const given = { server: 'https://pay.shop.test', payerName: 'Asha', payerEmail: 'a@example.com' }
  Object.assign(early ?? {}, given, { payerMsisdn: '+254700000001', checkoutId: 'checkout-01-of-the-tests' })
  page.bff.confirm(PAID)
  class Parsed extends GatewayCheckout {}
  customElements.define('gateway-checkout-parsed', Parsed)
  if (!(early instanceof Parsed)) {
    throw new TypeError('The tag was not upgraded.')
  }

  await calm(early)
  expect(Object.keys(early)).not.toContain('server')
  expect({ state: early.state, 'payer-name': early.getAttribute('payer-name') }).toEqual({
    state: 'paid',
    'payer-name': 'Asha',
  })
})

test('two elements are two payments, each with its own pop-up and outcome', async () => {
  const page = await shopPage()
  const other = createTag({ ...PAYER, order: 'order-2', launch: 'popup' })
  document.body.append(other)
  await calm(other)
  await page.press(/Pay/)
  page.bff.confirm({
    checkout_id: 'checkout-02-of-the-tests',
    order: 'order-2',
    redirect_url: 'https://pay.gateway.test/pay/2',
  })
  other.start()
  await calm(other)
  expect(page.around.popups.map(({ address }) => address)).toEqual([
    'https://pay.gateway.test/pay/1',
    'https://pay.gateway.test/pay/2',
  ])
  await page.confirm(PAID)
  await calm(other)
  expect([page.tag.state, other.state]).toEqual(['waiting', 'paid'])
})

test('in a frame, a pop-up opens on a phone too, or a link outside the frame', async () => {
  const around = { isDesk: false, isFramed: true }
  const framed = await shopPage({ attributes: { launch: 'redirect' }, around })
  await framed.press(/Pay/)
  expect({ popups: framed.around.popups.length, left: framed.around.left.length }).toEqual({
    popups: 1,
    left: 0,
  })

  const blocked = await shopPage({ attributes: { launch: 'redirect' }, around })
  blocked.around.blocksPopups = true
  await blocked.press(/Pay/)
  expect(blocked.tag.shadowRoot?.querySelector('a')?.target).toBe('_blank')
})

test('by default a desktop opens a pop-up, and a phone navigates to the hosted page', async () => {
  const desk = await shopPage({ attributes: { launch: 'auto' } })
  await desk.press(/Pay/)
  expect({ popups: desk.around.popups.length, left: desk.around.left.length }).toEqual({ popups: 1, left: 0 })
  expect(desk.bff.requests[0]?.form['launch']).toBe('popup')

  const phone = await shopPage({ attributes: { launch: 'auto' }, around: { isDesk: false } })
  await phone.press(/Pay/)
  expect({ popups: phone.around.popups.length, left: phone.around.left.length }).toEqual({
    popups: 0,
    left: 1,
  })
  expect(phone.bff.requests[0]?.form['launch']).toBe('redirect')
})
