/**
 * The one door for truth.
 *
 * A callback, a poll, the worker, a return from the hosted page: each is only a reason to look, and all of them
 * end here. The gateway is asked with no store transaction open; then the row is read again, the kind decides
 * what the answer makes of it, and record, history and events are saved as one atom, if nobody was faster.
 * However many ask, one question per transaction is under way, and no more are asked than the kind allows.
 * What is sent goes through the same door: an acknowledgement is an answer like any other.
 */

import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Change, MerchantAccount, Store, Transaction } from '../store.ts'
import type { Kind, Kinds } from './kind.ts'
import type { BoundTransition, RowChange } from './transition.ts'
import { backoffDelay } from '../backoff.ts'
import { GatewayError } from '../gateway/errors.ts'
import { createSyncRequests, SYNC_PAUSE_MS } from './sync-requests.ts'

/** Why somebody looks. A hint (callback, return) has news to fetch, so it may ask sooner than a poll. */
type SyncReason = 'hint' | 'poll' | 'due'

export type Sent =
  | { kind: 'answered'; transaction: Transaction }
  /** Not known whether it arrived. The transaction is kept, and settled by asking or by sending it again. */
  | { kind: 'unclear'; transaction: Transaction; error: GatewayError }

export interface Synchronizer {
  /** The transaction after a look at the gateway, or as it stands when no look was due or none succeeded. */
  synchronize(id: string, reason: SyncReason): Promise<Transaction | null>
  /** The same for somebody who waits: when the gateway is slow, the transaction as it stands; the look goes on. */
  synchronizeWithin(id: string, reason: SyncReason): Promise<Transaction | null>
  /**
   * Makes a look due, durably, as soon as one may be taken: also when one was due, or is under way. Tells whether
   * that is now. Whoever repeats a hint that is noted and still to be followed costs nothing.
   */
  requestSync(id: string): Promise<{ isNow: boolean }>
  /** Sends what is stored and was never acknowledged; whoever asks meanwhile waits for the same answer. */
  submit(id: string): Promise<Sent>
  /** Saves what the merchant decided, without asking the gateway: what comes of it is seen when it is next asked. */
  applyDecision(id: string, decided: BoundTransition): Promise<Transaction | null>
}

interface SynchronizerDeps {
  store: Store
  account: MerchantAccount
  kinds: Kinds
  /** Rejects with a {@link GatewayError} while nothing can be sent. */
  prepare: () => Promise<void>
  clock: Clock
  log: Log
  newEventId: () => string
}

/** How long a shopper's page is kept waiting for news. */
const GLANCE_MS = 4_000
/** After a question that brought no answer. Without jitter: each transaction has its own beginning. */
const AFTER_FAILURE = { baseMs: 5_000, capMs: 5 * 60_000 }
/** [assumed] About half an hour of questions without an answer is no passing trouble any more. */
const ALARM_AFTER = 10
/** A row that changes this often while one answer is being saved is changed by a loop, not by life. */
const MOST_STALE_COMMITS = 10

