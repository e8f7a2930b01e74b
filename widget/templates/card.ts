/** What is known of a checkout: the sentence, the time left, the receipt. */

import { html, nothing } from 'lit'

import { dateTime, money } from '../locale.ts'
import { note, sentence } from '../sentence.ts'
import { payableAt, stateOf, viewOf } from '../session/state.ts'
import { icon } from './icon.ts'

import type { TemplateResult } from 'lit'
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
export function card(context: CardContext): TemplateResult {
  const { session, words, lang, isOnline } = context
  const state = stateOf(session)
  const view = viewOf(session)
  const said = sentence(session, words, lang)
  const isShown = said !== null && state !== 'starting'
  const quietly = note(session, words, isOnline)
  return html`<div class=${isShown ? 'card' : 'unseen'}>
    ${isShown ? html`<span class="badge">${icon(state)}</span>` : nothing}
    <div class="story">
      <div part="status" class="status" role="status" tabindex="-1">
        ${said === null ? nothing : html`<strong class="title">${said.title}</strong>`}
        ${said?.detail ? html`<p part=${state === 'error' ? 'error' : 'detail'}>${said.detail}</p>` : nothing}
        ${quietly === '' ? nothing : html`<p class="note">${quietly}</p>`}
      </div>
      ${view === null ? nothing : facts(view, context)} ${merchantSlot(state)}
    </div>
  </div>`
}

function facts(view: View, { session, words, lang, serverNowMs }: CardContext) {
  const isPayable = payableAt(session) !== null
  return html`
    ${isPayable ? countdown(Date.parse(view.expires_at) - serverNowMs, words) : nothing}
    ${view.outcome === 'paid' ? receipt(view, words, lang) : nothing}
    ${
      view.environment === 'sandbox'
        ? html`<p class="test"><b>${words.testMode}</b> ${words.testModeDetail}</p>`
        : nothing
    }
    ${
      isPayable && view.outcome === 'waiting'
        ? html`<p part="amount" class="amount">${money(view.amount, view.currency, lang)}</p>`
        : nothing
    }
  `
}

function countdown(leftMs: number, words: Words) {
  const seconds = Math.max(0, Math.ceil(leftMs / 1000))
  if (seconds === 0) return html`<p part="countdown" class="countdown">${words.timeUp}</p>`
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  return html`<p part="countdown" class="countdown" role="timer">
    ${words.timeLeft} <time class="digits">${clock}</time>
  </p>`
}

/** [assumed] The reference that both the shop and the gateway know is `merchant_transaction_id`. */
function receipt(view: View, words: Words, lang: string) {
  const payment = view.payments.findLast(({ outcome }) => outcome === 'successful')
  const lines: [string, string | null | undefined][] = [
    [words.reference, view.merchant_transaction_id],
    [words.paidOn, payment?.paid_at && dateTime(payment.paid_at, lang)],
    [words.method, payment?.method],
  ]
  return html`<dl part="receipt" class="receipt">
    ${lines.map(([name, value]) =>
      value
        ? html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`
        : nothing,
    )}
  </dl>`
}

/** The merchant's own words under an outcome. */
function merchantSlot(state: string) {
  switch (state) {
    case 'paid':
    case 'partial':
    case 'unpaid':
    case 'expired':
      return html`<slot name=${state}></slot>`
    default:
      return nothing
  }
}
