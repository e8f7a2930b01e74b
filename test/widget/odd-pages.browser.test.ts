import { expect, test } from 'vitest'
import { PAID } from '../support/scripted-bff.ts'
import { calm, createTag, PAYER, shopPage, startedPage } from '../support/shop-page.ts'
import { GatewayCheckout } from '../../widget/index.ts'

test('pays inside another shadow root, whose page hears of it', async () => {
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

test('an element moved into a shadow root and out while waiting continues, with one final event', async () => {
  const page = await startedPage()
  const host = document.createElement('div')
  const root = host.attachShadow({ mode: 'open' })
  document.body.append(host)
  root.append(page.tag)
  document.body.prepend(page.tag)
  expect(page.tag.state).toBe('waiting')
  await page.confirm(PAID)
  expect(page.tag.state).toBe('paid')
  expect(page.events).toEqual(['open', 'change', 'paid', 'settled'])
  expect(page.bff.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
})

test.each(['before it is on the page', 'once it is on the page'])(
  'configured by properties %s',
  async (when) => {
    const page = await shopPage()
    const tag = document.createElement('gateway-checkout')
    const configure = () =>
      Object.assign(tag, { order: 'order-1', server: 'https://pay.shop.test', payerName: 'Asha', lang: 'en' })
    if (when.startsWith('before')) configure()
    document.body.append(tag)
    await calm(tag)
    configure()
    Object.assign(tag, { payerEmail: 'asha@example.com', payerMsisdn: '+254700000001' })
    await calm(tag)
    tag.start()
    await calm(tag)
    expect(tag.state).toBe('waiting')
    expect(page.bff.requests[0]?.form).toMatchObject({ order: 'order-1', payer_name: 'Asha' })
  },
)

test('a tag that was parsed, connected and configured before it is defined takes everything up', async () => {
  const page = await shopPage()
  document.body.innerHTML = '<gateway-checkout-parsed order="order-1" lang="en"></gateway-checkout-parsed>'
  const early = document.body.firstElementChild
  const given = { server: 'https://pay.shop.test', payerName: 'Asha', payerEmail: 'a@example.com' }
  Object.assign(early ?? {}, given, { payerMsisdn: '+254700000001', checkoutId: 'checkout-1' })
  page.bff.confirm(PAID)
  class Parsed extends GatewayCheckout {}
  customElements.define('gateway-checkout-parsed', Parsed)
  if (!(early instanceof Parsed)) throw new TypeError('The tag was not upgraded.')
  await calm(early)
  expect(Object.keys(early)).not.toContain('server')
  expect([early.state, early.getAttribute('payer-name')]).toEqual(['paid', 'Asha'])
})

test('two elements are two payments, each with its own pop-up and outcome', async () => {
  const page = await shopPage()
  const other = createTag({ ...PAYER, order: 'order-2', launch: 'popup' })
  document.body.append(other)
  await calm(other)
  await page.press(/Pay/)
  page.bff.confirm({
    checkout_id: 'checkout-2',
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

test('by default a desktop opens a pop-up, and a phone navigates to the hosted page', async () => {
  const desk = await shopPage({ attributes: { launch: 'auto' } })
  await desk.press(/Pay/)
  expect([desk.around.popups.length, desk.around.left.length]).toEqual([1, 0])
  expect(desk.bff.requests[0]?.form['launch']).toBe('popup')

  const phone = await shopPage({ attributes: { launch: 'auto' }, around: { isDesk: false } })
  await phone.press(/Pay/)
  expect([phone.around.popups.length, phone.around.left.length]).toEqual([0, 1])
  expect(phone.bff.requests[0]?.form['launch']).toBe('redirect')
})
