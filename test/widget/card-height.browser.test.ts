import { expect, inject, test } from 'vitest'

import '../../widget/define.ts'
import { SITUATIONS } from '../../demo/shop/playground/states.ts'
import { shopPage } from '../support/worlds/shop-page.ts'
import { showSituation } from '../support/worlds/situations.ts'

const LANGUAGES = ['en', 'ar', 'fr', 'pt', 'sw']
const WIDTHS = [320, 390]
/** Of a card, below its last line, with its padding. */
const MAX_EMPTY = 24
const ATTRIBUTES = {
  amount: 'KES 1500',
  payee: 'Pwani Goods',
  help: 'tel:+254700000001 | mailto:help@pwani.example',
}

/** The situations in which nothing is awaited. */
const AT_REST = [...SITUATIONS].flatMap(([name, { answers }]) => {
  const last = answers.at(-1)
  const isSettled = typeof last === 'object' && 'view' in last && last.view.settled === true
  return isSettled || name.startsWith('error.') ? [name] : []
})

/** Returns how much of the card is empty below its last line of text. */
function emptyBelow(card: Element): number {
  const bottoms: number[] = []
  const texts = document.createTreeWalker(card, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const range = document.createRange()
    range.selectNodeContents(texts.currentNode)
    const { parentElement } = texts.currentNode
    const isShown = range.toString().trim() && parentElement?.checkVisibility() ? parentElement : null
    if (!isShown) {
      continue
    }

    // The letters of some languages are lower than their line.
    const { lineHeight } = getComputedStyle(isShown)
    const lines = [...range.getClientRects()]
    bottoms.push(...lines.map(({ top, bottom }) => (top + bottom + Number.parseFloat(lineHeight)) / 2))
  }

  // The box of a button ends below its text.
  const buttons = [...card.querySelectorAll('[part=button], .loud, .quiet')]
  bottoms.push(...buttons.map((button) => button.getBoundingClientRect().bottom))
  return card.getBoundingClientRect().bottom - Math.max(...bottoms)
}

test.each(LANGUAGES.flatMap((lang) => WIDTHS.map((width) => [lang, width] as const)))(
  'no settled state and no error is empty below its last line: %s, %i px',
  async (lang, width) => {
    const frame = document.createElement('div')
    frame.style.width = `${width}px`
    const tall: string[] = []
    for (const help of [ATTRIBUTES.help, '']) {
      for (const name of AT_REST) {
        document.body.replaceChildren(frame)
        const tag = await showSituation(name, { ...ATTRIBUTES, help, lang }, frame)
        const find = () => tag.shadowRoot?.querySelector('.card')
        await expect.poll(find).toBeTruthy()
        const empty = emptyBelow(find() ?? tag)
        if (empty > MAX_EMPTY) {
          tall.push(`${name}${help && ', with help'}: ${Math.round(empty)} px`)
        }
      }
    }

    expect(AT_REST.length).toBeGreaterThan(20)
    expect(tall).toEqual([])
  },
  inject('isFull') ? 300_000 : 120_000,
)

const box = (root: ShadowRoot | null, selector: string) =>
  root?.querySelector(selector)?.getBoundingClientRect()

test.each([262, 302, 390])(
  'the amount stands 8 to 12 px below the sentence once it is paid, %i px',
  async (width) => {
    const { shadowRoot } = await inColumn('paid.full', width)
    const gap = box(shadowRoot, '[part=amount]')!.top - box(shadowRoot, '.said')!.bottom
    expect(gap).toBeGreaterThanOrEqual(8)
    expect(gap).toBeLessThanOrEqual(12)
  },
)

test.each(
  ['waiting.open', 'paid.full'].flatMap((name) =>
    ['en', 'ar'].flatMap((lang) => [262, 302].map((width) => [name, lang, width] as const)),
  ),
)('a payee of 40 characters wraps beside the tile: %s, %s, %i px', async (name, lang, width) => {
  const payee = 'Nyambura & Daughters Wholesale Provision'
  const { shadowRoot } = await inColumn(name, width, { payee, lang })
  const tile = box(shadowRoot, '.face')!
  const text = box(shadowRoot, '.face + span')!
  expect(text.top).toBeLessThan(tile.bottom)
  expect(tile.top).toBeLessThan(text.bottom)
  expect(lang === 'ar' ? text.right < tile.left : text.left > tile.right).toBe(true)
})

test.each(
  ['M-Pesa, Airtel Money, card', ''].flatMap((methods) =>
    ['Pwani Goods', ''].map((payee) => [payee, methods] as const),
  ),
)(
  'a press that leaves the page moves nothing below the button: payee "%s", methods "%s"',
  async (payee, methods) => {
    const { tag } = await shopPage({ attributes: { amount: 'KES 1500', payee, methods, launch: 'redirect' } })
    tag.style.inlineSize = '262px'
    const { offsetHeight: idle } = tag
    tag.shadowRoot?.querySelector('button')?.click()
    await tag.updateComplete
    expect({ state: tag.state, height: tag.offsetHeight }).toEqual({ state: 'starting', height: idle })
  },
)

/** The column of a shop in a page of 360 px. */
const PHONE_COLUMN = 302
/** On a phone of 740 px, the remedies are seen without scrolling. */
const MAX_HEIGHT = 640

/** The situations in which a prompt has failed, one for each remedy. */
const FAILED_PROMPTS = [...SITUATIONS].flatMap(([name, { attributes }]) =>
  name.startsWith('unpaid.') && attributes?.['method'] === 'prompt' ? [name] : [],
)

test.each(LANGUAGES)('after a failed prompt, the card is at most 640 px high at 360 px: %s', async (lang) => {
  const heights: [string, number][] = []
  for (const name of FAILED_PROMPTS) {
    const tag = await inColumn(name, PHONE_COLUMN, { lang })
    heights.push([name, tag.getBoundingClientRect().height])
  }

  expect(heights.length).toBeGreaterThan(2)
  expect(heights.filter(([, height]) => height > MAX_HEIGHT)).toEqual([])
})

async function inColumn(name: string, width: number, attributes: Record<string, string> = {}) {
  const frame = document.createElement('div')
  frame.style.width = `${width}px`
  document.body.replaceChildren(frame)
  return showSituation(name, { ...ATTRIBUTES, ...attributes }, frame)
}
