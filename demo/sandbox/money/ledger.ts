/**
 * The ledger: double entry in exact decimals.
 *
 * The lines of an entry add up to zero in each currency, so the sum over all accounts is always zero. An entry is
 * posted atomically, and is refused if it would make the balance of a merchant's or partner's account negative.
 */

import { add, compare, subtract, sum } from '../../../server/contract/decimal.ts'
import { withFraction } from './amounts.ts'
import type { Decimal } from '../../../server/contract/decimal.ts'

/** An account, named by its kind, its owner if it has one, and its currency. */
export type Account =
  /** The money that a merchant can spend, by account number. */
  | `float/${string}/${string}`
  /** The money reserved for payouts and airtime that have not ended. */
  | `reserved/${string}/${string}`
  /** The money of charges whose service is not confirmed yet, by the merchant's account number. */
  | `held/${string}/${string}`
  /** The shares of a partner from split settlements, by account number. */
  | `partner/${string}/${string}`
  /** The merchant's debt for money that was given back after the float had been spent; zero or negative. */
  | `owed/${string}/${string}`
  | `fees/${string}`
  /** The money paid out to wallets (`operators`) and to bank accounts (`banks`). */
  | `operators/${string}`
  | `banks/${string}`
  /** The money exchanged into or out of the currency. */
  | `exchange/${string}`
  /** The money that customers have paid for checkouts and charges; zero or negative. */
  | `customers/${string}`
  /** The money that came from outside, such as test funds; zero or negative. */
  | `world/${string}`

export interface Line {
  account: Account
  /** The amount with two fraction digits; negative if money leaves the account. */
  amount: Decimal
}

export interface Movement {
  /** A short description, such as "payout paid". */
  what: string
  /** The transaction's `payout_reference`, `merchant_transaction_id`, `external_reference` or airtime `reference`. */
  reference: string
  lines: readonly Line[]
}

export interface Entry extends Movement {
  /** The time at which the entry was posted, in ISO 8601, UTC. */
  at: string
}

export interface Ledger {
  /** Returns the first account that the movement would overdraw; `null` if it overdraws none. */
  overdrawnBy(movement: Movement): Account | null
  /**
   * Posts the movement as an entry with the time `now`, in milliseconds since the Unix epoch.
   *
   * @throws {RangeError} If the lines do not add up to zero, or overdraw an account.
   */
  post(movement: Movement, now: number): void
  /** Returns the balance of an account; zero for an account without entries. */
  balanceOf(account: Account): Decimal
  balances(): ReadonlyMap<Account, Decimal>
  /** Lists all entries, oldest first. */
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

/** Returns the two lines that move an amount from one account to another; no lines for an amount of zero. */
export function transfer(from: Account, to: Account, amount: Decimal): Line[] {
  if (compare(amount, '0') === 0) return []
  const written = withFraction(amount)
  return [
    { account: from, amount: subtract('0', written) },
    { account: to, amount: written },
  ]
}

/** Returns a movement that adds test funds to a float. */
export function fund(accountNumber: string, currency: string, amount: Decimal): Movement {
  const lines = transfer(`world/${currency}`, `float/${accountNumber}/${currency}`, amount)
  return { what: 'test funds', reference: accountNumber, lines }
}

export function currencyOfAccount(account: Account): string {
  return account.slice(account.lastIndexOf('/') + 1)
}

function assertBalanced({ what, lines }: Movement): void {
  for (const currency of new Set(lines.map(({ account }) => currencyOfAccount(account)))) {
    const moved = lines.filter(({ account }) => currencyOfAccount(account) === currency)
    if (compare(sum(moved.map(({ amount }) => amount)), '0') !== 0)
      throw new RangeError(`"${what}" does not add up to zero in ${currency}.`)
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
