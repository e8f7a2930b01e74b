/** Converts values to and from Postgres rows. Conversions that both databases need are in `../sqlite/rows.ts`. */

import type { MerchantAccount, NewTransaction } from '../../store.ts'
import { z } from 'zod'
import { EventRow } from '../sqlite/rows.ts'

export { MarkRow } from '../sqlite/rows.ts'

export const ClaimedEvents = z.array(z.union([EventRow, z.object({ leased: z.string(), id: z.null() })]))
const ClaimableRows = z.array(z.object({ claimable_at: z.number() }))
export const LeasedRows = z.array(z.object({ id: z.string(), lease_until: z.number() }))
export const ReleasedRows = z.array(
  z.object({ id: z.string(), account: z.string(), is_retry: z.boolean(), due: z.number().nullable() }),
)
export const IdRows = z.array(z.object({ id: z.string() }))
export const NewestRow = z.object({ newest: z.number() })

/**
 * Returns the merchant account as a single string. Different accounts have different strings, because the environment
 * and the base URL contain no space.
 */
export function accountKey({ environment, base_url, account_number }: MerchantAccount): string {
  return `${environment} ${base_url} ${account_number}`
}

/**
 * Replaces NUL characters in strings and in lists of strings, because Postgres text cannot contain NUL. Identifiers stay
 * unchanged, because they never contain NUL.
 */
export function withoutNul(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNul)
  return typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value
}

/** Returns the values to insert, as one array per column. Each array holds one value per transaction. */
export function columnsOf(transactions: NewTransaction[]): unknown[] {
  const accountColumns = ['environment', 'base_url', 'account_number'] as const
  const columns = ['id', 'kind', 'reference', 'group', 'attempt', 'outcome'] as const
  return [
    ...accountColumns.map((column) => transactions.map(({ account }) => account[column])),
    transactions.map(({ account }) => accountKey(account)),
    ...columns.map((column) => transactions.map((row) => row[column])),
    transactions.map(({ record }) => JSON.stringify(record)),
    transactions.map(({ created_at }) => created_at),
    transactions.map(({ due_at }) => due_at),
    transactions.map(({ sent_at }) => sent_at),
    transactions.map(({ trace_id }) => trace_id),
  ]
}

/**
 * Returns a function that computes the new floor (`claim-floor.ts`) from the rows that one claim has taken. A claim
 * takes at most `limit` rows, the earliest first. After a claim of fewer rows, the new floor is `now`. After a claim of
 * `limit` rows, the new floor is the highest `claimable_at` of these rows.
 */
export function reached(now: number, limit: number): (rows: unknown[]) => number {
  return (rows) =>
    rows.length < limit ? now : Math.max(...ClaimableRows.parse(rows).map(({ claimable_at }) => claimable_at))
}
