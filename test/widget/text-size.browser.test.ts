import '@fontsource/noto-sans/latin-700.css'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'

import { GatewayCheckout } from '../../widget/define.ts'
import { PAID } from '../support/worlds/scripted-bff.ts'
import { shopPage } from '../support/worlds/shop-page.ts'
import { showSituation, SITUATION_NAMES } from '../support/worlds/situations.ts'

const LANGUAGES = ['en', 'ar', 'fr', 'pt', 'sw'] as const

// [WCAG 2.2: 1.4.12 Text Spacing]
const SPACED = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
  p { margin-block-end: 2em !important }`
// [WCAG 2.2: 1.4.4 Resize Text] Browsers that enlarge only text keep the widths of boxes.
const LARGE = `.base { font-size: 200% !important } button, a, input, select { font-size: inherit !important }`

const TEXTS = [
  ['spaced out', SPACED, 320],
  ['twice as large', LARGE, 320],
] as const

const cases = SITUATION_NAMES.flatMap((name, at) =>
  TEXTS.map(([text, style, width]) => ({
    name,
    text,
    style,
    lang: LANGUAGES[at % LANGUAGES.length] ?? 'en',
    width,
  })),
)

test.each(cases)('$name fits $width pixels, $text', async ({ name, style, lang, width }) => {
  const frame = document.createElement('div')
  frame.style.width = `${width}px`
  document.body.replaceChildren(frame)
  const tag = await showSituation(name, { lang }, frame)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  tag.shadowRoot?.adoptedStyleSheets.push(sheet)
  const { left, right } = frame.getBoundingClientRect()
  const outside = [...(tag.shadowRoot?.querySelectorAll<HTMLElement>('*') ?? [])].filter((element) => {
    const box = element.getBoundingClientRect()
    return box.width > 0 && (box.left < left - 1 || box.right > right + 1)
  })
  expect(outside.map(({ outerHTML }) => outerHTML)).toEqual([])
  const clipped = [
    ...(tag.shadowRoot?.querySelectorAll<HTMLElement>('button, p, strong, label, a') ?? []),
  ].filter(
    ({ scrollHeight, clientHeight, scrollWidth, clientWidth }) =>
      clientHeight > 0 && (scrollHeight > clientHeight + 1 || scrollWidth > clientWidth + 1),
  )
  expect(clipped.map(({ outerHTML }) => outerHTML)).toEqual([])
  expect(tornWords(tag.shadowRoot?.querySelectorAll('button, p, strong, label, a') ?? [])).toEqual([])
})

// A wide font and a narrow one: lines break at other words.
const FONTS = ['DejaVu Sans', 'Noto Sans']
const narrow = FONTS.flatMap((font) =>
  ['en', 'ar', 'fr'].flatMap((lang) =>
    ['idle.ready', 'starting.asked'].map((name) => ({ name, lang, font })),
  ),
)

test.each(narrow)(
  '$name keeps a long amount whole in a narrow column, twice as large: $lang, $font',
  async ({ name, lang, font }) => {
    await document.fonts.load(`700 16px '${font}'`)
    const frame = document.createElement('div')
    frame.style.width = '250px'
    frame.style.fontFamily = font
    document.body.replaceChildren(frame)
    const tag = await showSituation(name, { lang, amount: 'KES 1234500' }, frame)
    await GatewayCheckout.preload()
    await tag.updateComplete
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(LARGE)
    tag.shadowRoot?.adoptedStyleSheets.push(sheet)
    const button = tag.shadowRoot?.querySelector('button')
    expect(tornWords(button ? [button] : [])).toEqual([])
    expect(button?.scrollWidth).toBeLessThanOrEqual((button?.clientWidth ?? 0) + 1)
  },
)

const columns = ['', LARGE].flatMap((style) =>
  ['KES 1500', 'UGX 123456789'].flatMap((amount) =>
    [262, 302].flatMap((width) => ['en', 'ar'].map((lang) => ({ style, amount, width, lang }))),
  ),
)

test.each(columns)(
  'the ring of a busy button does not touch its text: $amount, $lang, $width px, $style',
  async ({ style, amount, width, lang }) => {
    const tag = await inColumn('starting.asked', { width, style, attributes: { amount, lang } })
    const button = tag.shadowRoot!.querySelector('button')!
    const ring = getComputedStyle(button, '::before')
    const start = Number.parseFloat(lang === 'ar' ? ring.right : ring.left)
    expect(Number.parseFloat(ring.height)).toBeCloseTo(Number.parseFloat(ring.width), 0)
    const box = button.getBoundingClientRect()
    const text = document.createRange()
    text.selectNodeContents(button.querySelector('slot')!)
    const lines = [...text.getClientRects()].filter((line) => line.width > 0)
    const room = lines.map(({ left, right }) => (lang === 'ar' ? box.right - right : left - box.left))
    expect(start + Number.parseFloat(ring.width) + 1).toBeLessThan(Math.min(...room))
  },
)

test.each([
  ['', 262],
  ['', 302],
  [LARGE, 262],
])('the paid amount is as large as its column allows, and whole: %s %i px', async (style, width) => {
  await page.viewport(1280, 800)
  const tag = await inColumn('paid.full', { width, style })
  const amount = tag.shadowRoot!.querySelector('[part=amount]')!
  expect(tornWords([amount])).toEqual([])
  const size = Number.parseFloat(getComputedStyle(amount).fontSize)
  expect(size).toBeGreaterThanOrEqual(30)
})

const amounts = ['', LARGE].flatMap((style) =>
  ['TZS 1234567.5', 'KES 123456', 'UGX 12345678', 'XOF 123456789', 'USD 1234567.5'].flatMap((money) =>
    ['en', 'ar', 'fr'].flatMap((lang) =>
      ['paid', 'waiting'].map((outcome) => ({ style, money, lang, outcome })),
    ),
  ),
)

test.each(amounts)('the number of an amount is never torn: $outcome, $money, $lang, $style', async (each) => {
  const { style, money, lang, outcome } = each
  await page.viewport(1280, 800)
  const [currency = '', amount = ''] = money.split(' ')
  const known = outcome === 'paid' ? { ...PAID, amount_paid: amount } : {}
  const shop = await shopPage({ attributes: { lang }, view: { ...known, amount, currency } })
  await shop.press(/\S/)
  const { tag } = shop
  tag.style.inlineSize = '262px'
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  tag.shadowRoot!.adoptedStyleSheets.push(sheet)
  const shown = tag.shadowRoot!.querySelector('[part=amount]')!
  expect(shown.textContent).toMatch(/\d/)
  expect(tornWords([shown], Infinity)).toEqual([])
})

test.each(LANGUAGES)('no word of a title is torn without a hyphen, twice as large: %s', async (lang) => {
  const torn: string[] = []
  await page.viewport(320, 800)
  for (const name of SITUATION_NAMES) {
    const tag = await inColumn(name, { width: 262, style: LARGE, attributes: { lang, amount: 'KES 1500' } })
    const titles = tag.shadowRoot!.querySelectorAll<HTMLElement>('strong')
    const isHyphenated = [...titles].every((title) => getComputedStyle(title).hyphens === 'auto')
    torn.push(...tornWords(titles).map((word) => `${name}: ${word}`), ...(isHyphenated ? [] : [name]))
  }

  expect(torn).toEqual([])
})

test.each(LANGUAGES)('no word of a button is torn in a narrow column, twice as large: %s', async (lang) => {
  const torn: string[] = []
  for (const name of SITUATION_NAMES) {
    const tag = await inColumn(name, { width: 262, style: LARGE, attributes: { lang, amount: 'KES 1500' } })
    const buttons = tag.shadowRoot?.querySelectorAll('button, [part=button], summary') ?? []
    torn.push(...tornWords(buttons, Infinity).map((word) => `${name}: ${word}`))
  }

  expect(torn).toEqual([])
})

// The narrowest phone: the column of a card in the page of a shop, and of the playground.
test.each(LANGUAGES)('no word is torn at the ordinary size in a narrow column: %s', async (lang) => {
  const torn: string[] = []
  for (const name of SITUATION_NAMES) {
    const attributes = { lang, amount: 'KES 1500', payee: 'Pwani Goods' }
    const tag = await inColumn(name, { width: 262, style: '', attributes })
    const texts = tag.shadowRoot?.querySelectorAll('button, p, strong, label, a') ?? []
    torn.push(...tornWords(texts, Infinity).map((word) => `${name}: ${word}`))
  }

  expect(torn).toEqual([])
})

interface Column {
  width: number
  style: string
  attributes?: Record<string, string>
}

/** Shows a situation in a narrow column of a wide window. */
async function inColumn(name: string, { width, style, attributes = {} }: Column) {
  const frame = document.createElement('div')
  frame.style.width = `${width}px`
  document.body.replaceChildren(frame)
  const tag = await showSituation(name, attributes, frame)
  await GatewayCheckout.preload()
  await tag.updateComplete
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  tag.shadowRoot?.adoptedStyleSheets.push(sheet)
  return tag
}

/** Longer words are wider than the card at twice the size. */
const LONGEST_WORD = 13

/** Returns the words that stand on two lines, other than addresses. */
function tornWords(elements: Iterable<Element>, longest = LONGEST_WORD): string[] {
  return [...elements].flatMap((element) => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    const torn: string[] = []
    while (texts.nextNode()) {
      const node = texts.currentNode as Text
      for (const { 0: word, index } of node.data.matchAll(/[^\s\u200e\u200f-]+/g)) {
        const range = document.createRange()
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        // WebKit adds an empty box at the end of the line before.
        const boxes = [...range.getClientRects()].filter(({ width }) => width > 0)
        const tops = new Set(boxes.map(({ top }) => Math.round(top / 8)))
        if (tops.size > 1 && word.length <= longest && !word.includes('@')) {
          torn.push(word)
        }
      }
    }

    return torn
  })
}
