/**
 * Delivers events to the merchant's backend at least once. The events of one transaction are delivered in order; the
 * events of one airtime request are delivered in order per recipient. All deliveries of an event contain the id of the
 * event. Each event was committed atomically with the change that the event reports.
 */

import type { Breaker, BreakerPolicy } from '../breaker.ts'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { Randomness } from '../randomness.ts'
import type { DeliveryAnswer, EventQueue, MerchantAccount, OutboxEvent, Store } from '../store.ts'
import type { Work } from '../work-loop.ts'
import { z } from 'zod'
import { backoffDelay } from '../backoff.ts'
import { admits, CLOSED, next } from '../breaker.ts'
import { parseJson } from '../json.ts'
import { answerOf, DeliveryError } from './backend-answer.ts'

/**
 * Delivers one event to a handler or a webhook. Resolves with the HTTP status of a webhook. Rejects if the event was not
 * accepted. The event is then delivered again later.
 */
export type EventSink = (event: OutboxEvent) => Promise<number | void>

/** What each sink that has accepted an event has answered. */
type Accepted = Map<EventSink, number | void>

interface OutboxDeps {
  store: Store
  account: MerchantAccount
  clock: Clock
  log: Log
  randomness: Pick<Randomness, 'fraction'>
  /** The destinations of events. An event is delivered when every sink has accepted the event. */
  sinks: readonly EventSink[]
  /** Called when all sinks have accepted an event. Never called if there are no sinks. */
  onDelivered: (event: OutboxEvent) => Promise<void>
  metrics: Metrics
}

/**
 * The conditions under which the merchant's backend is treated as unavailable, and the times between probes. Without an
 * outage, 20 consecutive failures are improbable: even if 1 of 10 deliveries fails at random, the probability is
 * 10^-20. A small shop has few events: there, a minute in which each of three or more deliveries fails is enough.
 *
 * [assumed] These conditions and times are suitable for the merchant's backend.
 */
const UNAVAILABLE: BreakerPolicy = {
  failures: 20,
  failureSpanMs: 60_000,
  probe: { baseMs: 1_000, capMs: 5_000 },
  // After an hour.
  longOutage: { probes: 720, pauseMs: 30_000 },
  probeTimeoutMs: 60_000,
}
const LEASE_MS = 60_000
/** The bounds of the pause between a failed delivery and the next delivery of the same event, in milliseconds. */
const RETRY = { baseMs: 5_000, capMs: 3_600_000 }
/**
 * The bounds of the pause between a failed delivery and the delivery of another event of the same transaction, in
 * milliseconds. Without this pause, a transaction with 1,000 events would cause 1,000 deliveries during an outage. The
 * pause is at most 5 minutes, so that an event that the backend refuses does not block other events for long.
 */
const NEXT_EVENT = { baseMs: 5_000, capMs: 5 * 60_000 }
/**
 * The maximum number of transactions whose consecutive failures are counted in memory, and of events whose sinks are
 * remembered. At this number, all of them are deleted before the next one is added.
 */
const MAX_REMEMBERED = 10_000
/**
 * [assumed] An event is given up after this number of failed deliveries, whose pauses add up to about five days, but not
 * before that time. While the backend is unavailable, the pauses are shorter.
 */
const MAX_FAILURES = 170
const GIVEN_UP_AFTER_MS = 5 * 24 * 3_600_000

/**
 * When the merchant's backend becomes available again, all events whose last delivery failed become due within this
 * time, in milliseconds.
 */
const RECOVERY_MS = 10_000
/**
 * The maximum numbers of concurrent deliveries from each queue. `slots` limits the deliveries that have run for less
 * than {@link SLOW_MS}. `most` limits all running deliveries. Slow deliveries therefore do not block fast deliveries,
 * and retries do not block new events.
 */
const LIMITS = { events: { slots: 32, most: 256 }, retries: { slots: 8, most: 64 } } as const
const SLOW_MS = 500

/** Returns one worker for new events and one worker for retries. */
export function createOutbox(deps: OutboxDeps): Work<OutboxEvent>[] {
  const { store, account, clock, randomness, sinks, onDelivered } = deps
  /** The number of consecutive failed deliveries, by transaction id. A restart clears these numbers. */
  const failedInARow = new Map<string, number>()
  const accepted = new AcceptedEvents()
  let breaker = CLOSED
  /** One function for each worker. The function makes its worker claim events at `dueAt`. */
  const wakes: ((dueAt: number) => void)[] = []
  return [createWorker('events'), createWorker('retries')]

  function createWorker(queue: EventQueue): Work<OutboxEvent> {
    return {
      name: queue === 'events' ? 'outbox' : 'outbox retries',
      limits: { ...LIMITS[queue], slowMs: SLOW_MS },
      onChange(wake) {
        wakes.push(wake)
        return store.watch(({ event_due_at }) => wake(event_due_at))
      },

      // At the start, the breaker of the process before is lost, and with it what would make waiting events due.
      bringForward: (isHourly) => hasten(deps, wakes, isHourly ? RETRY.capMs : RECOVERY_MS),

      async claim(limit) {
        const now = clock.now()
        const admitted = admits(breaker, now)
        if (admitted === 'none') return []
        const most = admitted === 'probe' ? 1 : limit
        const events = await store.claimEvents(account, queue, now, now + LEASE_MS, most)
        if (admitted === 'probe' && events.length > 0) breaker = next(breaker, 'probe', now, UNAVAILABLE)
        return events
      },

      async nextDue() {
        const due = await store.nextDue(account, queue)
        return due === null || breaker.state === 'closed' ? due : Math.max(due, breaker.probeAt)
      },

      async run(event) {
        const startedAt = clock.now()
        const delivery = await deliverToAll(sinks, event, accepted.of(event.id))
        if ('error' in delivery) {
          breaker = next(breaker, 'failed', clock.now(), UNAVAILABLE)
          return retryOrGiveUp(event, delivery.error, startedAt)
        }
        const wasUnavailable = breaker.state !== 'closed'
        breaker = next(breaker, 'succeeded', clock.now(), UNAVAILABLE)
        try {
          if (sinks.length > 0) await onDelivered(event)
        } catch (error) {
          return retryOrGiveUp(event, error, startedAt)
        }
        await store.finishEvent(event.id, { kind: 'delivered', answer: delivery.answer }, clock.now())
        if (sinks.length > 0) reportDelivered(deps, event, clock.now() - startedAt)
        failedInARow.delete(event.transaction_id)
        accepted.forget(event.id)
        if (wasUnavailable) await hasten(deps, wakes)
      },
    }
  }

  async function retryOrGiveUp(event: OutboxEvent, error: unknown, startedAt: number): Promise<void> {
    const { id, transaction_id } = event
    const now = clock.now()
    const failures = event.failures + 1
    const isGivenUp = failures >= MAX_FAILURES && now - event.created_at >= GIVEN_UP_AFTER_MS
    reportFailed(deps, event, error, now - startedAt, breaker, isGivenUp)
    if (isGivenUp) {
      failedInARow.delete(transaction_id)
      accepted.forget(id)
      return store.finishEvent(id, { kind: 'given_up', answer: answerOf(error) }, now)
    }
    const inARow = (failedInARow.get(transaction_id) ?? event.failures) + 1
    remember(failedInARow, transaction_id, inARow)
    const tries = triesAfter({ failures, inARow }, breaker, now, randomness)
    await store.finishEvent(id, { kind: 'retry', ...tries, answer: answerOf(error) }, now)
  }
}

