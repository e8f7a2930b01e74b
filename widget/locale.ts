/**
 * What a checkout means, in a person's words. Pure text: no DOM and no Lit, because the BFF's pages speak with
 * the same voice as the element.
 */

import type { View } from '../server/contract/view.ts'
import type { Words } from './locales/en.ts'

export type { Words } from './locales/en.ts'

/** A title of a few words and one plain explanation. */
export interface Sentence {
  title: string
  detail: string
}

/** What there is a sentence for: each outcome, and what a shopper would tell apart within one. */
export type Situation = keyof Words['sentence']

/** Decimal text, no longer than the exact sums below can hold. */
export const AMOUNT = /^\d{1,18}(\.\d{1,12})?$/

/** @param lang BCP 47 tag for amounts, such as "sw-TZ"; the words have their own language. */
export function outcomeWords(view: View, words: Words, lang: string): Sentence {
  const [title, detail] = words.sentence[situation(view)]
  return { title, detail: fill(detail, amounts(view, lang)) }
}

export function situation({ outcome, settled, discrepancy, payments }: View): Situation {
  if (outcome === 'waiting' && payments.at(-1)?.outcome === 'waiting') return 'prompted'
  if (outcome === 'paid' && discrepancy === 'excess') return 'overpaid'
  if (settled && (outcome === 'partial' || outcome === 'unpaid')) return `${outcome}Ended`
  return outcome
}

/** The holes that a view fills. */
export function amounts({ amount, amount_paid, currency }: View, lang: string): Record<string, string> {
  const missing = trillionths(amount) - trillionths(amount_paid)
  return {
    asked: money(amount, currency, lang),
    paid: money(amount_paid, currency, lang),
    rest: money(`${missing < 0n ? -missing : missing}e-12`, currency, lang),
  }
}

export function fill(text: string, holes: Record<string, string>): string {
  return text.replace(/{(\w+)}/g, (hole, name: string) => holes[name] ?? hole)
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

/** Day and time of an ISO 8601 moment, in the reader's own time zone unless one is given; empty for no moment. */
export function dateTime(moment: string | null, lang: string, timeZone?: string): string {
  const time = Date.parse(moment ?? '')
  if (Number.isNaN(time)) return ''
  return new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(time)
}

/** The kind sentence for a stable error code, of the BFF's problems or of the element's own. */
export function failureWords(code: string, words: Words): string {
  const known: Record<string, string> = words.failure
  return known[code] ?? (PASSING.test(code) ? words.failure.again : words.failure.other)
}

/** Codes of what may be over in a moment. */
const PASSING = /unavailable$|^(timeout|internal|invalid_answer)$/

/** Trillionths of the currency's unit: every fraction that an amount may have is whole in them. */
function trillionths(amount: string): bigint {
  const [units = '', fraction = ''] = amount.split('.')
  return BigInt(units + fraction.padEnd(12, '0'))
}

function isNumeric(amount: string): amount is `${number}` {
  return /^[\d.e-]+$/.test(amount)
}
