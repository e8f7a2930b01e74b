/** What is known of a checkout: the sentence, the time left, the receipt. */

import { html, nothing } from 'lit/html.js'

import { dateTime, fill, money } from '../locale.ts'
import { note, sentence } from '../sentence.ts'
import { payableAt, stateOf, viewOf } from '../session/state.ts'
import { icon } from './icon.ts'

import type { TemplateResult } from 'lit/html.js'
import type { View } from '../../server/contract/view.ts'
import type { Words } from '../locale.ts'
import type { Session } from '../session/state.ts'

export interface Scene {
  session: Session
  words: Words
  /** BCP 47 tag for amounts and dates. */
  lang: string
  isOnline: boolean
  /** The server's time now, in milliseconds since the Unix epoch, as well as this device can tell. */
  serverNowMs: number
}

/**
 * Always on the page, because a live region speaks only of what changes inside it; it is out of sight while
 * the button or the form says everything.
 */
export function card(scene: Scene): TemplateResult {
  const { session, words, lang, isOnline } = scene
  const state = stateOf(session)
  const view = viewOf(session)
  const said = sentence(session, words, lang)
  const isShown = said !== null && state !== 'starting'
  return html`<div class=${isShown ? 'card' : 'unseen'}>
    ${isShown ? icon(state) : nothing}
    <div class="story">
      <div part="status" role="status" tabindex="-1">
        <strong>${said?.title}</strong>
        <p part=${state === 'error' ? state : nothing}>${said?.detail}</p>
        <p class="soft">${note(session, words, isOnline)}</p>
      </div>
      ${view === null ? nothing : facts(view, scene)}
      <slot name=${state}></slot>
    </div>
  </div>`
}

function facts(view: View, { session, words, lang, serverNowMs }: Scene) {
  const isPayable = payableAt(session) !== null
  return html`${
    isPayable
      ? html`${
          view.outcome === 'waiting'
            ? html`<p part="amount">${money(view.amount, view.currency, lang)}</p>`
            : nothing
        }
        ${countdown(Date.parse(view.expires_at) - serverNowMs, words)}`
      : nothing
  }
  ${view.outcome === 'paid' ? receipt(view, words, lang) : nothing}
  ${
    view.environment === 'sandbox'
      ? html`<p class="soft"><b>${words.testMode}</b> ${words.testModeDetail}</p>`
      : nothing
  }`
}

/** Nothing once the time is up: whether that was in time is for the gateway to say. */
function countdown(leftMs: number, words: Words) {
  const seconds = Math.ceil(leftMs / 1000)
  if (!(seconds > 0)) return nothing
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  return html`<p part="countdown" class="soft" role="timer">${fill(words.timeLeft, { time })}</p>`
}

/** [assumed] The reference that both the shop and the gateway know is `merchant_transaction_id`. */
function receipt(view: View, words: Words, lang: string) {
  const payment = view.payments.find(({ outcome }) => outcome === 'successful')
  const lines = [
    [words.reference, view.merchant_transaction_id],
    [words.paidOn, dateTime(payment?.paid_at ?? null, lang)],
    [words.method, payment?.method],
  ]
  return html`<dl part="receipt" class="soft">
    ${lines.map(([name, value]) =>
      value
        ? html`<dt>${name}</dt>
            <dd>${value}</dd>`
        : nothing,
    )}
  </dl>`
}
