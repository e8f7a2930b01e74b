// The script of the playground: it plays the situation that was chosen. The choices are part of the page's URL, which can
// be shared.

import { element } from '../element.ts'
import { describe, EVENTS, show } from '../event-log.ts'
import { playSituation } from './stage.ts'
import { KNOWN, SITUATIONS } from './states.ts'

const form = element('#choices', HTMLFormElement)
const frame = element('#frame', HTMLElement)
const log = element('#log', HTMLElement)

const choices = ['situation', 'lang', 'theme'].map((name) => element(`[name=${name}]`, HTMLSelectElement))

for (const choice of choices)
  choice.value = new URLSearchParams(location.search).get(choice.name) ?? choice.value
for (const name of EVENTS)
  frame.addEventListener(name, ({ detail }) => show(log, `${name} ${describe(detail)}`.trim()))
await customElements.whenDefined('gateway-checkout')
form.addEventListener('change', play)
play()

function play(): void {
  const [name = '', lang = '', theme = ''] = choices.map(({ value }) => value)
  const situation = SITUATIONS.get(name)
  if (situation === undefined) return
  log.replaceChildren()
  document.documentElement.dataset.theme = theme
  history.replaceState(history.state, '', `?${new URLSearchParams({ situation: name, lang, theme })}`)
  // Of a payment server on this machine, the element would show developers the cause of an error.
  const order = 'demo-1500-playground'
  const tag = { server: 'https://pay.shop.example', order, launch: 'popup', lang, theme }
  playSituation(situation, { ...tag, ...KNOWN }, frame)
}
