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
import { GatewayError } from '../gateway/errors.ts'
import { freshForMs } from './schedule.ts'
import { isDueToSend } from './submission.ts'

/**
 * Why a status query is requested. `notified` means that a callback arrived, `returned` that a shopper returned from
 * the hosted page, `poll` that a page shows the transaction, `due` that the scheduled time has come, and `probe` that the
 * query tests whether the gateway is available again.
 *
 * A callback and a returning shopper request a query, which is then due.
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
  commits: Commits
  /** Sends a transaction that the gateway does not know. */
  submit: (id: string) => Promise<{ transaction: Transaction }>
}

export function createStatusQueries(deps: StatusQueryDeps) {
  const { store, account, kinds, queries, clock, commits, submit } = deps
  const findOwn = createFindOwn(store, account)
  /** Returns whether a page may show the stored row without querying the gateway. */
  const isFresh = (row: Transaction) => isRecent(row, row.asked_at)
  return { query, isFresh }

  async function query(id: string, reason: SyncReason): Promise<Transaction | null> {
    const found = await find(id, reason)
    if (!found || !isDue(found, reason)) return found
    const family = kinds[found.kind].familyOf(found)
    const admitted = isConfirming(kinds, found) || queries.admit(id, PRIORITY[reason], family)
    if (admitted === true) return queryNow(found, reason)
    const isAdmitted = await admitted
    // While the query waited, another process may have changed the row.
    const later = await find(id, reason)
    if (!later || !isDue(later, reason)) return later
    if (isAdmitted) return queryNow(later, reason)
    return reason === 'due' ? commits.refused(later) : later
  }

  /** Resolves with the row. Requests a query for a callback that came while the gateway was unavailable. */
  async function find(id: string, reason: SyncReason): Promise<Transaction | null> {
    const row = await findOwn(id)
    return row && reason === 'notified' && !isDue(row, reason) ? commits.request(id) : row
  }

  /** Returns whether a query is permitted now. */
  function isDue(row: Transaction, reason: SyncReason): boolean {
    if (reason === 'poll') return !isFresh(row)
    const isReturn = reason === 'returned' && !isRecent(row, row.requested_at)
    return reason === 'probe' || isReturn || (row.due_at !== null && row.due_at <= clock.now())
  }

  async function queryNow(row: Transaction, reason: SyncReason): Promise<Transaction | null> {
    const askedAt = clock.now()
    const transaction = reason === 'returned' ? { ...row, requested_at: askedAt } : row
    const kind = kinds[row.kind]
    const confirmation = kind.serviceConfirmations?.confirm(transaction) ?? null
    try {
      const observed = confirmation
        ? await commits.observe(transaction, await confirmation, askedAt, 'confirmation')
        : await commits.observe(transaction, await kind.queryStatus(transaction), askedAt, 'status')
      const submission = observed && kind.submissionOf(observed)
      if (!observed || !submission || !isDueToSend(observed, submission, clock.now())) return observed
      return (await submit(row.id)).transaction
    } catch (error) {
      const failed = await commits.fail(transaction, error, askedAt)
      return confirmation ? queryBeside(failed) : failed
    }
  }

  /** Returns whether a response to a query of the time `at` is fresh. A time in the future counts as unknown. */
  function isRecent(row: Transaction, at: number | null): boolean {
    const now = clock.now()
    if (at === null || at > now) return false
    return now - at < freshForMs(kinds[row.kind].progressOf(row), row, now)
  }

  /**
   * Queries the status of a transaction whose service confirmation could not be sent. The payment may have been
   * refunded meanwhile.
   */
  async function queryBeside(transaction: Transaction): Promise<Transaction> {
    const askedAt = clock.now()
    try {
      const answer = await kinds[transaction.kind].queryStatus(transaction)
      return (await commits.observe(transaction, answer, askedAt, 'beside')) ?? transaction
    } catch (error) {
      // The error is ignored, because the failed confirmation is already recorded and will be sent again.
      if (error instanceof GatewayError) return transaction
      throw error
    }
  }
}

/** Returns whether the merchant's service confirmation is stored, but not yet accepted or refused by the gateway. */
function isConfirming(kinds: Kinds, row: Transaction): boolean {
  return kinds[row.kind].serviceConfirmations?.of(row)?.stage === 'decided'
}

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
