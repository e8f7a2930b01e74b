/** Where a row belongs and since when, as the merchant may see it. Pure. */

import type { Transaction } from '../store.ts'

export function provenanceOf({
  home,
  created_at,
  updated_at,
}: Pick<Transaction, 'home' | 'created_at' | 'updated_at'>) {
  return {
    environment: home.environment,
    created_at: new Date(created_at).toISOString(),
    updated_at: new Date(updated_at).toISOString(),
  }
}
