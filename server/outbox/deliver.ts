/**
 * Delivers events to the merchant's backend at least once: those of one transaction in order, and those of an airtime
 * request in order per recipient. Only a program accepts an event; `notices/notices.ts` tells people of it in words.
 *
 * The backend counts as away after deliveries without any answer while nothing else was answered. An event that the
 * backend refuses, or that hangs while others are answered, is retried by itself. Should such events alone make the
 * backend seem away, the next new event is the probe, and its answer ends that.
 */

import { z } from 'zod'

import { parseJson } from '../contract/parse.ts'
import { maskedBeginning } from '../privacy/redactor.ts'
import { Availability } from '../work/availability.ts'
import { backoffDelay } from '../work/backoff.ts'

import type { Log } from '../log/log.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { DeliveryAnswer, EventQueue, StoredEvent } from '../store/events.ts'
import type { MerchantAccount } from '../store/merchant-account.ts'
import type { Store } from '../store/store.ts'
import type { BreakerPolicy } from '../work/breaker.ts'
import type { Clock } from '../work/clock.ts'
import type { Randomness } from '../work/randomness.ts'
import type { Work } from '../work/work-loop.ts'

/**
 * Delivers one event to a handler or a webhook. Resolves with the HTTP status of a webhook. Rejects if the event was
 * not accepted. The event is then delivered again later.
 */
export type Deliver = (event: StoredEvent) => Promise<number | void>

/**
 * Why the backend has not accepted an event. Without a complete answer: `not_listening` (nothing listens at the
 * address), `unreachable` (the connection failed otherwise), `timeout` or `too_large`. With one: `unverified` (it
 * probably has another secret), `blocked` (a CSRF check or the like has refused it before the handler), `no_acceptance`
 * (a 2xx with a page, an error of PHP or another body that accepts nothing) or `refused`.
 */
export type DeliveryErrorCode =
  | 'not_listening'
  | 'unreachable'
  | 'timeout'
  | 'too_large'
  | 'unverified'
  | 'blocked'
  | 'no_acceptance'
  | 'refused'

/** Thrown if the backend has not accepted an event. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError'
  readonly code: DeliveryErrorCode
  readonly answer: DeliveryAnswer

  constructor(message: string, code: DeliveryErrorCode, status: number | null, text: string) {
    super(message)
    this.code = code
    this.answer = { status, text: maskedBeginning(text) }
  }
}

/** Returns whether a delivery failed without any answer. An `onEvent` handler that throws has answered. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof DeliveryError && error.answer.status === null
}

/** Returns the answer of a failed delivery. An `onEvent` handler that throws answers with the message of its error. */
function answerOf(error: unknown): DeliveryAnswer {
  if (error instanceof DeliveryError) {
    return error.answer
  }
  return { status: null, text: maskedBeginning(error instanceof Error ? error.message : String(error)) }
}

/** The destinations that have accepted an event, with their answers. A restart clears them. */
type Accepted = Map<Deliver, number | void>

interface DeliveryDeps {
  store: Store
  account: MerchantAccount
  clock: Clock
  log: Log
  randomness: Pick<Randomness, 'fraction'>
  /**
   * One for `onEvent` and one for the webhook, if set. An event is delivered when all have accepted it. Without any,
   * events end as `no_receiver`.
   */
  destinations: readonly Deliver[]
  /** Called when all destinations have accepted an event. Never called if there are no destinations. */
  onDelivered: (event: StoredEvent) => Promise<void>
  metrics: Pick<Metrics, 'delivery' | 'breaker'> | undefined
}

/** The end of an event that no destination can receive. */
const NO_RECEIVER = { kind: 'no_receiver', answer: { status: null, text: null } } as const

/** How long a claimed event stays with its worker, in milliseconds: longer than any delivery takes. */
const LEASE_MS = 60_000
/** The bounds of the pause between a failed delivery and the next delivery of the same event, in milliseconds. */
const RETRY = { baseMs: 5_000, capMs: 3_600_000 }
/**
 * The maximum number of events whose answers are remembered. At this number, all of them are deleted before the next
 * one is added.
 */
const MAX_REMEMBERED = 10_000
/**
 * [assumed] An event is given up after this number of failed deliveries, whose pauses add up to about five days, but
 * not before that time. While the backend is unavailable, the pauses are shorter.
 */
