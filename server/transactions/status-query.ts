/**
 * Queries the gateway about one transaction, when the kind's schedule and the request budget allow a query. If a stored
 * service confirmation has not reached the gateway, the confirmation is sent instead of the query. If the gateway does
 * not know the transaction, the submission policy decides whether to send the transaction after the query.
 */

import type { Clock } from '../clock.ts'
import type { Priority, QueryQueue } from '../gateway/query-queue.ts'
import type { MerchantAccount, Store, Transaction } from '../store.ts'
import type { Commits } from './commits.ts'
import type { Kinds } from './kind.ts'
import type { SyncRequests } from './sync-requests.ts'
import { GatewayError } from '../gateway/errors.ts'
import { freshForMs } from './schedule.ts'
import { isDueToSend } from './submission.ts'

/**
 * Why a status query is requested. `notified` means that a callback arrived, `returned` that a shopper returned from
 * the hosted page, `poll` that a page shows the transaction, `due` that the scheduled time has come, and `probe` that the
 * query tests whether the gateway is available again.
 *
 * After a query, the next query may start sooner for `notified` than for `poll`. The first query for `returned` may
 * start immediately.
 */
export type SyncReason = 'notified' | 'returned' | 'poll' | 'due' | 'probe'

export const PRIORITY = {
  notified: 'notified',
  returned: 'notified',
  poll: 'watched',
  due: 'due',
  probe: 'probe',
} as const satisfies Record<SyncReason, Priority>

interface StatusQueryDeps {
  store: Store
  account: MerchantAccount
  kinds: Kinds
  queries: Pick<QueryQueue, 'admit'>
  clock: Clock
  syncRequests: SyncRequests
  commits: Commits
  /** Sends a transaction that the gateway does not know. */
  submit: (id: string) => Promise<{ transaction: Transaction }>
  /**
   * The ids of transactions whose service confirmation has not reached the gateway. After an outage of the gateway,
   * these confirmations are sent first. A restart of the server loses the ids. The confirmations are then sent when
   * their transactions are due.
   */
  unconfirmed: Set<string>
}

export function createStatusQueries(deps: StatusQueryDeps) {
  const { store, account, kinds, queries, clock, syncRequests, commits, submit, unconfirmed } = deps
  const findOwn = createFindOwn(store, account)
  return { query, isFresh }

  /** Returns whether a page may show the stored row without querying the gateway. */
  function isFresh(row: Transaction): boolean {
    return waitFor(row, 'poll', clock.now()) > 0
  }

  async function query(id: string, reason: SyncReason): Promise<Transaction | null> {
    const found = await findDue(id, reason)
    if (!found.isDue) return found.row
    const family = kinds[found.row.kind].familyOf(found.row)
    const admitted = isConfirming(kinds, found.row) || queries.admit(id, PRIORITY[reason], family)
    if (admitted === true) return queryNow(found.row, reason)
    const isAdmitted = await admitted
    // While the query waited, another process may have changed the row.
    const later = await findDue(id, reason)
    if (!later.isDue) return later.row
    if (isAdmitted) return queryNow(later.row, reason)
    return reason === 'due' ? commits.refused(later.row) : later.row
  }

  /** Resolves with the row, and whether a query is permitted now. */
  async function findDue(id: string, reason: SyncReason): Promise<Found> {
    const row = await findOwn(id)
    if (!row) return { isDue: false, row }
    if (reason === 'probe' || waitFor(row, reason, clock.now()) <= 0) return { isDue: true, row }
    return { isDue: false, row: reason === 'notified' ? await commits.makeDue(id) : row }
  }

  async function queryNow(transaction: Transaction, reason: SyncReason): Promise<Transaction | null> {
    const { id } = transaction
    const askedAt = clock.now()
    recordStart(syncRequests, reason, id, askedAt)
    const kind = kinds[transaction.kind]
    const confirmation = kind.serviceConfirmations?.confirm(transaction) ?? null
    try {
      const observed = confirmation
        ? await commits.observe(id, await confirmation, askedAt)
        : await commits.observeStatus(transaction, await kind.queryStatus(transaction), askedAt)
      unconfirmed.delete(id)
      const submission = observed && kind.submissionOf(observed)
      if (!observed || !submission || !isDueToSend(observed, submission, clock.now())) return observed
      return (await submit(id)).transaction
    } catch (error) {
      if (confirmation) unconfirmed.add(id)
      const failed = await commits.fail(transaction, error, askedAt)
      return confirmation ? queryBeside(failed) : failed
    }
  }

  /** Returns the time until a query is permitted, in milliseconds; 0 or less if a query may start now. */
  function waitFor(transaction: Transaction, reason: Exclude<SyncReason, 'probe'>, now: number): number {
    switch (reason) {
      case 'notified':
        return syncRequests.earliest(transaction.id, now) - now
      case 'due':
        // Another query may have run since the row was claimed.
        return (transaction.due_at ?? Infinity) - now
      case 'returned':
      case 'poll': {
        const at = reason === 'poll' ? transaction.asked_at : syncRequests.returnedAt(transaction.id, now)
        // After the system clock jumps back, `at` may lie in the future; treat the last response as outdated.
        if (at === null || at > now) return 0
        return at + freshForMs(kinds[transaction.kind].progressOf(transaction), transaction, now) - now
      }
    }
  }

  /**
   * Queries the status of a transaction whose service confirmation could not be sent. The payment may have been
   * refunded meanwhile.
   */
  async function queryBeside(transaction: Transaction): Promise<Transaction> {
    const askedAt = clock.now()
    try {
      const answer = await kinds[transaction.kind].queryStatus(transaction)
      return (await commits.observeAfterFailedConfirmation(transaction, answer, askedAt)) ?? transaction
    } catch (error) {
      // The error is ignored, because the failed confirmation is already recorded and will be sent again.
      if (error instanceof GatewayError) return transaction
      throw error
    }
  }
}

function recordStart(syncRequests: SyncRequests, reason: SyncReason, id: string, askedAt: number): void {
  if (reason === 'poll') syncRequests.startPoll(id)
  else if (reason === 'returned') syncRequests.startReturn(id, askedAt)
  else syncRequests.startRequested(id, askedAt)
}

/** Returns whether the merchant's service confirmation is stored, but not yet accepted or refused by the gateway. */
export function isConfirming(kinds: Kinds, row: Transaction): boolean {
  return kinds[row.kind].serviceConfirmations?.of(row)?.stage === 'decided'
}

type Found = { isDue: true; row: Transaction } | { isDue: false; row: Transaction | null }

export type FindOwn = (id: string) => Promise<Transaction | null>

/**
 * Returns a function that finds a transaction by its id. The function resolves with `null` if the transaction belongs
 * to another merchant account in the same store.
 */
export function createFindOwn(store: Pick<Store, 'find'>, account: MerchantAccount): FindOwn {
  return async (id) => {
    const row = await store.find(id)
    return row?.account === account ? row : null
  }
}
