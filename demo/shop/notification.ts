/** What the payment server tells the shop's backend, believed only when its signature and its age are right. */

import { timingSafeEqual } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { z } from 'zod'

const OrderNews = z.object({
  type: z.templateLiteral(['checkout.', z.string()]),
  data: z.object({ order: z.string(), amount_paid: z.string(), currency: z.string() }),
})
/** Of payouts, charges and what is added over the years: taken, and no order of this shop waits for it. */
const OtherNews = z.object({ type: z.string().regex(/^(?!checkout\.)/), data: z.unknown() })

export type OrderNotification = z.output<typeof OrderNews> & { id: string }
export type Notification = OrderNotification | (z.output<typeof OtherNews> & { id: string })

/** As the Standard Webhooks libraries have it. */
const OLDEST_SECONDS = 300

/**
 * `null` for anything that was not signed with the secret in the last minutes.
 *
 * The library's own `verify` reads the system's clock. This shop lives on the sandbox's, where a visitor moves
 * time by hours, so it compares the signature by `verify`'s two steps and the age by `now`.
 *
 * @param now milliseconds since the Unix epoch
 */
export function verified(secret: string, headers: Headers, body: string, now: number): Notification | null {
  const id = headers.get('webhook-id') ?? ''
  const seconds = Number(headers.get('webhook-timestamp') ?? NaN)
  if (id === '' || !(Math.abs(now / 1000 - seconds) <= OLDEST_SECONDS)) return null
  const expected = new Webhook(secret).sign(id, new Date(seconds * 1000), body)
  const signatures = (headers.get('webhook-signature') ?? '').split(' ')
  if (!signatures.some((each) => isSame(each, expected))) return null
  const parsed = z.union([OrderNews, OtherNews]).safeParse(JSON.parse(body))
  return parsed.success ? { ...parsed.data, id } : null
}

export function isOfOrder(notification: Notification): notification is OrderNotification {
  return notification.type.startsWith('checkout.')
}

function isSame(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(a), Buffer.from(b)]
  return x.byteLength === y.byteLength && timingSafeEqual(x, y)
}
