/**
 * Commits the changes of transactions. `row-change.ts` computes each change from the row that it changes. Record,
 * history, events and the time of the next query are saved atomically if the row's revision is unchanged; otherwise the
 * change is computed again from the changed row. `outbox/deliver.ts` delivers the events.
 */

import { GatewayError } from '../gateway/errors.ts'
import { CountedElsewhereError } from '../store/errors.ts'
import { FOR_A_PERSON } from '../store/transactions.ts'
import { namesOf } from './log-names.ts'
import { changeBy, changeTo } from './row-change.ts'
import { factsAfterQuery, isOver, isOverdue, MINUTE, nextLookAt, requestQuery } from './schedule.ts'

import type { QueryQueue } from '../gateway/query-queue.ts'
import type { Log } from '../log/log.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Store } from '../store/store.ts'
import type { Change, Transaction } from '../store/transactions.ts'
import type { Clock } from '../work/clock.ts'
import type { Randomness } from '../work/randomness.ts'
import type { Zone } from '../work/zone.ts'
import type { AnyKind, AnyObservation, Rules, Sendable } from './kind.ts'
import type { Kinds } from './kinds.ts'
import type { RowChange } from './row-change.ts'
import type { SendTimes } from './schedule.ts'

/** What a response of the gateway answers: the send that is stored as `sent_at`, a status query, or a decision. */
type Answered = 'send' | 'status' | 'decision'

export interface CommitsDeps {
  store: Store
  kinds: Kinds
  clock: Clock
  log: Log
  metrics: Metrics | undefined
  randomness: Pick<Randomness, 'token'>
  queries: Pick<QueryQueue, 'postpone'>
  /** The zone in which the merchant's days end; `null` if they have none, and no day is ever closed. */
  zone: Pick<Zone, 'openSince'> | null
}

/**
 * If the queries of a transaction fail repeatedly, every tenth failure is logged as an error. The first ten failures
 * take at least 20 minutes. [assumed]
 */
const ALARM_AFTER = 10
/** While a decision cannot be delivered, this is logged as an error after each of these times, in milliseconds. */
const ALARM_AFTER_MS = 20 * MINUTE
/** The number of consecutive revision conflicts after which a commit fails. More would indicate an endless loop. */
const MAX_STALE_COMMITS = 20
const LATE_ANSWER = 'The answer to an earlier send of it came after it was sent again, and does not count.'

/**
 * Computes a change from a stored row.
 *
 * @param counted Adds to an observation the payments that the store has refused to count for this transaction.
 */
type Decide = (
  row: Transaction,
  now: number,
  counted: <Observation extends object>(observation: Observation) => Observation,
) => RowChange | null

export class Commits {
  readonly #deps: CommitsDeps

  constructor(deps: CommitsDeps) {
    this.#deps = deps
  }

