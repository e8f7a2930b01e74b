/** The merchant's handler in the same process. */

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

export function tellByHandler(onEvent: OnEvent): Tell {
  return async ({ id, body }) => onEvent({ id, ...Body.parse(JSON.parse(body)) })
}