/** Makes all events that are due later than in `beyondMs` due within {@link RECOVERY_MS}. */
async function hasten(
  { store, account, clock }: OutboxDeps,
  wakes: readonly ((dueAt: number) => void)[],
  beyondMs = RECOVERY_MS,
): Promise<void> {
  await store.hastenEvents(account, clock.now(), { beyondMs, spreadMs: RECOVERY_MS, leaseMs: LEASE_MS })
  for (const wake of wakes) wake(clock.now())
}

/** Returns when the event is delivered again after a failure, and when others of its transaction are. */
function triesAfter(
  { failures, inARow }: { failures: number; inARow: number },
  breaker: Breaker,
  now: number,
  randomness: OutboxDeps['randomness'],
): { at: number; othersAt: number } {
  // An event that has probed the backend probes it again: the others may be due much later.
  if (breaker.state !== 'closed') return { at: breaker.probeAt, othersAt: breaker.probeAt }
  const random = randomness.fraction()
  return {
    at: now + backoffDelay(failures, random, RETRY),
    othersAt: now + backoffDelay(inARow, random, NEXT_EVENT),
  }
}

function remember<Value>(values: Map<string, Value>, id: string, value: Value): void {
  if (values.size >= MAX_REMEMBERED) values.clear()
  values.set(id, value)
}

/** The sinks that have accepted an event, with their answers, by event id. A restart clears them. */
class AcceptedEvents {
  readonly #byId = new Map<string, Accepted>()

  of(id: string): Accepted {
    const known: Accepted = this.#byId.get(id) ?? new Map()
    remember(this.#byId, id, known)
    return known
  }

  forget(id: string): void {
    this.#byId.delete(id)
  }
}

function reportDelivered({ log, metrics }: OutboxDeps, event: OutboxEvent, ms: number): void {
  const { id, type, trace_id, failures } = event
  metrics.delivery('delivered', ms)
  metrics.breaker('backend', false)
  const facts = { id, type, attempt: failures + 1, ms, trace_id }
  log.info(facts, `The merchant's backend accepted ${type}.`)
}

function reportFailed(
  { log, metrics }: OutboxDeps,
  event: OutboxEvent,
  error: unknown,
  ms: number,
  breaker: Breaker,
  isGivenUp: boolean,
): void {
  const { id, type, trace_id } = event
  const failures = event.failures + 1
  // The stack of a refused delivery is only of this server. The stack of an `onEvent` that throws leads to its cause.
  const err = error instanceof DeliveryError ? { type: error.name, message: error.message } : error
  const facts = { id, type, order: orderOf(event), failures, trace_id, err }
  metrics.delivery(isGivenUp ? 'given_up' : 'failed', ms)
  metrics.breaker('backend', breaker.state !== 'closed')
  if (isGivenUp) log.error(facts, 'An event could not be delivered to the merchant and is given up.')
  else log.warn(facts, 'An event could not be delivered to the merchant; it is retried.')
}

/** Returns the order of an event about a checkout. */
function orderOf({ body }: OutboxEvent): string | undefined {
  return Body.safeParse(parseJson(body)).data?.data.order
}

const Body = z.object({ data: z.object({ order: z.string().optional() }) })

/**
 * Delivers an event to every sink that is not in `accepted`, adds those that accept it, and waits for all deliveries.
 * Resolves with the answer of the webhook, or with the error of a delivery that failed.
 */
async function deliverToAll(
  sinks: readonly EventSink[],
  event: OutboxEvent,
  accepted: Accepted,
): Promise<{ answer: DeliveryAnswer } | { error: unknown }> {
  const waiting = sinks.filter((sink) => !accepted.has(sink))
  const results = await Promise.allSettled(
    waiting.map(async (deliver) => accepted.set(deliver, await deliver(event))),
  )
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) return { error: failed.reason }
  const status = [...accepted.values()].find((each) => typeof each === 'number') ?? null
  return { answer: { status, text: null } }
}
