/** Defines the schema of the gateway's exchange rates. [spec: Exchange rates] */

import { z } from 'zod'
import { decimal, nonEmpty } from './fields.ts'

/**
 * The gateway's exchange rates for a base currency. `rates` maps the code of each other currency to two rates, as
 * decimal text. `buying` is the rate at which the gateway buys the base currency, for example for a payout whose sender
 * pays in the base currency. `selling` is the rate at which the gateway sells the base currency.
 *
 * [assumed] Each rate in `rates[code]` is the value of one unit of the base currency, in the currency `code`.
 */
export const Rates = z.object({
  base_currency: nonEmpty,
  rates: z.record(z.string(), z.object({ buying: decimal, selling: decimal })),
})
export type Rates = z.output<typeof Rates>
