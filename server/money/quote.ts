/** Quotes: the value of an amount in another currency, at the gateway's exchange rates. Pure. */

import { z } from 'zod'

import { fractionDigitsOf } from '../contract/currency.ts'
import { multiply, round } from '../contract/decimal.ts'
import { field, text, textOrNull } from '../contract/openapi-field.ts'

import type { Rates } from '../contract/rates.ts'

export const DIRECTIONS = ['buying', 'selling'] as const
type Direction = (typeof DIRECTIONS)[number]

export interface QuoteRequest {
  /** The currency of `amount`, and the base currency of the exchange rate. */
  from: string
  /** The currency into which the amount is converted. */
  to: string
  /**
   * The amount to convert: decimal text in major units of the currency `from`, with no more fraction digits than this
   * currency has.
   */
  amount: string
  /**
   * From the gateway's point of view: with `buying`, the gateway takes `amount`, and pays its value in the other
   * currency. With `selling`, the gateway pays `amount`, and takes its price in the other currency. [spec: Exchange
   * rates]
   */
  direction: Direction
}

/**
 * The result of a conversion. The fields have the same names as in a payout request, so that the values can be copied
 * into the request.
 */
export const Quote = z
  .object({
    direction: field(z.enum(DIRECTIONS), 'The direction of the request.'),
    rate: text('Value of one unit of from in the other currency, as decimal text.', '28.1'),
    source_currency: text('Currency that is taken, ISO 4217.', 'KES'),
    sender_amount: text('Amount that is taken, as decimal text in major units.', '1500.00'),
    destination_currency: text('Currency that is paid out, ISO 4217.', 'UGX'),
    recipient_amount: text('Amount that is paid out, as decimal text in major units.', '42150'),
    exchange_rate: textOrNull(
      'Rate for a payout, as decimal text: the buying rate of source_currency. Null when selling, because that rate is not queried.',
      '28.1',
    ),
  })
  .meta({ id: 'Quote', description: 'The value of an amount in another currency.' })
export type Quote = z.output<typeof Quote>

/**
 * Converts an amount at the gateway's exchange rates. The function computes with decimal text, without floating-point
 * numbers, and rounds to the fraction digits of each currency. [spec: Exchange rates]
 *
 * [assumed] Amounts that the gateway pays are rounded down. Amounts that the gateway takes are rounded up. The amount
 * taken therefore always covers the amount paid.
 *
 * @param request The amount to convert, in major units of `from`, with both currencies and the direction.
 * @param rates The gateway's rates for the base currency `from`.
 * @returns The quote; `null` if the gateway has no rate between the two currencies.
 * @example
 * const request = { from: 'KES', to: 'UGX', amount: '1500', direction: 'buying' } as const
 * const quoted = quote(request, await gateway.getRates('KES'))
 */
export function quote({ from, to, amount, direction }: QuoteRequest, { rates }: Rates): Quote | null {
  const listed = Object.hasOwn(rates, to) ? rates[to] : undefined
  const rate = from === to ? '1' : listed?.[direction]
  if (rate === undefined) {
    return null
  }

  const isBuying = direction === 'buying'
  const requested = { currency: from, amount: round(amount, fractionDigitsOf(from), 'down') }
  const exact = multiply(amount, rate)
  const converted = { currency: to, amount: round(exact, fractionDigitsOf(to), isBuying ? 'down' : 'up') }
  const [source, destination] = isBuying ? [requested, converted] : [converted, requested]
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
