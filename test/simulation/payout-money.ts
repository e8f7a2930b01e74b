import { findCurrency } from '../../demo/sandbox/money/currencies.ts'
import { multiply, round } from '../../server/contract/decimal.ts'

import type { World } from '../../demo/sandbox/world.ts'
import type { PayoutType } from '../support/worlds/payable.ts'
import type { Market } from './markets.ts'

const SERVICES = { local: 'PAYOUT', transfer: 'IMT', b2b: 'B2B' } as const satisfies Record<
  PayoutType,
  string
>

interface Wanted {
  type: PayoutType
  from: Market
  /** The market of the recipient; for B2B payouts the same as `from`. */
  to: Market
  amount: string
}

/** Returns the fields of a payout about its money, at the rate of the hour. */
export function payoutMoney({ exchangeRates, clock }: World, { type, from, to, amount }: Wanted): object {
  const service_code = `${SERVICES[type]}-${from.currency}`
  if (type === 'b2b') {
    return { service_code, currency_code: from.currency, country_code: from.country, amount }
  }

  const source = findCurrency(from.currency)
  const destination = findCurrency(to.currency)
  if (!source || !destination) {
    throw new Error(`${from.currency} or ${to.currency} is unknown.`)
  }

  const [exchange_rate = '1'] = exchangeRates.payoutRates(source, destination, clock.now())
  return {
    service_code,
    destination_name: `MOMO_${to.country}`,
    source_currency: from.currency,
    destination_currency: to.currency,
    exchange_rate,
    sender_amount: amount,
    recipient_amount: round(multiply(amount, exchange_rate), destination.fractionDigits, 'down'),
  }
}
