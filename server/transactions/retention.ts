/** Prunes old transactions and erases personal data. */

import { KindName, KINDS } from '../api/kind-table.ts'
import { reseal } from '../privacy/personal.ts'
import { mapLimit } from '../work/map-limit.ts'
import { RecordError } from './record.ts'
import { eventBody } from './row-change.ts'
import { DAY, HOUR, LAST_QUERY_AFTER_MS } from './schedule.ts'

import type { Log } from '../log/log.ts'
import type { Sealer } from '../privacy/personal.ts'
import type { MerchantAccount } from '../store/merchant-account.ts'
import type { Tombstone } from '../store/retention.ts'
import type { Store } from '../store/store.ts'
import type { RowCursor, Transaction } from '../store/transactions.ts'
import type { Clock } from '../work/clock.ts'
import type { AnyKind, Erased } from './kind.ts'
import type { Kinds } from './kinds.ts'

interface RetentionDeps {
  store: Store
  account: MerchantAccount
  clock: Clock
  log: Log
  kinds: Kinds
  sealer: Sealer
  /** How long a transaction is kept after its last change, in days; `null` keeps transactions for ever. */
  retentionDays: number | null
}

/**
 * The maximum number of transactions that one commit changes, and the pause after each commit in milliseconds. Small
 * commits do not delay other requests.
 */
const STEP = { rows: 100, pauseMs: 50 }
/** The maximum number of groups that are read from the store at the same time. */
const GROUPS_AT_ONCE = 4
/** Limits are days: a later sweep keeps nothing noticeably longer, and a small shop's store rests. */
const SWEEP_EVERY_MS = 6 * HOUR

/**
 * Prunes old transactions and erases old personal data at the start and every six hours, until the signal aborts.
 *
 * - Transactions whose last change was more than `retentionDays` days ago are pruned.
 * - Personal data that were encrypted with a previous GATEWAY_CONSUMER_SECRET are encrypted with the new one.
 * - Personal data in payouts and airtime are erased after the last scheduled query about the transaction, with its
 *   history and its delivered events. [assumed] Nobody needs these data after that. Events that were given up stay
 *   without these data, until they are replayed. [assumed] A pay-in keeps until it is
 *   pruned the way back to the shop, because a shopper may come back at any time, its narration, the answer to the
 *   question of a link, and what finds it: receipts and fingerprints of numbers.
 * - Presses of reusable links are deleted after a day.
 */
export async function runRetention(deps: RetentionDeps, signal: AbortSignal): Promise<void> {
  const { store, clock, log } = deps
  while (!signal.aborted) {
    try {
      const pruned = await pruneOld(deps, signal)
      if (pruned > 0) {
        log.info({ pruned }, `Transactions older than ${deps.retentionDays} days were deleted.`)
      }

      const resealed = await resealOld(deps, signal)
      if (resealed > 0) {
        log.info({ resealed }, 'Personal data were encrypted with the new GATEWAY_CONSUMER_SECRET.')
      }

      const erased = await eraseOld(deps, signal)
      if (erased > 0) {
        log.info({ erased }, 'Personal data of transactions that settled long ago were erased.')
      }

      await store.forgetPresses(deps.account, clock.now())
      await store.truncateLog()
    } catch (error) {
      log.error({ err: error }, 'Old transactions could not be deleted or erased; this is retried.')
    }

    await clock.sleep(SWEEP_EVERY_MS, signal).catch(() => {})
  }
}

/**
 * Repeats a step, which resolves with the number of its rows, until it has less than `limit` rows. Resolves with the
 * sum.
 */
async function repeat(
  { clock }: RetentionDeps,
  signal: AbortSignal,
  step: (limit: number) => Promise<number>,
): Promise<number> {
  let sum = 0
  while (!signal.aborted) {
    const count = await step(STEP.rows)
    sum += count
    if (count < STEP.rows) {
      break
    }

    await clock.sleep(STEP.pauseMs, signal).catch(() => {})
  }

  return sum
}

/**
 * Prunes the transactions that have no scheduled query and have not changed for `retentionDays`. Resolves with the
 * number of pruned transactions.
 */
