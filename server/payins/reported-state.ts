/** What the gateway last reported of a pay-in. Pure. */

import { z } from 'zod'

import { canonical } from '../contract/decimal.ts'
import { CHECKOUT_STATUS } from '../contract/status.ts'
import { storedAmount } from '../transactions/record.ts'
import { Payment } from './payment.ts'

/** What all reports so far say of the payments. */
export const Known = z.object({
  /** The most that the gateway was ever heard to have received, as `amount` of a {@link ReportedState}. */
  most: storedAmount,
  /**
   * The payments of all reports, in the order of hearing of them. `worth` is the most that one was ever listed with as
   * made; `null` if it was only ever listed as gone back. `back` is the most of it that was listed as gone back. `charge`
   * is the id of its charge, if it was first known by it; `null` otherwise.
   */
  known: z.array(
    z.object({
      id: z.string(),
      worth: storedAmount.nullable(),
      back: storedAmount,
      charge: z.string().nullable(),
    }),
  ),
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
  /** Whether the gateway has ever said that money went back (840, 841, or a list of nothing else). */
  was_returned: z.boolean(),
  currency: z.string(),
  payments: z.array(Payment),
  /**
   * The payments that were made and are left out of a report which lists one without an id: that may be any of them. Absent
   * if there is none.
   */
  set_aside: z.array(Payment).exactOptional(),
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

function contentOf(reported: ReportedState): string {
  const payments = reported.payments.map((payment) => ({ ...payment, payer: null }))
  return JSON.stringify({ ...reported, payments, at: 0, since: 0 }, (name, value) =>
    AMOUNTS.includes(name) && value !== null ? canonical(value) : value,
  )
}

const AMOUNTS = ['amount', 'most', 'worth', 'back']

/** Returns a state without the payments that its last report leaves out. */
export function asListed(state: ReportedState): ReportedState {
  return { ...state, payments: state.payments.filter((each) => each.is_left_out !== true) }
}

/** Returns a report without what tells who paid: also the receipt, which the payer has in an SMS. */
export function withoutPayers(reported: ReportedState): ReportedState {
  const payments = reported.payments.map((payment) => ({ ...payment, payer: null, receipt: null }))
  return { ...reported, payments }
}
