/**
 * Synchronizes one transaction with the gateway: queries its status, sends it, and sends the merchant's decision about
 * it. Callbacks, polls, the reconciliation worker and the return page all call this module. The gateway is called
 * outside any database transaction; each response is committed by `commits.ts`.
 *
 * In this process, at most one query per transaction is in flight; across processes, the lease of `reconciliation.ts`
 * decides. No query starts earlier than the schedule and the request budget allow. Service confirmations and sends do
 * not wait for the budget.
 */

import { refuse } from '../api/refusal.ts'
import { GatewayError } from '../gateway/errors.ts'
import { insertedRow, StoreAwayError } from '../store/store.ts'
import { backoffDelay } from '../work/breaker.ts'
import { withTimeout } from '../work/clock.ts'
import { Commits, logError } from './commits.ts'
import { pendingIn } from './kind.ts'
import { describePruned, findOwn, namesOf } from './record.ts'
import { freshForMs, requestedQueryAt } from './schedule.ts'
import { isDueToSend, isQueriedFirst, isSendable } from './submission.ts'

import type { Refusal } from '../api/refusal.ts'
import type { Family } from '../contract/endpoints.ts'
import type { Priority, QueryQueue } from '../gateway/query-queue.ts'
import type { Fingerprints } from '../privacy/personal.ts'
import type { MerchantAccount, NewTransaction, Store, Transaction } from '../store/store.ts'
import type { Clock } from '../work/clock.ts'
import type { Randomness } from '../work/randomness.ts'
import type { CommitsDeps } from './commits.ts'
import type { AnyKind, AnyObservation, Decision, GatewayDeps, Kind, Rules } from './kind.ts'
import type { SendRule, SubmissionState } from './submission.ts'

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

export type Submitted =
  | { kind: 'answered'; transaction: Transaction }
  /** The gateway may or may not have received the request. Later status queries will show the result. */
  | { kind: 'unclear'; transaction: Transaction; error: GatewayError }

/** What a request that creates a transaction needs. */
export interface SubmitDeps {
  store: Store
  account: MerchantAccount
  synchronizer: Synchronizer
  clock: Clock
  randomness: Randomness
  fingerprints: Fingerprints
}

/** The transactions of one group: stored by the request (`created`), or by an earlier one. */
export type Created<Row> = { kind: 'created' | 'existing'; rows: [Row, ...Row[]] }

interface SynchronizerDeps extends GatewayDeps, CommitsDeps {
  account: MerchantAccount
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

/** The pauses between attempts to store an answer of the gateway, in milliseconds. */
const KEEP_PAUSE = { baseMs: 250, capMs: 30_000 }
const NO_RANDOM_PART = 1

export class Synchronizer {
  readonly #deps: SynchronizerDeps
  readonly #commits: Commits
  readonly #queries = new Map<string, Promise<Transaction | null>>()
  readonly #sends = new Map<string, Promise<Submitted>>()
  readonly #requests = new Map<string, Promise<Transaction | null>>()

