/**
 * Sends to the gateway: transactions, and the merchant's decisions about them. Stores first that something is sent. If
 * the answer is lost, it may have been taken: a transaction is then queried before it is sent again, and a decision is
 * sent again as it is. An answer is stored as soon as the store can be used. In this process, at most one send per
 * transaction is in flight. Sends do not wait for the request budget. `kind.ts` says where in the server's loop this is.
 */

import { refuse } from '../api/refusal.ts'
import { GatewayError } from '../gateway/errors.ts'
import { StoreAwayError } from '../store/errors.ts'
import { insertedRow } from '../store/transactions.ts'
import { backoffDelay } from '../work/backoff.ts'
import { pendingIn } from './kind.ts'
import { namesOf } from './log-names.ts'
import { mayHaveLostDecision } from './recovery.ts'
import { singleFlight } from './single-flight.ts'
import { isDueToSend, isQueriedFirst, isSendable } from './submission.ts'
import { textOfTerms } from './terms.ts'
import { describePruned } from './tombstone.ts'

import type { Refusal } from '../api/refusal.ts'
import type { Fingerprints } from '../privacy/personal.ts'
import type { MerchantAccount } from '../store/merchant-account.ts'
import type { Store } from '../store/store.ts'
import type { NewTransaction, Transaction } from '../store/transactions.ts'
import type { Clock } from '../work/clock.ts'
import type { Randomness } from '../work/randomness.ts'
import type { Commits, CommitsDeps } from './commits.ts'
import type { AnyKind, AnyObservation, GatewayDeps, Kind, NamedDecision } from './kind.ts'
import type { SendRule, SubmissionState } from './submission.ts'

export type Submitted =
  | { kind: 'answered'; transaction: Transaction }
  /** The gateway may or may not have received the request. Later status queries will show the result. */
  | { kind: 'unclear'; transaction: Transaction; error: GatewayError }

/** The transactions of one group: stored by the request (`created`), or by an earlier one. */
export type Created<Row> = { kind: 'created' | 'existing'; rows: [Row, ...Row[]] }

/** The transactions that one request creates. */
export interface NewGroup<Row extends Transaction> {
  rows: readonly NewTransaction[]
  kind: Pick<Kind<Row, never, never>, 'read' | 'requestOf'>
  /** The terms of the new transactions, ordered by attempt. */
  terms: readonly unknown[]
  /** The refusal to return if the reference was used for other terms. */
  reused: Refusal
}

/** The transaction after its decision was to be sent. `isAnswered` says whether the gateway has accepted or refused it. */
export interface SentDecision {
  transaction: Transaction
  isAnswered: boolean
}

export interface SenderDeps extends GatewayDeps, CommitsDeps {
  account: MerchantAccount
}

/** What a request that creates a transaction needs. */
export interface SubmitDeps {
  store: Store
  account: MerchantAccount
  sender: Sender
  clock: Clock
  randomness: Randomness
  fingerprints: Fingerprints
}

/** The pauses between attempts to store an answer of the gateway, in milliseconds. */
const KEEP_PAUSE = { baseMs: 250, capMs: 30_000 }
const NO_RANDOM_PART = 1

export class Sender {
  readonly #deps: SenderDeps
  readonly #commits: Commits
  readonly #sends = new Map<string, Promise<Submitted>>()
  readonly #decisions = new Map<string, Promise<SentDecision>>()

