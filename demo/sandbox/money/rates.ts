/**
 * Exchange rates. They change on the hour and depend only on the seed and the hour. [spec: Exchange rates]
 *
 * [assumed] The spec does not define a rate. Here `rates[code]` is the price of one unit of the base currency in
 * `code`: `buying` when the gateway takes the base currency, as for a payout, and `selling` when it gives the base
 * currency. Each pair is computed from the two dollar prices, so that no chain of exchanges gains money.
 */

import { CHECKOUT_CODE } from '../../../server/contract/status.ts'
import { findCurrency, listCurrencies } from './currencies.ts'
import { fractionOf } from '../randomness.ts'
import type { Decimal } from '../../../server/contract/decimal.ts'
import type { Rates } from '../../../server/contract/rates.ts'
import type { Currency } from './currencies.ts'
import type { Result } from '../wire/failure.ts'

const HOUR_MS = 3_600_000
/** [assumed] The time after the full hour in which the rate of the previous hour is still accepted. */
const GRACE_MS = 5 * 60_000
/** The largest difference between a dollar price and its base price, in millionths of the base price: 1 %. */
const DRIFT = 10_000
/** [assumed] The gateway's margin on each side, in thousandths: 1 %. */
const MARGIN = 10n
const FRACTION_DIGITS = 10

export interface ExchangeRates {
  /**
   * Returns the rates of all other currencies; fails for an unknown base currency. `now` is in milliseconds since the
   * Unix epoch.
   */
  ratesFor(baseCurrency: string | undefined, now: number): Result<Rates>
  /** Lists the rates that a payout may use at `now`, the current rate first. */
  payoutRates(source: Currency, destination: Currency, now: number): readonly Decimal[]
}

export function createExchangeRates(seed: number): ExchangeRates {
  /** Returns the price of a dollar in an hour (counted from the Unix epoch), in hundred-millionths of the currency. */
  function dollarIn({ code, hundredthsPerDollar }: Currency, hour: number): bigint {
    const drift = Math.floor((fractionOf(`${seed}:${code}:${hour}`) * 2 - 1) * DRIFT)
    return hundredthsPerDollar * BigInt(1_000_000 + drift)
  }

  function pair(base: Currency, other: Currency, hour: number): { buying: Decimal; selling: Decimal } {
    const [one, many] = [dollarIn(base, hour), dollarIn(other, hour)]
    return {
      buying: quotient(many * (1_000n - MARGIN), one * 1_000n, 'down'),
      selling: quotient(many * 1_000n, one * (1_000n - MARGIN), 'up'),
    }
  }

  return {
    ratesFor(baseCurrency, now) {
      const base = findCurrency(baseCurrency ?? '')
      if (!base) return { failure: unknownCurrency(baseCurrency) }
      const others = listCurrencies().filter(({ code }) => code !== base.code)
      const rates = others.map((other) => [other.code, pair(base, other, hourOf(now))] as const)
      return { value: { base_currency: base.code, rates: Object.fromEntries(rates) } }
    },
    payoutRates(source, destination, now) {
      if (source.code === destination.code) return ['1']
      const current = pair(source, destination, hourOf(now)).buying
      if (now % HOUR_MS >= GRACE_MS) return [current]
      return [current, pair(source, destination, hourOf(now) - 1).buying]
    },
  }
}

function hourOf(now: number): number {
  return Math.floor(now / HOUR_MS)
}

function unknownCurrency(baseCurrency: string | undefined) {
  const known = listCurrencies().map(({ code }) => code)
  const problem =
    baseCurrency === undefined || baseCurrency.trim() === ''
      ? 'base_currency is required.'
      : `base_currency ${JSON.stringify(baseCurrency)} must be one of ${known.join(', ')}.`
  return { reason: 'field_wrong', code: CHECKOUT_CODE.invalidCurrency, problem } as const
}

/**
 * Divides, and rounds to 10 fraction digits. The direction favours the gateway, so that an exchange and its reverse
 * never gain money.
 */
function quotient(dividend: bigint, divisor: bigint, rounding: 'up' | 'down'): Decimal {
  const scaled = dividend * 10n ** BigInt(FRACTION_DIGITS)
  const digits = (rounding === 'up' ? (scaled + divisor - 1n) / divisor : scaled / divisor)
    .toString()
    .padStart(FRACTION_DIGITS + 1, '0')
  return `${digits.slice(0, -FRACTION_DIGITS)}.${digits.slice(-FRACTION_DIGITS)}`
}
