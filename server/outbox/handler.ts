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

/** The `data` of an event, by the subject of its type. */
interface EventData {
  checkout: CheckoutView
  payout: TrackedPayout
  b2b: TrackedPayout
  charge: TrackedCharge
  /** One event for each recipient. */
  airtime: TrackedRecipient
}

interface EventOf<Subject extends EventSubject> {
  /** The event id, which is the same for every attempt. Handle each id once. */
  id: string
  type: EventTypeOf<Subject>
  /** ISO 8601, UTC: when the outcome was confirmed. */
  timestamp: string
  data: EventData[Subject]
}

/** An event for the merchant's backend. Comparing its `type` narrows its `data`. */
export type MerchantEvent = { [Subject in EventSubject]: EventOf<Subject> }[EventSubject]

/**
 * Handles one event. Returning (or resolving) accepts the event; throwing, or not resolving within 30 seconds, has it
 * delivered again later. Accepting `charge.succeeded`, or `checkout.paid` of an order with splits, confirms the service.
 */
export type OnEvent = (event: MerchantEvent) => void | Promise<void>

/** The stored body of the event. This server wrote the body, so it is not validated again. */
const Body = z.custom<MerchantEvent>()

/** The deadline of the handler, so that a handler that hangs does not block other events. */
const DEADLINE_MS = 30_000

export function handlerSink(onEvent: OnEvent, clock: Clock): EventSink {
  const late = `The handler did not return within ${DEADLINE_MS / 1000} seconds.`
  return async ({ id, body }) => {
    const event = { ...Body.parse(JSON.parse(body)), id }
    await withTimeout(DEADLINE_MS, clock, () => onEvent(event), late)
  }
}
