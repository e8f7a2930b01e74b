/** Accounts of merchants and partners: their balance, and the statement that explains it. [spec: Float account balance] */

import { add, compare } from '../../server/contract/decimal.ts'
import { MERCHANT } from './merchant.ts'
import { findPartner } from './partners.ts'
import type { Balance } from '../../server/contract/account.ts'
import type { Decimal } from '../../server/contract/decimal.ts'
import type { Result } from './wire/failure.ts'
import type { Account } from './money/ledger.ts'
import type { World } from './world.ts'

/** What can be spent now; what is reserved for payouts is not in it. */
export function findBalance({ ledger }: World, account_number: string): Result<Balance> {
  if (account_number !== MERCHANT.accountNumber)
    return { failure: { reason: 'not_found', what: `account ${JSON.stringify(account_number)}` } }
  const { currency } = MERCHANT
  const balance = ledger.balanceOf(`float/${account_number}/${currency}`)
  return { value: { balance, currency, status: 'ACTIVE' } }
}

/** The account of that number in each currency; none for a number that is nobody's. */
export function accountsOf({ ledger }: World, account_number: string): readonly Account[] {
  const partner = findPartner(account_number)
  if (partner) return [`partner/${account_number}/${partner.currency}`]
  return [...ledger.balances().keys()].filter((account) => account.startsWith(`float/${account_number}/`))
}

/** One row for each movement of the account, oldest first, with the balance that it left behind. */
export function statementOf({ ledger }: World, account: Account) {
  let balance: Decimal = '0.00'
  return ledger.entries().flatMap(({ at, what, reference, lines }) => {
    const amount = lines
      .filter((line) => line.account === account)
      .reduce((total, line) => add(total, line.amount), '0.00')
    if (compare(amount, '0') === 0) return []
    balance = add(balance, amount)
    return [{ at, what, reference, amount, balance }]
  })
}
