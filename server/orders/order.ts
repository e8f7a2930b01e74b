/**
 * Defines and validates the order that a checkout pays for. The price comes from the merchant, never from the browser:
 * `sources.ts` and `signed.ts` have where orders come from.
 */

import { z } from 'zod'

import { joinProblems, refuse, refuseWithReason } from '../api/refusal.ts'
import { SplitSettlement, splitListOf } from '../contract/charge.ts'
import { referenceKey } from '../contract/comparison-keys.ts'
import { exactnessRuleOf, isExactIn } from '../contract/currency.ts'
import { canonical } from '../contract/decimal.ts'
import { accountNumber, atMost, currency, positive, sentence, text, verbatim } from '../contract/fields.ts'
import { LONGEST } from '../contract/lengths.ts'
import { safeParse } from '../contract/parse.ts'
import { cleanName, firstCharacters, isBlank, withoutControls } from '../contract/text.ts'
import { findUnknownFields } from '../openapi/unknown-fields.ts'

import type { Refusal } from '../api/refusal.ts'

/**
 * Returns the schema of an optional field. `null` is treated as absent, because databases use `null` for missing
 * values.
 */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema
    .nullable()
    .transform((value) => value ?? undefined)
    .optional()

/**
 * What the payer, and whoever shares the money, reads about it. [assumed] Words do not keep an order from being paid: a
 * text that is too long for the gateway is shortened, in the same way each time, because the reason of a share is among
 * the terms of an order.
 */
const words = sentence.overwrite((value) => shorten(value, LONGEST.narration))

function shorten(value: string, max: number): string {
  return firstCharacters(value, max) === value ? value : `${firstCharacters(value, max - 1).trimEnd()}…`
}

/** The details of the payer that an order may have, and the most characters of each. */
const LONGEST_OF_PAYER = { name: LONGEST.name, email: LONGEST.email, msisdn: LONGEST.phoneNumber } as const
const PAYER_DETAILS = ['name', 'email', 'msisdn'] as const satisfies (keyof typeof LONGEST_OF_PAYER)[]

/**
 * Returns the schema of a detail of the payer, which `read` cleans. A blank one counts as absent, and `readOrder` leaves
 * out one that is too long.
 */
const payerDetail = (read = (value: string) => value) =>
  optional(
    z
      .string('must be text')
      .overwrite(withoutControls)
      .transform((value) => (isBlank(value) ? undefined : read(value) || undefined)),
  )

/** The beginning of the names of orders that this server makes itself, of reusable links (`links/orders.ts`). */
export const LINK_ORDER_PREFIX = 'link-'

/** Returns the schema of an order's reference, as a page names it and as the merchant's look-up returns it. */
export const orderReference = (max: number) =>
  verbatim(max, 'write another text with encodeURIComponent in the tag, and decode it in "orders"')

export function isLinkOrder(reference: string): boolean {
  return referenceKey(reference).startsWith(LINK_ORDER_PREFIX)
}

/**
 * The schema of an order. `amount` is decimal text in major units of `currency`; for example, "1500" means KES 1,500.
 * If `service` is absent, the setting GATEWAY_SERVICE_CODE is used.
 */
export const Order = z
  .object(
    {
      order: orderReference(128).refine(
        (reference) => !isLinkOrder(reference),
        `must not begin with "${LINK_ORDER_PREFIX}", which only orders of links do`,
      ),
      amount: positive,
      currency,
      narration: words,
      /** The merchant's account number at the gateway. Default: the setting GATEWAY_ACCOUNT_NUMBER. */
      account: optional(accountNumber),
      service: optional(text(LONGEST.code)),
      /**
       * The partner accounts that receive shares of the amount. An order with `splits` is sent to the gateway as a
       * charge. [spec: Split settlement flow]
       */
      splits: optional(splitListOf(SplitSettlement.extend({ reason: words }))),
      payer: optional(
        z.object(
          {
            name: payerDetail(cleanName),
            email: payerDetail(),
            msisdn: payerDetail(),
          },
          'must be an object',
        ),
      ),
      return_url: optional(
        atMost(z.url({ protocol: /^https?$/, error: 'must be an absolute http(s) URL' }), LONGEST.returnUrl),
      ),
    },
    'must be an object',
  )
  .superRefine(({ amount, currency }, context) => {
    if (isExactIn(currency, amount)) {
      return
    }

    context.addIssue({ code: 'custom', path: ['amount'], message: exactnessRuleOf(currency) })
  })
  .transform((order) => ({ ...order, amount: canonical(order.amount) }))