  constructor(deps: SenderDeps, commits: Commits) {
    this.#deps = deps
    this.#commits = commits
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
   */
  async submitOnce<Row extends Transaction>(group: NewGroup<Row>): Promise<Created<Row> | Refusal> {
    const { rows, terms, reused } = group
    const { read, requestOf } = group.kind
    const { store, fingerprints } = this.#deps
    const [row, ...others] = rows
    if (!row) {
      throw new Error('There is no transaction to insert.')
    }

    const { account, kind, group: groupReference } = row
    const submitted = others.length === 0 ? await this.submitNew(row) : null
    if (submitted) {
      return { kind: 'created', rows: [read(submitted.transaction)] }
    }

    const isNew = others.length > 0 && (await store.insert(row, ...others))
    const isSame = (fingerprint: string, index: number) =>
      fingerprints.all('terms', textOfTerms(terms[index])).includes(fingerprint)
    const areSame = (earlier: string[]) => earlier.length === rows.length && earlier.every(isSame)
    const [first, ...more] = (await store.list(account, kind, groupReference)).map(read)
    if (first) {
      const earlier = [first, ...more].map(({ record }) => requestOf(record).fingerprint)
      return areSame(earlier) ? { kind: isNew ? 'created' : 'existing', rows: [first, ...more] } : reused
    }

    // The transactions were pruned, or the reference belongs to another group.
    const pruned = await store.listTombstones(account, kind, groupReference)
    const isRepetition = areSame(pruned.map(({ digest }) => digest))
    return isRepetition ? refuse('record_deleted', describePruned(pruned)) : reused
  }

  /** Sends the transaction if the submission policy allows a send. Concurrent callers share one send and its result. */
  submit(id: string): Promise<Submitted> {
    return singleFlight(this.#sends, id, () => this.#askAndSend(id))
  }

  /** Sends a transaction about which the gateway was queried, if the submission policy says so. Returns its row. */
  async sendIfDue(row: Transaction): Promise<Transaction> {
    const submission = submissionOf(this.#kindOf(row), row)
    if (submission === null || !isDueToSend(row, submission, this.#ruleOf(row), this.#deps.clock.now())) {
      return row
    }

    const { transaction } = await singleFlight(this.#sends, row.id, () => this.#mark(row))
    return transaction
  }

  /** Sends the merchant's decision about the transaction that is to be sent next, whatever its time is. */
  sendDecision(row: Transaction): Promise<SentDecision> {
    return singleFlight(this.#decisions, row.id, () => this.#markAndSendDecision(row))
  }

  /** Stores that a decision is sent, and sends it. Another process may have an answer meanwhile. */
  async #markAndSendDecision(row: Transaction): Promise<SentDecision> {
    const { store, clock, log } = this.#deps
    const askedAt = clock.now()
    const { recovered } = await store.marks()
    const marked = await this.#commits.markDecision(row, mayHaveLostDecision(row, recovered))
    const transaction = marked.transaction ?? row
    const { next } = marked
    if (next === null) {
      return { transaction, isAnswered: false }
    }

    const kind = this.#kindOf(transaction)
    const { decision } = next
    let answer
    try {
      answer = await kind.sendDecision?.(kind.read(transaction), decision, this.#deps)
    } catch (error) {
      const failed = await this.#commits.failDecision(transaction, next, error, askedAt)
      return { transaction: failed, isAnswered: false }
    }

    const kept = answer && (await this.#keep(transaction, answer, askedAt, 'decision'))
    const answered = kept ?? transaction
    const isAnswered = !this.#isPending(answered, decision)
    if (!isAnswered) {
      log.warn(namesOf(answered), 'The gateway refused a decision that it may have taken before.')
    }
    return { transaction: answered, isAnswered }
  }

  #isPending(row: Transaction, { payment_id }: NamedDecision): boolean {
    const kind = this.#kindOf(row)
    const confirmation = kind.confirmationOf?.(kind.read(row)) ?? null
    return (
      confirmation !== null && pendingIn(confirmation).some((each) => each.decision.payment_id === payment_id)
    )
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
      const observed = (await this.#keep(row, answer, sentAt, 'send')) ?? row
      const isRefused = submissionOf(kind, observed)?.refused
      return isRefused ? await this.#ask(observed) : { kind: 'answered', transaction: observed }
    } catch (error) {
      return this.#failSend(row, error, sentAt, sentBefore)
    }
  }

  /**
   * Commits the answer to a send. While the store is away, the commit is repeated as long as the process lives: nothing
   * else may know what the answer contains, such as the id by which the gateway finds a charge, or that it has taken a
   * decision, which it may refuse when it gets it again.
   */
  async #keep(
    row: Transaction,
    answer: AnyObservation,
    sentAt: number,
    answered: 'send' | 'decision',
  ): Promise<Transaction | null> {
    const { clock, log } = this.#deps
    for (let failures = 1; ; failures++) {
      try {
        return await this.#commits.observe(row, answer, sentAt, answered)
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
