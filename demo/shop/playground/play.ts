// The script of the playground: it plays the situation that was chosen. The page's URL has the choices, so it can be
// shared.

import { addLine, describe, EVENTS } from '../event-log.ts'
import { element } from '../query.ts'
import { playSituation } from './stage.ts'
import { PAYER, SITUATIONS } from './states.ts'

const form = element('#choices', HTMLFormElement)
const frame = element('#frame', HTMLElement)
const log = element('#log', HTMLElement)

const choiceOf = (name: string) => element(`[name=${name}]`, HTMLSelectElement)
const choices = { situation: choiceOf('situation'), lang: choiceOf('lang'), theme: choiceOf('theme') }

for (const choice of Object.values(choices)) {
  choice.value = new URLSearchParams(location.search).get(choice.name) ?? choice.value
}

for (const name of EVENTS) {
  frame.addEventListener(name, ({ detail }) => addLine(log, `${name} ${describe(detail)}`.trim()))
}

await customElements.whenDefined('gateway-checkout')
form.addEventListener('change', play)
play()

function play(): void {
  const name = choices.situation.value
  const lang = choices.lang.value
  const theme = choices.theme.value
  const situation = SITUATIONS.get(name)
  if (situation === undefined) {
    return
  }

  log.replaceChildren()
  document.documentElement.dataset.theme = theme
  history.replaceState(history.state, '', `?${new URLSearchParams({ situation: name, lang, theme })}`)
  // For a payment server on this machine, the element would show developers the cause of an error.
  const order = 'demo-1500-playground'
  const tag = { server: 'https://pay.shop.example', order, launch: 'popup', lang, theme }
  playSituation(situation, { ...tag, ...PAYER }, frame)
}
