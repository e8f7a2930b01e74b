import '@fontsource/noto-sans/latin-700.css'
import { beforeAll, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'

import { GatewayCheckout } from '../../widget/define.ts'
import { combinationsOf } from '../support/combinations.ts'
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

/** What a shop or a browser adds to the styles of the elements that are shown together. */
const added = new CSSStyleSheet()

/** Shows every situation at once, each in a column of its own. */
async function showColumns(width: number, attributesAt: (at: number) => Record<string, string>) {
  document.body.replaceChildren()
  const showing = SITUATION_NAMES.map(async (name, at) => {
    const frame = document.createElement('div')
    frame.style.width = `${width}px`
    document.body.append(frame)
    const tag = await showSituation(name, attributesAt(at), frame)
    return { name, frame, tag, shadowRoot: tag.shadowRoot! }
  })
  const columns = await Promise.all(showing)
  await GatewayCheckout.preload()
  for (const { tag, shadowRoot } of columns) {
    await tag.updateComplete
    shadowRoot.adoptedStyleSheets.push(added)
  }

  return columns
}

type Columns = Awaited<ReturnType<typeof showColumns>>

describe.each(TEXTS)('%s', (text, style, width) => {
  let columns: Columns = []
  beforeAll(async () => {
    columns = await showColumns(width, (at) => ({ lang: LANGUAGES[at % LANGUAGES.length]! }))
    added.replaceSync(style)
  })

  test.each(SITUATION_NAMES)(`%s fits ${width} pixels, ${text}`, (name) => {
    const { frame, shadowRoot } = columns.find((column) => column.name === name)!
    const { left, right } = frame.getBoundingClientRect()
    const outside = [...shadowRoot.querySelectorAll<HTMLElement>('*')].filter((element) => {
      const box = element.getBoundingClientRect()
      return box.width > 0 && (box.left < left - 1 || box.right > right + 1)
    })
    expect(outside.map(({ outerHTML }) => outerHTML)).toEqual([])
    const texts = [...shadowRoot.querySelectorAll<HTMLElement>('button, p, strong, label, a')]
    const clipped = texts.filter(
      ({ scrollHeight, clientHeight, scrollWidth, clientWidth }) =>
        clientHeight > 0 && (scrollHeight > clientHeight + 1 || scrollWidth > clientWidth + 1),
    )
    expect(clipped.map(({ outerHTML }) => outerHTML)).toEqual([])
    expect(tornWords(texts)).toEqual([])
  })
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

const amounts = combinationsOf({
  money: ['TZS 1234567.5', 'KES 123456', 'UGX 12345678', 'XOF 123456789', 'USD 1234567.5'],
  lang: ['en', 'ar', 'fr'],
  outcome: ['paid', 'waiting'],
})

test.each(amounts)(
  'the number of an amount is never torn, also twice as large: $outcome, $money, $lang',
  async ({ money, lang, outcome }) => {
    await page.viewport(1280, 800)
    const [currency = '', amount = ''] = money.split(' ')
    const known = outcome === 'paid' ? { ...PAID, amount_paid: amount } : {}
    const shop = await shopPage({ attributes: { lang }, view: { ...known, amount, currency } })
    await shop.press(/\S/)
    const { tag } = shop
    tag.style.inlineSize = '262px'
    tag.shadowRoot!.adoptedStyleSheets.push(added)
    const shown = tag.shadowRoot!.querySelector('[part=amount]')!
    expect(shown.textContent).toMatch(/\d/)
    for (const style of ['', LARGE]) {
      added.replaceSync(style)
      expect({ style, torn: tornWords([shown], Infinity) }).toEqual({ style, torn: [] })
    }
  },
)

describe.each(LANGUAGES)('in a narrow column, %s', (lang) => {
  let columns: Columns = []
  beforeAll(async () => {
    await page.viewport(320, 800)
    // The narrowest phone: the column of a card in the page of a shop, and of the playground.
    columns = await showColumns(262, () => ({ lang, amount: 'KES 1500', payee: 'Pwani Goods' }))
  })

  test(`no word is torn at the ordinary size in a narrow column: ${lang}`, () => {
    added.replaceSync('')
    const torn = columns.flatMap(({ name, shadowRoot }) =>
      tornWords(shadowRoot.querySelectorAll('button, p, strong, label, a'), Infinity).map(
        (word) => `${name}: ${word}`,
      ),
    )
    expect(torn).toEqual([])
  })

  test(`no word of a title is torn without a hyphen in a narrow column, twice as large: ${lang}`, () => {
    added.replaceSync(LARGE)
    const torn = columns.flatMap(({ name, shadowRoot }) => {
      const titles = [...shadowRoot.querySelectorAll<HTMLElement>('strong')]
      const isHyphenated = titles.every((title) => getComputedStyle(title).hyphens === 'auto')
      return [...tornWords(titles).map((word) => `${name}: ${word}`), ...(isHyphenated ? [] : [name])]
    })
    expect(torn).toEqual([])
  })

  test(`no word of a button is torn in a narrow column, twice as large: ${lang}`, () => {
    added.replaceSync(LARGE)
    const torn = columns.flatMap(({ name, shadowRoot }) =>
      tornWords(shadowRoot.querySelectorAll('button, [part=button], summary'), Infinity).map(
        (word) => `${name}: ${word}`,
      ),
    )
    expect(torn).toEqual([])
  })
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
