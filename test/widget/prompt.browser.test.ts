import { expect, test } from 'vitest'
import type { CheckoutView } from '../../server/api/view.ts'
import type { PageOptions } from '../support/shop-page.ts'
import { shopPage, type } from '../support/shop-page.ts'

const METHODS = [
  { code: 'MOMO_KEN', name: 'MoMo' },
  { code: 'WAVELET_KEN', name: 'Wavelet' },
]
const ASKED: Partial<CheckoutView> = {
  status: null,
  outcome: 'waiting',
  prompt: { method: 'MOMO_KEN', methods: METHODS },
}
const ENDED: Partial<CheckoutView> = { status: 803, outcome: 'unpaid', settled: true }

/** Opens a page whose BFF asks the payer on the phone: its views have no hosted page. */
async function promptPage({ attributes, view, ...options }: PageOptions = {}) {
  const page = await shopPage({
    ...options,
    attributes: { method: 'prompt', ...attributes },
    view: { ...ASKED, ...view },
  })
  if (!view?.redirect_url) delete page.bff.view.redirect_url
  return page
}

test('asks the phone at once, without a window, and shows what the gateway confirms', async () => {
  const page = await promptPage()
  await page.press(/Pay/)
  expect(page.bff.requests[0]?.form).toMatchObject({ method: 'prompt', payment_method_code: '' })
  expect(page.status()).toContain('Approve on your phone')
  expect(page.tag.state).toBe('waiting')
  expect([page.around.popups, page.around.left]).toEqual([[], []])
  expect([...(page.tag.shadowRoot?.querySelectorAll('button:not([hidden]), a') ?? [])]).toEqual([])
  await page.confirm({ status: 801, outcome: 'paid', settled: true, amount_paid: '1500' })
  expect(page.tag.state).toBe('paid')
  expect(page.events).toEqual(['open', 'change', 'paid', 'settled'])
})

test('offers another operator and the payment page only when the prompt has ended without money', async () => {
  const page = await promptPage()
  await page.press(/Pay/)
  expect(page.text()).not.toContain('Pay another way')
  await page.confirm(ENDED)
  const select = page.tag.shadowRoot?.querySelector('select')
  expect([...(select?.options ?? [])].map(({ label }) => label)).toEqual(['MoMo', 'Wavelet'])
  if (select) select.value = 'WAVELET_KEN'
  select?.dispatchEvent(new Event('change'))
  await page.press(/Try again/)
  expect(page.bff.requests.at(-1)?.form).toMatchObject({
    method: 'prompt',
    payment_method_code: 'WAVELET_KEN',
  })
})

test('the number that is asked is shown, and can be corrected once the prompt has ended without money', async () => {
  const page = await promptPage()
  await page.press(/Pay/)
  expect(page.text()).toContain('+254700000001')
  expect(page.tag.shadowRoot?.querySelector('input')).toBeNull()
  await page.confirm(ENDED)
  const input = page.tag.shadowRoot?.querySelector('input')
  expect([input?.value, input?.labels?.[0]?.textContent]).toEqual(['+254700000001', 'Mobile number'])
  await type(page.tag, 'payer_msisdn', '+254700000002')
  await page.press(/Try again/)
  expect(page.bff.requests.at(-1)?.form).toMatchObject({ method: 'prompt', payer_msisdn: '+254700000002' })
})

test('asks for the phone number alone', async () => {
  const page = await promptPage({ attributes: { 'payer-name': '', 'payer-email': '', 'payer-msisdn': '' } })
  await page.press(/Pay/)
  const names = [...(page.tag.shadowRoot?.querySelectorAll('input') ?? [])].map(({ name }) => name)
  expect(names).toEqual(['payer_msisdn'])
  await type(page.tag, 'payer_msisdn', '+254 700 000 001')
  await page.press(/Pay/)
  expect(page.status()).toContain('Approve on your phone')
  expect(page.bff.requests[0]?.form).toMatchObject({ payer_msisdn: '+254 700 000 001' })
})

test('where the BFF cannot ask, the payment page opens as always, and the console says why', async () => {
  const redirect_url = 'https://gateway.test/pay/1'
  const page = await promptPage({ view: { redirect_url, prompt: { method: null, methods: [] } } })
  await page.press(/Pay/)
  expect(page.around.popups).toMatchObject([{ closed: false, address: redirect_url }])
  await expect.poll(() => page.around.console.join()).toContain('prompt_off: method="prompt"')
  expect(page.around.console.join()).toContain('GATEWAY_CHARGE_METHODS')
})

test('a phone that was asked too often leaves the payment page', async () => {
  const page = await promptPage()
  page.bff.failNext({ status: 429, code: 'too_many_requests', retryable: true })
  await page.press(/Pay/)
  expect(page.status()).toContain('Too many attempts')
  await page.press(/Pay another way/)
  expect(page.bff.requests.at(-1)?.form).not.toHaveProperty('method')
})
