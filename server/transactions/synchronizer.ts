/**
 * Synchronizes one transaction with the gateway. Callbacks, polls, the reconciliation worker and the return page all
 * call this module.
 *
 * A status query runs outside any database transaction. After the response, the row is read again, and the kind's pure
 * `transition` computes the change. Record, history and events are committed atomically if the row's version is
 * unchanged. This module also sends requests, and handles an acknowledgement like the response to a status query.
 *
 * At most one query per transaction is in flight. No query starts earlier than the kind's schedule and the request
 * budget allow. Service confirmations and sends do not wait for the budget.
 */

import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type { QueryQueue } from '../gateway/query-queue.ts'
import type { MerchantAccount, NewTransaction, Store, Transaction } from '../store.ts'
import type { Commits } from './commits.ts'
import type { Kinds } from './kind.ts'
import type { SyncReason } from './status-query.ts'
import { GatewayError } from '../gateway/errors.ts'
import { withTimeout } from '../with-timeout.ts'
import { createCommits } from './commits.ts'
import { createReportChange, logError } from './report.ts'
import { NEVER_ASKED, request } from './schedule.ts'
import { createFindOwn, createStatusQueries, PRIORITY } from './status-query.ts'
import { isQueriedFirst, isSendable } from './submission.ts'

export type Submitted =
  | { kind: 'answered'; transaction: Transaction }
  /** The gateway may or may not have received the request. Later status queries will show the result. */
  | { kind: 'unclear'; transaction: Transaction; error: GatewayError }

export type Synchronizer = ReturnType<typeof createSynchronizer>

interface SynchronizerDeps {
  store: Store
  account: MerchantAccount
  kinds: Kinds
  client: Pick<GatewayClient, 'authenticate' | 'isAuthenticated'>
  queries: QueryQueue
  clock: Clock
  log: Log
  metrics: Metrics
  newEventId: () => string
}

/** The maximum time that `synchronizeWithin` waits for a status query, in milliseconds. */
const WAIT_MS = 4_000
const LATE = new Error('The query takes longer.')
/**
 * If more queries than this fraction of GATEWAY_MAX_RPS wait for a token of the request budget, a page's poll gets the
 * stored row at once, and its query runs in the background.
 */
const WAIT_BEHIND = 1 / 5
/** The maximum number of remembered requests for queries. At this number, all are forgotten: they are stored, too. */
const MAX_REMEMBERED = 1_000
/** If at least this many queries wait for a token of the request budget, polls by pages start no further queries. */
const MAX_WAITING = 1_000

export function createSynchronizer(deps: SynchronizerDeps) {
  const { store, account, client, queries, clock } = deps
  const findOwn = createFindOwn(store, account)
  const running = new Map<string, Promise<Transaction | null>>()
  const submissions = new Map<string, Promise<Submitted>>()
  const requests = new Map<string, Promise<Transaction | null>>()
  /** The times of requested queries, by transaction id. A flood of callbacks reads the row only once a second. */
  const requestedAt = new Map<string, number | null>()
  const commits = createCommits({ ...deps, reportChange: createReportChange(deps) })
  const { submitStored, sendMarked, isAsked } = createSubmit(deps, commits)
  const submit = (id: string) => singleFlight(submissions, id, () => submitStored(id))
  const statusQueries = createStatusQueries({ ...deps, commits, submit })
  queries.onBack((notified) => {
    for (const id of notified) synchronize(id, 'notified').catch(logFailure(id))
  })

  return {
    synchronize,
    /** Sends the transaction if the submission policy allows a send. Concurrent callers share one send and its result. */
    submit,
    /**
     * Stores a new transaction and sends it. Resolves with `null`, and stores nothing, if the store already contains this
     * reference, or this attempt number of the group.
     */
    async submitNew(row: NewTransaction): Promise<Submitted | null> {
      // With a valid access token, a single commit inserts the transaction with its `sent_at`.
      const isSentNow = client.isAuthenticated() && !(await isAsked(insertedRow(row, null)))
      const sent_at = isSentNow ? clock.now() : null
      if (!(await store.insert({ ...row, sent_at }))) return null
      if (sent_at === null) return submit(row.id)
      return singleFlight(submissions, row.id, () => sendMarked(insertedRow(row, sent_at)))
    },

    /**
     * Stores a change that does not come from the gateway: the merchant's service confirmation, or a shopper's visit
     * (`checkouts/visit.ts`). Does not query the gateway.
     */
    applyDecision: commits.decide,

    /**
     * Like `synchronize`, but if the query takes longer than 4 seconds, resolves with the stored row. The query then
     * continues in the background.
     */
    async synchronizeWithin(id: string, reason: SyncReason): Promise<Transaction | null> {
      if (reason === 'poll') {
        const row = await findOwn(id)
        if (!row || statusQueries.isFresh(row) || queries.waiting >= MAX_WAITING) return row
        if (queries.waiting > queries.perSecond * WAIT_BEHIND) {
          synchronize(id, reason).catch(logFailure(id))
          return row
        }
      }
      const synchronized = synchronize(id, reason)
      synchronized.catch(logFailure(id))
      return withTimeout(WAIT_MS, clock, () => synchronized, LATE).catch((error: unknown) => {
        if (error === LATE) return findOwn(id)
        throw error
      })
    },

    requestSync,
  }

  /**
   * Requests a query for the earliest permitted time, even while another query is in flight. Resolves when the request
   * is stored. If this time is now, the query starts in the background.
   */
  async function requestSync(id: string): Promise<void> {
    const known = { ...NEVER_ASKED, requested_at: requestedAt.get(id) ?? null }
    if (request(known, clock.now()) === null) return
    const row = await singleFlight(requests, id, () => commits.request(id))
    if (requestedAt.size >= MAX_REMEMBERED) requestedAt.clear()
    requestedAt.set(id, row?.requested_at ?? null)
    if (row && row.due_at !== null && row.due_at <= clock.now())
      synchronize(id, 'notified').catch(logFailure(id))
  }

  /**
   * Queries the gateway if a query is permitted now. Resolves with the stored transaction after the query, even if the
   * query failed; `null` if no transaction has this id.
   */
  async function synchronize(id: string, reason: SyncReason): Promise<Transaction | null> {
    const current = running.get(id)
    if (current && (reason === 'poll' || queries.promote(id, PRIORITY[reason]))) return current
    // A query that started before the callback arrived may have returned the old status. Wait for this query, then
    // query again.
    if (current) await current.catch(() => {})
    return singleFlight(running, id, () => statusQueries.query(id, reason))
  }

  function logFailure(id: string) {
    return (error: unknown) => logError(deps, id, error, 'A status query failed.')
  }
}

