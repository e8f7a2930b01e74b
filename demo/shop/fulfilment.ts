// What the shop does with the signed webhook events of the payment server.

import type { Order, Standing } from './goods.ts'
import { timingSafeEqual } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { z } from 'zod'
import { compare, isDecimal } from '../../server/contract/decimal.ts'
import { CURRENCY, priceOf } from './goods.ts'
import { parseJson } from '../../server/contract/parse.ts'

const OrderEvent = z.object({
  type: z.templateLiteral(['checkout.', z.string()]),
  data: z.object({ order: z.string(), amount_paid: z.string(), currency: z.string() }),
})
type OrderEvent = z.output<typeof OrderEvent>
const OtherEvent = z.object({ type: z.string().regex(/^(?!checkout\.)/), data: z.unknown() })
const Event = z.union([OrderEvent, OtherEvent])
type Notification = z.output<typeof Event> & { id: string }

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
  const parsed = Event.safeParse(parseJson(body))
  return parsed.success ? { ...parsed.data, id } : null
}

function isSame(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(a), Buffer.from(b)]
  return x.byteLength === y.byteLength && timingSafeEqual(x, y)
}

export function createFulfilment() {
  const orders = new Map<string, Order>()
  const taken = new Set<string>()
  const watchers = new Set<() => void>()
  return {
    apply(notification: Notification): void {
      const event = OrderEvent.safeParse(notification)
      if (!event.success || taken.has(notification.id)) return
      taken.add(notification.id)
      const next = after(orders.get(event.data.data.order), event.data)
      orders.delete(next.order)
      orders.set(next.order, next)
      for (const changed of watchers) changed()
    },
    orders: (): Order[] => [...orders.values()].toReversed(),
    watch(changed: () => void): () => void {
      watchers.add(changed)
      return () => watchers.delete(changed)
    },
  }
}

function after(before: Order | undefined, { type, data }: OrderEvent): Order {
  const heard = [...(before?.heard ?? []), type]
  return { ...data, heard, standing: standingAfter(before?.standing ?? 'open', type, data) }
}

const STANDING_AFTER = new Map<string, Standing>([
  ['checkout.paid', 'fulfilled'],
  ['checkout.paid_late', 'fulfilled'],
  ['checkout.partial', 'part_paid'],
  ['checkout.unpaid', 'unpaid'],
  ['checkout.expired', 'unpaid'],
  ['checkout.reversed', 'taken_back'],
  ['checkout.refunded', 'taken_back'],
  ['checkout.review', 'look_at_it'],
  ['checkout.needs_attention', 'look_at_it'],
])

function standingAfter(before: Standing, type: string, data: OrderEvent['data']): Standing {
  const next = STANDING_AFTER.get(type) ?? before
  // A later event of another attempt may report less money than was received: keep the better status.
  if (next === 'unpaid' && before !== 'open') return before
  if (next === 'part_paid' && before === 'fulfilled') return before
  return next === 'fulfilled' && before !== 'fulfilled' && !isCovered(data) ? 'look_at_it' : next
}

function isCovered({ order, amount_paid, currency }: OrderEvent['data']): boolean {
  const price = priceOf(order)
  return price !== null && currency === CURRENCY && isDecimal(amount_paid) && compare(amount_paid, price) >= 0
}
