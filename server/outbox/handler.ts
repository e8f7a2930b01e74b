/** The merchant's handler in the same process. */

import type { Clock } from '../clock.ts'
import type { View } from '../contract/view.ts'
import type { Tell } from './deliver.ts'
import { z } from 'zod'

export interface MerchantEvent {
  /** Stable over every retry: handle each id once. */
  id: string
  /** `checkout.paid`, `checkout.partial` and so on. */
  type: string
  /** ISO 8601, UTC: when it was confirmed. */
  timestamp: string
  data: View
}

export type OnEvent = (event: MerchantEvent) => void | Promise<void>

const Body = z.object({ type: z.string(), timestamp: z.string(), data: z.custom<View>() })

/** A handler that has not returned by then is told again later, so that one that hangs cannot keep all others. */
const DEADLINE_MS = 30_000

export function tellByHandler(onEvent: OnEvent, clock: Clock): Tell {
  return async ({ id, body }) => {
    const event = { id, ...Body.parse(JSON.parse(body)) }
    const returned = new AbortController()
    const deadline = clock.sleep(DEADLINE_MS, returned.signal).then(
      () => {
        throw new Error(`The handler did not return within ${DEADLINE_MS / 1000} seconds.`)
      },
      () => {},
    )
    try {
      await Promise.race([onEvent(event), deadline])
    } finally {
      returned.abort()
    }
  }
}
