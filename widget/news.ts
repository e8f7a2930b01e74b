/** What the page is told about a checkout, each item once. Pure: events are made of it in `events.ts`. */

import type { View } from '../server/contract/view.ts'
import type { Failure } from './failure.ts'

export type News =
  | {
      type:
        | 'checkout-change'
        | 'checkout-paid'
        | 'checkout-partial'
        | 'checkout-unpaid'
        | 'checkout-expired'
        | 'checkout-settled'
      view: View
    }
  | { type: 'checkout-close'; view: View | null }
  | { type: 'checkout-error'; failure: Failure; view: View | null }

/** Before the gateway has confirmed anything (`status` is null) there is no news. */
export function news(before: View | null, after: View): News[] {
  if (after.status === null) return []
  const outcomeIsNew = before === null || before.status === null || before.outcome !== after.outcome
  const isEnd = after.settled && before?.settled !== true
  const isNews = outcomeIsNew || isEnd || before.version !== after.version
  const items: News[] = isNews ? [{ type: 'checkout-change', view: after }] : []
  const event = outcomeEvent(after)
  if (outcomeIsNew && event !== null) items.push({ type: event, view: after })
  if (isEnd) items.push({ type: 'checkout-settled', view: after })
  return items
}

function outcomeEvent({ outcome }: View) {
  switch (outcome) {
    case 'paid':
    case 'partial':
    case 'unpaid':
    case 'expired':
      return `checkout-${outcome}` as const
    case 'waiting':
    case 'reversed':
    case 'refunded':
    case 'jammed':
    case 'pending':
    case 'review':
      return null
  }
}
