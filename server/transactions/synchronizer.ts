/**
 * Synchronizes one transaction with the gateway: queries its status, and has it or the merchant's decision about it sent
 * by `sender.ts`, if it is due. Called by callbacks, pages and their streams, the return page, the merchant's API, starts of
 * checkouts, and `reconciliation.ts`. The gateway is called outside any database transaction; each response is committed by
 * `commits.ts`.
 *
 * In this process, at most one query per transaction is in flight; across processes, the lease of `reconciliation.ts`
 * decides. No query starts earlier than the schedule and the request budget allow.
 */

import { GatewayError } from '../gateway/errors.ts'
import { withTimeout } from '../work/clock.ts'
import { findOwn } from './find.ts'
import { logError } from './log-names.ts'
import { freshForMs, nextSendAt, requestedQueryAt } from './schedule.ts'
import { singleFlight } from './single-flight.ts'

import type { Family } from '../contract/endpoints.ts'
import type { Priority } from '../gateway/query-priority.ts'
import type { QueryQueue } from '../gateway/query-queue.ts'
import type { Transaction } from '../store/transactions.ts'
import type { Commits } from './commits.ts'
import type { AnyKind, Rules } from './kind.ts'
import type { Sender, SenderDeps } from './sender.ts'

/**
 * Why a transaction is synchronized. `requested` means that a query was requested, because a callback arrived, a shopper
 * returned from the hosted page, or a new checkout depends on the answer; `poll` that a page shows the transaction,
 * `due` that the scheduled time has come, and `probe` that the query tests whether the gateway is available again.
 */
export type SyncReason = keyof typeof PRIORITY

const PRIORITY = {
  requested: 'notified',
  poll: 'watched',
  due: 'due',
  probe: 'probe',
} as const satisfies Record<string, Priority>

interface SynchronizerDeps extends SenderDeps {
  queries: QueryQueue
}

/** The maximum time that `synchronizeWithin` waits for a status query, in milliseconds. */
const WAIT_MS = 4_000
const LATE = new Error('The query takes longer.')
/**
 * If more queries than this fraction of GATEWAY_MAX_RPS wait for the request budget, a page's poll gets the
 * stored row at once, and its query runs in the background.
 */
const WAIT_BEHIND = 1 / 5
/** If at least this many queries wait for the request budget, polls by pages start no further queries. */
const MAX_WAITING = 1_000

export class Synchronizer {
  readonly #deps: SynchronizerDeps
  readonly #commits: Commits
  readonly #queries = new Map<string, Promise<Transaction | null>>()
  readonly #sender: Sender
  readonly #requests = new Map<string, Promise<Transaction | null>>()

  constructor(deps: SynchronizerDeps, commits: Commits, sender: Sender) {
    this.#deps = deps
    this.#commits = commits
    this.#sender = sender
    deps.queries.onBack((notified) => {
      for (const id of notified) {
        void this.#synchronizeLater(id, 'requested')
      }
    })
  }

