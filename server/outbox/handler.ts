/** The merchant's handler in the same process. */

import type { Clock } from '../clock.ts'
import type { TrackedRecipient } from '../api/airtime.ts'
import type { TrackedCharge } from '../api/charge.ts'
import type { TrackedPayout } from '../api/payout.ts'
import type { CheckoutView } from '../api/view.ts'
import type { EventSink } from './deliver.ts'
import { z } from 'zod'
import { withTimeout } from '../with-timeout.ts'

export type MerchantEvent = CheckoutEvent | PayoutEvent | ChargeEvent | AirtimeEvent

interface Told {
  /** Stable over every retry: handle each id once. */
  id: string
  /** ISO 8601, UTC: when it was confirmed. */
  timestamp: string
}

export interface CheckoutEvent extends Told {
  /** `checkout.paid`, `checkout.partial` and so on. */
  type: `checkout.${string}`
  data: CheckoutView
}

export interface PayoutEvent extends Told {
  /** `payout.succeeded`, `b2b.failed` and so on. */
  type: `${'payout' | 'b2b'}.${string}`
  data: TrackedPayout
}

export interface ChargeEvent extends Told {
  /** `charge.succeeded` and so on. */
  type: `charge.${string}`
  data: TrackedCharge
}

export interface AirtimeEvent extends Told {
  /** `airtime.succeeded`, `airtime.failed` and so on: one for each recipient. */
  type: `airtime.${string}`
  data: TrackedRecipient
}

/** Whoever takes `charge.succeeded`, or `checkout.paid` of an order with splits, has served what was paid. */
export type OnEvent = (event: MerchantEvent) => void | Promise<void>

/** Our own bytes, written when the event was stored: known to be an event, and parsed for nobody's safety. */
const Body = z.custom<
  Omit<CheckoutEvent, 'id'> | Omit<PayoutEvent, 'id'> | Omit<ChargeEvent, 'id'> | Omit<AirtimeEvent, 'id'>
>()

/** A handler that has not returned by then is told again later, so that one that hangs cannot keep all others. */
const DEADLINE_MS = 30_000

export function handlerSink(onEvent: OnEvent, clock: Clock): EventSink {
  const late = `The handler did not return within ${DEADLINE_MS / 1000} seconds.`
  return async ({ id, body }) => {
    const event = { id, ...Body.parse(JSON.parse(body)) }
    await withTimeout(DEADLINE_MS, clock, () => onEvent(event), late)
  }
}
