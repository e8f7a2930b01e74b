/**
 * Computes and commits the changes of transactions. Each commit reads the current row, and computes the change with a
 * pure function. Record, history and events are saved atomically if the row's version is unchanged.
 */

import type { Clock } from '../clock.ts'
import type { QueryQueue } from '../gateway/query-queue.ts'
import type { Log } from '../log.ts'
import type { Change, Store, Transaction } from '../store.ts'
import type { Kinds } from './kind.ts'
import type { ReportChange } from './report.ts'
import type { SyncRequests } from './sync-requests.ts'
import type { BoundTransition, RowChange } from './transition.ts'
import { backoffDelay } from '../backoff.ts'
import { GatewayError, GatewayRefusal } from '../gateway/errors.ts'
import { nextQueryAt } from './schedule.ts'
import { SYNC_PAUSE_MS } from './sync-requests.ts'

export type Commits = ReturnType<typeof createCommits>

/**
 * The result of {@link Commits.markSent}: the stored row and its new `sent_at`. `sentAt` is `null` if the transaction
 * must not be sent.
 */
export type MarkedSent = { transaction: Transaction; sentAt: number | null }

interface CommitsDeps {
  store: Store
  clock: Clock
  log: Log
  newEventId: () => string
  syncRequests: SyncRequests
  reportChange: ReportChange
  kinds: Kinds
  queries: Pick<QueryQueue, 'postpone'>
}

/**
 * The first and the longest pause after a failed query, until the transaction is queried again, in milliseconds. The
 * pauses have no random part, because transactions are created at different times, so their queries seldom coincide.
 */
const AFTER_FAILURE = { baseMs: 5_000, capMs: 5 * 60_000 }
/**
 * If the queries of a transaction fail repeatedly, every tenth failure is logged as an error. The first ten failures
 * take at least 20 minutes. [assumed]
 */
const ALARM_AFTER = 10
/**
 * The number of consecutive version conflicts after which a commit fails. More conflicts would indicate an endless
 * loop.
 */
const MAX_STALE_COMMITS = 20

export function createCommits(deps: CommitsDeps) {
  const { store, clock, log, syncRequests, reportChange, kinds, queries } = deps
  const { observed, changeOf } = createChanges(deps)
  return {
    /**
     * Updates the transaction with a response of the gateway. The response answers the transaction's request, a service
     * confirmation, or the status query that precedes the first send after a recovery. Resolves with `null` if no
     * transaction has this id.
     */
    observe: (id: string, transition: BoundTransition, askedAt: number) =>
      save(id, (row, now) => observed(row, transition(row, askedAt, now), askedAt, now)),

    /**
     * Updates the transaction with the gateway's response to a status query. `queried` is the row that was read before
     * the query. If the stored row has changed since, the response may be outdated. In this case, the record stays
     * unchanged, and another query is scheduled at the earliest permitted time.
     */
    observeStatus: (queried: Transaction, transition: BoundTransition, askedAt: number) =>
      save(queried.id, (row, now) => {
        const change = transition(row, askedAt, now)
        if (!isOvertaken(queried, row, change)) return observed(row, change, askedAt, now)
        return { at: now, due_at: syncRequests.earliest(row.id, now), failures: 0 }
      }),

    /**
     * Like `observeStatus`, but for the status query that follows a failed attempt to send a service confirmation. Keeps
     * `due_at`, the time at which the confirmation is sent again.
     */
    observeAfterFailedConfirmation: (queried: Transaction, transition: BoundTransition, askedAt: number) =>
      save(queried.id, (row, now) => {
        const { due_at: _, ...change } = transition(row, askedAt, now)
        return isOvertaken(queried, row, change) ? { at: now } : changeOf(change, now)
      }),

    /**
     * Stores a change that does not come from the gateway: the merchant's service confirmation, or a shopper's visit
     * (`checkouts/visit.ts`). A query that is already scheduled is not delayed.
     */
    decide: (id: string, transition: BoundTransition) =>
      save(id, (row, now) => {
        const change = transition(row, now, now)
        if (change.record === undefined && change.historyEntry === null) return { at: now }
        return { ...changeOf(change, now), due_at: earlier(row.due_at, change.due_at ?? null) }
      }),

    /**
     * Stores the current time as `sent_at` if `isSendable` returns `true` for the stored row. Must be called before the
     * transaction is sent.
     */
    async markSent(id: string, isSendable: (row: Transaction) => boolean): Promise<MarkedSent> {
      let sentAt: number | null = null
      const transaction = await save(id, (row, now) => {
        sentAt = isSendable(row) ? now : null
        if (sentAt === null) return { at: now }
        // If the process ends before the response arrives, the time of the next query counts from this send.
        const due_at = earlier(row.due_at, nextQueryAt({ stage: 'unacknowledged', since: now }, now))
        return { at: now, sent_at: now, due_at }
      })
      if (!transaction) throw new Error('The transaction is gone from the store.')
      return { transaction, sentAt }
    },

    /**
     * Records that a request to the gateway about the transaction failed, and schedules the next query. The transaction's
     * record stays unchanged.
     *
     * @throws {Error} The argument `error`, unless `error` is a {@link GatewayError}.
     */
    async fail(transaction: Transaction, error: unknown, askedAt: number): Promise<Transaction> {
      if (!(error instanceof GatewayError)) throw error
      // While the gateway is unavailable, a failed query does not indicate a problem with its transaction.
      const isUnavailable = isPostponed(transaction)
      if (!isUnavailable) logFailure(log, transaction, error)
      const failed = await save(transaction.id, (row, now) => ({
        ...afterFailure(row, now, isUnavailable),
        asked_at: askedAt,
      }))
      return failed ?? transaction
    },

    /** Ends the worker's lease on a transaction whose query was refused. */
    refused: (transaction: Transaction) =>
      save(transaction.id, (row, now) => (isPostponed(row) ? afterFailure(row, now, true) : { at: now })),

    /** Schedules a status query at the earliest permitted time. Resolves with `null` if no transaction has this id. */
    makeDue: (id: string) =>
      save(id, ({ due_at }, now) => {
        const earliest = syncRequests.earliest(id, now)
        return { at: now, due_at: due_at !== null && due_at > now ? Math.min(due_at, earliest) : earliest }
      }),
  }

  function isPostponed(row: Transaction): boolean {
    return queries.postpone(row.id, kinds[row.kind].familyOf(row))
  }

  /**
   * Computes a change from the stored row and commits the change. If another commit changes the row meanwhile, computes
   * the change again from the changed row.
   */
  async function save(
    id: string,
    decide: (row: Transaction, now: number) => Change,
  ): Promise<Transaction | null> {
    for (let stale = 0; stale < MAX_STALE_COMMITS; stale++) {
      const row = await store.find(id)
      if (!row) return null
      const saved = await store.commit(id, row.version, decide(row, clock.now()))
      if (!saved) continue
      reportChange(row, saved)
      return saved
    }
    throw new Error(`A transaction changed ${MAX_STALE_COMMITS} times while one change was being saved.`)
  }
}

