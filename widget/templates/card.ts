/** What is known of a checkout: the sentence, the time left, the receipt. */

import { element } from '../drawing.ts'
import { dateTime, fill, money } from '../locale.ts'
import { note, sentence } from '../sentence.ts'
import { payableAt, stateOf, viewOf } from '../session/state.ts'
import { icon } from './icon.ts'

import type { View } from '../../server/contract/view.ts'
import type { Child, Drawing } from '../drawing.ts'
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
export function card(context: CardContext): Drawing {
  const { session, words, lang, isOnline } = context
  const state = stateOf(session)
  const said = sentence(session, words, lang)
  const isShown = said !== null && state !== 'starting'
  const status = element(
    'div',
    { part: 'status', role: 'status', tabindex: '-1' },
    element('strong', {}, said?.title ?? ''),
    element('p', { part: state === 'error' ? state : null }, said?.detail ?? ''),
    element('p', { class: 'soft' }, note(session, words, isOnline)),
  )
  return element(
    'div',
    { class: isShown ? 'card' : 'unseen' },
    icon(state),
    element('div', { class: 'story' }, status, ...facts(context), element('slot', { name: state })),
  )
}

function facts({ session, words, lang, serverNowMs }: CardContext): Child[] {
  const view = viewOf(session)
  if (view === null) return []
  const isPayable = payableAt(session) !== null
  return [
    isPayable && view.outcome === 'waiting'
      ? element('p', { part: 'amount' }, money(view.amount, view.currency, lang))
      : null,
    isPayable ? countdown(view, serverNowMs, words) : null,
    view.outcome === 'paid' ? receipt(view, words, lang) : null,
    view.environment === 'sandbox'
      ? element('p', { class: 'soft' }, element('b', {}, words.testMode), ` ${words.testModeDetail}`)
      : null,
  ]
}

/** Nothing once the time is up: whether that was in time is for the gateway to say. */
function countdown(view: View, serverNowMs: number, words: Words): Child {
  const seconds = Math.ceil((Date.parse(view.expires_at) - serverNowMs) / 1000)
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  const attributes = { part: 'countdown', class: 'soft', role: 'timer' }
  return seconds > 0 ? element('p', attributes, fill(words.timeLeft, { time })) : null
}

/** [assumed] The reference that both the shop and the gateway know is `merchant_transaction_id`. */
function receipt(view: View, words: Words, lang: string): Drawing {
  const payment = view.payments.find(({ outcome }) => outcome === 'successful')
  const lines = [
    [words.reference, view.merchant_transaction_id],
    [words.paidOn, dateTime(payment?.paid_at ?? null, lang)],
    [words.method, payment?.method],
  ]
  const said = lines.flatMap(([name, value]) =>
    name && value ? [element('dt', {}, name), element('dd', {}, value)] : [],
  )
  return element('dl', { part: 'receipt', class: 'soft' }, ...said)
}
