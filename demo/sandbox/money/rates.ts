// The exchange rates of the gateway. They are computed from a seed, and change every full hour. [spec: Exchange rates]

import { CHECKOUT_CODE } from '../../../server/contract/status.ts'
import { fieldWrong } from '../errors/wrong-field.ts'
import { fractionOf } from '../randomness.ts'
import { findCurrency, listCurrencies } from './currencies.ts'

import type { Decimal } from '../../../server/contract/decimal.ts'
import type { Rates } from '../../../server/contract/rates.ts'
import type { Result } from '../errors/failure.ts'
import type { Currency } from './currencies.ts'

const HOUR_MS = 3_600_000
// [assumed] Time after the full hour in which the previous hour's rate is still accepted.
const GRACE_MS = 5 * 60_000
/** How far the price of a dollar may be from that of `CURRENCIES`. */
const MAX_DRIFT_MILLIONTHS = 10_000
// [assumed] The gateway's margin on a rate. With rounding, buying and selling differ by 4.1 to 4.9 %.
const MARGIN_THOUSANDTHS = 20n
// [assumed] As seen in practice.
const FRACTION_DIGITS = 6

export function createExchangeRates(seed: number) {
  /**
   * Returns the price of a US dollar, in hundred-millionths of a currency. `hour` is the number of hours since the Unix
   * epoch.
   */
  function dollarIn({ code, hundredthsPerDollar }: Currency, hour: number): bigint {
    const drift = Math.floor((fractionOf(`${seed}:${code}:${hour}`) * 2 - 1) * MAX_DRIFT_MILLIONTHS)
    return hundredthsPerDollar * BigInt(1_000_000 + drift)
  }

  // [assumed] The spec does not define the direction of a rate. Here a rate is the price of one unit of the base
  // currency. `buying` applies if the gateway receives the base currency, as for a payout; `selling` applies if the
  // gateway pays out the base currency. Both are computed from dollar prices, so that no sequence of exchanges makes a
  // profit.
  function pair(base: Currency, other: Currency, hour: number): { buying: Decimal; selling: Decimal } {
    const dollarInBase = dollarIn(base, hour)
    const dollarInOther = dollarIn(other, hour)
    return {
      buying: quotient(dollarInOther * (1_000n - MARGIN_THOUSANDTHS), dollarInBase * 1_000n, 'down'),
      selling: quotient(dollarInOther * 1_000n, dollarInBase * (1_000n - MARGIN_THOUSANDTHS), 'up'),
    }
  }

  return {
    ratesFor({ base_currency: baseCurrency = '' }: Record<string, string>, now: number): Result<Rates> {
      const base = findCurrency(baseCurrency)
      if (!base) {
        const codes = listCurrencies().map(({ code }) => code)
        return fieldWrong(`base_currency must be one of ${codes.join(', ')}.`, CHECKOUT_CODE.invalidCurrency)
      }

      const others = listCurrencies().filter(({ code }) => code !== base.code)
      const rates = others.map((other) => [other.code, pair(base, other, hourOf(now))] as const)
      return { base_currency: base.code, rates: Object.fromEntries(rates) }
    },
    /**
     * Returns the rates that a payout may use. Rates change at every full hour. For the first 5 minutes of an hour, a
     * payout may also use the rate of the previous hour.
     */
    payoutRates(source: Currency, destination: Currency, now: number): readonly Decimal[] {
      if (source.code === destination.code) {
        return ['1']
      }

      const current = pair(source, destination, hourOf(now)).buying
      if (now % HOUR_MS >= GRACE_MS) {
        return [current]
      }
      return [current, pair(source, destination, hourOf(now) - 1).buying]
    },
    /** Returns the price, in the currency `other`, of one unit of a currency that the gateway pays out. */
    sellingRate(base: Currency, other: Currency, now: number): Decimal {
      return base.code === other.code ? '1' : pair(base, other, hourOf(now)).selling
    },
  }
}

const hourOf = (now: number) => Math.floor(now / HOUR_MS)

/** Divides to `FRACTION_DIGITS`. Callers round in the gateway's favour. */
function quotient(dividend: bigint, divisor: bigint, rounding: 'up' | 'down'): Decimal {
  const scaled = dividend * 10n ** BigInt(FRACTION_DIGITS)
  const rounded = (scaled + (rounding === 'up' ? divisor - 1n : 0n)) / divisor
  const digits = String(rounded).padStart(FRACTION_DIGITS + 1, '0')
  return `${digits.slice(0, -FRACTION_DIGITS)}.${digits.slice(-FRACTION_DIGITS)}`
}
