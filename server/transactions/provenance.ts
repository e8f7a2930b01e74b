/** Where a row belongs and since when, as the merchant may see it. Pure. */

import type { Transaction } from '../store.ts'

export function commonFieldsOf({
  account,
  created_at,
  updated_at,
}: Pick<Transaction, 'account' | 'created_at' | 'updated_at'>) {
  return {
    environment: account.environment,
    created_at: new Date(created_at).toISOString(),
    updated_at: new Date(updated_at).toISOString(),
  }
}
