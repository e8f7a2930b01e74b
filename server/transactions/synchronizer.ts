/**
 * Synchronizes one transaction with the gateway. Callbacks, polls, the reconciliation worker and the return page all
 * call this module. It queries the gateway outside any database transaction, re-reads the row, lets the kind's pure
 * `transition` compute the change, and commits record, history and events atomically if the row's version is unchanged.
 * Requests are sent here, too: an acknowledgement is handled like a status response.
 *
 * At most one query per transaction is in flight, regardless of the number of callers. No query starts earlier than the
 * kind's schedule allows.
 */

import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type { MerchantAccount, NewTransaction, Store, Transaction } from '../store.ts'
import type { Kinds } from './kind.ts'
import type { BoundTransition } from './transition.ts'
import { GatewayError } from '../gateway/errors.ts'
import { createCommits } from './commits.ts'
import { createReportChange, logError } from './report.ts'
import { freshForMs } from './schedule.ts'
import { isAskedFirst, isDueToSend, isSendable } from './submission.ts'
import { createSyncRequests } from './sync-requests.ts'

/** Why a query is requested. `notified` (a callback, the return page) allows an earlier query than `poll`. */
export type SyncReason = 'notified' | 'poll' | 'due'

export type Submitted =
  | { kind: 'answered'; transaction: Transaction }
  /** The gateway may or may not have received the request. Status queries and the submission policy resolve this. */
  | { kind: 'unclear'; transaction: Transaction; error: GatewayError }

export interface Synchronizer {
  /** Resolves with the row after a query, or with the stored row if no query was due or the query failed. */
  synchronize(id: string, reason: SyncReason): Promise<Transaction | null>
  /** Like `synchronize`, but resolves with the stored row after 4 s; the query continues in the background. */
  synchronizeWithin(id: string, reason: SyncReason): Promise<Transaction | null>
  /**
   * Stores that a query is due at the earliest permitted time, even while a query is in flight. `isNow`: whether that
   * time is now. Repeated requests for a scheduled query write nothing.
   */
  requestSync(id: string): Promise<{ isNow: boolean }>
  /** Sends the transaction if the submission policy allows it. Concurrent callers share one send and its result. */
  submit(id: string): Promise<Submitted>
  /**
   * Stores a new transaction and sends it. Resolves with `null`, and stores nothing, if its reference or its attempt
   * exists already.
   */
  submitNew(row: NewTransaction): Promise<Submitted | null>
  /** Stores a decision of the merchant or a shopper without querying the gateway. */
  applyDecision(id: string, transition: BoundTransition): Promise<Transaction | null>
}

interface SynchronizerDeps {
  store: Store
  account: MerchantAccount
  kinds: Kinds
  client: Pick<GatewayClient, 'authenticate' | 'isAuthenticated'>
  clock: Clock
  log: Log
  metrics: Metrics
  newEventId: () => string
}

/** How long a page waits for a query, in milliseconds. */
const WAIT_MS = 4_000

export function createSynchronizer(deps: SynchronizerDeps): Synchronizer {
  const { store, client, clock } = deps
  const queries = new Map<string, Promise<Transaction | null>>()
  const submissions = new Map<string, Promise<Submitted>>()
  const syncRequests = createSyncRequests()
  const commits = createCommits({ ...deps, syncRequests, reportChange: createReportChange(deps) })
  const { submitStored, sendMarked } = createSubmit(deps, commits)
  const submit = (id: string) => singleFlight(submissions, id, () => submitStored(id))
  const { query, isFresh } = createQuery({ ...deps, syncRequests, commits, submit })

  return {
    synchronize,
    submit,
    async submitNew(row) {
      // With a valid token, one commit both stores the transaction and marks it as sent.
      const isSentNow = client.isAuthenticated() && !isAskedFirst(row, await store.recoveredAt())
      const sent_at = isSentNow ? clock.now() : null
      if (!(await store.insert({ ...row, sent_at }))) return null
      if (sent_at === null) return submit(row.id)
      const transaction = {
        ...row,
        sent_at,
        version: 1,
        updated_at: row.created_at,
        asked_at: null,
        failures: 0,
      }
      return singleFlight(submissions, row.id, () => sendMarked(transaction, sent_at))
    },

    applyDecision: (id, transition) => commits.decide(id, transition),

    async synchronizeWithin(id, reason) {
      if (reason === 'poll') {
        const row = await store.find(id)
        if (!row || isFresh(row)) return row
      }
      const answered = new AbortController()
      const timeout = clock.sleep(WAIT_MS, answered.signal).then(
        () => store.find(id),
        () => new Promise<never>(() => {}),
      )
      const synchronized = synchronize(id, reason).finally(() => answered.abort())
      synchronized.catch((error: unknown) => logError(deps, id, error, 'A status query failed.'))
      return Promise.race([synchronized, timeout])
    },

    async requestSync(id) {
      const now = clock.now()
      if (syncRequests.isScheduled(id, now)) return { isNow: false }
      const dueAt = (await commits.makeDue(id))?.due_at ?? now
      syncRequests.schedule(id, dueAt)
      return { isNow: dueAt <= now }
    },
  }

  async function synchronize(id: string, reason: SyncReason): Promise<Transaction | null> {
    const running = queries.get(id)
    if (running && reason === 'poll') return running
    // A query that started before the callback arrived may have returned the old status. Wait for it, then query again.
    if (running) await running.catch(() => {})
    return singleFlight(queries, id, () => query(id, reason))
  }
}

