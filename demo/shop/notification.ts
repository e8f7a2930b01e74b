import { timingSafeEqual } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { z } from 'zod'
import { parseJson } from '../../server/contract/json.ts'

const OrderEvent = z.object({
  type: z.templateLiteral(['checkout.', z.string()]),
  data: z.object({ order: z.string(), amount_paid: z.string(), currency: z.string() }),
})
const OtherEvent = z.object({ type: z.string().regex(/^(?!checkout\.)/), data: z.unknown() })

export type OrderNotification = z.output<typeof OrderEvent> & { id: string }
export type Notification = OrderNotification | (z.output<typeof OtherEvent> & { id: string })

// As in the Standard Webhooks libraries.
const OLDEST_SECONDS = 300

/**
 * Returns the event in a webhook request; `null` if the signature, the timestamp or a field is invalid.
 *
 * @param now Milliseconds since the Unix epoch.
 */
export function verified(secret: string, headers: Headers, body: string, now: number): Notification | null {
  const id = headers.get('webhook-id') ?? ''
  const seconds = Number(headers.get('webhook-timestamp') ?? NaN)
  if (id === '' || !(Math.abs(now / 1000 - seconds) <= OLDEST_SECONDS)) return null
  // The library's `verify` reads the system clock, but the shop runs on the sandbox's clock.
  const expected = new Webhook(secret).sign(id, new Date(seconds * 1000), body)
  const signatures = (headers.get('webhook-signature') ?? '').split(' ')
  if (!signatures.some((each) => isSame(each, expected))) return null
  const parsed = z.union([OrderEvent, OtherEvent]).safeParse(parseJson(body))
  return parsed.success ? { ...parsed.data, id } : null
}

export function isOfOrder(notification: Notification): notification is OrderNotification {
  return notification.type.startsWith('checkout.')
}

function isSame(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(a), Buffer.from(b)]
  return x.byteLength === y.byteLength && timingSafeEqual(x, y)
}
