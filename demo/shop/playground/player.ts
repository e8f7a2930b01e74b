/** Puts a tag into a situation: makes it, gives it its markup, and sets going what happens. */

import type { GatewayCheckout } from '../../../widget/index.ts'
import type { Markup } from '../snippets.ts'
import { ATTRIBUTE_CONTROLS, PROPERTIES } from './controls.ts'
import { createStage } from './stage.ts'
import type { OnRequest } from './stage.ts'
import type { Situation } from './situation.ts'

export interface Playing {
  situation: Situation
  markup: Markup
  /** Where the tag stands. */
  frame: Element
  onRequest: OnRequest
}

const PAYMENT_PAGE = '/playground/pay'
/** The checkout that there is already, where the visitor names none. */
const CHECKOUT_ID = 'a-checkout-of-the-playground'

/** A tag takes its surroundings from its class when it is made, so each situation has a tag of its own. */
export function playSituation({ situation, frame, onRequest, ...given }: Playing): GatewayCheckout {
  const markup = withNeeds(given.markup, situation)
  const { order, 'checkout-id': id } = markup.attributes
  const checkoutId = typeof id === 'string' ? id : CHECKOUT_ID
  const stage = createStage({
    situation,
    order: typeof order === 'string' ? order : '',
    checkoutId,
    paymentPage: new URL(PAYMENT_PAGE, location.href).href,
    onRequest,
  })
  // The only element of that name is ours.
  const Tag = customElements.get('gateway-checkout') as typeof GatewayCheckout
  Tag.environment = { ...Tag.environment, ...stage }
  const tag = new Tag()
  applyMarkup(tag, markup)
  if (situation.by === 'checkout-id') tag.checkoutId = checkoutId
  keepFocusAway(tag)
  frame.replaceChildren(tag)
  if (situation.by === 'press') tag.start()
  if (situation.submits)
    void tag.updateComplete.then(() => tag.shadowRoot?.querySelector('form')?.requestSubmit())
  return tag
}

/** The visitor's markup, changed by what the situation needs. */
export function withNeeds(markup: Markup, { needs = {} }: Situation): Markup {
  const attributes = { ...markup.attributes }
  for (const [name, value] of Object.entries(needs)) {
    if (value === null) delete attributes[name]
    else attributes[name] = value
  }
  return { ...markup, attributes }
}

/** Attributes, slots and custom properties; but a checkout is taken up only where the situation has one. */
export function applyMarkup(tag: GatewayCheckout, { attributes, slots = {}, properties = {} }: Markup): void {
  for (const { name } of ATTRIBUTE_CONTROLS) {
    const value = attributes[name]
    if (name === 'checkout-id') continue
    if (value === undefined) tag.removeAttribute(name)
    else tag.setAttribute(name, value === true ? '' : value)
  }
  for (const { name } of PROPERTIES) tag.style.setProperty(name, properties[name] ?? '')
  tag.replaceChildren(...Object.entries(slots).map(([slot, words]) => slotted(slot, words)))
}

function slotted(slot: string, words: string): HTMLSpanElement {
  const span = document.createElement('span')
  span.slot = slot
  span.textContent = words
  return span
}

/**
 * A form that opens takes the focus, as it should after a press. Here nobody pressed: it goes back to where it was,
 * until the visitor does something.
 */
function keepFocusAway(tag: GatewayCheckout): void {
  const playing = new AbortController()
  const { signal } = playing
  for (const deed of ['pointerdown', 'keydown'])
    document.addEventListener(deed, () => playing.abort(), { capture: true, signal })
  const giveBack = ({ relatedTarget }: FocusEvent) => {
    tag.blur()
    if (relatedTarget instanceof HTMLElement) relatedTarget.focus()
  }
  tag.addEventListener('focusin', giveBack, { signal })
}