interface QueryDeps extends SynchronizerDeps {
  syncRequests: ReturnType<typeof createSyncRequests>
  commits: ReturnType<typeof createCommits>
  submit: Synchronizer['submit']
}

function createQuery({ store, account, kinds, clock, syncRequests, commits, submit }: QueryDeps) {
  return { query, isFresh }

  /** Whether a page gets this row without a query. */
  function isFresh(row: Transaction): boolean {
    return !isSameAccount(row.account, account) || waitFor(row, 'poll', clock.now()) > 0
  }

  async function query(id: string, reason: SyncReason): Promise<Transaction | null> {
    const transaction = await store.find(id)
    if (!transaction || !isSameAccount(transaction.account, account)) return transaction
    const askedAt = clock.now()
    if (waitFor(transaction, reason, askedAt) > 0)
      return reason === 'notified' ? commits.makeDue(id) : transaction
    if (reason === 'poll') syncRequests.startPoll(id)
    else syncRequests.startRequested(id, askedAt)
    const kind = kinds[transaction.kind]
    const confirmation = kind.serviceConfirmations?.confirm(transaction) ?? null
    try {
      const answer = await (confirmation ?? kind.queryStatus(transaction))
      const observed = await commits.observe(id, answer, askedAt)
      const submission = observed && kind.submissionOf(observed)
      if (!observed || !submission || !isDueToSend(observed, submission, clock.now())) return observed
      return (await submit(id)).transaction
    } catch (error) {
      const failed = await commits.fail(transaction, error, askedAt)
      return confirmation ? queryBeside(failed) : failed
    }
  }

  /** Returns the time until a query is permitted, in milliseconds; 0 or less if a query may start now. */
  function waitFor(transaction: Transaction, reason: SyncReason, now: number): number {
    switch (reason) {
      case 'notified':
        return syncRequests.earliest(transaction.id, now) - now
      case 'due':
        // Another query may have run since the row was claimed.
        return (transaction.due_at ?? Infinity) - now
      case 'poll': {
        const { asked_at } = transaction
        // After the system clock jumps back, `asked_at` may lie in the future; treat the last response as stale.
        if (asked_at === null || asked_at > now) return 0
        return asked_at + freshForMs(kinds[transaction.kind].progressOf(transaction), transaction, now) - now
      }
    }
  }

  /** Queries the status after a confirmation could not be delivered: the money may have been returned meanwhile. */
  async function queryBeside(transaction: Transaction): Promise<Transaction> {
    const askedAt = clock.now()
    try {
      const answer = await kinds[transaction.kind].queryStatus(transaction)
      return (await commits.observeBeside(transaction.id, answer, askedAt)) ?? transaction
    } catch (error) {
      // The failed confirmation has already been recorded.
      if (error instanceof GatewayError) return transaction
      throw error
    }
  }
}

function createSubmit(
  { store, account, kinds, client, clock }: SynchronizerDeps,
  commits: QueryDeps['commits'],
) {
  return { submitStored, sendMarked }

  async function submitStored(id: string): Promise<Submitted> {
    const stored = await store.find(id)
    if (!stored) throw new Error(`Transaction ${id} is gone from the store.`)
    const startedAt = clock.now()
    try {
      // Without a token, the request does not count as sent.
      await client.authenticate()
      if (isAskedFirst(stored, await store.recoveredAt())) {
        const answer = await kinds[stored.kind].queryStatus(stored)
        await commits.observe(id, answer, startedAt)
      }
    } catch (error) {
      return fail(stored, error, startedAt)
    }
    const { transaction, sentAt } = await commits.markSent(id, isSendableNow)
    return sentAt === null ? { kind: 'answered', transaction } : sendMarked(transaction, sentAt)
  }

  /** Sends a transaction whose `sent_at` is stored. */
  async function sendMarked(transaction: Transaction, sentAt: number): Promise<Submitted> {
    try {
      const answer = await kinds[transaction.kind].send(transaction)
      const observed = await commits.observe(transaction.id, answer, sentAt)
      return { kind: 'answered', transaction: observed ?? transaction }
    } catch (error) {
      return fail(transaction, error, sentAt)
    }
  }

  function isSendableNow(row: Transaction): boolean {
    const submission = kinds[row.kind].submissionOf(row)
    return submission !== null && isSendable(row, submission) && isSameAccount(row.account, account)
  }

  async function fail(transaction: Transaction, error: unknown, askedAt: number): Promise<Submitted> {
    const failed = await commits.fail(transaction, error, askedAt)
    if (!(error instanceof GatewayError)) throw error
    return { kind: 'unclear', transaction: failed, error }
  }
}

function isSameAccount(a: MerchantAccount, b: MerchantAccount): boolean {
  return a.environment === b.environment && a.base_url === b.base_url && a.account_number === b.account_number
}

/** Joins the call in flight for this id, or starts one. */
function singleFlight<T>(inFlight: Map<string, Promise<T>>, id: string, start: () => Promise<T>): Promise<T> {
  const running = inFlight.get(id)
  if (running) return running
  const started = start().finally(() => inFlight.delete(id))
  inFlight.set(id, started)
  return started
}