export type Order = z.output<typeof Order> & {
  /** What the payer of a reusable link chose. */
  link?: LinkChoice
}

/** What the payer of a reusable link chose. */
export interface LinkChoice {
  /** The id of the link. */
  id: string
  /** The amount of one piece. */
  amount: string
  quantity: number
  /** What the payer answered to the question of the link; absent if nothing was asked. Personal data. */
  answer?: string
}
type OrderAsGiven = z.input<typeof Order>

/**
 * An order from the merchant's function. Amounts are text, or numbers that floating point represents exactly, such as
 * 1500.
 */
export type OrderInput = Omit<OrderAsGiven, 'amount' | 'splits'> & {
  /** A whole number of major units of the currency. */
  amount: string | number
  /** Shares of the amount for partner accounts. */
  splits?: Split[] | null
}

interface Split {
  /** The number of the partner account. */
  account: string
  /** Major units of the order's currency. */
  amount: string | number
  /** What the share is for. */
  reason: string
}

export interface ResolvedOrder {
  kind: 'order'
  order: Order
  /** Whether the merchant stated the order last, and not another version of it since. */
  isNewest: boolean
  /** The fields of the order that are left out because their text is too long, such as `payer.msisdn`. */
  leftOut?: readonly string[]
}
export type Resolution = ResolvedOrder | Refusal

/**
 * Returns the refusal for an order that the merchant's backend did not provide. `reason` appears only in the log,
 * because the browser must not learn how the backend responds.
 */
export function refuseUnavailable(reason: string): Refusal {
  const detail = 'The order cannot be looked up at the moment.'
  return refuseWithReason('orders_unavailable', detail, reason)
}

/**
 * Validates an order from the merchant. Returns the order, or a refusal that names every invalid field, and every
 * misspelt one. An order may be a row of the merchant's database, so its other fields are ignored.
 *
 * [assumed] A detail of the payer that is too long for the gateway is left out, and the shopper is asked for it: what a
 * customer once typed into the shop's own form does not keep an order from being paid.
 *
 * @param code The problem code of the refusal. Pass `order_invalid` for a signed order.
 */
export function readOrder(
  received: unknown,
  code: 'orders_unavailable' | 'order_invalid' = 'orders_unavailable',
): Resolution {
  const misspelt = findUnknownFields(Order, received, 'shop')
  const parsed = safeParse(Order, received)
  if (parsed.success && misspelt.length === 0) {
    const { order, leftOut } = withoutLongDetails(parsed.data)
    return { kind: 'order', order, isNewest: true, ...(leftOut.length > 0 && { leftOut }) }
  }

  const { issues = [] } = parsed.error ?? {}
  const invalidFields = issues.map(({ path, message }) => ({ path: z.core.toDotPath(path), message }))
  const problems = [...misspelt, ...invalidFields].map(({ path, message }) => `${path || 'it'} ${message}`)
  const problem = `The merchant's order cannot be used: ${joinProblems(problems)}.`
  return code === 'order_invalid' ? refuse(code, problem) : refuseUnavailable(problem)
}

function withoutLongDetails(order: Order): { order: Order; leftOut: string[] } {
  const { payer } = order
  const tooLong = PAYER_DETAILS.filter((name) => {
    const value = payer?.[name] ?? ''
    return firstCharacters(value, LONGEST_OF_PAYER[name]) !== value
  })
  if (tooLong.length === 0) {
    return { order, leftOut: [] }
  }

  const absent = Object.fromEntries(tooLong.map((name) => [name, undefined]))
  return {
    order: { ...order, payer: { ...payer, ...absent } },
    leftOut: tooLong.map((name) => `payer.${name}`),
  }
}
