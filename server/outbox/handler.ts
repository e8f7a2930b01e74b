/** Delivers events to `onEvent`, the merchant's handler in the same process. */

import type { Clock } from '../clock.ts'
import type { TrackedRecipient } from '../api/airtime.ts'
import type { TrackedCharge } from '../api/charge.ts'
import type { TrackedPayout } from '../api/payout.ts'
import type { EventSubject, EventTypeOf } from '../api/events.ts'
import type { CheckoutView } from '../api/view.ts'
import type { EventSink } from './deliver.ts'
import { z } from 'zod'
import { withTimeout } from '../with-timeout.ts'

/** The type of an event's `data`, by the subject of the event (the part of its type before the dot). */
interface EventData {
  checkout: CheckoutView
  payout: TrackedPayout
  b2b: TrackedPayout
  charge: TrackedCharge
  /** An airtime event is about one recipient; a request with several recipients causes several events. */
  airtime: TrackedRecipient
}

interface EventOf<Subject extends EventSubject> {
  /** The id of the event. It is the same for every delivery of the event: handle each id only once. */
  id: string
  type: EventTypeOf<Subject>
  /** When the outcome was stored: ISO 8601, UTC. */
  timestamp: string
  /** The trace id in logs and requests about the event. A webhook has it in the header `traceparent`. */
  trace_id: string | null
  data: EventData[Subject]
}

/** An event for the merchant's backend. Comparing its `type` narrows its `data`. */
export type MerchantEvent = { [Subject in EventSubject]: EventOf<Subject> }[EventSubject]

/**
 * The merchant's handler of events. If the handler returns (or its promise resolves), the event counts as accepted. If
 * it throws, rejects, or does not resolve within 30 seconds, the event is delivered again later. Accepting
 * `charge.succeeded`, or `checkout.paid` of an order with splits, confirms the service.
 */
export type OnEvent = (event: MerchantEvent) => void | Promise<void>

/** The stored body of the event. It is not validated again, because this server wrote it. */
const Body = z.custom<MerchantEvent>()

/** The deadline of the handler, in milliseconds, so that a handler that hangs does not block other events. */
const DEADLINE_MS = 30_000

export function handlerSink(onEvent: OnEvent, clock: Clock): EventSink {
  const late = `The handler did not return within ${DEADLINE_MS / 1000} seconds.`
  return async ({ id, body, trace_id }) => {
    const event = { ...Body.parse(JSON.parse(body)), id, trace_id }
    await withTimeout(DEADLINE_MS, clock, () => onEvent(event), late)
  }
}
