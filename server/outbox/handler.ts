/** Delivers events to `onEvent`, a function of the merchant that runs in the server's process. */

import { z } from 'zod'

import { withTimeout } from '../work/clock.ts'
import { DeliveryError } from './deliver.ts'

import type { EventSubject, EventTypeOf, SUBJECTS } from '../api/kind-table.ts'
import type { Clock } from '../work/clock.ts'
import type { Deliver } from './deliver.ts'

interface EventOf<Subject extends EventSubject> {
  /** The id of the event, equal in all deliveries of the event. Handle each id only once. */
  id: string
  type: EventTypeOf<Subject>
  /** The time at which the reported change was committed, as ISO 8601 in UTC. */
  timestamp: string
  /**
   * The transaction's trace id; `null` if an older version of this server created the transaction. The trace id also
   * occurs in logs, in requests to the gateway, and in the header `traceparent` of webhooks.
   */
  trace_id: string | null
  /** An airtime request with several recipients causes one event for each. */
  data: z.output<(typeof SUBJECTS)[Subject]['data']>
}

/** An event for the merchant's backend. In TypeScript, a comparison of `type` narrows the type of `data`. */
export type MerchantEvent = { [Subject in EventSubject]: EventOf<Subject> }[EventSubject]

/**
 * The merchant's handler of events. An event is accepted if the handler returns, or the returned promise resolves. The
 * event is delivered again later if the handler throws, rejects, or does not resolve within 30 seconds.
 *
 * When the handler accepts `charge.succeeded`, or `checkout.paid` for an order with splits, the server sends the
 * service confirmation `SUCCESSFUL` to the gateway.
 */
export type OnEvent = (event: MerchantEvent) => void | Promise<void>

/** The stored body of an event. The body is not validated again, because this server wrote it. */
const Body = z.custom<MerchantEvent>()

/**
 * The time within which the handler must resolve, in milliseconds. This limit prevents a handler that hangs from
 * blocking other events.
 */
const DEADLINE_MS = 30_000

export function deliverToHandler(onEvent: OnEvent, clock: Clock): Deliver {
  const sentence = `The handler did not return within ${DEADLINE_MS / 1000} seconds.`
  const late = new DeliveryError(sentence, 'timeout', null, sentence)
  return async ({ id, body, trace_id }) => {
    const event = { ...Body.parse(JSON.parse(body)), id, trace_id }
    await withTimeout(DEADLINE_MS, clock, () => onEvent(event), late)
  }
}
