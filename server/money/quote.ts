/**
 * Converts an amount into another currency, in exact decimals. Pure.
 *
 * The direction is from the gateway's side. `buying`: the gateway buys the amount, for example for a payout from that
 * currency, and pays its value in the other currency. `selling`: the gateway pays out the amount and takes its price in
 * the other currency. [spec: Exchange rates]
 *
 * [assumed] Amounts paid out are rounded down and amounts taken are rounded up, so that a quote is always covered.
 */

import type { Rates } from '../contract/rates.ts'
import { z } from 'zod'
import { multiply, round } from '../contract/decimal.ts'
import { fractionDigitsOf } from './currency.ts'

export const DIRECTIONS = ['buying', 'selling'] as const
type Direction = (typeof DIRECTIONS)[number]

export interface QuoteRequest {
  /** Currency of `amount`, and base currency of the rate. */
  from: string
  to: string
  /** Decimal text, with no more fraction digits than its currency has. */
  amount: string
  direction: Direction
}

/** Fields are named as in a payout request, so that they can be copied into one. */
export const Quote = z.object({
  direction: z.enum(DIRECTIONS),
  /** Units of the other currency per unit of `from`, for the requested direction. */
  rate: z.string(),
  source_currency: z.string(),
  sender_amount: z.string(),
  destination_currency: z.string(),
  recipient_amount: z.string(),
  /** The buying rate of the source currency, for a payout request. `null` for `selling`. */
  exchange_rate: z.string().nullable(),
})
export type Quote = z.output<typeof Quote>

/**
 * Converts an amount by the gateway's rates, in decimal text without floating-point numbers, and rounds to the fraction
 * digits of each currency. [spec: Exchange rates]
 *
 * @param request `amount` is in major units of `from`, such as "1500.00".
 * @param rates The gateway's rates for the base currency `from`.
 * @returns The quote; `null` when there is no rate from one currency to the other.
 * @example
 * const request = { from: 'KES', to: 'UGX', amount: '1500', direction: 'buying' } as const
 * const quoted = quote(request, await gateway.getRates('KES'))
 */
export function quote({ from, to, amount, direction }: QuoteRequest, { rates }: Rates): Quote | null {
  const rate = from === to ? '1' : Object.hasOwn(rates, to) ? rates[to]?.[direction] : undefined
  if (rate === undefined) return null
  const isBuying = direction === 'buying'
  const given = { currency: from, amount: round(amount, fractionDigitsOf(from), 'down') }
  const exact = multiply(amount, rate)
  const converted = { currency: to, amount: round(exact, fractionDigitsOf(to), isBuying ? 'down' : 'up') }
  const [source, destination] = isBuying ? [given, converted] : [converted, given]
  return {
    direction,
    rate,
    source_currency: source.currency,
    sender_amount: source.amount,
    destination_currency: destination.currency,
    recipient_amount: destination.amount,
    exchange_rate: isBuying ? rate : null,
  }
}