  /**
   * Updates the transaction with a response of the gateway. `asked` is the row that was read before the request. If the
   * stored row has a newer version, the response may not count:
   *
   * - The response to a send does not count if the transaction was sent again.
   * - The response to a status query may be outdated. In this case, the record stays unchanged, and another query is
   *   requested. Other changes, such as a requested query, do not make it outdated: frequent callbacks would otherwise
   *   keep every answer from being stored.
   */
  observe(asked: Transaction, observation: AnyObservation, askedAt: number, answered: Answered) {
    return this.#save(asked, (row, now, counted) => {
      const wasSentAgain = row.sent_at !== asked.sent_at
      if (answered === 'send' && wasSentAgain) {
        return { historyEntry: LATE_ANSWER }
      }

      const change = changeBy(this.#kindOf(row), row, counted(observation), askedAt, now)
      // [assumed] If two queries overlap, either response may be outdated.
      const isOutdated = row.version !== asked.version && change.record !== undefined
      switch (answered) {
        case 'send':
          return { ...change, asked_at: askedAt, failures: 0 }
        case 'decision':
          return change
        case 'status':
          return isOutdated
            ? { failures: 0, ...requestQuery(row, now) }
            : { ...change, ...factsAfterQuery(row, asked, askedAt, 0) }
      }
    })
  }

  /**
   * Stores what an observation changes that is no answer of the gateway, such as the merchant's decision about a
   * service. Only the gateway's answer or silence makes a transaction overdue.
   */
  saveWithoutQuery<Row extends Transaction, Observation extends object, Event>(
    kind: Rules<Row, Observation, Event>,
    id: string,
    observation: Observation,
  ) {
    return this.#save(id, (stored, now, counted) => {
      const row = kind.read(stored)
      const change = changeTo(kind, row, kind.transition(row, counted(observation), now), now)
      const isNothing = change.record === undefined && change.historyEntry === null
      return isNothing ? null : change
    })
  }

  /**
   * Stores the current time as `sent_at` if `isSendable` returns `true` for the stored row. Must be called before the
   * transaction is sent. `isMarked` is `false` if the transaction must not be sent.
   */
  async markSent(id: string, isSendable: (row: Transaction) => boolean) {
    let isMarked = false
    const transaction = await this.#save(id, (row, now) => {
      isMarked = isSendable(row)
      return isMarked ? { sent_at: now } : null
    })
    if (!transaction) {
      throw new Error('The transaction is gone from the store.')
    }
    return { transaction, isMarked }
  }

  /**
   * Stores that the merchant's decision is sent which is to be sent next. Must be called before the decision is sent.
   * `next` is the decision with the times from before; `null` if none is to be sent.
   *
   * @param mayBeLost Whether the store may have lost an earlier send of a decision about the same payment.
   */
  async markDecision(row: Transaction, mayBeLost: boolean) {
    const marked: { next: Sendable | null } = { next: null }
    const transaction = await this.#save(row, (stored, now) => {
      const kind = this.#kindOf(stored)
      const read = kind.read(stored)
      const next = kind.decisionOf?.(read) ?? null
      marked.next = next
      const sending = { kind: 'sending', decision: next?.decision, mayBeLost }
      return next && changeTo(kind, read, kind.transition(read, sending, now), now)
    })
    return { transaction, next: marked.next }
  }

  /**
   * Records that a decision was sent without an answer. If the error proves that the gateway has not taken it, this send
   * counts no more.
   *
   * @throws {Error} The argument `error`, unless `error` is a {@link GatewayError}.
   */
  async failDecision(
    transaction: Transaction,
    sent: Sendable,
    error: unknown,
    askedAt: number,
  ): Promise<Transaction> {
    if (!(error instanceof GatewayError)) {
      throw error
    }

    const { code, isUnsent, summary } = error
    this.#logFailed({ ...namesOf(transaction), code }, summary, isAlarmDue(sent, askedAt))
    const { decision } = sent
    const undelivered = { kind: 'undelivered', decision, isUnsent }
    const failed = await this.#save(transaction.id, (row, now) =>
      changeBy(this.#kindOf(row), row, undelivered, askedAt, now),
    )
    return failed ?? transaction
  }

  /**
   * Records that a request to the gateway about the transaction failed. The transaction's record stays unchanged,
   * unless its last deadline has passed. If the error proves that the gateway has executed nothing, `sent_at` is restored.
   *
   * @param sentBefore The `sent_at` from before the request. It differs from the stored one only if the request is a send.
   * @throws {Error} The argument `error`, unless `error` is a {@link GatewayError}.
   */
  async fail(
    transaction: Transaction,
    error: unknown,
    askedAt: number,
    sentBefore = transaction.sent_at,
  ): Promise<Transaction> {
    if (!(error instanceof GatewayError)) {
      throw error
    }

    // While the gateway is unavailable, a failed query does not indicate a problem with its transaction. A transaction
    // that has ended does not wait for the end of an outage: it would be queried as a probe again and again.
    const hasEnded = isOver(this.#progressOf(transaction))
    const isPostponed = !hasEnded && this.#postpone(transaction)
    if (!isPostponed) {
      this.#logFailure(transaction, error)
    }

    const failed = await this.#save(transaction.id, (row, now) => {
      const overdue = isOverdue(this.#progressOf(row), now)
        ? changeBy(this.#kindOf(row), row, { kind: 'overdue' }, askedAt, now)
        : null
      const failures = isPostponed ? Math.max(1, row.failures) : row.failures + 1
      const isSameSend = row.sent_at === transaction.sent_at
      const isRestored = error.isUnsent && isSameSend && row.sent_at !== sentBefore
      // The pause until the next query begins when a query has failed, not when it has started.
      return {
        ...overdue,
        ...factsAfterQuery(row, transaction, now, failures),
        ...(isRestored && { sent_at: sentBefore }),
        isPostponed,
      }
    })
    return failed ?? transaction
  }

  /** Ends the worker's lease on a transaction whose query was refused. */
  endLease(transaction: Transaction) {
    return this.#save(transaction.id, (row) =>
      this.#postpone(row) ? { failures: Math.max(1, row.failures), isPostponed: true } : {},
    )
  }

  /** Requests a status query. Resolves with `null` if no transaction has this id. */
  request(id: string) {
    return this.#change(id, async (row, now) => {
      const { requested_at, requested_revision } = requestQuery(row, now)
      const isStored = await this.#deps.store.requestQuery(id, row.revision, requested_at)
      const due = { due_at: requested_at, requested_at, requested_revision }
      return isStored ? { ...row, ...due, revision: requested_revision } : null
    })
  }

  /**
   * Computes a change from the stored row and commits the change. If `decide` returns `null`, nothing is committed.
   *
   * The store remembers the first transaction for which a payment is counted, whichever server commits it. If the store
   * refuses to count payments for this transaction, the change is computed again without them.
   */
  #save(from: string | Transaction, decide: Decide) {
    const { store } = this.#deps
    const elsewhere = new Map<string, string>()
    const counted = <Observation extends object>(observation: Observation): Observation =>
      elsewhere.size === 0 ? observation : { ...observation, elsewhere }
    return this.#change(from, async (row, now) => {
      const decided = decide(row, now, counted)
      if (!decided) {
        return row
      }

      try {
        const saved = await store.commit(row.id, row.revision, this.#changeOf(row, decided, now))
        if (saved) {
          this.#reportOutcome(row, saved)
        }
        return saved
      } catch (error) {
        if (!(error instanceof CountedElsewhereError)) {
          throw error
        }

        for (const [payment, reference] of error.elsewhere) {
          elsewhere.set(payment, reference)
        }

        return null
      }
    })
  }

  /**
   * Changes the stored row. `change` resolves with `null` if it cannot be stored, because another commit has changed the
   * row meanwhile or has counted its payments: the change is then computed again from the row as it is.
   *
   * @param from The id of the row; or a row that was read before, from which the change is computed first. The store
   * refuses the commit if that row has changed since.
   */
  async #change(
    from: string | Transaction,
    change: (row: Transaction, now: number) => Promise<Transaction | null>,
  ): Promise<Transaction | null> {
    const { store, clock } = this.#deps
    const id = typeof from === 'string' ? from : from.id
    for (let stale = 0; stale < MAX_STALE_COMMITS; stale++) {
      const row = typeof from === 'string' || stale > 0 ? await store.find(id) : from
      if (!row) {
        return null
      }

      const changed = await change(row, clock.now())
      if (changed) {
        return changed
      }
    }

    throw new Error(`A transaction changed ${MAX_STALE_COMMITS} times while one change was being saved.`)
  }

  #changeOf(row: Transaction, decided: RowChange, at: number): Change {
    const { progress, events = [], isPostponed = false, ...change } = decided
    const next = { ...row, ...change }
    const due_at = nextLookAt(progress ?? this.#progressOf(next), next, at, isPostponed)
    const newId = () => `evt_${this.#deps.randomness.token()}`
    const open_since = change.movements && this.#deps.zone?.openSince(at)
    return {
      ...change,
      at,
      due_at,
      ...(open_since && { open_since }),
      events: events.map((event) => ({ ...event, id: newId() })),
    }
  }

  /**
   * Counts a new outcome in the metrics. Logs a transaction that has just settled or now needs a check by a person,
   * without payer details. A log line names a transaction by its reference, never by its id: whoever knows the id of a
   * checkout may watch the checkout.
   */
  #reportOutcome(before: Transaction, after: Transaction): void {
    const { log, metrics } = this.#deps
    const { kind, attempt, outcome } = after
    if (after.version === before.version) {
      return
    }

    const isNewOutcome = outcome !== before.outcome
    const isSettled = this.#isSettled(after)
    const becameSettled = isSettled && !this.#isSettled(before)
    const ms = after.updated_at - after.created_at
    if (isNewOutcome) {
      metrics?.outcome(kind, outcome)
    }
    if (becameSettled) {
      metrics?.settled(kind, ms)
    }

    const facts = { ...namesOf(after), attempt, outcome, ms }
    if (isNewOutcome && FOR_A_PERSON.some((each) => each === outcome)) {
      log.warn(facts, `The ${kind} needs a person: ${outcome}.`)
    } else if (becameSettled || (isSettled && isNewOutcome)) {
      log.info(facts, `The ${kind} is settled: ${outcome}.`)
    }
  }

  #logFailure(row: Transaction, { code, summary: message }: GatewayError): void {
    // The payer's details are deleted by now and cannot be redacted in the gateway's own words.
    const facts = { ...namesOf(row), code, failures: row.failures + 1 }
    this.#logFailed(facts, message, facts.failures % ALARM_AFTER === 0)
  }

  #logFailed(facts: object, message: string, isAlarm: boolean): void {
    const { log } = this.#deps
    if (isAlarm) {
      log.error(facts, `${message} This has failed for so long that a person should look.`)
    } else {
      log.warn(facts, message)
    }
  }

  #isSettled(row: Transaction): boolean {
    const { stage } = this.#progressOf(row)
    return stage === 'settled' || stage === 'ended'
  }

  /** Returns whether the transaction waits until the gateway is available again. */
  #postpone(row: Transaction): boolean {
    const kind = this.#kindOf(row)
    return this.#deps.queries.postpone(row.id, kind.familyOf(kind.read(row)))
  }

  #progressOf(row: Transaction) {
    const kind = this.#kindOf(row)
    return kind.progressOf(kind.read(row))
  }

  #kindOf({ kind }: Transaction): AnyKind {
    return this.#deps.kinds.of(kind)
  }
}

/** Returns whether another {@link ALARM_AFTER_MS} has passed since the send before this one. */
function isAlarmDue({ decided_at, sent_at }: SendTimes, now: number): boolean {
  const alarmsUntil = (at: number) => Math.floor((at - decided_at) / ALARM_AFTER_MS)
  return sent_at !== null && alarmsUntil(now) > alarmsUntil(sent_at)
}
