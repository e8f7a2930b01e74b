/**
 * The one door for truth.
 *
 * A callback, a poll, the worker, a return from the hosted page: each is only a reason to look, and all of them
 * end here. The gateway is asked with no store transaction open; then the row is read again, the kind's pure
 * `advance` decides, and record, history and events are saved as one atom, if nobody was faster. However many
 * ask, one question per transaction is under way, and no more are asked than the kind allows.
 */

import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Change, Home, Store, Transaction } from '../store.ts'
import type { Kind } from './kind.ts'
import { GatewayError } from '../gateway/errors.ts'

/** Why somebody looks. A hint (callback, return) has news to fetch, so it may ask sooner than a poll. */
export type Reason = 'hint' | 'poll' | 'due'

export interface Door<Observation> {
  /** The transaction after a look at the gateway, or as it stands when no look was due or none succeeded. */
  refresh(id: string, reason: Reason): Promise<Transaction | null>
  /** The same for somebody who waits: when the gateway is slow, the transaction as it stands; the look goes on. */
  glance(id: string, reason: Reason): Promise<Transaction | null>
  /** Lets in what the gateway answered to something else than a question: an acknowledgement, a refusal. */
  observe(id: string, observation: Observation, askedAt: number): Promise<Transaction | null>
}

export interface DoorDeps<Observation> {
  store: Store
  home: Home
  kind: Kind<Observation>
  clock: Clock
  log: Log
  newEventId: () => string
}

/** How long a shopper's page is kept waiting for news. */
const GLANCE_MS = 4_000
/** Not even a hint asks again sooner: whoever repeats callbacks must not multiply into questions. */
const HINT_PAUSE_MS = 1_000
/** A row that changes this often while one answer is being saved is changed by a loop, not by life. */
const MOST_STALE_COMMITS = 10

export function createDoor<Observation>(deps: DoorDeps<Observation>): Door<Observation> {
  const { store, home, kind, clock, log, newEventId } = deps
  const underWay = new Map<string, Promise<Transaction | null>>()

  return { refresh, glance, observe }

  async function refresh(id: string, reason: Reason): Promise<Transaction | null> {
    const running = underWay.get(id)
    if (running && reason !== 'hint') return running
    // A question that was asked before the hint came may have missed its news: look again after it.
    if (running) await running.catch(() => {})
    const next = underWay.get(id) ?? look(id, reason).finally(() => underWay.delete(id))
    underWay.set(id, next)
    return next
  }

  async function glance(id: string, reason: Reason): Promise<Transaction | null> {
    const answered = new AbortController()
    const patience = clock.sleep(GLANCE_MS, answered.signal).then(
      () => store.find(id),
      () => new Promise<never>(() => {}),
    )
    const news = refresh(id, reason).finally(() => answered.abort())
    news.catch((error: unknown) => log.error({ id, err: error }, 'A look at the gateway failed.'))
    return Promise.race([news, patience])
  }

  function observe(id: string, observation: Observation, askedAt: number): Promise<Transaction | null> {
    return save(id, (row) => {
      const now = clock.now()
      const { what, events, ...step } = kind.advance(row, observation, { askedAt, now })
      return {
        ...step,
        at: now,
        asked_at: askedAt,
        failures: 0,
        history: what === null ? [] : [{ at: now, what }],
        events: events.map((event) => ({ ...event, id: newEventId() })),
      }
    })
  }

  async function look(id: string, reason: Reason): Promise<Transaction | null> {
    const transaction = await store.find(id)
    if (!transaction || !isAtHome(transaction)) return transaction
    const askedAt = clock.now()
    const wait = waitFor(transaction, reason, askedAt)
    if (wait > 0) return reason === 'hint' ? lookLater(id, askedAt + wait) : transaction

    try {
      const observation = await kind.ask(transaction)
      return await observe(id, observation, askedAt)
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      log.warn({ id, code: error.code, reason }, error.message)
      return await save(id, (row) => {
        const failed = { ...row, failures: row.failures + 1 }
        const now = clock.now()
        return { at: now, asked_at: askedAt, failures: failed.failures, due_at: kind.retryAt(failed, now) }
      })
    }
  }

  function isAtHome({ home: theirs }: Transaction): boolean {
    return (
      theirs.environment === home.environment &&
      theirs.base_url === home.base_url &&
      theirs.account_number === home.account_number
    )
  }

  /** How much too early it is to ask, in milliseconds. What is due is never too early. */
  function waitFor(transaction: Transaction, reason: Reason, now: number): number {
    if (transaction.asked_at === null || reason === 'due') return 0
    const pause = reason === 'hint' ? HINT_PAUSE_MS : kind.freshForMs(transaction, now)
    return transaction.asked_at + pause - now
  }

  function lookLater(id: string, at: number): Promise<Transaction | null> {
    return save(id, (row) => ({
      at: clock.now(),
      due_at: row.due_at === null ? at : Math.min(row.due_at, at),
    }))
  }

  /** Decides on the row as it is now, and decides anew when somebody was faster. */
  async function save(id: string, decide: (row: Transaction) => Change): Promise<Transaction | null> {
    for (let stale = 0; stale < MOST_STALE_COMMITS; stale++) {
      const row = await store.find(id)
      if (!row) return null
      const saved = await store.commit(id, row.version, decide(row))
      if (saved) return saved
    }
    throw new Error(`Transaction ${id} changed ${MOST_STALE_COMMITS} times while one answer was being saved.`)
  }
}
