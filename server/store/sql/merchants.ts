/** Stores by which account numbers the merchant of each account is known (`store/merchant.ts`). */

import { z } from 'zod'

import { parseJson } from '../../contract/parse.ts'
import { ACCOUNT } from './fragments.ts'

import type { Dialect } from '../dialect.ts'
import type { Work } from '../driver.ts'
import type { MerchantAccount } from '../merchant-account.ts'

type MerchantStatements = ReturnType<typeof merchantStatements>

export function merchantStatements({ schema, lock }: Dialect) {
  return {
    addMerchant: `INSERT INTO ${schema}merchants VALUES ($1, '[]') ON CONFLICT DO NOTHING`,
    lockMerchant: `SELECT numbers FROM ${schema}merchants WHERE ${ACCOUNT} ${lock}`,
    saveMerchant: `UPDATE ${schema}merchants SET numbers = $2 WHERE ${ACCOUNT}`,
  }
}

const MerchantRow = z.object({ numbers: z.string().transform(parseJson).pipe(z.array(z.string())) })

/** Stores account numbers, as `setMerchant` of the store says. Returns the numbers that are stored then. */
export function* setMerchant(
  sql: MerchantStatements,
  account: MerchantAccount,
  numbers: readonly string[],
  another: 'refuse' | 'adopt',
): Work<string[]> {
  yield [sql.addMerchant, account]
  const [stored] = yield [sql.lockMerchant, account]
  const before = MerchantRow.parse(stored).numbers
  const isSame = before.some((number) => numbers.includes(number))
  if (before.length > 0 && !isSame && another === 'refuse') {
    return before
  }

  const all = isSame ? [...new Set([...before, ...numbers])] : [...numbers]
  yield [sql.saveMerchant, account, JSON.stringify(all)]
  return all
}
