/**
 * The facts of a payment in words, for the card and the server's pages: its time, its payee and its numbers. Pure.
 */

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
