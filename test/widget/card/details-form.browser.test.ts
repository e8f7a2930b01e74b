import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'

import { calm, shopPage, startedPage, type } from '../../support/worlds/shop-page.ts'

import type { CheckoutMethods } from '../../../server/api/view.ts'

const NOBODY = { 'payer-name': '', 'payer-email': '', 'payer-msisdn': '' }

test('the form asks for the missing fields, with the focus in the first one', async () => {
  const page = await startedPage({ attributes: { ...NOBODY, 'payer-name': 'Asha Mwangi' } })
  expect(page.tag.state).toBe('details')
  const names = [...(page.tag.shadowRoot?.querySelectorAll('input') ?? [])].map(({ name }) => name)
  expect(names).toEqual(['payer_email', 'payer_msisdn'])
  expect(page.tag.shadowRoot?.activeElement).toHaveProperty('name', 'payer_email')
  expect(page.events).toEqual([])
})

test('the form sends a national number with its country, and opens the pop-up in the same click', async () => {
  const page = await startedPage({ attributes: { ...NOBODY, country: 'KE' } })
  await type(page.tag, 'payer_name', ' Asha Mwangi ')
  await type(page.tag, 'payer_email', 'asha@example.com')
  await type(page.tag, 'payer_msisdn', '0700 000 001')
  await page.press(/Continue/)
  expect(page.events).toEqual(['open'])
  expect(page.around.popups).toHaveLength(1)
  expect(page.bff.requests[0]?.form).toMatchObject({
    payer_name: 'Asha Mwangi',
    payer_msisdn: '0700 000 001',
    country: 'KE',
  })
})

test('a number is written in groups when its field is left, and as it is typed until then', async () => {
  const page = await startedPage({ attributes: NOBODY })
  const root = page.tag.shadowRoot
  const number = root?.querySelector<HTMLInputElement>('[name=payer_msisdn]')
  const name = root?.querySelector<HTMLInputElement>('[name=payer_name]')
  if (!number || !name) {
    throw new Error('The form has no fields.')
  }

  number.focus()
  await userEvent.keyboard('0712345678{ArrowLeft}{ArrowLeft}{Backspace}6')
  expect({ value: number.value, caret: number.selectionStart }).toEqual({ value: '0712345678', caret: 8 })
  name.focus()
  expect(number.value).toBe('0712 345 678')
})

test('characters that nobody sees do not make an e-mail address wrong, and joiners stay in a name', async () => {
  const page = await startedPage({ attributes: NOBODY })
  await type(page.tag, 'payer_name', 'علی\u200cرضا')
  await type(page.tag, 'payer_email', '\u202aasha@exam\u200bple.com\u202c')
  await type(page.tag, 'payer_msisdn', '\u2068+254 700 000 001\u2069')
  await page.press(/Continue/)
  expect(page.bff.requests[0]?.form).toMatchObject({
    payer_name: 'علی\u200cرضا',
    payer_email: 'asha@example.com',
    payer_msisdn: '+254 700 000 001',
  })
})

test('the form shows the error below the field, keeps the input, and focuses the field', async () => {
  const page = await startedPage({ attributes: NOBODY })
  await type(page.tag, 'payer_name', 'Asha Mwangi')
  await type(page.tag, 'payer_email', 'asha')
  await page.press(/Continue/)
  const input = page.tag.shadowRoot?.querySelector<HTMLInputElement>('[name=payer_email]')
  expect(input?.value).toBe('asha')
  expect(input?.getAttribute('aria-invalid')).toBe('true')
  const hint = page.tag.shadowRoot?.getElementById(input?.getAttribute('aria-describedby') ?? '')
  expect(hint?.textContent).toContain('like name@example.com')
  // A page that styles ::part(error) styles this message, and nothing else.
  expect(hint?.matches('[part~=error]')).toBe(true)
  expect(page.tag.shadowRoot?.querySelectorAll('[role=status][part~=error]')).toHaveLength(0)
  expect(page.tag.shadowRoot?.activeElement).toBe(input)
  expect(page.bff.requests).toEqual([])
})

test('an error of the checkout is no message below a field', async () => {
  const page = await startedPage({ attributes: { order: '' } })
  expect(page.tag.state).toBe('error')
  expect(page.tag.shadowRoot?.querySelectorAll('[part~=error]')).toHaveLength(0)
})

test('a field that is corrected loses its mark at once', async () => {
  const page = await startedPage({ attributes: NOBODY })
  await type(page.tag, 'payer_name', 'Asha Mwangi')
  await type(page.tag, 'payer_email', 'asha')
  await page.press(/Continue/)
  const input = page.tag.shadowRoot!.querySelector<HTMLInputElement>('[name=payer_email]')!
  expect(input.ariaInvalid).toBe('true')
  await type(page.tag, 'payer_email', 'asha@example.com')
  expect(input.ariaInvalid).toBe('false')
  expect(input.nextElementSibling?.textContent).not.toContain('like name@example.com')
  await type(page.tag, 'payer_email', 'asha@')
  expect(input.ariaInvalid).toBe('true')
})

