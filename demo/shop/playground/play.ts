/** Plays the picked situation on a tag of its own, and shows what the page is told and what to write for it. */

import './playground.css'
import type { GatewayCheckout } from '../../../widget/index.ts'
import { offerToCopy } from '../copy.ts'
import { element } from '../element.ts'
import { describe, EVENTS } from '../event-log.ts'
import { SNIPPETS } from '../snippets.ts'
import type { Markup } from '../snippets.ts'
import { ATTRIBUTE_CONTROLS, PROPERTIES, SLOTS, SUBJECT, slotOf } from './controls.ts'
import type { Control } from './controls.ts'
import { createLog } from './log.ts'
import { createStage } from './stage.ts'
import { SITUATIONS } from './states.ts'
import { readWishes } from './wishes.ts'

const PAYMENT_PAGE = new URL('/playground/pay', location.href).href
/** The checkout that there is already, where the visitor names none. */
const CHECKOUT_ID = 'a-checkout-of-the-playground'

const frame = element('#frame', HTMLFormElement)
const tells = element('#tells', HTMLElement)
const text = element('#snippet', HTMLElement)
const wishes = readWishes(element('#settings', HTMLFormElement))
const log = createLog(element('#log', HTMLElement))

await customElements.whenDefined('gateway-checkout')
let tag = play()

document.addEventListener('input', follow)
frame.addEventListener('submit', (event) => event.preventDefault())
for (const name of EVENTS)
  frame.addEventListener(name, ({ detail }) => log.say('event', name, describe(detail), detail))
offerToCopy(element('#copy', HTMLButtonElement), text)

function follow({ target }: Event): void {
  if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return
  if (target.name === 'state') wishes.set('situation', target.value)
  if (['state', 'situation', ...SUBJECT].includes(target.name)) tag = play()
  else dress(tag)
  history.replaceState(history.state, '', wishes.address())
}

/** The tag takes its surroundings from its class when it is made, so each situation has a tag of its own. */
function play(): GatewayCheckout {
  const name = wishes.get('situation')
  const situation = SITUATIONS.get(name)
  if (situation === undefined) throw new TypeError(`There is no situation called ${name}.`)
  showSituation(name, situation.tells)
  wishes.hold(situation.needs ?? {})
  log.clear()

  const checkoutId = wishes.get('checkout-id') || CHECKOUT_ID
  const stage = createStage({
    situation,
    order: wishes.get('order'),
    checkoutId,
    paymentPage: PAYMENT_PAGE,
    hear: (title, words) => log.say('request', title, words),
  })
  // The only element of that name is ours.
  const Tag = customElements.get('gateway-checkout') as typeof GatewayCheckout
  Tag.environment = { ...Tag.environment, ...stage }
  const focused = document.activeElement
  const made = new Tag()
  dress(made)
  if (situation.by === 'checkout-id') made.checkoutId = checkoutId
  frame.replaceChildren(made)
  if (situation.by === 'press') made.start()
  observe(made)
  // A form that opens takes the focus, as it should after a press; here nobody pressed.
  void made.updateComplete.then(() => (focused === document.body ? made.blur() : refocus(focused)))
  return made
}

function showSituation(name: string, words: string): void {
  const state = name.split('.')[0] ?? ''
  for (const ways of document.querySelectorAll<HTMLElement>('.ways[data-state]'))
    ways.hidden = ways.dataset.state !== state
  for (const radio of document.querySelectorAll<HTMLInputElement>('[name=state]'))
    radio.checked = radio.value.startsWith(`${state}.`)
  tells.textContent = words
}

/** Attributes, slots and custom properties as they are wished, and the lines that say the same. */
function dress(target: GatewayCheckout): void {
  const markup = wished()
  for (const { name } of ATTRIBUTE_CONTROLS) {
    const value = markup.attributes[name]
    if (name === 'checkout-id') continue
    if (value === undefined) target.removeAttribute(name)
    else target.setAttribute(name, value === true ? '' : value)
  }
  for (const { name } of PROPERTIES) target.style.setProperty(name, markup.properties[name] ?? '')
  target.replaceChildren(...Object.entries(markup.slots).map(([slot, words]) => slotted(slot, words)))
  frame.dataset.theme = wishes.get('theme')
  text.textContent = SNIPPETS[wishes.get('snippet')]?.(markup, text.dataset.bff ?? '') ?? ''
}

function wished(): Required<Markup> {
  const attributes: Markup['attributes'] = {}
  for (const { name, isFlag } of ATTRIBUTE_CONTROLS) {
    const value = wishes.get(name)
    if (value !== '') attributes[name] = isFlag ?? value
  }
  return { attributes, slots: chosen(SLOTS, slotOf), properties: chosen(PROPERTIES, (name) => name) }
}

function chosen(controls: readonly Control[], call: (name: string) => string): Record<string, string> {
  const written = controls.map(({ name }) => [call(name), wishes.get(name)] as const)
  return Object.fromEntries(written.filter(([, value]) => value !== ''))
}

function slotted(slot: string, words: string): HTMLSpanElement {
  const span = document.createElement('span')
  span.slot = slot
  span.textContent = words
  return span
}

/** What a page can read off the tag, renewed with every drawing of it. */
function observe(shown: GatewayCheckout): void {
  const renew = () => {
    const { state, name, checkout, validity } = shown
    const value = name && new FormData(frame).get(name)
    fact('state', state)
    fact(
      'checkout',
      checkout ? `${checkout.status ?? 'nothing confirmed'}, version ${checkout.version}` : 'null',
    )
    fact('value', typeof value === 'string' && value ? `${name}=${value}` : 'none')
    fact('valid', validity.valid ? 'yes' : 'no')
  }
  const drawings = new MutationObserver(renew)
  drawings.observe(shown, { attributes: true })
  drawings.observe(shown.renderRoot, { childList: true, characterData: true, subtree: true })
  renew()
}

function fact(name: string, words: string): void {
  const shown = element(`#fact-${name}`, HTMLElement)
  if (shown.textContent !== words) shown.textContent = words
}
