import { expect, test } from 'vitest'

import ar from '../../../widget/words/ar.ts'
import { en } from '../../../widget/words/en.ts'
import { PAID } from '../../support/worlds/scripted-bff.ts'
import { shopPage } from '../../support/worlds/shop-page.ts'
import { showSituation, SITUATION_NAMES } from '../../support/worlds/situations.ts'

import type { GatewayCheckout, CheckoutWords } from '../../../widget/index.ts'
import type { Replacements } from '../../../widget/words/custom-words.ts'
import type { Words } from '../../../widget/words/en.ts'

const PLAIN = 'aceiklnorstuyACEIKLNORSTUY'
const ACCENTED = 'áçéíķļñóŕšťúýÁÇÉÍĶĻÑÓŔŠŤÚÝ'

const PSEUDO = /⟦[^⟧]*⟧/g

function pseudoLocalize(text: string): string {
  if (text === '') {
    return text
  }

  const accented = text.replaceAll(/{\w+}|\w/g, (part) => ACCENTED[PLAIN.indexOf(part)] ?? part)
  return `⟦${accented}${' ñéšť'.repeat(Math.ceil(text.length / 10))}⟧`
}

function pseudoWords(words: Words): Replacements {
  const all = JSON.stringify({ ...words, language: undefined, dir: undefined })
  return JSON.parse(all, (_, value) => (typeof value === 'string' ? pseudoLocalize(value) : value))
}

const OWN: CheckoutWords = {
  en: {
    pay: 'Pay now',
    sentence: { paid: ['Thank you!', '{paid} is here.'] },
    failure: { gateway_refused: ['No.', ''] },
  },
  sw: { pay: 'Lipa sasa' },
}

test("the element shows the page's own sentences, and the built-in ones otherwise", async () => {
  const page = await shopPage()
  page.tag.words = OWN
  await page.tag.updateComplete
  await page.press(/^Pay now$/)
  expect(page.status()).toContain('Finish in the payment window')
  await page.confirm(PAID)
  expect(page.status()).toBe('Thank you! KES 1,500 is here. KES 1,500')
})

test('own words are for their language', async () => {
  const page = await shopPage({ attributes: { lang: 'sw-TZ' } })
  page.tag.words = OWN
  await expect.poll(() => page.text()).toBe('Lipa sasa')
  page.tag.lang = 'fr'
  await expect.poll(() => page.text()).toBe('Payer')
  page.tag.lang = 'de'
  await expect.poll(() => page.text()).toBe('Pay now')
})

test.each(SITUATION_NAMES)(
  '%s: every word can be reworded, and half as long again fits 320 px',
  async (name) => {
    document.body.style.width = '320px'
    const tag = await showSituation(name)
    tag.words = { en: pseudoWords(en), ar: pseudoWords(ar) }
    for (const [lang, letter] of [
      ['en', /[áéíóú]/],
      ['ar', /[ء-ي]/],
    ] as const) {
      tag.lang = lang
      await expect.poll(() => textsOf(tag).join(' ')).toMatch(letter)
      await expect.poll(() => untranslatedTexts(tag)).toEqual([])
      expect(overflowing(tag)).toEqual([])
    }

    document.body.style.width = ''
  },
)

const NEVER_TRANSLATED =
  /PWANI-2041|order-|MoMo|\+|KES|UTC|GMT|Mar|AM|غرينتش|مارس|ص|،|[\s\d٠-٩.,:٬٫\u200e\u200f\u061c]/g

function untranslatedTexts(tag: GatewayCheckout): string[] {
  return textsOf(tag).flatMap((text) => text.replaceAll(PSEUDO, '').replaceAll(NEVER_TRANSLATED, '') || [])
}

function textsOf({ shadowRoot }: GatewayCheckout): string[] {
  const elements = [...(shadowRoot?.querySelectorAll('.base, .base *') ?? [])]
  return elements.flatMap((element) => [
    ...[...element.childNodes].filter((node) => node instanceof Text).map(({ data }) => data),
    ...['aria-label', 'title', 'placeholder', 'alt'].flatMap((name) => element.getAttribute(name) ?? []),
  ])
}

function overflowing(tag: GatewayCheckout): string[] {
  const { left, right } = tag.getBoundingClientRect()
  expect(right - left).toBeLessThanOrEqual(320)
  const shown = [...(tag.shadowRoot?.querySelectorAll('.base *') ?? [])].filter(
    (element) => !element.closest('.unseen'),
  )
  return shown
    .filter((element) => {
      const box = element.getBoundingClientRect()
      return box.left < left - 0.5 || box.right > right + 0.5 || element.scrollWidth > element.clientWidth + 1
    })
    .filter((element) => getComputedStyle(element).display !== 'inline')
    .map(({ outerHTML }) => outerHTML)
}

test('in Arabic, an order of the shop’s keeps its order', async () => {
  const page = await shopPage({
    attributes: { lang: 'ar' },
    view: { ...PAID, order: '7-A-1' },
  })
  await expect.poll(() => page.text()).toBe('ادفع')
  await page.press(/ادفع/)
  const root = page.tag.shadowRoot
  const reference = root?.querySelector('[part=receipt] bdi')
  expect(reference?.textContent).toBe('7-A-1')
  expect(reference && getComputedStyle(reference).unicodeBidi).toMatch(/isolate/)
  expect(reference && xOf(reference, 0)).toBeLessThan((reference && xOf(reference, 4)) ?? 0)
})

function xOf(element: Element, letter: number): number {
  const range = document.createRange()
  const text = [...element.childNodes].find((node) => node instanceof Text)
  if (!text) {
    throw new Error('There is nothing to read.')
  }

  range.setStart(text, letter)
  range.setEnd(text, letter + 1)
  return range.getBoundingClientRect().left
}
