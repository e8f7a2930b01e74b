/** One icon per outcome, told apart by shape, not by colour alone. Drawn in the colour of the text around it. */

import { html } from 'lit'

import type { CheckoutState } from '../session/state.ts'

const BACK = 'M9 5l-5 5 5 5M4 10h10a5 5 0 0 1 0 10h-3'
const ATTENTION = 'M12 5v9M12 19v.1'

/** Paths in a 24 × 24 box. States that share a meaning share a shape. */
const PATHS: Partial<Record<CheckoutState, string>> = {
  blocked: 'M9 5h10v10M19 5L5 19',
  waiting: 'M12 6v6l4 3',
  paid: 'M5 13l4 4L19 7',
  partial: 'M12 4a8 8 0 0 1 0 16z',
  unpaid: 'M6 6l12 12M18 6L6 18',
  expired: 'M7 4h10L7 20h10z',
  reversed: BACK,
  refunded: BACK,
  jammed: ATTENTION,
  pending: 'M6 12h.1M12 12h.1M18 12h.1',
  review: 'M4 11a7 7 0 1 0 14 0 7 7 0 1 0-14 0M16 16l4 4',
  error: ATTENTION,
}

export function icon(state: CheckoutState) {
  return html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d=${PATHS[state] ?? ''}></path></svg>`
}
