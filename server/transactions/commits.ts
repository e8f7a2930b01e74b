/**
 * Computes and commits the changes of transactions. Each commit reads the current row, and computes the change with a
 * pure function. Record, history and events are saved atomically if the row's version is unchanged. Each commit also
 * schedules the next query, by the facts in the changed row (`schedule.ts`).
 */

import type { Clock } from '../clock.ts'
import type { QueryQueue } from '../gateway/query-queue.ts'
import type { Log } from '../log.ts'
import type { Change, Store, Transaction } from '../store.ts'
import type { Kinds } from './kind.ts'
import type { ReportChange } from './report.ts'
import type { BoundTransition, RowChange } from './transition.ts'
import { GatewayError } from '../gateway/errors.ts'
import { isOverdue, nextLookAt, request } from './schedule.ts'
import type { Facts } from './schedule.ts'
import { namesOf } from './report.ts'

export type Commits = ReturnType<typeof createCommits>

/**
 * What a response of the gateway answers: the send that is stored as `sent_at`, a status query, a service confirmation,
 * the status query before a send, or the status query after a service confirmation that could not be sent (`beside`).
 */
export type Answered = 'send' | 'status' | 'confirmation' | 'before send' | 'beside'

interface CommitsDeps {
  store: Store
  kinds: Kinds
  clock: Clock
  log: Log
  newEventId: () => string
  reportChange: ReportChange
  queries: Pick<QueryQueue, 'postpone'>
}

/**
 * The change of a row that a commit stores. If the record changes, `progress` is the progress of the changed row. The
 * other fields are facts. `isPostponed` is true if no query is made before the gateway is available again.
 */
type Decided = Partial<RowChange> &
  Pick<Change, 'sent_at' | 'asked_at' | 'failures' | 'requested_at'> & { isPostponed?: boolean }

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
const LATE_ANSWER = 'The answer to an earlier send of it came after it was sent again, and does not count.'

export function createCommits(deps: CommitsDeps) {
  const { kinds, log, queries } = deps
  const save = createSave(deps)
  return {
    /**
     * Updates the transaction with a response of the gateway. `asked` is the row that was read before the request; its
     * `requested_at` may be newer than the stored time. If the stored row has changed since, the response may not count:
     *
     * - The response to a send does not count if the transaction was sent again.
     * - The response to a status query, also to one before a send, may be outdated. In this case, the record stays unchanged, and another query is
     *   requested.
     */
    observe: (asked: Transaction, transition: BoundTransition, askedAt: number, answered: Answered) =>
      save(asked.id, (row, now) => {
        if (answered === 'send' && row.sent_at !== asked.sent_at) return { historyEntry: LATE_ANSWER }
        const change = transition(row, askedAt, now)
        const isOutdated = isOvertaken(asked, row, change)
        // The failure of the service confirmation remains, so that it is sent again after the pause.
        if (answered === 'beside') return isOutdated ? null : change
        const isQuery = answered === 'status' || answered === 'before send'
        if (isQuery && isOutdated) return { failures: 0, ...request(row, now) }
        return { ...change, ...factsAfter(row, asked, askedAt, 0) }
      }),

    /**
     * Stores a change that does not come from the gateway: the merchant's service confirmation, or a shopper's visit
     * (`checkouts/visit.ts`). A new service confirmation has not failed yet, and is sent at once.
     */
    decide: (id: string, transition: BoundTransition) =>
      save(id, (row, now) => {
        const change = transition(row, now, now)
        if (change.record === undefined) return change.historyEntry === null ? null : change
        return { ...change, ...(change.progress.stage === 'confirming' && { failures: 0 }) }
      }),

    /**
     * Stores the current time as `sent_at` if `isSendable` returns `true` for the stored row. Must be called before the
     * transaction is sent. `isMarked` is `false` if the transaction must not be sent.
     */
    async markSent(id: string, isSendable: (row: Transaction) => boolean) {
      let isMarked = false
      const transaction = await save(id, (row, now) => {
        isMarked = isSendable(row)
        return isMarked ? { sent_at: now } : null
      })
      if (!transaction) throw new Error('The transaction is gone from the store.')
      return { transaction, isMarked }
    },

    /**
     * Records that a request to the gateway about the transaction failed. The transaction's record stays unchanged, unless
     * its last deadline has passed.
     *
     * @throws {Error} The argument `error`, unless `error` is a {@link GatewayError}.
     */
    async fail(transaction: Transaction, error: unknown, askedAt: number): Promise<Transaction> {
      if (!(error instanceof GatewayError)) throw error
      // While the gateway is unavailable, a failed query does not indicate a problem with its transaction.
      const isPostponed = isAway(transaction)
      if (!isPostponed) logFailure(log, transaction, error)
      const failed = await save(transaction.id, (row, now) => {
        const kind = kinds[row.kind]
        const last = isOverdue(kind.progressOf(row), now) ? kind.overdue(row, askedAt, now) : null
        const failures = isPostponed ? Math.max(1, row.failures) : row.failures + 1
        // The pause until the next query begins when a query has failed, not when it has started.
        return { ...last, ...factsAfter(row, transaction, now, failures), isPostponed }
      })
      return failed ?? transaction
    },

    /** Ends the worker's lease on a transaction whose query was refused. */
    refused: (transaction: Transaction) =>
      save(transaction.id, (row) =>
        isAway(row) ? { failures: Math.max(1, row.failures), isPostponed: true } : {},
      ),

    /**
     * Requests a status query. Resolves with `null` if no transaction has this id. Stores nothing if a query that has
     * not started serves this request, too.
     */
    request: (id: string) => save(id, request),
  }

  function isAway(row: Transaction): boolean {
    return queries.postpone(row.id, kinds[row.kind].familyOf(row))
  }
}