const MAX_FAILURES = 170
const GIVEN_UP_AFTER_MS = 5 * 24 * 3_600_000

/**
 * If the merchant's backend accepts an event after it has accepted none for this time, in milliseconds, all events that
 * have failed since become due within this time.
 */
const RECOVERY_MS = 10_000
/**
 * The maximum numbers of concurrent deliveries from each queue. `slots` limits the deliveries that have run for less
 * than {@link SLOW_MS}. `most` limits all running deliveries: more than start in the 30 seconds of a handler, even if
 * all of them hang. Slow deliveries therefore do not block fast deliveries, and retries do not block new events.
 */
const LIMITS = { events: { slots: 32, most: 2_000 }, retries: { slots: 8, most: 500 } } as const
const SLOW_MS = 500

/**
 * The conditions under which the backend counts as away, and the times between probes. A small shop has few events:
 * there, a minute in which no delivery has an answer is enough, if they are as many as `work/breaker.ts` asks for at least.
 *
 * [assumed] These conditions and times are suitable for the merchant's backend.
 */
const AWAY: BreakerPolicy = {
  failures: 20,
  failureSpanMs: 60_000,
  probe: { baseMs: 1_000, capMs: 5_000 },
  // A probe that hangs may be the fault of its event: after this time, another event is the probe.
  probeTimeoutMs: 1_000,
}
/** How long a probe from each queue waits, so that an event that has failed is no probe before a new one. */
const LAG_MS = { events: 0, retries: 1_000 } as const satisfies Record<EventQueue, number>

/** Delivers the events that are due, and delivers them again after a failure. */
export class Deliveries {
  readonly #deps: DeliveryDeps
  readonly #backend = new Availability(AWAY)
  readonly #accepted = new Map<string, Accepted>()
  /** One function for each worker. The function makes its worker claim events at `dueAt`. */
  readonly #wakes: ((dueAt: number) => void)[] = []
  /** The time at which the last event was accepted; 0 if none was. */
  #acceptedAt = 0

  constructor(deps: DeliveryDeps) {
    this.#deps = deps
  }

  /** Returns the worker that delivers the events of a queue: new events, or those that have failed. */
  worker(queue: EventQueue): Work<StoredEvent> {
    const { store, account, clock } = this.#deps
    return {
      name: queue === 'events' ? 'deliveries' : 'repeated deliveries',
      limits: { ...LIMITS[queue], slowMs: SLOW_MS },
      onChange: (wake) => {
        this.#wakes.push(wake)
        return store.watch(({ event_due_at }) => wake(event_due_at))
      },

      // At the start, it is unknown what was accepted before.
      correctTimes: (isHourly) => this.#bringForward(isHourly ? RETRY.capMs : RECOVERY_MS),

      claim: async (limit) => {
        const now = clock.now()
        const admitted = this.#backend.admits(now, LAG_MS[queue])
        if (admitted === 'none') {
          return []
        }

        const most = admitted === 'probe' ? 1 : limit
        const events = await store.claimEvents(account, queue, now, now + LEASE_MS, most)
        if (admitted === 'probe' && events[0]) {
          this.#backend.probe(events[0].id, now)
        }
        return events
      },

      nextDue: async () => {
        const due = await store.nextDue(account, queue)
        return due === null ? null : this.#backend.notBefore(due, LAG_MS[queue])
      },

      run: (event) => this.#deliver(event),
    }
  }

  async #deliver(event: StoredEvent): Promise<void> {
    const { store, clock, destinations, onDelivered } = this.#deps
    const startedAt = clock.now()
    if (destinations.length === 0) {
      return store.finishEvent(event.id, NO_RECEIVER, startedAt)
    }

    const reportEnd = this.#backend.observe(event.id, startedAt)
    const delivery = await deliverToAll(destinations, event, this.#acceptedOf(event.id))
    reportEnd(!('error' in delivery && isUnanswered(delivery.error)))
    if ('error' in delivery) {
      return this.#retryOrGiveUp(event, delivery.error, startedAt)
    }

    try {
      await onDelivered(event)
    } catch (error) {
      return this.#retryOrGiveUp(event, error, startedAt)
    }

    await store.finishEvent(event.id, { kind: 'delivered', answer: delivery.answer }, clock.now())
    this.#reportDelivered(event, clock.now() - startedAt)
    this.#accepted.delete(event.id)
    const previousAt = this.#acceptedAt
    this.#acceptedAt = clock.now()
    // The backend may have been away until now. Events that it refused before that keep their pauses.
    const mayBeBack = this.#acceptedAt - previousAt > RECOVERY_MS
    if (mayBeBack) {
      await this.#bringForward(RECOVERY_MS, previousAt - RECOVERY_MS)
    }
  }

