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

/** The `data` of an event by its subject: the part of its `type` before the dot. */
interface EventData {
  checkout: CheckoutView
  payout: TrackedPayout
  b2b: TrackedPayout
  charge: TrackedCharge
  /** Concerns one recipient: a request with several recipients causes several events. */
  airtime: TrackedRecipient
}

interface EventOf<Subject extends EventSubject> {
  /** The id of the event, equal in all deliveries of the event. Handle each id only once. */
  id: string
  type: EventTypeOf<Subject>
  /** Time of the commit of the reported change, as ISO 8601 in UTC. */
  timestamp: string
  /**
   * The trace id in logs and requests. Webhooks have the trace id in the header `traceparent`; `null` for old
   * transactions.
   */
  trace_id: string | null
  data: EventData[Subject]
}

/** An event for the merchant's backend. Comparing its `type` narrows its `data`. */
export type MerchantEvent = { [Subject in EventSubject]: EventOf<Subject> }[EventSubject]

/**
 * The merchant's handler of events. An event counts as accepted if the handler returns or its promise resolves. An
 * event is delivered again later if the handler throws, rejects, or does not resolve within 30 seconds.
 *
 * Accepting `charge.succeeded`, or `checkout.paid` of an order with splits, sends the service confirmation
 * `SUCCESSFUL`.
 */
export type OnEvent = (event: MerchantEvent) => void | Promise<void>

/** The stored body of the event. Not validated again, because this server wrote it. */
const Body = z.custom<MerchantEvent>()

/** Deadline of the handler, in milliseconds, so that a hanging handler does not block other events. */
const DEADLINE_MS = 30_000

export function handlerSink(onEvent: OnEvent, clock: Clock): EventSink {
  const late = `The handler did not return within ${DEADLINE_MS / 1000} seconds.`
  return async ({ id, body, trace_id }) => {
    const event = { ...Body.parse(JSON.parse(body)), id, trace_id }
    await withTimeout(DEADLINE_MS, clock, () => onEvent(event), late)
  }
}
