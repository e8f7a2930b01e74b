/** Exchange rates. [spec: Exchange rates] */

import { z } from 'zod'
import { decimal } from './fields.ts'

/**
 * Rates as decimal text, by currency code. [assumed] `rates[code]` is the value of one unit of the base currency in
 * `code`. `buying` is the rate at which the gateway buys the base currency, as for a payout
 * from that currency; `selling` is the rate at which the gateway sells the base currency.
 */
export const Rates = z.object({
  base_currency: z.string().min(1),
  rates: z.record(z.string(), z.object({ buying: decimal, selling: decimal })),
})
export type Rates = z.output<typeof Rates>
