/**
 * What a checkout means, in a person's words. Pure text: no DOM and no Lit, because the BFF's pages speak with
 * the same voice as the element.
 */

import { isDecimal, subtract } from '../server/contract/decimal.ts'

import type { View } from '../server/contract/view.ts'
import type { Words } from './locales/en.ts'

export type { Words } from './locales/en.ts'

export interface Sentence {
  title: string
  detail: string
}

/**
 * The sentence for a view: a title of a few words and one plain explanation.
 *
 * @param lang BCP 47 tag for amounts, such as "sw-TZ"; the words have their own language.
 */
export function outcomeWords(view: View, words: Words, lang: string): Sentence {
  const amount = (value: string) => money(value, view.currency, lang)
  switch (view.outcome) {
    case 'waiting':
      return view.payments.at(-1)?.outcome === 'waiting' ? words.prompted : words.waiting
    case 'paid':
      return view.discrepancy === 'excess'
        ? words.overpaid(amount(view.amount_paid), amount(subtract(view.amount_paid, view.amount)))
        : words.paid(amount(view.amount_paid))
    case 'partial':
      return (view.settled ? words.partialEnded : words.partial)(
        amount(view.amount_paid),
        amount(remaining(view)),
      )
    case 'unpaid':
      return view.settled ? words.unpaidEnded : words.unpaid
    case 'expired':
      return words.expired
    case 'reversed':
      return words.reversed(amount(view.amount))
    case 'refunded':
      return words.refunded(amount(view.amount))
    case 'jammed':
      return words.jammed
    case 'pending':
      return words.pending
    case 'review':
      return words.review
  }
}

/** What is still to be paid, as decimal text; never below zero. */
export function remaining(view: View): string {
  const difference = subtract(view.amount, view.amount_paid)
  return difference.startsWith('-') ? '0' : difference
}

/** "KES 1,500" or "Ksh 1,500.50", as the language writes it. `amount` is decimal text, and stays exact. */
export function money(amount: string, currency: string, lang: string): string {
  if (!isNumeric(amount)) return `${currency} ${amount}`
  return new Intl.NumberFormat(lang, {
    style: 'currency',
    currency,
    trailingZeroDisplay: 'stripIfInteger',
  }).format(amount)
}

/** Day and time of an ISO 8601 moment, in the reader's own time zone unless one is given. */
export function dateTime(moment: string, lang: string, timeZone?: string): string {
  return new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(
    Date.parse(moment),
  )
}

/** The kind sentence for a stable error code, of the BFF's problems or of the element's own. */
export function failureWords(code: string, words: Words): string {
  return words.failure[FAILURE_SENTENCE[code] ?? 'setUp']
}

/** A code that is not here is a matter of the merchant's set-up, which no shopper can mend. */
const FAILURE_SENTENCE: Record<string, keyof Words['failure']> = {
  network: 'connection',
  timeout: 'connection',
  invalid_answer: 'busy',
  gateway_unavailable: 'busy',
  orders_unavailable: 'busy',
  store_unavailable: 'busy',
  internal: 'busy',
  order_unknown: 'order',
  order_invalid: 'order',
  order_expired: 'orderExpired',
  order_not_payable: 'notPayable',
  order_changed: 'orderChanged',
  gateway_refused: 'refused',
  unknown_checkout: 'unknownCheckout',
}

function isNumeric(amount: string): amount is `${number}` {
  return isDecimal(amount)
}
