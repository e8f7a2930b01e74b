/** What is known of a checkout: the sentence, the time left, the receipt. */

import { html, nothing } from 'lit'
import { dateTime, fill, money } from '../locale.ts'
import { note, sentence } from '../sentence.ts'
import { payableAt, stateOf, viewOf } from '../session/state.ts'
import { icon } from './icon.ts'

import type { View } from '../../server/contract/view.ts'
import type { Words } from '../locale.ts'
import type { Session } from '../session/state.ts'

export interface CardContext {
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
export function card(context: CardContext) {
  const { session, words, lang, isOnline } = context
  const state = stateOf(session)
  const said = sentence(session, words, lang)
  const view = viewOf(session)
  return html`<div class=${said && state !== 'starting' ? 'card' : 'unseen'}>
    ${icon(state)}
    <div class="story">
      <div part="status" role="status" tabindex="-1">
        <strong>${said?.title}</strong>
        <p part=${state === 'error' ? state : nothing}>${said?.detail}</p>
        <p class="soft">${note(session, words, isOnline)}</p>
      </div>
      ${view && facts(view, payableAt(session) !== null, context)}
      <slot name=${state}></slot>
    </div>
  </div>`
}

function facts(view: View, isPayable: boolean, { words, lang, serverNowMs }: CardContext) {
  return html`${
    isPayable && view.outcome === 'waiting'
      ? html`<p part="amount">${money(view.amount, view.currency, lang)}</p>`
      : nothing
  }
  ${isPayable ? countdown(view, serverNowMs, words) : nothing}
  ${view.outcome === 'paid' ? receipt(view, words, lang) : nothing}
  ${
    view.environment === 'sandbox'
      ? html`<p class="soft"><b>${words.testMode}</b> ${words.testModeDetail}</p>`
      : nothing
  }`
}

/** Nothing once the time is up: whether that was in time is for the gateway to say. */
function countdown(view: View, serverNowMs: number, words: Words) {
  const seconds = Math.ceil((Date.parse(view.expires_at) - serverNowMs) / 1000)
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  return seconds > 0
    ? html`<p part="countdown" class="soft" role="timer">${fill(words.timeLeft, { time })}</p>`
    : nothing
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
    ${lines.map(
      ([name, value]) =>
        value &&
        html`<dt>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`
}
