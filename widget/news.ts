/** What the page is told about a checkout, each item once. Pure. */

import type { View } from '../server/contract/view.ts'
import type { CheckoutErrorDetail } from './events.ts'

export type News =
  | { type: 'change' | 'paid' | 'partial' | 'unpaid' | 'expired' | 'settled'; detail: View }
  | { type: 'close'; detail: View | null }
  | { type: 'error'; detail: CheckoutErrorDetail }

/** Before the gateway has confirmed anything (`status` is null) there is no news. */
export function news(before: View | null, after: View): News[] {
  if (after.status === null) return []
  const { outcome, settled, version } = after
  const isNewOutcome = before === null || before.status === null || before.outcome !== outcome
  const isEnd = settled && before?.settled !== true
  const items: News[] = []
  if (isNewOutcome || isEnd || before.version !== version) items.push({ type: 'change', detail: after })
  if (isNewOutcome && hasEvent(outcome)) items.push({ type: outcome, detail: after })
  if (isEnd) items.push({ type: 'settled', detail: after })
  return items
}

const EVENTS = ['paid', 'partial', 'unpaid', 'expired'] as const

function hasEvent(outcome: string): outcome is (typeof EVENTS)[number] {
  return EVENTS.some((event) => event === outcome)
}
