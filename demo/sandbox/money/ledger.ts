// The double-entry ledger of a merchant: no movement creates money, and no account is overdrawn that may not be.

import { add, compare, subtract, sum } from '../../../server/contract/decimal.ts'
import { withFraction } from './amounts.ts'

import type { Decimal } from '../../../server/contract/decimal.ts'

/** The name of a ledger account: its type, the number of the account whose money it has (if any), and the currency. */
export type Account =
  | `float/${string}/${string}`
  | `reserved/${string}/${string}`
  // Money of charges whose service is not confirmed yet.
  | `held/${string}/${string}`
  | `partner/${string}/${string}`
  // The merchant's debts, such as money that was given back to customers and is no longer in the float; never above 0.
  | `owed/${string}/${string}`
  | `fees/${string}`
  // Where payouts go: `banks` for bank accounts, `operators` for wallets and airtime.
  | `operators/${string}`
  | `banks/${string}`
  // Changes one currency into another.
  | `exchange/${string}`
  // Where customers pay from; never above 0.
  | `customers/${string}`
  // Where test funds come from; never above 0.
  | `world/${string}`

export interface Line {
  account: Account
  /** Decimal text with two fraction digits; negative if money leaves the account. */
  amount: Decimal
}

export interface Movement {
  /** What moves the money, such as "payout reserved". */
  what: string
  /**
   * The id of the transaction that moves the money, such as a `payout_reference`; for test funds, the account number.
   */
  reference: string
  lines: readonly Line[]
}

export interface Entry extends Movement {
  at: string
}

/** A line of an account's statement, with the balance of the account after the movement. */
export interface StatementRow extends Omit<Entry, 'lines'> {
  /** Decimal text with two fraction digits; negative if money left the account. */
  amount: Decimal
  balance: Decimal
}

export type Ledger = ReturnType<typeof createLedger>

export function createLedger() {
  const balances = new Map<Account, Decimal>()
  const entries: Entry[] = []
  const statements = new Map<Account, StatementRow[]>()
  const balanceOf = (account: Account): Decimal => balances.get(account) ?? '0.00'

  return {
    /** Returns the first account that the movement would overdraw; `null` if no account would be overdrawn. */
    overdrawnBy: ({ lines }: Movement) => overdrawnOf(balancesAfter(lines, balanceOf)),
    /**
     * Stores a movement as an entry and updates the balances.
     *
     * @param now Milliseconds since the Unix epoch.
     * @throws {RangeError} If the lines do not add up to zero in each currency, or would overdraw an account.
     */
    post(movement: Movement, now: number): void {
      const { what, lines } = movement
      assertBalanced(movement)
      const changed = balancesAfter(lines, balanceOf)
      const overdrawn = overdrawnOf(changed)
      if (overdrawn !== null) {
        throw new RangeError(`"${what}" would overdraw ${overdrawn}.`)
      }

      const at = new Date(now).toISOString()
      for (const [account, balance] of changed) {
        const amount = subtract(balance, balanceOf(account))
        balances.set(account, balance)
        // Lines that cancel each other out are no movement of the account.
        if (compare(amount, '0') === 0) {
          continue
        }

        const row = { at, what, reference: movement.reference, amount, balance }
        const statement = statements.get(account)
        if (statement) {
          statement.push(row)
        } else {
          statements.set(account, [row])
        }
      }

      entries.push({ at, ...movement })
    },
    balanceOf,
    balances: (): ReadonlyMap<Account, Decimal> => balances,
    entries: (): readonly Entry[] => entries,
    /** Returns the movements of one account, oldest first; an empty list for an account that has had none. */
    statementOf: (account: Account): readonly StatementRow[] => statements.get(account) ?? [],
  }
}

/** Returns the lines of a transfer; none for 0. */
export function transfer(from: Account, to: Account, amount: Decimal): Line[] {
  if (compare(amount, '0') === 0) {
    return []
  }

  const moved = withFraction(amount)
  return [
    { account: from, amount: subtract('0', moved) },
    { account: to, amount: moved },
  ]
}

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
    if (compare(sum(moved.map(({ amount }) => amount)), '0') !== 0) {
      throw new RangeError(`"${what}" does not add up to zero in ${currency}.`)
    }
  }
}

function balancesAfter(lines: readonly Line[], balanceOf: (account: Account) => Decimal) {
  const changed = new Map<Account, Decimal>()
  for (const { account, amount } of lines) {
    changed.set(account, add(changed.get(account) ?? balanceOf(account), amount))
  }

  return changed
}

// The other accounts are outside the gateway, or count a debt: their balances may be negative.
function overdrawnOf(balances: ReadonlyMap<Account, Decimal>): Account | null {
  for (const [account, balance] of balances) {
    if (/^(float|reserved|held|partner)\//.test(account) && compare(balance, '0') < 0) {
      return account
    }
  }

  return null
}