/**
 * Returns a function that computes a change from the stored row and commits the change. If another commit changes the
 * row meanwhile, the function computes the change again from the changed row. If `decide` returns `null`, the function
 * commits nothing.
 */
function createSave({ store, kinds, clock, newEventId, reportChange }: CommitsDeps) {
  return async function save(
    id: string,
    decide: (row: Transaction, now: number) => Decided | null,
  ): Promise<Transaction | null> {
    for (let stale = 0; stale < MAX_STALE_COMMITS; stale++) {
      const row = await store.find(id)
      const now = clock.now()
      const decided = row && decide(row, now)
      if (!row || !decided) return row
      const saved = await store.commit(id, row.version, changeOf(row, decided, now))
      if (!saved) continue
      reportChange(row, saved)
      return saved
    }
    throw new Error(`A transaction changed ${MAX_STALE_COMMITS} times while one change was being saved.`)
  }

  function changeOf(row: Transaction, decided: Decided, at: number): Change {
    const { progress, events = [], isPostponed = false, ...change } = decided
    const next = { ...row, ...change }
    const due_at = nextLookAt(progress ?? kinds[row.kind].progressOf(next), next, at, isPostponed)
    return { ...change, at, due_at, events: events.map((event) => ({ ...event, id: newEventId() })) }
  }
}

/** Returns the facts after a query of the time `asked_at`. `asked` is the row that was read before the query. */
function factsAfter(row: Facts, asked: Facts, asked_at: number, failures: number): Facts {
  const requested_at = Math.max(row.requested_at ?? 0, asked.requested_at ?? 0) || null
  return { asked_at, failures, requested_at }
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

function logFailure(
  log: Log,
  transaction: Transaction,
  // The payer's details are deleted by now and cannot be redacted in the gateway's own words.
  { code, summary: message }: GatewayError,
): void {
  const facts = { ...namesOf(transaction), code, failures: transaction.failures + 1 }
  if (facts.failures % ALARM_AFTER === 0)
    log.error(facts, `${message} This has failed for so long that a person should look.`)
  else log.warn(facts, message)
}
