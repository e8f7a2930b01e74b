/** Counts requests in a Postgres table, for the limits that all processes of a server share. */

import type { Clock } from '../../clock.ts'
import type { Store } from '../../store.ts'
import type { Database } from './database.ts'
import type { RateLimiterPostgres } from 'rate-limiter-flexible'
import { STATEMENTS } from './statements.ts'

/** The time after which a process deletes ended time windows again, in milliseconds. */
const DELETE_EVERY_MS = 5 * 60_000

export function createAddToCount(database: Database, clock: Clock): NonNullable<Store['addToCount']> {
  let opening: Promise<RateLimiterPostgres> | null = null
  let deleteAt = 0

  return async (key, requests, windowMs) => {
    opening ??= openLimiter(database)
    const limiter = await opening
    const now = clock.now()
    if (now >= deleteAt) {
      deleteAt = now + DELETE_EVERY_MS
      await database.query(STATEMENTS.deleteRequestCounts)
    }
    const { consumedPoints, msBeforeNext } = await limiter.penalty(key, requests, {
      customDuration: windowMs / 1_000,
    })
    return { count: consumedPoints, leftMs: msBeforeNext }
  }
}

/** Imports the library only when it is needed, because SQLite does not need it. */
async function openLimiter(database: Database): Promise<RateLimiterPostgres> {
  const { RateLimiterPostgres } = await import('rate-limiter-flexible')
  return new RateLimiterPostgres({
    // `Database` names prepared statements itself, and only where no pooler is in between.
    storeClient: {
      async query({ text, values }: { text: string; values: unknown[] }) {
        const rows = await database.query(text, values)
        return { rows, rowCount: rows.length }
      },
    },
    storeType: 'pool',
    schemaName: 'gateway_checkout',
    tableName: 'request_counts',
    tableCreated: true,
    keyPrefix: '',
    // The timer of the library could not be stopped when the store closes.
    clearExpiredByTimeout: false,
    // The limits are in `limits/limiter.ts`. The library only counts.
    points: 0,
    duration: 0,
  })
}
