/**
 * The arithmetic of money: how many fraction digits an amount may have, the splits and the total of a charge, and
 * quotes. Pure.
 *
 * The spec does not limit the number of fraction digits. [assumed] An amount may have as many as ISO 4217 defines for
 * its currency.
 */

import { z } from 'zod'

import { multiply, round, compare, sum, add, isExact } from '../contract/decimal.ts'
import { referenceKey } from '../contract/fields.ts'
import { field, text, textOrNull } from '../contract/openapi-field.ts'

import type { FieldError } from '../api/refusal.ts'
import type { SplitSettlement } from '../contract/charge.ts'
import type { Decimal } from '../contract/decimal.ts'
import type { Rates } from '../contract/rates.ts'

/** Fraction digits by currency code, because creating an `Intl.NumberFormat` takes 30 µs. */
const fractionDigits = new Map<string, number>()

/**
 * Returns the number of fraction digits of a currency according to `Intl.NumberFormat`: 2 for KES, 0 for UGX, and 2 for
 * an unknown currency code.
 */
export function fractionDigitsOf(currency: string): number {
  const digits = fractionDigits.get(currency) ?? readFractionDigits(currency)
  fractionDigits.set(currency, digits)
  return digits
}

function readFractionDigits(currency: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  // Only the type allows that the format has none.
  return format.resolvedOptions().maximumFractionDigits ?? 2
}

/** Returns whether the amount has at most the fraction digits of the currency. */
export function isExactIn(currency: string, amount: Decimal): boolean {
  return isExact(amount, fractionDigitsOf(currency))
}

/** Returns an error for each amount with more fraction digits than its currency has. */
export function findInexact(
  amounts: readonly { path: string; amount: string | number; currency: string }[],
): FieldError[] {
  return amounts
    .filter(({ amount, currency }) => !isExactIn(currency, String(amount)))
    .map(({ path, currency }) => ({ path, message: exactnessRuleOf(currency) }))
}

/** Returns the rule that an inexact amount breaks, such as "must have no fraction in UGX". */
export function exactnessRuleOf(currency: string): string {
  const digits = fractionDigitsOf(currency)
  return `must have ${digits === 0 ? 'no fraction' : `at most ${digits} fraction digits`} in ${currency}`
}

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

/**
 * Returns the splits in the merchant's request (`given`), followed by the splits in the setting
 * PARTNER_ACCOUNTS_DYNAMIC (`dynamic`). The spec says that the partner accounts in `dynamic` "must be included in every
 * request".
 *
 * [assumed] If `given` already contains a split for an account in `dynamic`, the split in `dynamic` is omitted.
 */
export function completeSplits(
  given: readonly SplitSettlement[],
  dynamic: readonly SplitSettlement[],
): SplitSettlement[] {
  const accounts = new Set(given.map(({ account }) => referenceKey(account)))
  const isMissing = ({ account }: SplitSettlement) => !accounts.has(referenceKey(account))
  return [...given, ...dynamic.filter(isMissing)]
}

/**
 * Returns an error for each amount with too many fraction digits, for each repeated account, and if the sum of the
 * splits is larger than `amount`. The path of an error is relative to `splits`, such as `[0].amount`. The path is empty
 * if the sum is too large.
 */
export function findSplitErrors(
  splits: readonly SplitSettlement[],
  amount: Decimal,
  currency: string,
): FieldError[] {
  const inexact = findInexact(
    splits.map((split, index) => ({ path: `[${index}].amount`, amount: split.amount, currency })),
  )
  const repeated = splits.flatMap(({ account }, index) => {
    const first = splits.findIndex((other) => referenceKey(other.account) === referenceKey(account))
    return first === index
      ? []
      : [{ path: `[${index}].account`, message: `is the same as that of [${first}]` }]
  })
  const total = sum(splits.map((split) => String(split.amount)))
  const tooMuch = { path: '', message: `come to ${total}, which is more than the amount of ${amount}` }
  return [...inexact, ...repeated, ...(compare(total, amount) > 0 ? [tooMuch] : [])]
}

/** The fields of a charge that determine its total. */
interface Priced {
  amount: number | Decimal
  add_transaction_charge?: boolean | undefined
  transaction_charge?: number | undefined
}

/**
 * Returns the total that the payer pays, as decimal text in major units of the currency: the amount, and with
 * `add_transaction_charge` also the fee `transaction_charge`. [spec: Charge request]
 *
 * [assumed] Without `transaction_charge`, the gateway adds a fee of its own. The result is then the lowest possible
 * total.
 */
export function totalOf({ amount, add_transaction_charge, transaction_charge = 0 }: Priced): Decimal {
  return add_transaction_charge ? add(String(amount), String(transaction_charge)) : String(amount)
}

/**
 * Returns whether the gateway's reported `total` matches the request. If the gateway adds a fee of its own, every total
 * of at least the requested amount matches.
 */
export function isTotalOf(request: Priced, total: Decimal): boolean {
  const isFeeUnknown = request.add_transaction_charge === true && request.transaction_charge === undefined
  const difference = compare(total, totalOf(request))
  return isFeeUnknown ? difference >= 0 : difference === 0
}
