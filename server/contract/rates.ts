/** Exchange rates. [spec: Exchange rates] */

import { z } from 'zod'
import { decimal } from './fields.ts'

/**
 * Decimal text, by currency code. [assumed] `rates[code]` is what one unit of the base currency comes to in `code`:
 * at `buying` the gateway takes the base currency, as for a payout from it, and at `selling` it gives it.
 */
export const Rates = z.object({
  base_currency: z.string().min(1),
  rates: z.record(z.string(), z.object({ buying: decimal, selling: decimal })),
})
export type Rates = z.output<typeof Rates>
