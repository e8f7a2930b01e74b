import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'

import { shopPage, type } from '../support/worlds/shop-page.ts'

import type { CheckoutView } from '../../server/api/view.ts'
import type { PageOptions } from '../support/worlds/shop-page.ts'

const METHODS = [
  { code: 'MOMO_KEN', name: 'MoMo', dial: '*334#' },
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
  if (!view?.redirect_url) {
    delete page.bff.view.redirect_url
  }
  return page
}

test('the element asks the phone at once, without a window, and shows what the gateway confirms', async () => {
  const page = await promptPage({ attributes: { payee: 'Pwani Goods' } })
  await page.press(/Pay/)
  expect(page.bff.requests[0]?.form).toMatchObject({ method: 'prompt', payment_method_code: '' })
  expect(page.status()).toContain('Enter your PIN on the phone ending 0001')
  expect(page.status()).toContain('MoMo asks for KES 1,500 to Pwani Goods.')
  expect(page.text()).not.toContain('254700')
  expect(page.tag.state).toBe('waiting')
  expect({ popups: page.around.popups, left: page.around.left }).toEqual({ popups: [], left: [] })
  expect([...(page.tag.shadowRoot?.querySelectorAll('button:not([hidden]), a') ?? [])]).toEqual([])
  await page.confirm({ status: 801, outcome: 'paid', settled: true, amount_paid: '1500' })
  expect(page.tag.state).toBe('paid')
  expect(page.events).toEqual(['open', 'change', 'paid', 'settled'])
})

test('the element offers another operator and the payment page only when the prompt has ended without money', async () => {
  const page = await promptPage()
  await page.press(/Pay/)
  expect(page.text()).not.toContain('Pay another way')
  await page.confirm(ENDED)
  expect(page.text()).toMatch(/\+254\s700\s000\s001 MoMo Change/)
  await page.press(/Change/)
  const select = page.tag.shadowRoot?.querySelector('select')
  expect([...(select?.options ?? [])].map(({ label }) => label)).toEqual(['MoMo', 'Wavelet'])
  if (select) {
    select.value = 'WAVELET_KEN'
  }

  select?.dispatchEvent(new Event('change'))
  await page.press(/Try again/)
  expect(page.bff.requests.at(-1)?.form).toMatchObject({
    method: 'prompt',
    payment_method_code: 'WAVELET_KEN',
  })
})

/** The texts of the buttons that are loud, and of those that are not. */
function buttons({ tag }: { tag: HTMLElement }) {
  const shown = [...(tag.shadowRoot?.querySelectorAll('button:not([hidden]), a') ?? [])]
  const isLoud = (button: Element) => getComputedStyle(button).backgroundColor === 'rgb(15, 110, 92)'
  const texts = (found: Element[]) => found.map(({ textContent }) => textContent?.trim())
  return [texts(shown.filter(isLoud)), texts(shown.filter((each) => !isLoud(each)))]
}

test('what is not known of a prompt is left out: after a return in another tab, and without a payee', async () => {
  const page = await promptPage({
    attributes: { 'payer-msisdn': '', 'checkout-id': 'checkout-01-of-the-tests', payee: '' },
    view: { checkout_id: 'checkout-01-of-the-tests' },
  })
  expect(page.status()).toContain('Check your phone')
  expect(page.status()).toContain('Enter your PIN if asked.')
})