  constructor(deps: SynchronizerDeps) {
    this.#deps = deps
    this.#commits = new Commits(deps)
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
      if (!row || !this.#isDue(row, reason) || queries.waiting >= MAX_WAITING) {
        return row
      }
      if (queries.waiting > queries.perSecond * WAIT_BEHIND) {
        void this.#synchronizeLater(id, reason)
        return row
      }
    }
    if (reason === 'requested') {
      const requested = (await findOwn(this.#deps, id)) && (await this.#request(id))
      if (!requested) {
        return null
      }

      await this.#waitForTurn(requested)
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
   * Stores a change that does not come from the gateway, such as the merchant's decision about a service. Does not
   * query the gateway.
   *
   * @param kind The kind of the transaction.
   */
  applyDecision<Row extends Transaction, Observation extends object, Event>(
    kind: Rules<Row, Observation, Event>,
    id: string,
    observation: Observation,
  ): Promise<Transaction | null> {
    return this.#commits.decide(kind, id, observation)
  }

  /**
   * Stores a new transaction and sends it. Resolves with `null`, and stores nothing, if the store already contains this
   * reference, or this attempt number of the group.
   */
  async submitNew(row: NewTransaction): Promise<Submitted | null> {
    const { store, client, clock } = this.#deps
    // With a valid access token, a single commit inserts the transaction with its `sent_at`.
    const isSentNow = client.isAuthenticated() && !(await this.#isQueriedFirst(insertedRow(row)))
    const sent_at = isSentNow ? clock.now() : null
    if (!(await store.insert({ ...row, sent_at }))) {
      return null
    }
    if (sent_at === null) {
      return this.submit(row.id)
    }
    return singleFlight(this.#sends, row.id, () => this.#send(insertedRow({ ...row, sent_at }), null))
  }

  /**
   * Stores the transactions of one group, unless a reference exists already. The group's reference is the idempotency
   * key: a request with other terms than the stored ones is refused. A single transaction is also sent. It is created
   * even if the gateway's response is lost: later status queries show whether the gateway received it.
   *
   * @param terms The terms of the new transactions, ordered by attempt.
   * @param reused The refusal to return if the reference was used for other terms.
   */
  async submitOnce<Row extends Transaction>(
    rows: readonly NewTransaction[],
    { read, requestOf }: Pick<Kind<Row, never, never>, 'read' | 'requestOf'>,
    terms: readonly unknown[],
    reused: Refusal,
  ): Promise<Created<Row> | Refusal> {
    const { store, fingerprints } = this.#deps
    const [row, ...others] = rows
    if (!row) {
      throw new Error('There is no transaction to insert.')
    }

    const { account, kind, group } = row
    const submitted = others.length === 0 ? await this.submitNew(row) : null
    if (submitted) {
      return { kind: 'created', rows: [read(submitted.transaction)] }
    }

    const isNew = others.length > 0 && (await store.insert(row, ...others))
    // Terms are equal if their JSON is equal.
    const isSame = (fingerprint: string, index: number) =>
      fingerprints.all('terms', JSON.stringify(terms[index])).includes(fingerprint)
    const areSame = (earlier: string[]) => earlier.length === rows.length && earlier.every(isSame)
    const [first, ...more] = (await store.list(account, kind, group)).map(read)
    if (first) {
      const earlier = [first, ...more].map(({ record }) => requestOf(record).fingerprint)
      return areSame(earlier) ? { kind: isNew ? 'created' : 'existing', rows: [first, ...more] } : reused
    }

    // The transactions were pruned, or the reference belongs to another group.
    const pruned = await store.listTombstones(account, kind, group)
    const isRepetition = areSame(pruned.map(({ digest }) => digest))
    return isRepetition ? refuse('record_deleted', describePruned(pruned)) : reused
  }

  /** Sends the transaction if the submission policy allows a send. Concurrent callers share one send and its result. */
  submit(id: string): Promise<Submitted> {
    return singleFlight(this.#sends, id, () => this.#askAndSend(id))
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
    const row = await findOwn(this.#deps, id)
    if (!row || !this.#isDue(row, reason)) {
      return row
    }

    const kind = this.#kindOf(row)
    const admitted =
      decisionOf(kind, row) !== null ||
      this.#deps.queries.admit(id, PRIORITY[reason], kind.familyOf(kind.read(row)))
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

  /**
   * Queries the gateway. If a stored service confirmation has not reached the gateway, sends the confirmation instead.
   * After the query, the submission policy decides whether the transaction is sent.
   */
  async #queryNow(row: Transaction): Promise<Transaction | null> {
    const askedAt = this.#deps.clock.now()
    const kind = this.#kindOf(row)
    const decision = decisionOf(kind, row)
    try {
      const sent = decision && (await kind.sendDecision?.(kind.read(row), decision, this.#deps))
      const answer = sent ?? (await kind.queryStatus(kind.read(row), this.#deps))
      const answered = sent ? 'confirmation' : 'status'
      const observed = await this.#commits.observe(row, answer, askedAt, answered)
      if (observed === null || !this.#isSentNow(observed)) {
        return observed
      }

      const { transaction: submitted } = await singleFlight(this.#sends, row.id, () => this.#mark(observed))
      return submitted
    } catch (error) {
      const failed = await this.#commits.fail(row, error, askedAt)
      return decision ? this.#queryAfterDecision(failed) : failed
    }
  }

  /** Returns whether a transaction is sent after the gateway was queried about it. */
  #isSentNow(row: Transaction): boolean {
    const kind = this.#kindOf(row)
    const submission = submissionOf(kind, row)
    if (submission === null) {
      return false
    }
    return isDueToSend(row, submission, this.#ruleOf(row), this.#deps.clock.now())
  }

  /**
   * Queries the status of a transaction whose service confirmation could not be sent. The payment may have been
   * refunded meanwhile.
   */
  async #queryAfterDecision(row: Transaction): Promise<Transaction> {
    const askedAt = this.#deps.clock.now()
    const kind = this.#kindOf(row)
    try {
      const answer = await kind.queryStatus(kind.read(row), this.#deps)
      return (await this.#commits.observe(row, answer, askedAt, 'after confirmation')) ?? row
    } catch (error) {
      // The error is ignored, because the failed confirmation is already recorded and will be sent again.
      if (error instanceof GatewayError) {
        return row
      }
      throw error
    }
  }

  /** Sends a stored transaction, after a query if it may have been sent before. */
  async #askAndSend(id: string): Promise<Submitted> {
    const { store, account } = this.#deps
    const row = await store.find(id)
    if (!row) {
      throw new Error('The transaction is gone from the store.')
    }

    const isOwn = row.account === account
    if (!isOwn || !this.#isSendable(row)) {
      return { kind: 'answered', transaction: row }
    }

    if (!(await this.#isQueriedFirst(row))) {
      return this.#mark(row)
    }

    const asked = await this.#ask(row)
    return asked.kind === 'answered' && this.#isSendable(asked.transaction)
      ? this.#mark(asked.transaction)
      : asked
  }

  /** Queries the status of a transaction between two steps of its submission. */
  async #ask(row: Transaction): Promise<Submitted> {
    const askedAt = this.#deps.clock.now()
    const kind = this.#kindOf(row)
    try {
      const answer = await kind.queryStatus(kind.read(row), this.#deps)
      const observed = await this.#commits.observe(row, answer, askedAt, 'status')
      return { kind: 'answered', transaction: observed ?? row }
    } catch (error) {
      return this.#failSend(row, error, askedAt)
    }
  }

  /** Stores that a transaction is sent, and sends it. Another process may have sent it meanwhile, or have an answer. */
  async #mark(row: Transaction): Promise<Submitted> {
    const { client, clock } = this.#deps
    const startedAt = clock.now()
    try {
      // If authentication fails, the transaction does not count as sent.
      await client.authenticate()
    } catch (error) {
      return this.#failSend(row, error, startedAt)
    }

    const isStillSendable = (now: Transaction) => now.sent_at === row.sent_at && this.#isSendable(now)
    const { transaction, isMarked } = await this.#commits.markSent(row.id, isStillSendable)
    return isMarked ? this.#send(transaction, row.sent_at) : { kind: 'answered', transaction }
  }

  /**
   * Sends a transaction whose `sent_at` is already stored. A refused request may have arrived all the same, or be a
   * duplicate of one that has: the gateway is asked.
   *
   * @param sentBefore The `sent_at` from before; `null` if the transaction was never sent.
   */
  async #send(row: Transaction, sentBefore: number | null): Promise<Submitted> {
    const sentAt = row.sent_at ?? this.#deps.clock.now()
    const kind = this.#kindOf(row)
    try {
      const answer = await kind.send(kind.read(row), this.#deps)
      const observed = (await this.#keep(row, answer, sentAt)) ?? row
      const isRefused = submissionOf(kind, observed)?.refused
      return isRefused ? await this.#ask(observed) : { kind: 'answered', transaction: observed }
    } catch (error) {
      return this.#failSend(row, error, sentAt, sentBefore)
    }
  }

  /**
   * Commits the answer to a send. While the store is away, the commit is repeated as long as the process lives: nothing
   * else may know what the answer contains, such as the id by which the gateway finds a charge.
   */
  async #keep(row: Transaction, answer: AnyObservation, sentAt: number): Promise<Transaction | null> {
    const { clock, log } = this.#deps
    for (let failures = 1; ; failures++) {
      try {
        return await this.#commits.observe(row, answer, sentAt, 'send')
      } catch (error) {
        if (!(error instanceof StoreAwayError)) {
          throw error
        }

        log.warn(
          { ...namesOf(row), err: error },
          "The gateway's answer could not be stored; this is retried.",
        )
        await clock.sleep(backoffDelay(failures, NO_RANDOM_PART, KEEP_PAUSE))
      }
    }
  }

  async #failSend(
    row: Transaction,
    error: unknown,
    askedAt: number,
    sentBefore = row.sent_at,
  ): Promise<Submitted> {
    const transaction = await this.#commits.fail(row, error, askedAt, sentBefore)
    if (!(error instanceof GatewayError)) {
      throw error
    }
    return { kind: 'unclear', transaction, error }
  }

  #isSendable(row: Transaction): boolean {
    const kind = this.#kindOf(row)
    const submission = submissionOf(kind, row)
    return submission !== null && isSendable(row, submission, this.#ruleOf(row), this.#deps.clock.now())
  }

  #ruleOf(row: Transaction): SendRule {
    const kind = this.#kindOf(row)
    return kind.sendRule(kind.read(row))
  }

  /** Returns whether the gateway has to be queried before the transaction is sent. */
  async #isQueriedFirst(row: Transaction): Promise<boolean> {
    const { store } = this.#deps
    return isQueriedFirst(row, row.kind === 'checkout' ? null : (await store.marks()).recovered)
  }

  #kindOf({ kind }: Transaction): AnyKind {
    return this.#deps.kinds.of(kind)
  }
}

/**
 * Returns the state of the submission; `null` after the gateway has acknowledged or rejected the transaction, or after
 * the server has given up the submission.
 */
function submissionOf(kind: AnyKind, row: Transaction): SubmissionState | null {
  const { record } = kind.read(row)
  return record.phase === 'intended' ? record : null
}

/**
 * Returns the merchant's decision that is stored, but not yet accepted or refused by the gateway; `null` if none is.
 */
function decisionOf(kind: AnyKind, row: Transaction): Decision | null {
  const confirmation = kind.confirmationOf?.(kind.read(row))
  return (confirmation && pendingIn(confirmation)?.decision) ?? null
}

/** Returns the promise of the call that is running for this id. Calls `start` if no call is running. */
function singleFlight<T>(inFlight: Map<string, Promise<T>>, id: string, start: () => Promise<T>): Promise<T> {
  const running = inFlight.get(id)
  if (running) {
    return running
  }

  const started = start().finally(() => inFlight.delete(id))
  inFlight.set(id, started)
  return started
}
