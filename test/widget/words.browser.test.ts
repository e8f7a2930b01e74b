/** What the element says: the page's own words, a language that nobody speaks, and Arabic. */

import { expect, test } from 'vitest'
import { PSEUDO, pseudoWords } from '../support/pseudo.ts'
import { SCENE_NAMES, scenePage } from '../support/scenes.ts'
import { calm, createTag, PAYER, shopPage } from '../support/shop-page.ts'
import { GatewayCheckout } from '../../widget/index.ts'
import ar from '../../widget/locales/ar.ts'
import { en } from '../../widget/locales/en.ts'

import type { CheckoutView } from '../../server/api/view.ts'
import type { CheckoutWords } from '../../widget/index.ts'

const PAID: Partial<CheckoutView> = { status: 801, outcome: 'paid', settled: true, amount_paid: '1500' }
const OWN: CheckoutWords = {
  en: {
    pay: 'Pay now',
    sentence: { paid: ['Thank you!', '{paid} is here.'] },
    failure: { gateway_refused: ['No.', ''] },
  },
  sw: { pay: 'Lipa sasa' },
}

test('says what the page wants said, and the rest as ever', async () => {
  const page = await shopPage()
  page.tag.words = OWN
  await page.tag.updateComplete
  await page.press(/^Pay now$/)
  expect(page.status()).toContain('Waiting for your payment')
  page.till.confirm(PAID)
  await page.later(5)
  expect(page.status()).toBe('Thank you! KES 1,500 is here.')
})

test('what a page names without a word for it stays', async () => {
  const page = await shopPage({ view: PAID })
  const unheard: object = { en: { pay: undefined, sentence: { paid: null }, failure: undefined } }
  page.tag.words = unheard
  await page.tag.updateComplete
  await page.press(/^Pay$/)
  expect(page.status()).toBe('Paid We have received KES 1,500. Thank you.')
})

test('says so at once when it is told while it is shown, and forgets it when told', async () => {
  const page = await shopPage()
  page.tag.words = OWN
  await page.tag.updateComplete
  expect(page.text()).toBe('Pay now')
  page.tag.words = null
  await page.tag.updateComplete
  expect(page.text()).toBe('Pay')
})

test('has words that a script gave it before it was defined', async () => {
  await shopPage()
  const early = Object.assign(document.createElement('gateway-checkout-reworded'), { words: OWN, lang: 'en' })
  document.body.append(early)
  customElements.define('gateway-checkout-reworded', class extends GatewayCheckout {})
  if (early instanceof GatewayCheckout) await early.updateComplete
  expect(early.shadowRoot?.textContent).toContain('Pay now')
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

test('a code that has no sentence of ours may have one of the page’s', async () => {
  const page = await shopPage()
  page.tag.words = OWN
  await page.tag.updateComplete
  page.till.failNext({ status: 502, code: 'gateway_refused' })
  await page.press(/Pay now/)
  expect(page.status()).toContain('No.')
})

test('no words of one tag are another’s', async () => {
  const { tag } = await shopPage()
  tag.words = OWN
  const other = createTag({ ...PAYER, order: 'order-2' })
  document.body.append(other)
  await calm(other)
  expect(other.shadowRoot?.textContent).not.toContain('Pay now')
})

test.each(SCENE_NAMES)('%s: every word can be reworded, and half as long again fits 320 px', async (name) => {
  document.body.style.width = '320px'
  const options = { attributes: { lang: 'en' }, view: { environment: 'sandbox' } } as const
  const page = await scenePage(name, options, ({ tag }) => {
    tag.words = { en: pseudoWords(en), ar: pseudoWords(ar) }
  })
  for (const [lang, letter] of [
    ['en', /[áéíóú]/],
    ['ar', /[ء-ي]/],
  ] as const) {
    page.tag.lang = lang
    await expect.poll(() => said(page.tag).join(' ')).toMatch(letter)
    const ours = [...said(page.tag), ...page.around.popups.map(({ text }) => text)]
    for (const text of ours) heard.add(text.trim())
    expect(ours.map((text) => text.replaceAll(PSEUDO, '').replaceAll(FACTS, '')).filter(Boolean)).toEqual([])
    expect(overflowing(page.tag)).toEqual([])
  }
  document.body.style.width = ''
})

test('the scenes show every word, except those of a form’s validity, the receipt and the server’s pages', () => {
  const spoken = [...heard]
  const unheard = sentences({ ...pseudoWords(en), required: '', receipt: {}, backToShop: '' }).filter(
    (text) => {
      const pattern = text.replaceAll(/[.?(){}]/g, '\\$&').replaceAll(/\\{\w+\\}/g, '.+')
      return !spoken.some((words) => new RegExp(`^${pattern}`).test(words))
    },
  )
  expect(unheard).toEqual([])
})

const heard = new Set<string>()

function sentences(words: object): string[] {
  return Object.values(words).flatMap((each) => (typeof each === 'string' ? each || [] : sentences(each)))
}

/** What is no word: amounts, times and the reference. */
const FACTS = /mtx-1|KES|[\s\d٠-٩.,:٬٫\u200e\u200f\u061c]/g

/** Whatever a person may read or hear. */
function said({ shadowRoot }: GatewayCheckout): string[] {
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

test('in Arabic, the time left is written in the digits of the amount', async () => {
  const page = await shopPage({ attributes: { lang: 'ar' } })
  await expect.poll(() => page.text()).toBe('ادفع')
  await page.press(/ادفع/)
  const part = (name: string) => page.tag.shadowRoot?.querySelector(`[part=${name}]`)?.textContent ?? ''
  expect(part('countdown')).toMatch(/[\d٠-٩]+:[\d٠-٩]{2}/)
  expect(/\d/.test(part('countdown'))).toBe(/\d/.test(part('amount')))
})

test('in Arabic, a reference of the shop’s keeps its order, and the title its mark where reading begins', async () => {
  const page = await shopPage({
    attributes: { lang: 'ar' },
    view: { ...PAID, merchant_transaction_id: '7-A-1' },
  })
  await expect.poll(() => page.text()).toBe('ادفع')
  await page.press(/ادفع/)
  const root = page.tag.shadowRoot
  const reference = root?.querySelector('[part=receipt] bdi')
  expect(reference?.textContent).toBe('7-A-1')
  expect(reference && getComputedStyle(reference).unicodeBidi).toMatch(/isolate/)
  expect(reference && xOf(reference, 0)).toBeLessThan((reference && xOf(reference, 4)) ?? 0)
  const title = root?.querySelector('strong')
  const markWidth = 16
  expect(title && xOf(title, 0)).toBeLessThan((title?.getBoundingClientRect().right ?? 0) - markWidth)
})

test('in Arabic, a pop-up that waits reads from right to left', async () => {
  const page = await shopPage({ attributes: { lang: 'ar' } })
  await expect.poll(() => page.text()).toBe('ادفع')
  page.till.hold()
  await page.press(/ادفع/)
  expect(page.around.popups).toMatchObject([{ dir: 'auto', text: ar.sentence.starting[0] }])
})

/** Where a letter of an element stands. */
function xOf(element: Element, letter: number): number {
  const range = document.createRange()
  const text = [...element.childNodes].find((node) => node instanceof Text)
  if (!text) throw new Error('There is nothing to read.')
  range.setStart(text, letter)
  range.setEnd(text, letter + 1)
  return range.getBoundingClientRect().left
}