async function pruneOld(deps: RetentionDeps, signal: AbortSignal): Promise<number> {
  const { store, account, clock, kinds, retentionDays } = deps
  if (retentionDays === null) {
    return 0
  }

  const before = clock.now() - retentionDays * DAY
  let pruned = 0
  let after: RowCursor | null = null
  await repeat(deps, signal, async (limit) => {
    const rows = await store.listEnded(account, before, after, limit)
    // One commit prunes a whole group: the tombstone of a paid checkout must not be missing beside an expired checkout.
    const groups = new Map(rows.map((row) => [`${row.kind} ${row.group}`, row]))
    const tombstones = await mapLimit([...groups.values()], GROUPS_AT_ONCE, async ({ kind, group }) =>
      tombstonesOf(await store.list(account, kind, group), kinds.of(kind)),
    )
    pruned += await store.prune(before, tombstones.flat())
    after = rows.at(-1) ?? null
    return rows.length
  })
  return pruned
}

/**
 * Encrypts personal data anew that an earlier key has encrypted. Resolves with the number of transactions. Each page
 * begins after the one before, which may still contain texts that cannot be decrypted.
 */
async function resealOld(deps: RetentionDeps, signal: AbortSignal): Promise<number> {
  const { store, account, sealer } = deps
  let resealed = 0
  for (const kind of KindName.options) {
    for (const keyId of sealer.earlierIds) {
      let after: RowCursor | null = null
      await repeat(deps, signal, async (limit) => {
        const texts = await store.listSealed(account, kind, keyId, after, limit)
        resealed += await reseal(store, sealer, texts)
        after = texts.at(-1) ?? null
        return texts.length
      })
    }
  }

  return resealed
}

/**
 * Erases the personal data of transactions that the gateway is not queried about any more. Resolves with the number of
 * transactions. Each page begins after the one before, which may still contain damaged records.
 */
async function eraseOld(deps: RetentionDeps, signal: AbortSignal): Promise<number> {
  const { store, account, clock, kinds } = deps
  const before = clock.now() - LAST_QUERY_AFTER_MS
  let erased = 0
  for (const kind of KindName.options.filter((name) => KINDS[name].isErasedWhenOld)) {
    let after: RowCursor | null = null
    await repeat(deps, signal, async (limit) => {
      const rows = await store.listPersonal(account, kind, before, after, limit)

      for (const row of rows) {
        const result = await eraseFrom(store, kinds.of(kind), row, { record: row.record, parts: null }).catch(
          (error: unknown) => {
            if (error instanceof RecordError) {
              return null
            }
            throw error
          },
        )
        if (result === 'erased') {
          erased += 1
        }
      }

      after = rows.at(-1) ?? null
      return rows.length
    })
  }

  return erased
}

/**
 * Erases data from a transaction that was read before, with its history and its delivered events about the same parts.
 * Events that were given up keep their id, type and time, to be replayed: their data are those of the erased record.
 */
export async function eraseFrom(
  store: Store,
  { read, eventDataOf, movementsOf }: Pick<AnyKind, 'read' | 'eventDataOf' | 'movementsOf'>,
  row: Transaction,
  { record, parts }: Erased,
): ReturnType<Store['erase']> {
  const erased = read({ ...row, record, version: row.version + 1 })
  const events = await store.listEventsOf(row.id)
  const bodies = events
    .filter(({ finish, about }) => finish === 'given_up' && (parts?.includes(about) ?? true))
    .map(({ id, type, about, created_at, body }) => {
      if (!eventDataOf) {
        return { id, body }
      }

      return { id, body: eventBody(type, created_at, eventDataOf(erased, about)) }
    })
  return store.erase(row.id, row.revision, { record, movements: movementsOf(erased) }, parts, bodies)
}

/**
 * Returns the tombstones of the transactions of one group. Returns no tombstones, so that the whole group is kept, if a
 * record is damaged, or if one of them waits for somebody.
 */
function tombstonesOf(
  rows: readonly Transaction[],
  { read, requestOf, isAwaited }: Pick<AnyKind, 'read' | 'requestOf' | 'isAwaited'>,
): Tombstone[] {
  try {
    if (rows.some((row) => isAwaited?.(read(row)))) {
      return []
    }

    return rows.map((row) => {
      const { account, kind, reference, group, attempt, outcome } = row
      const { amount, fingerprint: digest } = requestOf(read(row).record)
      return { account, kind, reference, group, attempt, outcome, amount, digest }
    })
  } catch (error) {
    if (error instanceof RecordError) {
      return []
    }
    throw error
  }
}
