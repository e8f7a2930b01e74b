import { expect, test } from 'vitest'

import { PAID } from '../../support/worlds/scripted-bff.ts'
import { calm, shopPage, startedPage } from '../../support/worlds/shop-page.ts'

import type { ShopPage } from '../../support/worlds/shop-page.ts'

const TERMS = { amount: 'KES 1500', payee: 'Pwani Goods' }

const partText = ({ tag }: ShopPage, name: string) =>
  tag.shadowRoot
    ?.querySelector(`[part~=${name}]`)
    ?.textContent?.replaceAll(/\s+/g, ' ')
    .replaceAll(/\u200f/g, '')
    .trim()

test.each([
  ['KES 1500', {}, 'Pay KES 1,500'],
  ['KES 1500.50', {}, 'Pay KES 1,500.50'],
  ['from KES 50', {}, 'Pay from KES 50'],
  ['kes 50', {}, 'Pay kes 50'],
  ['KES 1,500', {}, 'Pay KES 1,500'],
  ['UGX 5', { label: 'Buy' }, 'Buy'],
])('the amount "%s" with %o makes the button "%s"', async (amount, attributes, text) => {
  const page = await shopPage({ attributes: { amount, ...attributes } })
  expect(partText(page, 'button')).toBe(text)
})

test.each([
  ['fr_FR', 'Payer'],
  ['sw_KE', 'Lipa'],
  ['pt_BR', 'Pagar'],
])('a locale as PHP, Java and Python write it is a language: %s', async (lang, text) => {
  const page = await shopPage({ attributes: { lang, launch: 'redirect' } })
  expect(partText(page, 'button')).toBe(text)
  await page.press(new RegExp(text))
  expect(page.bff.requests[0]?.form['lang']).toBe(lang.replace('_', '-'))
})

test('the payee is under the button, with the amount if the button has a text of its own', async () => {
  const page = await shopPage({ attributes: { ...TERMS, label: 'Buy' } })
  expect(partText(page, 'terms')).toBe('KES 1,500 · Pwani Goods')
  page.tag.label = ''
  await calm(page.tag)
  expect(partText(page, 'terms')).toBe('Pwani Goods')
})

test('in Arabic, the number, the currency and a Latin payee follow one another from the right', async () => {
  const page = await shopPage({ attributes: { ...TERMS, label: 'اشتر', lang: 'ar' } })
  const text = page.tag.shadowRoot?.querySelector('[part=terms]')?.firstChild as Text

  const right = (part: string) => {
    const range = document.createRange()
    range.setStart(text, text.data.indexOf(part))
    range.setEnd(text, text.data.indexOf(part) + part.length)
    return range.getBoundingClientRect().right
  }

  // WebKit writes the number in Arabic-Indic digits.
  const [number = ''] = /\p{Nd}\S*\p{Nd}/u.exec(text.data) ?? []
  expect(right(number)).toBeGreaterThan(right('KES'))
  expect(right('KES')).toBeGreaterThan(right('Pwani Goods'))
})

test.each(['Goods \u202e', 'Goods \u2069\u202e'])(
  'no character of a payee reverses the time beside it: %o',
  async (payee) => {
    const page = await startedPage({ attributes: { payee }, view: PAID })
    await expect.poll(() => page.tag.shadowRoot?.querySelector('time')?.textContent).toMatch(/2026/)
    const text = page.tag.shadowRoot?.querySelector('time')?.firstChild as Text

    const left = (part: string) => {
      const range = document.createRange()
      range.setStart(text, text.data.indexOf(part))
      range.setEnd(text, text.data.indexOf(part) + 1)
      return range.getBoundingClientRect().left
    }

    expect(left('Nov')).toBeLessThan(left('2026'))
  },
)

test('amount and payee are never sent, and the amount disappears once the terms are confirmed', async () => {
  const page = await shopPage({ attributes: { amount: 'KES 1', payee: 'Somebody' } })
  await page.press(/Pay/)
  expect(JSON.stringify(page.bff.requests)).not.toMatch(/Somebody|"amount"|payee|KES/)
  expect(page.text()).toContain('KES 1,500')
  expect(page.text()).not.toMatch(/KES 1(?!,)/)
})
