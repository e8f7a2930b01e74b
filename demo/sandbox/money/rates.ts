/**
 * Exchange rates: the same for the same seed and hour, and new on the hour of the clock. [spec: Exchange rates]
 *
 * [assumed] The spec does not say what a rate counts. Here `rates[code]` is what one unit of the base currency
 * comes to in `code`: `buying` when the gateway takes the base currency, as a payout from it does, and `selling`
 * when it gives it. Each pair of currencies comes from what both cost in dollars, so no way round gains money.
 */

import { CHECKOUT_CODE } from '../../../server/contract/status.ts'
import { findCurrency, listCurrencies } from './currencies.ts'
import { fractionOf } from '../randomness.ts'
import type { Decimal } from '../../../server/contract/decimal.ts'
import type { Rates } from '../../../server/contract/rates.ts'
import type { Currency } from './currencies.ts'
import type { Result } from '../wire/failure.ts'

const HOUR_MS = 3_600_000
/** [assumed] How long after the hour a rate of the hour before is still good. */
const GRACE_MS = 5 * 60_000
/** A rate differs from where it began by no more than a hundredth, in millionths. */
const DRIFT = 10_000
/** What the gateway earns on each side, in thousandths. [assumed] */
const MARGIN = 10n
const FRACTION_DIGITS = 10

export interface ExchangeRates {
  /** Rates of every other currency. `now` is in milliseconds since the Unix epoch. */
  ratesFor(baseCurrency: string | undefined, now: number): Result<Rates>
  /** The rates at which a payout may be made now, the current one first. */
  payoutRates(source: Currency, destination: Currency, now: number): readonly Decimal[]
}

export function createExchangeRates(seed: number): ExchangeRates {
  /** What a dollar costs in that hour, in hundred-millionths. */
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

/** Rounded in favour of the gateway, so that the inverse of a rate is never better than the rate. */
function quotient(dividend: bigint, divisor: bigint, rounding: 'up' | 'down'): Decimal {
  const scaled = dividend * 10n ** BigInt(FRACTION_DIGITS)
  const digits = (rounding === 'up' ? (scaled + divisor - 1n) / divisor : scaled / divisor)
    .toString()
    .padStart(FRACTION_DIGITS + 1, '0')
  return `${digits.slice(0, -FRACTION_DIGITS)}.${digits.slice(-FRACTION_DIGITS)}`
}
