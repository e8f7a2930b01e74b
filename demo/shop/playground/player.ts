import type { GatewayCheckout } from '../../../widget/index.ts'
import type { Markup } from '../snippets.ts'
import { ATTRIBUTE_CONTROLS, PROPERTIES } from './controls.ts'
import { createStage } from './stage.ts'
import type { OnRequest } from './stage.ts'
import type { Situation } from './situation.ts'

export interface Playing {
  situation: Situation
  markup: Markup
  frame: Element
  onRequest: OnRequest
}

const PAYMENT_PAGE = '/playground/pay'
const CHECKOUT_ID = 'a-checkout-of-the-playground'

// Each situation needs a new element: an element reads `environment` of its class only when the element is created.
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
  // No other element is registered under this name.
  const Tag = customElements.get('gateway-checkout') as typeof GatewayCheckout
  Tag.environment = { ...Tag.environment, ...stage }
  const tag = new Tag()
  applyMarkup(tag, markup)
  if (situation.by === 'checkout-id') tag.checkoutId = checkoutId
  keepFocusAway(tag)
  frame.replaceChildren(tag)
  if (situation.by === 'press') tag.start()
  if (situation.submits && tag.shadowRoot) submitForm(tag.shadowRoot)
  return tag
}

/** The form is drawn when the element's second file, and the words in its language, have arrived. */
function submitForm(root: ShadowRoot): void {
  const observer = new MutationObserver(() => {
    const form = root.querySelector('form')
    if (form === null) return
    observer.disconnect()
    form.requestSubmit()
  })
  observer.observe(root, { childList: true, subtree: true })
}

export function withNeeds(markup: Markup, { needs = {} }: Situation): Markup {
  const attributes = { ...markup.attributes }
  for (const [name, value] of Object.entries(needs)) {
    if (value === null) delete attributes[name]
    else attributes[name] = value
  }
  return { ...markup, attributes }
}

// `playSituation` sets `checkout-id`.
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

// The element focuses its form when the form opens, but in the playground the visitor did not open the form.
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