export function createSynchronizer(deps: SynchronizerDeps): Synchronizer {
  const { store, account, kinds, prepare, clock, log, newEventId } = deps
  const looking = new Map<string, Promise<Transaction | null>>()
  const sending = new Map<string, Promise<Sent>>()
  const syncRequests = createSyncRequests()
  const save = createSave(store)
  const lookBeside = createLookBeside(deps, save)
  const submit = (id: string) => singleFlight(sending, id, () => sendStored(id))

  return { synchronize, synchronizeWithin, requestSync, submit, applyDecision }

  async function synchronize(id: string, reason: SyncReason): Promise<Transaction | null> {
    const running = looking.get(id)
    if (running && reason === 'poll') return running
    // A question that was asked before the hint came may have missed its news, and a look that came too early asked
    // nothing: look again after it.
    if (running) await running.catch(() => {})
    return singleFlight(looking, id, () => look(id, reason))
  }

  async function synchronizeWithin(id: string, reason: SyncReason): Promise<Transaction | null> {
    const answered = new AbortController()
    const patience = clock.sleep(GLANCE_MS, answered.signal).then(
      () => store.find(id),
      () => new Promise<never>(() => {}),
    )
    const news = synchronize(id, reason).finally(() => answered.abort())
    news.catch((error: unknown) => log.error({ id, err: error }, 'A look at the gateway failed.'))
    return Promise.race([news, patience])
  }

  async function look(id: string, reason: SyncReason): Promise<Transaction | null> {
    const transaction = await store.find(id)
    if (!transaction || !isSameHome(transaction.account, account)) return transaction
    const askedAt = clock.now()
    const kind = kinds[transaction.kind]
    const wait =
      reason === 'hint'
        ? syncRequests.soonest(id, askedAt) - askedAt
        : waitFor(kind, transaction, reason, askedAt)
    if (wait > 0) return reason === 'hint' ? makeDue(id) : transaction
    if (reason === 'poll') syncRequests.ask(id)
    else syncRequests.follow(id, askedAt)
    const confirmed = kind.serviceConfirmations?.confirm(transaction) ?? null
    try {
      const reported = await observe(id, await (confirmed ?? kind.ask(transaction)), askedAt)
      if (!reported || !kind.isToBeSentAgain(reported, clock.now())) return reported
      return (await submit(id)).transaction
    } catch (error) {
      const failed = await noteFailure(transaction, error, askedAt)
      return confirmed ? lookBeside(failed) : failed
    }
  }

  async function sendStored(id: string): Promise<Sent> {
    const stored = await store.find(id)
    if (!stored) throw new Error(`Transaction ${id} is gone from the store.`)
    const begun = clock.now()
    try {
      // What cannot leave does not count as sent.
      await prepare()
    } catch (error) {
      return unclear(stored, error, begun)
    }
    const sent_at = clock.now()
    let isToBeSent = false
    const transaction = await save(id, (row) => {
      isToBeSent = kinds[row.kind].isUnsent(row) && isSameHome(row.account, account)
      return isToBeSent ? { at: sent_at, sent_at } : { at: sent_at }
    })
    if (!transaction) throw new Error(`Transaction ${id} is gone from the store.`)
    if (!isToBeSent) return { kind: 'answered', transaction }
    const kind = kinds[transaction.kind]
    try {
      const saved = await observe(id, await kind.send(transaction), sent_at)
      return { kind: 'answered', transaction: saved ?? transaction }
    } catch (error) {
      return unclear(transaction, error, sent_at)
    }
  }

  async function unclear(transaction: Transaction, error: unknown, askedAt: number): Promise<Sent> {
    if (!(error instanceof GatewayError)) throw error
    return { kind: 'unclear', transaction: await noteFailure(transaction, error, askedAt), error }
  }

  function observe(id: string, transition: BoundTransition, askedAt: number): Promise<Transaction | null> {
    return save(id, (row) => {
      const now = clock.now()
      return {
        ...changeOf(transition(row, askedAt, now), now, newEventId),
        ...(isHinted(row, askedAt, now) && { due_at: syncRequests.soonest(id, now) }),
        asked_at: askedAt,
        failures: 0,
      }
    })
  }

  function applyDecision(id: string, decided: BoundTransition): Promise<Transaction | null> {
    return save(id, (row) => {
      const now = clock.now()
      const step = decided(row, now, now)
      // What decides nothing leaves a look that is due where it is.
      return step.historyEntry === null ? { at: now } : changeOf(step, now, newEventId)
    })
  }

  /** Something of the gateway or the network: nothing is decided, and it is asked again. */
  async function noteFailure(
    transaction: Transaction,
    error: unknown,
    askedAt: number,
  ): Promise<Transaction> {
    if (!(error instanceof GatewayError)) throw error
    const { id } = transaction
    sayFailure(log, transaction, error)
    const failed = await save(id, (row) => failureOf(row, askedAt, clock.now()))
    return failed ?? transaction
  }

  async function requestSync(id: string): Promise<{ isNow: boolean }> {
    const now = clock.now()
    if (syncRequests.isNoted(id, now)) return { isNow: false }
    const dueAt = (await makeDue(id))?.due_at ?? now
    syncRequests.note(id, dueAt)
    return { isNow: dueAt <= now }
  }

  function makeDue(id: string): Promise<Transaction | null> {
    return save(id, ({ due_at }) => {
      const now = clock.now()
      const soonest = syncRequests.soonest(id, now)
      return { at: now, due_at: due_at !== null && due_at > now ? Math.min(due_at, soonest) : soonest }
    })
  }
}

