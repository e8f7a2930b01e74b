/**
 * The books: double entry in exact decimals.
 *
 * An entry moves money between accounts of the same currency and adds up to nothing in each, so the sum over
 * all accounts is zero at every moment. It is written whole or not at all, and never where a merchant's own money
 * would fall below zero.
 */

import { add, compare, sum } from '../../../server/contract/decimal.ts'
import type { Decimal } from '../../../server/contract/decimal.ts'

/** Whose money it is, and last the currency that it is in. */
export type Account =
  /** What a merchant can spend, by account number. */
  | `float/${string}/${string}`
  /** What is promised to payouts that have not ended. */
  | `reserved/${string}/${string}`
  /** What customers have paid for charges whose service is not confirmed yet, by the merchant's account number. */
  | `held/${string}/${string}`
  /** What partners were allotted by split settlements, by account number. */
  | `partner/${string}/${string}`
  /** Below zero: what a merchant owes since received money left again and the float had already been spent. */
  | `owed/${string}/${string}`
  | `fees/${string}`
  /** What was paid out to wallets, and to banks. */
  | `operators/${string}`
  | `banks/${string}`
  /** Where one currency becomes another. */
  | `exchange/${string}`
  /** Below zero: what customers have paid for checkouts and charges. */
  | `customers/${string}`
  /** Below zero: what came from outside, as test funds do. */
  | `world/${string}`

export interface Line {
  account: Account
  /** What the account gains, with two fraction digits; with a minus sign, what it loses. */
  amount: Decimal
}

export interface Movement {
  /** What happened, in a word or two. */
  what: string
  /** The `payout_reference`, `merchant_transaction_id` or `external_reference` that it belongs to. */
  reference: string
  lines: readonly Line[]
}

export interface Entry extends Movement {
  /** ISO 8601, UTC. */
  at: string
}

export interface Ledger {
  /** The first account that the movement would overdraw; `null` when it can be posted. */
  overdrawnBy(movement: Movement): Account | null
  /**
   * `now` is in milliseconds since the Unix epoch.
   *
   * @throws {RangeError} when the movement does not add up to nothing, or overdraws an account.
   */
  post(movement: Movement, now: number): void
  /** Zero for an account that nobody has used. */
  balanceOf(account: Account): Decimal
  balances(): ReadonlyMap<Account, Decimal>
  /** Oldest first. */
  entries(): readonly Entry[]
}

export function createLedger(): Ledger {
  const balances = new Map<Account, Decimal>()
  const entries: Entry[] = []
  const balanceOf = (account: Account): Decimal => balances.get(account) ?? '0.00'

  return {
    overdrawnBy: ({ lines }) => overdrawnOf(balancesAfter(lines, balanceOf)),
    post(movement, now) {
      const { what, lines } = movement
      assertBalanced(movement)
      const changed = balancesAfter(lines, balanceOf)
      const overdrawn = overdrawnOf(changed)
      if (overdrawn !== null) throw new RangeError(`"${what}" would overdraw ${overdrawn}.`)
      for (const [account, balance] of changed) balances.set(account, balance)
      entries.push({ at: new Date(now).toISOString(), ...movement })
    },
    balanceOf,
    balances: () => balances,
    entries: () => entries,
  }
}

export function currencyOfAccount(account: Account): string {
  return account.slice(account.lastIndexOf('/') + 1)
}

function assertBalanced({ what, lines }: Movement): void {
  for (const currency of new Set(lines.map(({ account }) => currencyOfAccount(account)))) {
    const moved = lines.filter(({ account }) => currencyOfAccount(account) === currency)
    if (compare(sum(moved.map(({ amount }) => amount)), '0') !== 0)
      throw new RangeError(`"${what}" does not add up to nothing in ${currency}.`)
  }
}

function balancesAfter(
  lines: readonly Line[],
  balanceOf: (account: Account) => Decimal,
): Map<Account, Decimal> {
  const changed = new Map<Account, Decimal>()
  for (const { account, amount } of lines)
    changed.set(account, add(changed.get(account) ?? balanceOf(account), amount))
  return changed
}

function overdrawnOf(balances: ReadonlyMap<Account, Decimal>): Account | null {
  for (const [account, balance] of balances)
    if (/^(float|reserved|held|partner)\//.test(account) && compare(balance, '0') < 0) return account
  return null
}
