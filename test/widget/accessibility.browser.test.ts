import axe from 'axe-core'
import { expect, inject, test } from 'vitest'
import { page as screen, userEvent } from 'vitest/browser'

import { PAID, UNPAID } from '../support/worlds/scripted-bff.ts'
import { calm, shopPage, startedPage, type } from '../support/worlds/shop-page.ts'
import { showSituation, SITUATION_NAMES } from '../support/worlds/situations.ts'

import type { GatewayCheckout } from '../../widget/index.ts'

const NOBODY = { 'payer-name': '', 'payer-email': '', 'payer-msisdn': '' }
const LANGUAGES = ['en', 'ar', 'fr', 'pt', 'sw'] as const
const THEMES = ['light', 'dark'] as const
const LEAST_SIZE = 44

// Most errors and reviews differ only in text, so they are tested only if `FULL=1` is set.
const NAMES = SITUATION_NAMES.filter(
  (name) => inject('isFull') || !/^(error|review)\.(?!network|short)/.test(name),
)
const looks = NAMES.flatMap((name, at) =>
  LANGUAGES.flatMap((lang, language) =>
    THEMES.filter(
      (_, theme) => inject('isFull') || (at % LANGUAGES.length === language && (at + language) % 2 === theme),
    ).map((theme) => ({ name, lang, theme })),
  ),
)

test.each(looks)('$name, in $lang and $theme: axe objects to nothing, and fingers find it', async (look) => {
  const { name, lang, theme } = look
  const tag = await showSituation(name, { lang, theme })
  // The page draws the background, so the test sets the background to match the theme.
  document.body.style.cssText = `color-scheme: ${theme}; background: Canvas`
  const { violations } = await axe.run(tag)
  expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([])
  for (const target of tag.shadowRoot?.querySelectorAll('button:not([hidden]), a, input') ?? []) {
    const { width, height } = target.getBoundingClientRect()
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(LEAST_SIZE)
  }

  document.body.style.cssText = ''
})

const focused = ({ shadowRoot }: GatewayCheckout) => shadowRoot?.activeElement
const part = ({ shadowRoot }: GatewayCheckout, name: string) => shadowRoot?.querySelector(`[part~=${name}]`)

test.each([
  ['idle.ready', 'button'],
  ['details.nobody', 'input'],
  ['waiting.away', 'button'],
  ['blocked.popup', 'a'],
  ['unpaid.open', 'button'],
  ['expired.session', 'button'],
])('%s: who focuses the tag is at its %s', async (situation, name) => {
  const tag = await showSituation(situation)
  focused(tag)?.dispatchEvent(new Event('blur'))
  if (document.activeElement instanceof HTMLElement) {
    document.activeElement.blur()
  }

  tag.focus()
  expect(focused(tag)?.localName).toBe(name)
})

test('the element has its roles and names, as a screen reader finds them', async () => {
  const tag = await showSituation('details.mistaken')
  const email = screen.getByRole('textbox', { name: 'E-mail address' }).element()
  expect(email.getAttribute('aria-invalid')).toBe('true')
  expect(
    part(tag, 'form')?.querySelector(`#${email.getAttribute('aria-describedby')}`)?.textContent,
  ).toContain('Enter your e-mail address')
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await calm(tag)
  await userEvent.click(screen.getByRole('button', { name: 'Pay' }))
  expect(screen.getByRole('status').element().getRootNode()).toBe(tag.shadowRoot)
})

test('an order can be paid by keyboard alone, with the focus on the next step', async () => {
  const page = await shopPage({ attributes: { ...NOBODY, 'payer-name': 'Asha', 'payer-email': 'a@b.ke' } })
  await userEvent.keyboard('{Tab}')
  expect(document.activeElement).toBe(page.tag)
  expect(ringOf(focused(page.tag))).toBeGreaterThanOrEqual(2)
  await userEvent.keyboard('{Enter}')
  await calm(page.tag)
  expect(focused(page.tag)).toHaveProperty('name', 'payer_msisdn')
  expect(ringOf(focused(page.tag))).toBeGreaterThanOrEqual(2)
  await type(page.tag, 'payer_msisdn', '+254700000001')
  await userEvent.keyboard('{Enter}')
  await calm(page.tag)
  expect(focused(page.tag)?.textContent?.trim()).toBe('Show the payment window')
  await page.confirm(UNPAID)
  expect(focused(page.tag)?.textContent?.trim()).toBe('Show the payment window')
  await page.confirm(PAID)
  expect(focused(page.tag)).toHaveProperty('role', 'status')
  page.tag.reset()
  await calm(page.tag)
  expect(focused(page.tag)?.textContent?.trim()).toBe('Pay')
})

test('the element never takes the focus from elements outside', async () => {
  const page = await startedPage()
  const field = document.body.appendChild(document.createElement('input'))
  field.focus()
  await page.confirm(PAID)
  expect(document.activeElement).toBe(field)
})

test.each([
  ['idle.ready', []],
  ['details.nobody', []],
  ['starting.asked', ['turn']],
  ['waiting.open', ['ring']],
  ['unpaid.open', []],
  ['paid.full', ['appear']],
])('%s: only what is awaited, or has just arrived, moves', async (name, moving) => {
  const tag = await showSituation(name)
  expect(await animations(tag)).toEqual(moving)
})

async function animations(tag: GatewayCheckout): Promise<string[]> {
  const elements = [...(tag.shadowRoot?.querySelectorAll('*') ?? [])]
  const styles = elements.flatMap((element) => [
    getComputedStyle(element),
    getComputedStyle(element, '::before'),
  ])
  expect(new Set(styles.map(({ transitionDuration }) => transitionDuration))).toEqual(new Set(['0s']))
  return styles.map(({ animationName }) => animationName).filter((each) => each !== 'none')
}

test('a press is answered where it was pressed: the button is busy, and words stand below it in place of the terms', async () => {
  const page = await shopPage({ attributes: { amount: 'KES 1500', payee: 'Pwani Goods' } })
  const boxes = () => ['button', 'terms'].map((name) => boxOf(part(page.tag, name)))
  const before = [page.tag.shadowRoot?.querySelector('button')?.textContent?.trim(), boxes()]
  const answer = page.bff.hold()
  await page.press(/Pay/)
  expect(page.tag.state).toBe('starting')
  expect([page.tag.shadowRoot?.querySelector('button')?.textContent?.trim(), boxes()]).toEqual(before)
  expect(part(page.tag, 'button')?.getAttribute('aria-busy')).toBe('true')
  expect(page.status()).toBe('Opening the payment page…')
  expect(part(page.tag, 'terms')?.textContent).toBe(page.status())
  const place = boxOf(page.tag).slice(0, 3)
  answer()
  await calm(page.tag)
  expect(boxOf(page.tag).slice(0, 3)).toEqual(place)
})

function boxOf(element: Element | null | undefined): number[] {
  const { x, y, width, height } = element?.getBoundingClientRect() ?? new DOMRect()
  return [x, y, width, height]
}

function ringOf(element: Element | null | undefined): number {
  const { outlineStyle, outlineWidth } = getComputedStyle(element ?? document.body)
  return outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth)
}
