/**
 * Tells the merchant what was confirmed: at least once, in order per transaction or recipient of airtime, under an id
 * that stays the same over every retry. An event was written in the same atom as the change that it tells of.
 */

import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Randomness } from '../randomness.ts'
import type { MerchantAccount, OutboxEvent, Store } from '../store.ts'
import type { Work } from '../work-loop.ts'
import { backoffDelay } from '../backoff.ts'

/** One way of telling. Rejects when the merchant did not take it; the event is then told again later. */
export type EventSink = (event: OutboxEvent) => Promise<void>

interface OutboxDeps {
  store: Store
  account: MerchantAccount
  clock: Clock
  log: Log
  randomness: Pick<Randomness, 'fraction'>
  /** All of them must take an event before it counts as told. */
  tell: readonly EventSink[]
  /** Called when all have taken it; where there is nobody to tell, nobody took it. */
  onTaken: (event: OutboxEvent) => Promise<void>
}

const LEASE_MS = 60_000
const RETRY = { baseMs: 5_000, capMs: 3_600_000 }
/**
 * Until another event of the same transaction is told, after so many in a row that failed. Each of them in turn would
 * be a thousand attempts where a backend is away; and one that is refused for ever is not to hold back the others.
 */
const OTHERS = { baseMs: 5_000, capMs: 5 * 60_000 }
const MOST_REMEMBERED = 10_000
/** [assumed] Five days of trying: a backend that is away for longer has to ask for what it missed. */
const MOST_FAILURES = 170

export function createOutbox(deps: OutboxDeps): Work<OutboxEvent> {
  const { store, account, clock, log, randomness, tell, onTaken } = deps
  /** Of each transaction. Forgotten with the process, which then tries anew. */
  const failedInARow = new Map<string, number>()

  return {
    name: 'outbox',
    claim: (limit) => store.claimEvents(account, clock.now(), clock.now() + LEASE_MS, limit),
    nextDue: () => store.nextDue(account, 'events'),
    onChange: (wake) => store.watch(wake),

    async run(event) {
      const { id, type, transaction_id } = event
      try {
        await deliverToAll(tell, event)
        if (tell.length > 0) await onTaken(event)
        await store.finishEvent(id, { kind: 'delivered' }, clock.now())
        failedInARow.delete(transaction_id)
      } catch (error) {
        const now = clock.now()
        const facts = { id, type, failures: event.failures + 1, err: error }
        if (event.failures >= MOST_FAILURES) {
          log.error(facts, 'The merchant could not be told of an event, and it is given up.')
          failedInARow.delete(transaction_id)
          return store.finishEvent(id, { kind: 'given_up' }, now)
        }
        log.warn(facts, 'The merchant could not be told of an event; it is tried again.')
        const inARow = (failedInARow.get(transaction_id) ?? event.failures) + 1
        if (failedInARow.size >= MOST_REMEMBERED) failedInARow.clear()
        failedInARow.set(transaction_id, inARow)
        const random = randomness.fraction()
        const at = now + backoffDelay(event.failures + 1, random, RETRY)
        const othersAt = now + backoffDelay(inARow, random, OTHERS)
        await store.finishEvent(id, { kind: 'retry', at, othersAt }, now)
      }
    },
  }
}

/** One that fails does not keep the others from hearing; all are told again then, under the same id. */
async function deliverToAll(tell: readonly EventSink[], event: OutboxEvent): Promise<void> {
  const told = await Promise.allSettled(tell.map((one) => one(event)))
  const failed = told.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
}
