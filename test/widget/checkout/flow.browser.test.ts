import { expect, test } from 'vitest'

import { shopPage, startedPage } from '../../support/worlds/shop-page.ts'

test('the element opens a pop-up in the click and points it at the hosted page', async () => {
  const page = await shopPage()
  const answer = page.bff.hold()
  await page.press(/Pay/)
  expect(page.tag.state).toBe('starting')
  expect(page.around.popups).toMatchObject([{ address: '', text: 'Opening the payment page…' }])
  answer()
  await page.later(0)
  expect(page.tag.state).toBe('waiting')
  expect(page.around.popups[0]?.address).toBe('https://pay.gateway.test/pay/1')
})

test('the element sends what the BFF needs, without a header that causes a CORS preflight', async () => {
  const page = await startedPage()
  expect(page.bff.requests).toEqual([
    {
      method: 'POST',
      path: '/checkout/initiate',
      form: {
        order: 'order-1',
        payer_name: 'Asha Mwangi',
        payer_email: 'asha@example.com',
        payer_msisdn: '+254700000001',
        country: '',
        return_url: 'https://shop.test/cart?id=1#top',
        launch: 'popup',
        lang: 'en',
      },
    },
  ])
})

test('canceling checkout-open prevents the pop-up and the request', async () => {
  const page = await shopPage()
  document.addEventListener('checkout-open', (event) => event.preventDefault(), { once: true })
  await page.press(/Pay/)
  expect(page.tag.state).toBe('idle')
  expect(page.around.popups).toEqual([])
  expect(page.bff.requests).toEqual([])
})

test('a closed pop-up causes a poll and the text that nothing is confirmed yet', async () => {
  const page = await startedPage()
  Object.assign(page.around.popups[0] ?? {}, { closed: true })
  await page.later(1)
  expect(page.events).toEqual(['open', 'close'])
  expect(page.tag.state).toBe('waiting')
  expect(page.status()).toContain('Not confirmed yet')
  await page.later(1)
  expect(page.bff.requests.filter(({ method }) => method === 'GET')).not.toHaveLength(0)
  await page.press(/Go to the payment page/)
  expect(page.around.popups.at(-1)).toMatchObject({ closed: false })
})

test('only a message of the BFF that names this checkout causes an early poll', async () => {
  const page = await startedPage()

  const post = async (origin: string, checkout_id: string) => {
    window.dispatchEvent(
      new MessageEvent('message', { origin, data: { type: 'gateway-checkout', checkout_id } }),
    )
    await page.later(1)
    return page.bff.requests.length
  }

  expect(await post('https://evil.test', 'checkout-01-of-the-tests')).toBe(1)
  expect(await post('https://pay.shop.test', 'checkout-09-of-the-tests')).toBe(1)
  expect(await post('https://pay.shop.test', 'checkout-01-of-the-tests')).toBe(2)
})
