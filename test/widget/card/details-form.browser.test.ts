import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'

import { startedPage, type } from '../../support/worlds/shop-page.ts'

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
  expect(page.tag.shadowRoot?.activeElement).toBe(input)
  expect(page.bff.requests).toEqual([])
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