/** Returns the transaction that the store contains after `row` was inserted with this `sent_at`. */
function insertedRow(row: NewTransaction, sent_at: number | null): Transaction {
  return { version: 1, updated_at: row.created_at, ...NEVER_ASKED, ...row, sent_at }
}

function createSubmit({ store, account, kinds, client, clock }: SynchronizerDeps, commits: Commits) {
  return { submitStored, sendMarked, isAsked }

  /** Returns whether the gateway has to be queried before the transaction is sent. */
  async function isAsked(row: Transaction): Promise<boolean> {
    return isQueriedFirst(row, row.kind === 'checkout' ? null : (await store.marks()).recovered)
  }

  async function submitStored(id: string): Promise<Submitted> {
    const stored = await store.find(id)
    if (!stored) throw new Error('The transaction is gone from the store.')
    if (!isSendableNow(stored)) return { kind: 'answered', transaction: stored }
    const startedAt = clock.now()
    try {
      // If authentication fails, the transaction does not count as sent.
      await client.authenticate()
      if (await isAsked(stored)) {
        const answer = await kinds[stored.kind].queryStatus(stored)
        await commits.observe(stored, answer, startedAt, 'before send')
      }
    } catch (error) {
      return fail(stored, error, startedAt)
    }
    // Meanwhile, another process may have sent it, or received an answer.
    const isStillSendable = (row: Transaction) =>
      row.sent_at === stored.sent_at && kinds[row.kind].submissionOf(row)?.stuck === null
    const { transaction, isMarked } = await commits.markSent(id, isStillSendable)
    return isMarked ? sendMarked(transaction) : { kind: 'answered', transaction }
  }

  /** Sends a transaction whose `sent_at` is already stored. */
  async function sendMarked(transaction: Transaction): Promise<Submitted> {
    const sentAt = transaction.sent_at ?? clock.now()
    try {
      const answer = await kinds[transaction.kind].send(transaction)
      const observed = await commits.observe(transaction, answer, sentAt, 'send')
      return { kind: 'answered', transaction: observed ?? transaction }
    } catch (error) {
      return fail(transaction, error, sentAt)
    }
  }

  function isSendableNow(row: Transaction): boolean {
    const submission = kinds[row.kind].submissionOf(row)
    return submission !== null && isSendable(row, submission) && row.account === account
  }

  async function fail(transaction: Transaction, error: unknown, askedAt: number): Promise<Submitted> {
    const failed = await commits.fail(transaction, error, askedAt)
    if (!(error instanceof GatewayError)) throw error
    return { kind: 'unclear', transaction: failed, error }
  }
}

/** Returns the promise of the call that is running for this id. Calls `start` if no call is running. */
function singleFlight<T>(inFlight: Map<string, Promise<T>>, id: string, start: () => Promise<T>): Promise<T> {
  const running = inFlight.get(id)
  if (running) return running
  const started = start().finally(() => inFlight.delete(id))
  inFlight.set(id, started)
  return started
}