  #acceptedOf(id: string): Accepted {
    const accepted: Accepted = this.#accepted.get(id) ?? new Map()
    if (this.#accepted.size >= MAX_REMEMBERED) {
      this.#accepted.clear()
    }

    this.#accepted.set(id, accepted)
    return accepted
  }

  /** Makes events that are due later than in `beyondMs` due within {@link RECOVERY_MS}. */
  async #bringForward(beyondMs: number, createdSince?: number): Promise<void> {
    const { store, account, clock } = this.#deps
    const times = { beyondMs, spreadMs: RECOVERY_MS, leaseMs: LEASE_MS, createdSince }
    await store.bringEventsForward(account, clock.now(), times)
    for (const wake of this.#wakes) {
      wake(clock.now())
    }
  }

  async #retryOrGiveUp(event: StoredEvent, error: unknown, startedAt: number): Promise<void> {
    const { store, clock, randomness } = this.#deps
    const { id } = event
    const now = clock.now()
    const failures = event.failures + 1
    const isGivenUp = failures >= MAX_FAILURES && now - event.created_at >= GIVEN_UP_AFTER_MS
    this.#reportFailed(event, error, isGivenUp ? 'given_up' : 'failed', now - startedAt)
    if (isGivenUp) {
      this.#accepted.delete(id)
      return store.finishEvent(id, { kind: 'given_up', answer: answerOf(error) }, now)
    }

    // The other events that have failed may be due much later than the next probe.
    const at = this.#backend.nextProbeAt(id) ?? now + backoffDelay(failures, randomness.fraction(), RETRY)
    await store.finishEvent(id, { kind: 'retry', at, answer: answerOf(error) }, now)
  }

  #reportDelivered(event: StoredEvent, ms: number): void {
    const { log, metrics } = this.#deps
    const { id, type, trace_id, failures } = event
    metrics?.delivery('delivered', ms)
    metrics?.breaker('backend', false)
    const facts = { id, type, order: orderOf(event), attempt: failures + 1, ms, trace_id }
    log.info(facts, `The merchant's backend accepted ${type}.`)
  }

  #reportFailed(event: StoredEvent, error: unknown, result: 'given_up' | 'failed', ms: number): void {
    const { log, metrics } = this.#deps
    const { id, type, trace_id, failures } = event
    // The stack of a refused delivery is only of this server. The stack of an `onEvent` that throws leads to its cause.
    const err = error instanceof DeliveryError ? { type: error.name, message: error.message } : error
    const facts = { id, type, order: orderOf(event), failures: failures + 1, trace_id, err }
    metrics?.delivery(result, ms)
    metrics?.breaker('backend', this.#backend.isAway)
    if (result === 'given_up') {
      log.error(facts, 'An event could not be delivered to the merchant and is given up.')
    } else {
      log.warn(facts, 'An event could not be delivered to the merchant; it is retried.')
    }
  }
}

/** Returns the order of an event about a checkout. */
function orderOf({ body }: Pick<StoredEvent, 'body'>): string | undefined {
  return Body.safeParse(parseJson(body)).data?.data.order
}

const Body = z.object({ data: z.object({ order: z.string().optional() }) })

/**
 * Delivers an event to every destination that is not in `accepted`, adds those that accept it, and waits for all
 * deliveries. Resolves with the answer of the webhook, or with the error of a delivery that failed.
 */
async function deliverToAll(
  destinations: readonly Deliver[],
  event: StoredEvent,
  accepted: Accepted,
): Promise<{ answer: DeliveryAnswer } | { error: unknown }> {
  const waiting = destinations.filter((deliver) => !accepted.has(deliver))
  const results = await Promise.allSettled(
    waiting.map(async (deliver) => accepted.set(deliver, await deliver(event))),
  )
  const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  if (errors.length > 0) {
    return { error: errors.find(isUnanswered) ?? errors[0] }
  }

  const status = [...accepted.values()].find((each) => typeof each === 'number') ?? null
  return { answer: { status, text: null } }
}
