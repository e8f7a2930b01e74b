/** The terms of a reusable link, and the choice of a payer. Pure. */

import { z } from 'zod'

import { exactnessRuleOf, isExactIn } from '../contract/currency.ts'
import { canonical, compare, isWhole, multiply } from '../contract/decimal.ts'
import {
  boundedList,
  currency,
  optional,
  positive,
  text,
  timestamp,
  wholeNumber,
} from '../contract/fields.ts'
import { field } from '../contract/openapi-field.ts'

import type { FieldError } from '../api/refusal.ts'
import type { LinkChoice } from '../orders/order.ts'
import type { StoredLink } from '../store/links.ts'

/** [assumed] No page needs more amounts to choose from, nor a payer more pieces. */
const MAX_AMOUNTS = 12
const MAX_PIECES = 1_000
/** The most characters of an answer. [assumed] */
export const MAX_OF_ANSWER = 100

/** The most that a checkout can ask for: the gateway takes its amount as a JSON number. */
const MAX_ASKED = String(Number.MAX_SAFE_INTEGER)
const TOO_MUCH = `must be at most ${MAX_ASKED}`

/** What the merchant says of a link: what is paid for, and how much may be paid. */
export const LinkTerms = z
  .object(
    {
      narration: field(text(200), 'What is paid for. At most 200 characters.', 'Entrance, adult'),
      currency,
      amounts: field(
        optional(
          boundedList(positive, MAX_AMOUNTS)
            .refine((list) => list.length > 0, 'must not be empty')
            .meta({ minItems: 1 }),
        ),
        `The amounts among which the payer chooses, in major units; a single one is fixed. 1–${MAX_AMOUNTS}, of which equal ones are one. Either these, or min_amount and max_amount.`,
        ['1500'],
      ),
      min_amount: field(optional(positive), 'The least that the payer may choose to pay.', '100'),
      max_amount: field(optional(positive), 'The most that the payer may choose to pay.', '50000'),
      max_quantity: field(
        optional(wholeNumber(1).refine((value) => value <= MAX_PIECES, `must be at most ${MAX_PIECES}`)),
        `The most pieces of an amount that one payer may buy, up to ${MAX_PIECES}. Default: 1.`,
        10,
      ),
      question: field(
        optional(text(100)),
        'What the payer has to answer. The answer is personal data: it is encrypted, erased with the checkout, and only in /api/checkouts.',
        'Name on the order',
      ),
      ends_at: field(
        optional(timestamp),
        'When the link ends, in the future. ISO 8601 with an offset. Default: when it is closed.',
        '2026-12-24T18:00:00Z',
      ),
    },
    'must be an object',
  )
  .superRefine(({ currency: code, amounts, min_amount, max_amount, max_quantity }, context) => {
    const refuse = (path: PropertyKey[], message: string) =>
      context.addIssue({ code: 'custom', path, message })
    const bounds = [min_amount, max_amount].filter((bound) => bound !== undefined)
    const isBounded = min_amount !== undefined && max_amount !== undefined
    if (bounds.length !== (amounts ? 0 : 2)) {
      return refuse(['amounts'], 'must be there, or both min_amount and max_amount instead')
    }
    if (isBounded && compare(min_amount, max_amount) === 1) {
      refuse(['max_amount'], 'must not be less than min_amount')
    }
    if (isBounded && max_quantity !== undefined) {
      refuse(['max_quantity'], 'is for amounts, not for min_amount and max_amount')
    }

    for (const [path, amount] of amountsOf({ amounts, min_amount, max_amount })) {
      if (!isExactIn(code, amount)) {
        refuse(path, exactnessRuleOf(code))
      }
      if (compare(amount, MAX_ASKED) === 1) {
        refuse(path, TOO_MUCH)
      } else if (compare(multiply(amount, String(max_quantity ?? 1)), MAX_ASKED) === 1) {
        refuse(['max_quantity'], `times ${amount} ${TOO_MUCH}`)
      }
    }
  })
  .overwrite((terms) => ({ ...terms, ...(terms.amounts && { amounts: distinct(terms.amounts) }) }))
  .meta({ id: 'LinkTerms', description: 'What is paid for by a reusable link, and how much.' })
export type LinkTerms = z.output<typeof LinkTerms>