type Save = (id: string, decide: (row: Transaction) => Change) => Promise<Transaction | null>

/** Decides on the row as it is now, and decides anew when somebody was faster. */
function createSave(store: Store): Save {
  return async function save(id, decide) {
    for (let stale = 0; stale < MOST_STALE_COMMITS; stale++) {
      const row = await store.find(id)
      if (!row) return null
      const saved = await store.commit(id, row.version, decide(row))
      if (saved) return saved
    }
    throw new Error(`Transaction ${id} changed ${MOST_STALE_COMMITS} times while one answer was being saved.`)
  }
}

/** What cannot be said keeps nobody from seeing what becomes of the money. When it is said again stays as it is. */
function createLookBeside({ kinds, clock, newEventId }: SynchronizerDeps, save: Save) {
  return async function lookBeside(unsaid: Transaction): Promise<Transaction> {
    const askedAt = clock.now()
    try {
      const transition = await kinds[unsaid.kind].ask(unsaid)
      const reported = await save(unsaid.id, (row) => {
        const now = clock.now()
        const { due_at: _, ...step } = transition(row, askedAt, now)
        return changeOf(step, now, newEventId)
      })
      return reported ?? unsaid
    } catch (error) {
      // The failure that is noted already stands for both.
      if (error instanceof GatewayError) return unsaid
      throw error
    }
  }
}

function failureOf({ failures }: Transaction, askedAt: number, now: number): Change {
  const due_at = now + backoffDelay(failures + 1, 1, AFTER_FAILURE)
  return { at: now, asked_at: askedAt, failures: failures + 1, due_at }
}

function changeOf({ events, ...step }: RowChange, now: number, newEventId: () => string): Change {
  return { ...step, at: now, events: events.map((event) => ({ ...event, id: newEventId() })) }
}

/** How much too early it is to ask, in milliseconds. */
function waitFor(kind: Kind, transaction: Transaction, reason: 'poll' | 'due', now: number): number {
  // What was due may have been looked at since it was taken.
  if (reason === 'due') return (transaction.due_at ?? Infinity) - now
  const { asked_at } = transaction
  // What was asked after now was asked by a clock that has been set back since.
  if (asked_at === null || asked_at > now) return 0
  return asked_at + kind.freshForMs(transaction, now) - now
}

function isSameHome(a: MerchantAccount, b: MerchantAccount): boolean {
  return a.environment === b.environment && a.base_url === b.base_url && a.account_number === b.account_number
}

/** Whether a look was asked for after the gateway was: by a callback, whose news the answer may have missed. */
function isHinted({ due_at }: Transaction, askedAt: number, now: number): boolean {
  return due_at !== null && due_at > askedAt && due_at <= now + SYNC_PAUSE_MS
}

function sayFailure(log: Log, { id, kind, failures }: Transaction, { code, message }: GatewayError): void {
  const facts = { id, kind, code, failures: failures + 1 }
  if (facts.failures % ALARM_AFTER === 0)
    log.error(facts, `${message} It has gone on for so long that a person should look.`)
  else log.warn(facts, message)
}

/** Joins what is under way for this id, or begins it. */
function singleFlight<T>(underWay: Map<string, Promise<T>>, id: string, begin: () => Promise<T>): Promise<T> {
  const running = underWay.get(id)
  if (running) return running
  const begun = begin().finally(() => underWay.delete(id))
  underWay.set(id, begun)
  return begun
}
