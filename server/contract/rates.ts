/**
 * Defines the schemas of exchange rates and of a float account's balance. [spec: Exchange rates, Float account balance]
 */

import { z } from 'zod'

import { decimal, statedCurrency, optionalText } from './fields.ts'
import { field } from './openapi-field.ts'

/**
 * The gateway's exchange rates for a base currency. `rates` maps the code of each other currency to two rates, as
 * decimal text. `buying` is the rate at which the gateway buys the base currency, for example for a payout whose sender
 * pays in the base currency. `selling` is the rate at which the gateway sells the base currency.
 *
 * [assumed] Each rate in `rates[code]` is the value of one unit of the base currency, in the currency `code`.
 */
export const Rates = z.object({
  base_currency: field(statedCurrency, 'The base currency, ISO 4217.', 'KES'),
  rates: field(
    z.record(
      statedCurrency,
      z.object({
        buying: field(
          decimal,
          'Rate at which the gateway buys the base currency, as decimal text.',
          '27.550000',
        ),
        selling: field(decimal, 'Rate at which the gateway sells it, as decimal text.', '28.850000'),
      }),
    ),
    'Two rates for each other currency, by its code.',
  ),
})
export type Rates = z.output<typeof Rates>

/** The available balance of a float account, which holds the merchant's money for payouts. */
export const Balance = z
  .object({
    balance: field(decimal, 'Available balance, as decimal text in major units of currency.', '1000000.00'),
    currency: field(statedCurrency, 'Currency of the account, ISO 4217.', 'KES'),
    status: field(optionalText, "The gateway's status of the account. Null when not reported.", 'ACTIVE'),
  })
  .meta({ id: 'Balance', description: 'The balance of the float account.' })
export type Balance = z.output<typeof Balance>
