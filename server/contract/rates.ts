/** Exchange rates. [spec: Exchange rates] */

import { z } from 'zod'
import { decimal } from './fields.ts'

/** Rates are decimal text, by currency code. */
export const Rates = z.object({
  base_currency: z.string().min(1),
  rates: z.record(z.string(), z.object({ buying: decimal, selling: decimal })),
})
export type Rates = z.output<typeof Rates>
