/**
 * Prunes transactions that settled long ago, in small steps, and refuses requests that repeat or reuse what was pruned.
 */

import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Refusal } from '../refusal.ts'
import type { MerchantAccount, RowCursor, Store, Tombstone, Transaction } from '../store.ts'
import { createHash } from 'node:crypto'
import { refuse } from '../refusal.ts'
import { RecordError } from './record.ts'
import { DAY, MINUTE } from './schedule.ts'

/** A request as its tombstone keeps it. */
export interface Requested {
  /** Amount and currency, such as "1500 KES". */
  amount: string
  /** What makes two requests the same. */
  terms: unknown
}

interface RetentionDeps {
  store: Store
  account: MerchantAccount
  clock: Clock
  log: Log
  kinds: Readonly<Record<Transaction['kind'], { requestOf(transaction: Transaction): Requested }>>
  /** How long a transaction is kept after its last change, in days; `null`: for ever. */
  retentionDays: number | null
}

/** Rows of one commit, and the pause after it in milliseconds: the store stays free for everything else. */
const STEP = { rows: 100, pauseMs: 50 }
const SWEEP_EVERY_MS = 60 * MINUTE

/** Prunes transactions that settled more than `retentionDays` ago, now and then every hour, until the signal aborts. */
export async function runRetention(deps: RetentionDeps, signal: AbortSignal): Promise<void> {
  const { clock, log, retentionDays } = deps
  if (retentionDays === null) return
  while (!signal.aborted) {
    try {
      const pruned = await sweep(deps, clock.now() - retentionDays * DAY, signal)
      if (pruned > 0) log.info({ pruned }, `Transactions older than ${retentionDays} days were deleted.`)
    } catch (error) {
      log.error({ err: error }, 'Old transactions could not be deleted; this is retried.')
    }
    await clock.sleep(SWEEP_EVERY_MS, signal).catch(() => {})
  }
}

/** Returns the number of deleted transactions. */
async function sweep(
  { store, account, clock, kinds }: RetentionDeps,
  before: number,
  signal: AbortSignal,
): Promise<number> {
  let pruned = 0
  let after: RowCursor | null = null
  while (!signal.aborted) {
    const rows: Transaction[] = await store.listEnded(account, before, after, STEP.rows)
    const last = rows.at(-1)
    if (!last) break
    pruned += await store.prune(
      before,
      rows.flatMap((row) => buried(row, kinds[row.kind])),
    )
    after = last
    await clock.sleep(STEP.pauseMs, signal).catch(() => {})
  }
  return pruned
}

/** Returns the tombstone in a list. The list is empty if the record is damaged: the row is kept for a person. */
function buried(row: Transaction, kind: RetentionDeps['kinds'][Transaction['kind']]): Tombstone[] {
  const { account, kind: name, reference, group, attempt, outcome } = row
  try {
    const { amount, terms } = kind.requestOf(row)
    return [{ account, kind: name, reference, group, attempt, outcome, amount, digest: digest(terms) }]
  } catch (error) {
    if (error instanceof RecordError) return []
    throw error
  }
}

/**
 * Refuses a request whose reference belongs to pruned transactions: as deleted if it repeats their request, otherwise
 * with `reused`. Returns `null` if there are no tombstones.
 *
 * @param requests The requests of the new transactions, in the order of their attempts.
 */
export function refusePruned(
  tombstones: readonly Tombstone[],
  requests: readonly Requested[],
  reused: Refusal,
): Refusal | null {
  if (tombstones.length === 0) return null
  const isSame =
    tombstones.length === requests.length &&
    requests.every(({ terms }, index) => tombstones[index]?.digest === digest(terms))
  return isSame ? refuse('record_deleted', describePruned(tombstones)) : reused
}

/** Says how pruned transactions ended. */
export function describePruned(tombstones: readonly Tombstone[]): string {
  const ends = [...new Set(tombstones.map(({ amount, outcome }) => `${outcome} (${amount})`))].join(', ')
  return `It was settled long ago as ${ends}, and its record was deleted. Nothing was sent.`
}

function digest(terms: unknown): string {
  return createHash('sha256').update(JSON.stringify(terms)).digest('base64url')
}
