import { playSituation } from '../../../demo/shop/playground/stage.ts'
import { PAYER, SITUATIONS } from '../../../demo/shop/playground/states.ts'
import { en } from '../../../widget/words/en.ts'
import { createHandClock } from './hand-clock.ts'

import type { GatewayCheckout } from '../../../widget/index.ts'

export const SITUATION_NAMES = [...SITUATIONS.keys()]

const MARKUP = { order: 'order-1', server: 'https://pay.shop.test', launch: 'popup', lang: 'en', ...PAYER }

export async function showSituation(
  name: string,
  attributes: Record<string, string> = {},
  frame: Element = document.body,
): Promise<GatewayCheckout> {
  const situation = SITUATIONS.get(name)
  if (situation === undefined) {
    throw new TypeError(`There is no situation called ${name}.`)
  }

  const clock = createHandClock()
  const Tag = customElements.get('gateway-checkout') as typeof GatewayCheckout
  Tag.environment = { ...Tag.environment, clock }
  const tag = playSituation(situation, { ...MARKUP, ...attributes }, frame)

  const base = () => tag.shadowRoot?.querySelector<HTMLElement>('.base')

  const until = async (isSo: () => boolean) => {
    for (let frames = 0; !isSo(); frames++) {
      if (frames > 600) {
        throw new Error(`${name} is not shown: ${base()?.textContent}`)
      }

      await new Promise(requestAnimationFrame)
    }

    await tag.updateComplete
  }

  const [first] = situation.answers
  const [state] = name.split('.')
  const hasView = situation.by === 'checkout-id' && typeof first === 'object' && 'view' in first
  await until(() => tag.state === state && (tag.checkout !== null || !hasView))
  await until(() => base()?.lang === tag.lang)
  await until(() => {
    const isShown = situation.by !== 'checkout-id' || base()?.querySelector('.card') !== null
    // A found checkout is shown after a second without a response, which begins when the second file has arrived.
    if (!isShown && first === 'silent' && clock.timers > 0) {
      clock.advance(100)
    }
    return isShown
  })
  // Until the words of a language have arrived, the card is that of the first file.
  await until(() => base()?.querySelector(`[part=status].${state}`) !== null)
  if (situation.answers.length > 1 || situation.popup === 'closed') {
    // The countdown of the card changes each second. The status says what has happened.
    const status = () => base()?.querySelector('[role=status]')?.textContent
    const before = status()
    await until(() => {
      const isOther = status() !== before
      // The next request is due a second after the last response, which takes some frames.
      if (!isOther) {
        clock.advance(50)
      }
      return isOther
    })
  }
  if (situation.types) {
    await until(() => base()?.querySelector('#payer_msisdn-hint')?.textContent.includes('\u2068') === true)
  }
  if (situation.submits) {
    await until(() => base()?.querySelector('[aria-invalid=true]') !== null)
  }
  if (base()?.querySelector('[part=receipt]')) {
    await until(() => hasReceiptButtons(base(), tag.lang))
  }

  // The player prevents focus until a key is pressed.
  document.dispatchEvent(new Event('keydown'))
  return tag
}

export async function showAllSituations(lang: string): Promise<void> {
  await showSituations(
    SITUATION_NAMES.toSorted((a, b) => Number(isTall(b)) - Number(isTall(a))),
    { lang },
  )
}

/** Shows each situation in a figure with its name. Replaces what the page has. */
export async function showSituations(
  names: readonly string[],
  attributes: Record<string, string>,
): Promise<void> {
  document.body.replaceChildren()
  const figures = names.map((name) => {
    const figure = document.body.appendChild(document.createElement('figure'))
    const shown = showSituation(name, attributes, figure)
    figure.prepend(Object.assign(document.createElement('figcaption'), { textContent: name }))
    return shown
  })
  await Promise.all(figures)
  if (document.activeElement instanceof HTMLElement) {
    document.activeElement.blur()
  }
}

/** The buttons appear in English if the words of another language arrive after them. */
function hasReceiptButtons(base: Element | null | undefined, lang: string): boolean {
  const copy = base?.querySelector('[part=receipt] button')?.textContent
  return copy !== undefined && (lang === 'en' || copy !== en.receipt.copy)
}

function isTall(name: string): boolean {
  return name.startsWith('details.')
}
