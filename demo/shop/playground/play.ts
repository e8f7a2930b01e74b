import './playground.css'
import type { GatewayCheckout } from '../../../widget/index.ts'
import { offerToCopy } from '../copy.ts'
import { element } from '../element.ts'
import { describe, EVENTS } from '../event-log.ts'
import { SNIPPETS } from '../snippets.ts'
import { applyMarkup, playSituation } from './player.ts'
import { CHECKOUT_ATTRIBUTES } from './controls.ts'
import { createGallery } from './gallery.ts'
import { createLog } from './log.ts'
import { SITUATIONS } from './states.ts'
import { readChoices } from './choices.ts'

const frame = element('#frame', HTMLFormElement)
const text = element('#snippet', HTMLElement)
const all = element('#all', HTMLDetailsElement)
const choices = readChoices(element('#settings', HTMLFormElement))
const log = createLog(element('#log', HTMLElement))
const gallery = createGallery(element('#gallery', HTMLElement))

await customElements.whenDefined('gateway-checkout')
let tag = play()

for (const name of EVENTS)
  frame.addEventListener(name, ({ detail }) => log.say('event', name, describe(detail), detail))
frame.addEventListener('submit', (event) => event.preventDefault())
document.addEventListener('input', follow)
all.addEventListener('toggle', () => (all.open ? gallery.show(choices.markup()) : gallery.clear()))
offerToCopy(element('#copy', HTMLButtonElement), text)

function follow({ target }: Event): void {
  if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return
  const { name, value } = target
  if (name === 'state') choices.set('situation', value)
  if (name === 'state' || name === 'situation' || CHECKOUT_ATTRIBUTES.includes(name)) tag = play()
  else applyMarkup(tag, choices.markup())
  gallery.update(choices.markup())
  write()
  history.replaceState(history.state, '', choices.address())
}

function play(): GatewayCheckout {
  const name = choices.get('situation')
  const situation = SITUATIONS.get(name)
  if (situation === undefined) throw new TypeError(`There is no situation called ${name}.`)
  choices.hold(situation.needs ?? {})
  show(name, situation.tells)
  write()
  log.clear()
  const onRequest = (asked: string, answered: string) => log.say('request', asked, answered)
  const played = playSituation({ situation, markup: choices.markup(), frame, onRequest })
  observe(played)
  return played
}

function show(name: string, tells: string): void {
  const [state = ''] = name.split('.')
  for (const ways of document.querySelectorAll<HTMLElement>('.ways[data-state]'))
    ways.hidden = ways.dataset.state !== state
  for (const radio of document.querySelectorAll<HTMLInputElement>('[name=state]'))
    radio.checked = radio.value.startsWith(`${state}.`)
  element('#tells', HTMLElement).textContent = tells
}

function write(): void {
  document.documentElement.dataset.stage = choices.get('theme')
  text.textContent = SNIPPETS[choices.get('snippet')]?.(choices.markup(), text.dataset.bff ?? '') ?? ''
}

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