test('a number that the server refused stays marked until it is changed, however often the form is drawn', async () => {
  const page = await shopPage({ attributes: { 'payer-msisdn': '+254 70 000' } })
  page.bff.failNext({
    status: 422,
    code: 'invalid_request',
    retryable: false,
    errors: [{ path: 'payer_msisdn', message: 'Not a number.' }],
  })
  await page.press(/Pay/)
  const find = () => page.tag.shadowRoot?.querySelector<HTMLInputElement>('[name=payer_msisdn]')
  await expect.poll(() => find()?.ariaInvalid).toBe('true')
  page.tag.requestUpdate()
  await page.tag.updateComplete
  expect(find()?.ariaInvalid).toBe('true')
  await type(page.tag, 'payer_msisdn', '+254 700 000 001')
  expect(find()?.ariaInvalid).toBe('false')
})

test('a message that stays is announced again, and each mistake is found at once', async () => {
  const page = await startedPage({ attributes: NOBODY })
  await type(page.tag, 'payer_name', 'Asha Mwangi')
  await type(page.tag, 'payer_email', 'asha')
  await type(page.tag, 'payer_msisdn', '0700')
  await page.press(/Continue/)
  const input = (name: string) => page.tag.shadowRoot?.querySelector<HTMLInputElement>(`[name=${name}]`)
  const wrong = ['payer_email', 'payer_msisdn'].map((name) => input(name)?.ariaInvalid)
  expect(wrong).toEqual(['true', 'true'])
  const hint = input('payer_email')?.nextElementSibling
  const texts = new Set<string | undefined>()
  for (let times = 0; times < 3; times++) {
    const before = hint?.textContent
    input('payer_email')?.focus()
    await userEvent.keyboard('{Enter}')
    expect(hint?.textContent).not.toBe(before)
    texts.add(hint?.textContent?.trim())
  }

  expect([...texts]).toEqual(['Enter your e-mail address, like name@example.com.'])
})

const OPERATORS: CheckoutMethods = {
  calling_code: '254',
  methods: [
    { name: 'MoMo', prefixes: ['25470', '25471'], away: false },
    { name: 'Wavelet', prefixes: ['25473'], away: true },
  ],
}

/** Opens the form of a prompt, whose BFF names its operators. */
async function promptForm(
  attributes: Record<string, string> = {},
  methods: CheckoutMethods | null = OPERATORS,
) {
  const page = await shopPage({
    attributes: { 'payer-msisdn': '', country: 'KE', method: 'prompt', ...attributes },
  })
  page.bff.operators.methods = methods
  const before = [...page.bff.operators.questions]
  await userEvent.click(page.tag.shadowRoot!.querySelector('button')!)
  await calm(page.tag)
  const form = page.tag.shadowRoot!.querySelector('form')!
  const hint = form.querySelector<HTMLElement>('#payer_msisdn-hint')!
  return {
    ...page,
    before,
    form,
    hint,
    async types(number: string) {
      await type(page.tag, 'payer_msisdn', number)
      await calm(page.tag)
      return hint.textContent.replaceAll(/[\u2068\u2069]/g, '')
    },
  }
}

test('the form of a prompt says which operator a number belongs to as it is typed, and which one is away', async () => {
  const page = await promptForm()
  expect(page.hint.textContent).toContain('For example')
  expect(await page.types('07')).toContain('For example')
  expect(await page.types('070')).toBe('Mobile operator: MoMo')
  expect(await page.types('0730')).toBe('Wavelet is unavailable.')
  expect(await page.types('0790 000 000')).toContain('For example')
})

test('an operator that is away does not forbid the press, which the payment server decides', async () => {
  const page = await promptForm()
  await page.types('0730 000 001')
  await page.press(/Pay/)
  expect(page.bff.requests.at(-1)?.form).toMatchObject({ method: 'prompt', payer_msisdn: '0730 000 001' })
})

test('the operators are asked for when the form of a prompt opens, and neither before nor for another form', async () => {
  const prompt = await promptForm()
  expect(prompt.before).toEqual([])
  expect(prompt.bff.operators.questions).toEqual(['?country=KE'])
  const { bff } = await startedPage({ attributes: NOBODY })
  expect(bff.operators.questions).toEqual([])
})

test('the form is as without operators if the payment server does not name them', async () => {
  for (const methods of [null, Object({ methods: [{ name: 'MoMo' }] }), Object({})]) {
    const page = await promptForm({}, methods)
    expect(await page.types('0700 000 001')).toContain('For example')
    expect(page.events).toEqual([])
  }
})

test('a screen reader hears the operator of the number, and again only when it is another one', async () => {
  const page = await promptForm()
  const input = page.form.querySelector('input')
  expect(input?.getAttribute('aria-describedby')).toBe(page.hint.id)
  await page.types('0700')
  expect(page.hint.getAttribute('aria-live')).toBe('polite')
  const heard: string[] = []
  new MutationObserver(() => heard.push(page.hint.textContent)).observe(page.hint, { childList: true })
  await page.types('0700 000')
  expect(heard).toEqual([])
  await page.types('0730 000')
  expect(heard).toHaveLength(1)
})

test.each(['en', 'ar', 'fr', 'pt', 'sw'])(
  'the operator moves nothing in the form at 320 px (%s)',
  async (lang) => {
    const page = await promptForm({ lang, style: 'display: block; inline-size: 288px' })
    await expect.poll(() => page.tag.shadowRoot?.querySelector('.base')?.getAttribute('lang')).toBe(lang)
    const { height } = page.form.getBoundingClientRect()
    for (const number of ['0700', '0730', '']) {
      await page.types(number)
      expect({ number, height: page.form.getBoundingClientRect().height }).toEqual({ number, height })
    }
  },
)