test.each([
  ['MOMO_KEN', 'Dial *334# and look for pending approvals.'],
  ['WAVELET_KEN', 'Unlock your phone and check its signal.'],
])(
  'without an answer for 20 s, says what the users of %s do, and from 60 s what has to end first',
  async (method, help) => {
    const page = await promptPage({ view: { prompt: { method, methods: METHODS } } })
    await page.press(/Pay/)
    const since = page.bff.view.updated_at
    const wait = (seconds: number) => page.later((Date.parse(since) - page.clock.now()) / 1000 + seconds)
    await wait(19)
    expect(page.status()).not.toContain('No message?')
    await wait(20)
    expect(page.status()).toContain(`No message? ${help}`)
    expect(page.status()).not.toContain('ask again')
    await wait(60)
    expect(page.status()).toContain(
      `${help} When this request has ended, you can ask again or use another number.`,
    )
    // The first prompt may still be approved.
    expect(page.text()).not.toMatch(/Try again|Another number|Pay another way/)
    expect(page.bff.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
  },
)

test('the time that is left is a line that says nothing to screen readers', async () => {
  const page = await promptPage()
  await page.press(/Pay/)
  const line = page.tag.shadowRoot?.querySelector('progress')
  const before = line?.value ?? 0
  expect([line?.ariaHidden, before > 0, before <= (line?.max ?? 0)]).toEqual(['true', true, true])
  await page.later(10)
  expect(Math.round((before - (line?.value ?? 0)) / 1000)).toBe(10)
})

test.each([
  ['wrong_pin', 'The PIN was wrong', ['Try again'], ['Pay another way']],
  ['cancelled', 'The request was cancelled', ['Try again'], ['Pay another way']],
  ['no_answer', 'The request was not answered', ['Try again'], ['Pay another way']],
  ['unknown', 'That did not go through', ['Try again'], ['Pay another way']],
  ['not_enough_money', 'Not enough money', ['Another number'], ['Try again', 'Pay another way']],
  ['limit_reached', 'Account limit reached', ['Another number'], ['Try again', 'Pay another way']],
  ['number_not_registered', 'This number has no', ['Another number'], ['Try again', 'Pay another way']],
  ['operator_unavailable', 'Your operator is unavailable', ['Pay another way'], ['Try again']],
] as const)('after %s, the loudest button is the remedy', async (reason, title, loud, quiet) => {
  const page = await promptPage()
  await page.press(/Pay/)
  const paid = { status: 701, outcome: 'failed', amount: '1500', currency: 'KES', method: null } as const
  await page.confirm({ ...ENDED, payments: [{ ...paid, paid_at: null, reason }] })
  expect(page.status()).toContain(title)
  // Another number does the same as a change.
  const change = loud[0] === 'Another number' ? [] : ['Change']
  expect(buttons(page)).toEqual([loud, [...change, ...quiet]])
  // The keyboard was on the button that has gone while the phone was asked.
  expect(page.tag.shadowRoot?.activeElement?.textContent.trim()).toBe(loud[0])
  const lines = [...(page.tag.shadowRoot?.querySelectorAll('[role=status] p') ?? [])]
  expect(lines.map(({ textContent }) => textContent)).toContain(
    'If your SMS says that money left, do not pay again.',
  )
  if (loud[0] !== 'Another number') {
    return
  }

  await page.press(/Another number/)
  await page.tag.updateComplete
  expect(page.tag.shadowRoot?.activeElement?.id).toBe('payer_msisdn')
  expect(page.bff.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
  await type(page.tag, 'payer_msisdn', '+254700000002')
  await page.tag.updateComplete
  expect(buttons(page)).toEqual([['Try again'], ['Pay another way']])
  await page.press(/Try again/)
  expect(page.bff.requests.at(-1)?.form).toMatchObject({ payer_msisdn: '+254700000002' })
})

test.each([
  ['amount_out_of_bounds', 'Your operator does not take this amount'],
  ['operator_unavailable', 'Your operator is unavailable'],
])('%s is said before a phone is asked, and the payment page is the remedy', async (code, title) => {
  const page = await promptPage()
  page.bff.failNext({ status: 422, code, retryable: false })
  await page.press(/Pay/)
  expect(page.status()).toContain(title)
  expect(buttons(page)).toEqual([['Pay another way'], []])
  await page.press(/Pay another way/)
  expect(page.bff.requests.at(-1)?.form).not.toHaveProperty('method')
})

test('the number that is asked can be corrected once the prompt has ended without money', async () => {
  const page = await promptPage()
  await page.press(/Pay/)
  expect(page.tag.shadowRoot?.querySelector('input')).toBeNull()
  await page.confirm(ENDED)
  await page.press(/Change/)
  const input = page.tag.shadowRoot?.querySelector('input')
  expect({ input: input?.value, label: input?.labels?.[0]?.textContent }).toEqual({
    input: '+254 700 000 001',
    label: 'Mobile number',
  })
  await type(page.tag, 'payer_msisdn', '+254700000002')
  await page.press(/Try again/)
  expect(page.bff.requests.at(-1)?.form).toMatchObject({ method: 'prompt', payer_msisdn: '+254700000002' })
})

test.each([
  ['', 'deleted key by key', '{Backspace}{Backspace}'],
  ['071', 'begun', '1'],
])('"%s", a number %s, is none: the next press asks for it', async (shown, _, keys) => {
  const page = await promptPage()
  await page.press(/Pay/)
  await page.confirm(ENDED)
  await page.press(/Change/)
  await type(page.tag, 'payer_msisdn', '07')
  await userEvent.keyboard(keys)
  await page.press(/Try again/)
  expect(page.bff.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
  expect(page.tag.state).toBe('details')
  expect(page.tag.shadowRoot?.querySelector('input')?.value).toBe(shown)
})

test('a space stays where it is typed, and is not sent at the end of the number', async () => {
  const page = await promptPage()
  await page.press(/Pay/)
  await page.confirm(ENDED)
  await page.press(/Change/)
  await type(page.tag, 'payer_msisdn', '')
  await userEvent.keyboard('0700 000 ')
  await page.tag.updateComplete
  expect(page.tag.shadowRoot?.querySelector('input')?.value).toBe('0700 000 ')
  await userEvent.keyboard('001 ')
  await page.press(/Try again/)
  expect(page.bff.requests.at(-1)?.form).toMatchObject({ payer_msisdn: '0700 000 001' })
})

test('a number of the page that is too short to be asked stands in the form', async () => {
  const page = await promptPage({ attributes: { 'payer-msisdn': '0712', amount: 'KES 1500' } })
  await page.press(/Pay/)
  expect(page.tag.shadowRoot?.querySelector('input')).toMatchObject({ name: 'payer_msisdn', value: '0712' })
})

test('the button of the form says how much is asked for on the phone, and the form says it once', async () => {
  const attributes = { 'payer-msisdn': '', amount: 'KES 1500', payee: 'Pwani Goods' }
  const page = await promptPage({ attributes })
  await page.press(/Pay/)
  const form = page.tag.shadowRoot?.querySelector('form')
  expect(form?.querySelector('[part=button]')?.textContent).toBe('Pay KES\u00a01,500')
  expect(form?.textContent?.match(/1,500/g)).toHaveLength(1)
})

test('the element asks for the phone number alone', async () => {
  const page = await promptPage({ attributes: { 'payer-name': '', 'payer-email': '', 'payer-msisdn': '' } })
  await page.press(/Pay/)
  const names = [...(page.tag.shadowRoot?.querySelectorAll('input') ?? [])].map(({ name }) => name)
  expect(names).toEqual(['payer_msisdn'])
  await type(page.tag, 'payer_msisdn', '+254 700 000 001')
  await page.press(/Pay/)
  expect(page.status()).toContain('Enter your PIN on the phone ending 0001')
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
