import { beforeAll, describe, expect, test, vi } from 'vitest'

import '../../widget/define.ts'
import { SITUATIONS } from '../../demo/shop/playground/states.ts'
import { shopPage } from '../support/worlds/shop-page.ts'
import { showSituation } from '../support/worlds/situations.ts'

import type { GatewayCheckout } from '../../widget/index.ts'

const LANGUAGES = ['en', 'ar', 'fr', 'pt', 'sw']
const WIDTHS = [320, 390]
const PATIENCE = { timeout: 20_000 }
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

describe.each(LANGUAGES)('with nothing awaited, %s', (lang) => {
  let shown: { name: string; tag: GatewayCheckout; frame: HTMLElement }[] = []
  beforeAll(async () => {
    document.body.replaceChildren()
    const showing = AT_REST.map(async (name) => {
      const frame = document.body.appendChild(document.createElement('div'))
      const tag = await showSituation(name, { ...ATTRIBUTES, lang }, frame)
      await vi.waitUntil(() => tag.shadowRoot?.querySelector('.card'), PATIENCE)
      return { name, tag, frame }
    })
    shown = await Promise.all(showing)
  })

  test.each(WIDTHS)(
    `no settled state and no error is empty below its last line, with help and without: ${lang}, %i px`,
    async (width) => {
      const tall: string[] = []
      for (const help of [ATTRIBUTES.help, '']) {
        for (const { name, tag, frame } of shown) {
          frame.style.width = `${width}px`
          tag.help = help
          await tag.updateComplete
          const empty = emptyBelow(tag.shadowRoot!.querySelector('.card')!)
          if (empty > MAX_EMPTY) {
            tall.push(`${name}${help && ', with help'}: ${Math.round(empty)} px`)
          }
        }
      }

      expect(shown.length).toBeGreaterThan(20)
      expect(tall).toEqual([])
    },
  )
})

/** Opens a page on which a shopper has returned, and the payment server does not answer. */
async function unansweredReturn(help: string) {
  const page = await shopPage({ attributes: { ...ATTRIBUTES, help } })
  page.tag.style.inlineSize = '302px'
  for (let times = 0; times < 10; times++) {
    page.bff.failNext('network')
  }

  page.tag.checkoutId = 'checkout-01-of-the-tests'
  await page.later(2)
  return page
}

test('a card that has no news yet keeps no room for a receipt: the shop stands right below', async () => {
  const alone = await unansweredReturn('')
  await expect.poll(() => alone.status()).toContain('No news yet')
  expect(emptyBelow(alone.tag.shadowRoot!.querySelector('.card')!)).toBeLessThanOrEqual(MAX_EMPTY)
  const withHelp = await unansweredReturn(ATTRIBUTES.help)
  await expect.poll(() => withHelp.status()).toContain('No news yet')
  const { shadowRoot } = withHelp.tag
  const gap = box(shadowRoot, '[part=help]')!.top - box(shadowRoot, '[part=amount]')!.bottom
  expect(gap).toBeLessThanOrEqual(MAX_EMPTY)
})

test('a receipt row with several lines does not touch the rules between the rows', async () => {
  const { shadowRoot } = await inColumn('paid.full', 262)
  const rows = [...shadowRoot!.querySelectorAll('[part=receipt] p:has(bdi)')]
  for (const row of rows) {
    row.querySelector('bdi')!.textContent = 'SKL4XR7M2P-'.repeat(8)
    const text = row.querySelector('span')!
    const lines = document.createRange()
    lines.selectNodeContents(text)
    const gaps = [
      lines.getBoundingClientRect().top - row.getBoundingClientRect().top,
      row.getBoundingClientRect().bottom - lines.getBoundingClientRect().bottom,
    ]
    const least = row.checkVisibility() ? Math.min(...gaps) : Infinity
    expect(least).toBeGreaterThanOrEqual(4)
  }
})

test.each(['refunded.given', 'reversed.taken', 'review.short', 'waiting.open'])(
  'the tile of the payee stands 12 to 24 px below what is said: %s',
  async (name) => {
    const { shadowRoot } = await inColumn(name, PHONE_COLUMN)
    const amount = box(shadowRoot, '[part=amount]')!
    const text = amount.height > 0 ? amount.bottom - 8 : box(shadowRoot, '.said')!.bottom
    const gap = box(shadowRoot, '.face')!.top - text
    expect(gap).toBeGreaterThanOrEqual(12)
    expect(gap).toBeLessThanOrEqual(24)
  },
)

test.each(['details.nobody', 'details.phone', 'details.operator'])(
  'a form is not empty below its last button: %s',
  async (name) => {
    const { shadowRoot } = await inColumn(name, PHONE_COLUMN)
    expect(emptyBelow(shadowRoot!.querySelector('.card')!)).toBeLessThanOrEqual(MAX_EMPTY)
  },
)

test.each([
  ['unpaid.prompt', 'fr'],
  ['expired.session', 'fr'],
  ['paid.full', 'pt'],
])(
  'a line that can be pressed keeps off the edge of the card when it is two lines: %s, %s',
  async (name, lang) => {
    for (const width of [150, 302]) {
      const { shadowRoot } = await inColumn(name, width, { lang })
      const card = shadowRoot!.querySelector('.card')!
      expect(emptyBelow(card)).toBeGreaterThanOrEqual(8)
    }
  },
)

test.each(['en', 'ar'])('the text of "Change" stands at the edge of its column: %s', async (lang) => {
  const { shadowRoot } = await inColumn('unpaid.prompt', 222, { lang })
  const text = document.createRange()
  text.selectNodeContents(shadowRoot!.querySelector('.asked button')!)
  const button = text.getBoundingClientRect()
  const column = box(shadowRoot, '.asked')!
  const off = lang === 'ar' ? column.right - button.right : button.left - column.left
  expect(Math.abs(off)).toBeLessThanOrEqual(1)
})

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

test.each(LANGUAGES)(
  'a press makes no more room than the next card needs, so that nothing below moves up again: %s',
  async (lang) => {
    const heightOf = async (name: string, width: number, attributes: Record<string, string>) =>
      (await inColumn(name, width, { amount: '', payee: '', help: '', lang, ...attributes })).offsetHeight
    for (const width of [222, 302, 342, 416]) {
      const { shadowRoot } = await inColumn('starting.asked', width, { lang })
      await expect.poll(() => box(shadowRoot, '.room')).toBeTruthy()
      const room = box(shadowRoot, '.room')!.height
      const bare = await heightOf('waiting.open', width, {})
      const prompt = await heightOf('waiting.pin', width, {})
      const blocked = await heightOf('blocked.popup', width, {})
      const known = await heightOf('waiting.open', width, ATTRIBUTES)
      const least = Math.min(bare, prompt, blocked, known)
      expect({ width, room, isEnough: room <= least }).toEqual({ width, room, isEnough: true })
      expect(room).toBeGreaterThan(200)
    }
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