  /**
   * Queries the gateway if a query is permitted now. Resolves with the stored transaction after the query, even if the
   * query failed; `null` if no transaction has this id.
   */
  async synchronize(id: string, reason: SyncReason): Promise<Transaction | null> {
    const running = this.#queries.get(id)
    if (running && (reason === 'poll' || this.#deps.queries.promote(id, PRIORITY[reason]))) {
      return running
    }
    // A query that started before the request may have returned the old status. Wait for this query, then query again.
    if (running) {
      await running.catch(() => {})
    }
    return singleFlight(this.#queries, id, () => this.#query(id, reason))
  }

  /**
   * Like `synchronize`, but if the query takes longer than 4 seconds, resolves with the stored row. The query then
   * continues in the background. With the reason `requested`, first requests a query, and waits for its time, at most a
   * second: the row then shows an answer that was asked after this call.
   */
  async synchronizeWithin(id: string, reason: SyncReason): Promise<Transaction | null> {
    const { queries, clock } = this.#deps
    if (reason === 'poll') {
      const row = await findOwn(this.#deps, id)
      if (!row || !this.#isDue(row, reason) || queries.waitingCount >= MAX_WAITING) {
        return row
      }
      if (queries.waitingCount > queries.perSecond * WAIT_BEHIND) {
        void this.#synchronizeLater(id, reason)
        return row
      }
    }
    if (reason === 'requested' && !(await this.#requestTurn(id))) {
      return null
    }

    const synchronized = this.#synchronizeLater(id, reason)
    return withTimeout(WAIT_MS, clock, () => synchronized, LATE).catch((error: unknown) => {
      if (error === LATE) {
        return findOwn(this.#deps, id)
      }
      throw error
    })
  }

  /**
   * Like `synchronizeWithin` with the reason `requested`, but waits for the answer as long as the gateway may take for it.
   * What depends on the answer would otherwise never begin at a gateway that takes longer.
   */
  async synchronizeAnew(id: string): Promise<Transaction | null> {
    return (await this.#requestTurn(id)) ? this.#synchronizeLater(id, 'requested') : null
  }

  /** Requests a query, and waits for its time, at most a second. Resolves with `false` if no transaction has this id. */
  async #requestTurn(id: string): Promise<boolean> {
    const requested = (await findOwn(this.#deps, id)) && (await this.#request(id))
    if (!requested) {
      return false
    }

    await this.#waitForTurn(requested)
    return true
  }

  /**
   * Requests a query for the earliest permitted time, even while another query is in flight. Resolves when the request
   * is stored. If this time is now, the query starts in the background.
   */
  async requestSync(id: string): Promise<void> {
    const row = await this.#request(id)
    if (row && this.#isDue(row, 'requested')) {
      void this.#synchronizeLater(id, 'requested')
    }
  }

  async #request(id: string): Promise<Transaction | null> {
    // One that is running may be stored already, and a query of another process may have begun since.
    await this.#requests.get(id)?.catch(() => {})
    return singleFlight(this.#requests, id, () => this.#commits.request(id))
  }

  /** Waits for the time of the requested query. */
  async #waitForTurn(row: Transaction): Promise<void> {
    const { clock } = this.#deps
    const now = clock.now()
    const at = requestedQueryAt(row, now) ?? now
    if (at > now) {
      await clock.sleep(at - now)
    }
  }

  /**
   * Stores what an observation changes that is no answer of the gateway: a decision of the merchant, what a person found
   * out, a visit of the page. Does not query the gateway.
   *
   * @param kind The kind of the transaction.
   */
  applyWithoutQuery<Row extends Transaction, Observation extends object, Event>(
    kind: Rules<Row, Observation, Event>,
    id: string,
    observation: Observation,
  ): Promise<Transaction | null> {
    return this.#commits.saveWithoutQuery(kind, id, observation)
  }

  /**
   * Queries the status of a transaction that is not stored, when the request budget permits.
   *
   * @throws {GatewayError} if the query fails, or the gateway is unavailable.
   */
  async queryUnstored<Answer>(family: Family, query: () => Promise<Answer>): Promise<Answer> {
    if (await this.#deps.queries.admitUnstored(family)) {
      return query()
    }
    throw new GatewayError('gateway_unavailable', 'The gateway does not answer status queries now.')
  }

  /** Starts a query in the background, and logs its failure. */
  #synchronizeLater(id: string, reason: SyncReason): Promise<Transaction | null> {
    const synchronized = this.synchronize(id, reason)
    synchronized.catch((error: unknown) => logError(this.#deps, id, error, 'A status query failed.'))
    return synchronized
  }

  async #query(id: string, reason: SyncReason): Promise<Transaction | null> {
    const found = await findOwn(this.#deps, id)
    if (!found || !this.#isDue(found, reason)) {
      return found
    }

    // Whoever only asks what became of a payment, such as a page or a callback, sends nothing.
    const isSendDue = reason === 'due' && this.#isDecisionDue(found)
    const sent = isSendDue ? await this.#sender.sendDecision(found) : null
    if (sent?.isAnswered) {
      return sent.transaction
    }

    // What the gateway has not answered may be about money that went back meanwhile.
    const row = sent?.transaction ?? found
    const kind = this.#kindOf(row)
    const admitted = this.#deps.queries.admit(id, PRIORITY[reason], kind.familyOf(kind.read(row)))
    if (admitted === true) {
      return this.#queryNow(row)
    }

    const isAdmitted = await admitted
    // While the query waited, another process may have changed the row.
    const later = await findOwn(this.#deps, id)
    if (!later || !this.#isDue(later, reason)) {
      return later
    }
    if (isAdmitted) {
      return this.#queryNow(later)
    }
    return reason === 'due' ? this.#commits.endLease(later) : later
  }

  /** Returns whether a query is permitted now. */
  #isDue(row: Transaction, reason: SyncReason): boolean {
    if (reason === 'probe') {
      return true
    }
    if (reason === 'poll') {
      return !this.#isRecent(row)
    }

    const now = this.#deps.clock.now()
    // A query that was requested during an outage of the gateway is due when the outage ends, before its due time.
    const requestedAt = reason === 'requested' ? requestedQueryAt(row, now) : null
    const at = requestedAt ?? row.due_at
    return at !== null && at <= now
  }

  /**
   * Returns whether the last query is so recent that a page may show the stored row. A time in the future counts as
   * unknown.
   */
  #isRecent(row: Transaction): boolean {
    const now = this.#deps.clock.now()
    const kind = this.#kindOf(row)
    const { asked_at } = row
    if (asked_at === null || asked_at > now) {
      return false
    }
    return now - asked_at < freshForMs(kind.progressOf(kind.read(row)), row, now)
  }

  /** Queries the gateway. After the query, the submission policy decides whether the transaction is sent. */
  async #queryNow(row: Transaction): Promise<Transaction | null> {
    const kind = this.#kindOf(row)
    const askedAt = this.#deps.clock.now()
    try {
      const answer = await kind.queryStatus(kind.read(row), this.#deps)
      const observed = await this.#commits.observe(row, answer, askedAt, 'status')
      return observed && (await this.#sender.sendIfDue(observed))
    } catch (error) {
      return this.#commits.fail(row, error, askedAt)
    }
  }

  /** Returns whether the time of the next send of the merchant's decision has come. */
  #isDecisionDue(row: Transaction): boolean {
    const kind = this.#kindOf(row)
    const decision = kind.decisionOf?.(kind.read(row)) ?? null
    const now = this.#deps.clock.now()
    return decision !== null && nextSendAt(decision, now) <= now
  }

  #kindOf({ kind }: Transaction): AnyKind {
    return this.#deps.kinds.of(kind)
  }
}