/**
 * Returns the change of a row whose query failed. If the gateway is unavailable, also if the query was refused: the next
 * query is then at the end of the outage, or serves as a probe before. It is scheduled in case the process ends.
 */
function afterFailure(row: Transaction, now: number, isUnavailable: boolean): Change {
  const failures = isUnavailable ? Math.max(1, row.failures) : row.failures + 1
  const pauseMs = isUnavailable ? AFTER_FAILURE.capMs : backoffDelay(failures, 1, AFTER_FAILURE)
  return { at: now, failures, due_at: now + pauseMs }
}

/** Returns the functions that convert a transition result to a change of the stored row. */
function createChanges({ newEventId, syncRequests }: Pick<CommitsDeps, 'newEventId' | 'syncRequests'>) {
  return { observed, changeOf }

  /** Returns the change that a response of the gateway causes in the stored row. */
  function observed(row: Transaction, change: RowChange, askedAt: number, now: number): Change {
    return {
      ...changeOf(change, now),
      ...(isRequestedSince(row, askedAt, now) && { due_at: syncRequests.earliest(row.id, now) }),
      asked_at: askedAt,
      failures: 0,
    }
  }

  function changeOf({ events, ...change }: RowChange, at: number): Change {
    return { ...change, at, events: events.map((event) => ({ ...event, id: newEventId() })) }
  }
}

/**
 * Returns whether the response to a status query has to be treated as outdated. This is the case if the response would
 * change the record, and another commit has changed the row since the query. `queried` is the row before the query.
 *
 * [assumed] If two queries overlap, either response may be outdated.
 */
function isOvertaken(queried: Transaction, row: Transaction, { record }: Pick<RowChange, 'record'>): boolean {
  return row.version !== queried.version && record !== undefined
}

/**
 * Returns whether a synchronization was requested after the query started, for example by a callback. The response to
 * the query may then be outdated.
 */
function isRequestedSince({ due_at }: Transaction, askedAt: number, now: number): boolean {
  return due_at !== null && due_at > askedAt && due_at <= now + SYNC_PAUSE_MS
}

function earlier(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b)
}

function logFailure(
  log: Log,
  { kind, reference, failures, trace_id }: Transaction,
  error: GatewayError,
): void {
  const { code } = error
  // The gateway's description may contain the payer's details, which are deleted by now and cannot be redacted.
  const message = error instanceof GatewayRefusal ? error.summary : error.message
  const facts = { kind, reference, code, failures: failures + 1, trace_id }
  if (facts.failures % ALARM_AFTER === 0)
    log.error(facts, `${message} This has failed for so long that a person should look.`)
  else log.warn(facts, message)
}
