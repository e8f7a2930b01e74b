/** The fields that the API's responses contain for transactions of every kind, and how a response writes a time. */

import type { Transaction } from '../store/transactions.ts'

/** Returns the fields that the API's responses contain for transactions of every kind. */
export function commonFieldsOf(row: Pick<Transaction, 'account' | 'created_at' | 'updated_at'>) {
  return {
    environment: environmentOf(row),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  }
}

/** Returns the gateway's environment of a transaction. A rehearsal shows the merchant what production will. */
export function environmentOf({ account }: Pick<Transaction, 'account'>): 'sandbox' | 'production' {
  return account === 'sandbox' ? 'sandbox' : 'production'
}

/**
 * Formats a time as ISO 8601, UTC.
 *
 * @param at The time, in milliseconds since the Unix epoch.
 */
export function iso(at: number): string {
  return new Date(at).toISOString()
}
