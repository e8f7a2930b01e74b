/** What the page is told when a session changes, each item once. Pure. */

import { failure } from './failure.ts'
import { stateOf, viewOf } from './session/state.ts'

import type { CheckoutView } from '../server/api/view.ts'
import type { CheckoutErrorDetail } from './events.ts'
import type { Failure } from './failure.ts'
import type { Session } from './session/state.ts'

/** The end of an event's name ("checkout-paid") and its detail. */
export type News = [type: string, detail: CheckoutView | CheckoutErrorDetail | null]

export function news(before: Session, after: Session): News[] {
  const view = viewOf(after)
  const items = view === null || view === viewOf(before) ? [] : ofView(viewOf(before), view)
  if ('page' in after && after.page === 'closed' && 'page' in before && before.page === 'open')
    items.push(['close', view])
  if (after !== before && 'failure' in after && after.failure) items.push(obstacle(after.failure, view))
  if (stateOf(after) === 'blocked' && stateOf(before) !== 'blocked')
    items.push(obstacle(failure('popup_blocked', true), view))
  return items
}

export function obstacle({ code, message, retryable }: Failure, view: CheckoutView | null): News {
  return ['error', { code, message, retryable, view }]
}

/** Before the gateway has confirmed anything (`status` is null) there is no news. */
function ofView(before: CheckoutView | null, after: CheckoutView): News[] {
  const { status, outcome, settled, version } = after
  if (status === null) return []
  const isNew = !before?.status || before.outcome !== outcome
  const items: News[] = []
  if (isNew || settled || before.version !== version) items.push(['change', after])
  if (isNew && /^(paid|partial|unpaid|expired)$/.test(outcome)) items.push([outcome, after])
  if (settled) items.push(['settled', after])
  return items
}
