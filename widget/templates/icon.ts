/** Renders the icon of the card. Each icon is one path, drawn with a round pen in a square of 24 units. */

import { html } from '../lit.ts'
import { isPrompted, stateOf, viewOf } from '../session/state.ts'

import type { CheckoutState, Session } from '../session/state.ts'

const WINDOW = 'M3 5h18v14H3zM3 9h18'
const PHONE = 'M7 2h10v20H7zM11 18.5h2'
const TICK = 'm5 12 5 5 9-10'
const CLOCK = 'M12 3a9 9 0 1 0 .1 0M12 7v5l3 2'
const AGAIN = 'M20 12a8 8 0 1 1-2.5-6M20 3v5h-5'
const BACK = 'm8 4-5 5 5 5M3 9h12a5 5 0 0 1 0 10h-3'
const ATTENTION = 'M12 5v8m0 5v.1'

const ICONS: { readonly [State in CheckoutState]?: string } = {
  blocked: WINDOW,
  waiting: WINDOW,
  paid: TICK,
  partial: CLOCK,
  unpaid: AGAIN,
  expired: CLOCK,
  reversed: BACK,
  refunded: BACK,
  pending: CLOCK,
}

export function icon(session: Session) {
  const d = isPrompted(viewOf(session)) ? PHONE : (ICONS[stateOf(session)] ?? ATTENTION)
  return html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d=${d} /></svg>`
}