/** Returns the amounts without those that another spelling repeats: "10.00" is "10". */
function distinct(amounts: readonly string[]): string[] {
  return [...new Set(amounts.map(canonical))]
}

type Amounts = Pick<LinkTerms, 'amounts' | 'min_amount' | 'max_amount'>

/** Returns each amount that the terms name, with the path of its field. */
export function amountsOf({ amounts = [], min_amount, max_amount }: Amounts) {
  const bounds = { min_amount, max_amount }
  return [
    ...amounts.map((amount, index): [PropertyKey[], string] => [['amounts', index], amount]),
    ...Object.entries(bounds).flatMap(([name, amount]): [PropertyKey[], string][] =>
      amount === undefined ? [] : [[[name], amount]],
    ),
  ]
}

/** Returns the address that payers of a link open. */
export function addressOfLink(publicUrl: string, id: string): string {
  return `${publicUrl}/link/${id}`
}

/** A link as it is stored. */
export type Link = Omit<StoredLink, 'terms'> & { terms: LinkTerms }

export function readLink({ terms, ...row }: StoredLink): Link {
  return { ...row, terms: LinkTerms.parse(terms) }
}

/** Returns whether orders of the link can be started. */
export function isOpen(
  { closed_at, terms: { ends_at } }: Pick<Link, 'closed_at' | 'terms'>,
  now: number,
): boolean {
  return closed_at === null && (ends_at === undefined || now < Date.parse(ends_at))
}

/** What a payer chose on the page of a link. It is stored with the press, and checked against the link. */
export const Choice = z.object({
  /** Absent where the link has one amount. */
  amount: optional(positive),
  quantity: optional(wholeNumber(1)),
})
export type Choice = z.output<typeof Choice>

/** What a payer answers to the question of a link. It is stored apart from the choice, encrypted. */
export const Answer = optional(text(MAX_OF_ANSWER))

interface Chosen {
  /** What is paid for all pieces. */
  amount: string
  narration: string
  link: Omit<LinkChoice, 'id'>
}

/** Returns what the link asks for a choice, or the field and the rule that it breaks. Bounds are those of the link. */
export function choose(
  terms: LinkTerms,
  { amount, quantity = 1 }: Choice,
  answer: string | undefined,
): Chosen | FieldError {
  const { narration, currency: code, amounts, max_quantity = 1, question } = terms
  const [only, ...others] = amounts ?? []
  const chosen = amount ?? (others.length === 0 ? only : undefined)
  if (chosen === undefined) {
    return { path: 'amount', message: 'is required' }
  }
  if (!isWhole(chosen) || !isExactIn(code, chosen)) {
    return { path: 'amount', message: 'must be a whole number' }
  }

  const message = amounts ? findOther(chosen, amounts) : findBeyond(chosen, terms)
  if (message !== null) {
    return { path: 'amount', message }
  }
  if (quantity > max_quantity) {
    return { path: 'quantity', message: `must be at most ${max_quantity}` }
  }
  if (question !== undefined && answer === undefined) {
    return { path: 'answer', message: 'is required' }
  }

  const isAnswered = question !== undefined && answer !== undefined
  return {
    amount: canonical(multiply(chosen, String(quantity))),
    narration: quantity === 1 ? narration : `${quantity} × ${narration}`,
    link: { amount: canonical(chosen), quantity, ...(isAnswered && { answer }) },
  }
}

/**
 * Returns whether an earlier choice asks for the same. An answer that was erased, or cannot be decrypted, is no other:
 * the order has been started, or cannot be.
 */
export function isSameChoice(
  terms: LinkTerms,
  { amount, link }: Chosen,
  first: { choice: Choice; answer: string | undefined },
): boolean {
  const other = choose(terms, first.choice, first.answer ?? link.answer)
  return (
    !('path' in other) &&
    other.amount === amount &&
    other.link.quantity === link.quantity &&
    other.link.answer === link.answer
  )
}

function findOther(chosen: string, amounts: readonly string[]): string | null {
  return amounts.some((each) => compare(each, chosen) === 0) ? null : `must be one of ${amounts.join(', ')}`
}

function findBeyond(chosen: string, { min_amount: least, max_amount: most }: LinkTerms): string | null {
  if (least !== undefined && compare(chosen, least) === -1) {
    return `must be at least ${least}`
  }
  return most !== undefined && compare(chosen, most) === 1 ? `must be at most ${most}` : null
}
