/**
 * The order behind a checkout. Its price never comes from the browser.
 *
 * The text in the tag's `order` may be a reference or a signed order. The server's configuration decides which; the
 * format of the text does not.
 */

import type { Refusal } from '../refusal.ts'
import { z } from 'zod'
import { SplitSettlement } from '../contract/charge.ts'
import { code, decimal, text } from '../contract/fields.ts'
import { refuse } from '../refusal.ts'

/** An optional field. Null counts as absent, because databases use null for missing values. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema
    .nullable()
    .transform((value) => value ?? undefined)
    .optional()

/** Amounts are decimal text in whole units of the currency: "1500" is KES 1,500. */
export const Order = z.object(
  {
    order: text(128),
    amount: decimal,
    currency: code(/^[A-Z]{3}$/, 'must be an ISO 4217 code, such as KES'),
    narration: text(255),
    /** Overrides the configured account number or service code. */
    account: optional(text(50)),
    service: optional(text(32)),
    /** Shares of partner accounts. An order with shares is opened as a charge. [spec: Split settlement flow] */
    splits: optional(z.array(SplitSettlement, 'must be a list')),
    payer: optional(
      z.object(
        { name: optional(text(100)), email: optional(text(100)), msisdn: optional(text(25)) },
        'must be an object',
      ),
    ),
    return_url: optional(z.url({ protocol: /^https?$/, error: 'must be an absolute http(s) URL' }).max(2000)),
  },
  'must be an object',
)
export type Order = z.output<typeof Order>
export type OrderAsGiven = z.input<typeof Order>

type Resolution = { kind: 'order'; order: Order } | Refusal

/** Resolves the text in the tag's `order`. Called for each initiate. */
export type ResolveOrder = (order: string) => Promise<Resolution>

export const UNKNOWN = refuse('order_unknown', 'There is no order of this reference.')

/**
 * Validates what a resolver returned.
 *
 * @param code The problem code for an invalid order: `order_invalid` for a signed order, otherwise the default.
 */
export function readOrder(
  found: unknown,
  code: 'orders_unavailable' | 'order_invalid' = 'orders_unavailable',
): Resolution {
  const parsed = Order.safeParse(found)
  if (parsed.success) return { kind: 'order', order: parsed.data }
  const problems = parsed.error.issues.map(
    (issue) => `${z.core.toDotPath(issue.path) || 'it'} ${issue.message}`,
  )
  return refuse(code, `The merchant's order cannot be used: ${problems.join('; ')}.`)
}
