/**
 * The facts of a payment in words, for the card and the server's pages: its amount, the time
 * that is left, and once it is paid, its time, payee and numbers. Pure.
 */

import { formatMoney } from '../state/money.ts'
import { payUrl, phoneAsks } from '../state/state.ts'
import { fillIn } from './fill-in.ts'

import type { CheckoutView } from '../../server/api/view.ts'
import type { Words } from './en.ts'

/** How a time is written: options of `Intl.DateTimeFormat`, without the time zone. */
export const WHEN = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
} as const

/**
 * Returns how to write a time in a language, with its zone. [assumed] In English, as the markets of the gateway write
 * it: the day before the month.
 *
 * @param timeZone Default: that of the device.
 */
export function timeFormat(language: string, timeZone?: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(language === 'en' ? 'en-KE' : language, { ...WHEN, timeZone })
}

/** Returns the paid amount, or else the amount to pay; empty text if the sentence contains the amount. */
export function amountText({ outcome, amount, amount_paid, currency }: CheckoutView, words: Words): string {
  if (/^(partial|reversed|refunded)$/.test(outcome)) {
    return ''
  }
  return formatMoney(outcome === 'paid' ? amount_paid : amount, currency, words.language)
}

/**
 * Returns the time that is left to pay on the hosted page; empty text if there is none, or if it is over. The gateway,
 * not the countdown, decides whether a payment was in time.
 *
 * @param now The BFF's time, in milliseconds since the Unix epoch.
 */
export function timeLeft(view: CheckoutView | null, words: Words, now: number): string {
  // A prompt ends much earlier than the session, so the time of the session would mislead.
  if (!view || payUrl(view) === null || phoneAsks(view)) {
    return ''
  }

  const seconds = Math.ceil((Date.parse(view.expires_at) - now) / 1000)
  const time = `${digits(Math.floor(seconds / 60), words)}:${digits(seconds % 60, words, 2)}`
  return seconds > 0 ? words.timeLeft.replace('{time}', time) : ''
}

function digits(count: number, { language }: Words, minimumIntegerDigits = 1): string {
  return new Intl.NumberFormat(language, { minimumIntegerDigits }).format(count)
}

/** Returns when the last payment was made, or else when the checkout changed: ISO 8601, UTC. */
export function paidAt({ payments, updated_at }: CheckoutView): string {
  return payments.at(-1)?.paid_at ?? updated_at
}

/** Returns to whom the money went; empty text if that is unknown. The name keeps its direction in any text. */
export function paidTo(payee: string, words: Words): string {
  return payee && fillIn(words.paidTo, '{payee}', payee)
}

/**
 * Returns the numbers of a receipt, each with its label. First the operator's, which the payer has by SMS. [assumed]
 * The shop finds a payment by its order, and the gateway by `merchant_transaction_id`.
 */
export function receiptNumbers(view: CheckoutView, words: Words): [label: string, number: string][] {
  const { order, merchant_transaction_id, payments } = view
  const receipts = payments.flatMap(({ outcome, receipt }) => (outcome !== 'failed' && receipt) || [])
  return [
    ...receipts.map((receipt): [string, string] => [words.receiptNumber, receipt]),
    [words.order, order],
    [words.reference, merchant_transaction_id],
  ]
}
