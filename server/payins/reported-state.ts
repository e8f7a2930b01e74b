/** What the gateway last reported of a pay-in. Pure. */

import { createHash } from 'node:crypto'
import { z } from 'zod'

import { canonical } from '../contract/decimal.ts'
import { CHECKOUT_STATUS } from '../contract/status.ts'
import { storedAmount } from '../transactions/record.ts'
import { Payment } from './payment.ts'

/** What all reports so far say of the payments. */
export const Known = z.object({
  /** The most that the gateway was ever heard to have received, as `amount` of a {@link ReportedState}. */
  most: storedAmount,
  /** What each payment that was made is worth: the most that it was ever listed with. In the order of hearing of them. */
  known: z.array(z.object({ id: z.string(), worth: storedAmount })),
})
export type Known = z.output<typeof Known>

/** What is known before the first report. */
export const NOTHING_KNOWN: Known = { most: '0', known: [] }

/**
 * `at` is the time when the gateway answered, in milliseconds since the Unix epoch: by its own clock or, if the answer
 * has no `Date`, the time of the query by this server's. `amount` is the total that the gateway states, as decimal text
 * in major units of `currency`; `null` if it states none. `payins/ledger.ts` says what it means.
 */
export const ReportedState = z.object({
  at: z.number(),
  /** When the gateway was first heard to report this status with this money, as `at`. */
  since: z.number(),
  status: z.literal(Object.values(CHECKOUT_STATUS)),
  /** The gateway's reference for the session; `null` if the report names none, as that of a single payment. */
  checkout_reference: z.string().nullable(),
  amount: storedAmount.nullable(),
  ...Known.shape,
  /**
   * The ids of the payments that had been made when the gateway last said that money went back (840, 841); `null` if it
   * never did.
   */
  before_return: z.array(z.string()).nullable(),
  currency: z.string(),
  payments: z.array(Payment),
  /** The number of amounts and payment records that cannot be read. */
  unreadable: z.number(),
})
export type ReportedState = z.output<typeof ReportedState>

/**
 * Returns whether two reported states are equal, apart from `at`, and from fingerprints, which another secret changes:
 * "1500" and "1500.00" are one amount. Returns `false` if `before` is `null`, which means that no state is stored.
 */
export function isSameReport(before: ReportedState | null, after: ReportedState): boolean {
  return before !== null && contentOf(before) === contentOf(after)
}

/** Returns a report without what the gateway may add or change later: everything that is not about whose money it is. */
function withoutDetails(reported: ReportedState): ReportedState {
  const payments = reported.payments.map((payment, index) => {
    const { same_reference_as: first } = payment
    return {
      ...payment,
      payment_date: null,
      payment_method_code: null,
      receipt: null,
      reason: null,
      same_reference_as: first === index ? null : first,
    }
  })
  return { ...reported, payments }
}

function contentOf(reported: ReportedState): string {
  const payments = reported.payments.map((payment) => ({ ...payment, payer: null }))
  return JSON.stringify({ ...reported, payments, at: 0, since: 0 }, (name, value) =>
    AMOUNTS.includes(name) && value !== null ? canonical(value) : value,
  )
}

const AMOUNTS = ['amount', 'most', 'worth']

/** Returns whether two reports say the same of money. The second one may fill in what the first one leaves out. */
export function saysSameMoney(before: ReportedState, after: ReportedState): boolean {
  const payments = before.payments.map((payment, place) => filledIn(payment, after.payments[place]))
  return digestOf({ ...before, payments }) === digestOf(after)
}

function filledIn(payment: Payment, later: Payment | undefined): Payment {
  const missing = Object.entries(payment).flatMap(([name, value]) => (value === null ? [name] : []))
  const given = Object.entries(later ?? {}).filter(([name]) => missing.includes(name))
  return { ...payment, ...Object.fromEntries(given) }
}

/** Returns a digest of what a report says of money. What was erased of it does not count, nor what may change later. */
export function digestOf(reported: ReportedState): string {
  const said = withoutDetails({ ...reported, ...NOTHING_KNOWN, before_return: null })
  return createHash('sha256').update(contentOf(said)).digest('base64url').slice(0, DIGEST_LENGTH)
}
const DIGEST_LENGTH = 16

/** Returns a report without what tells who paid: also the receipt, which the payer has in an SMS. */
export function withoutPayers(reported: ReportedState): ReportedState {
  const payments = reported.payments.map((payment) => ({ ...payment, payer: null, receipt: null }))
  return { ...reported, payments }
}
