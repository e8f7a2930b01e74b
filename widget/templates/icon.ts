/** One icon per outcome, told apart by shape, not by colour alone. Drawn in the colour of the text around it. */

import { svg, html } from 'lit'

import type { TemplateResult } from 'lit'
import type { CheckoutState } from '../session/state.ts'

/** Paths in a 24 × 24 box. States that share a meaning share a shape. */
const PATHS: Record<CheckoutState, string> = {
  idle: '',
  details: '',
  starting: '',
  blocked: 'M14 5h5v5M19 5l-8 8M17 14v5H5V7h5',
  waiting: 'M12 7v5l3 2',
  paid: 'M6 12.5l4 4 8-9',
  partial: 'M12 4a8 8 0 0 1 0 16z',
  unpaid: 'M7 7l10 10M17 7L7 17',
  expired: 'M8 5h8M8 19h8M9 5c0 5 6 9 6 14M15 5c0 5-6 9-6 14',
  reversed: 'M9 6L5 10l4 4M5 10h9a5 5 0 0 1 0 10h-2',
  refunded: 'M9 6L5 10l4 4M5 10h9a5 5 0 0 1 0 10h-2',
  jammed: 'M12 6v7M12 17v.5',
  pending: 'M7 12h.5M12 12h.5M17 12h.5',
  review: 'M10.5 5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 0 1 0-11M15 15l4 4',
  error: 'M12 6v7M12 17v.5',
}

export function icon(state: CheckoutState): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    ${svg`<path d=${PATHS[state]}></path>`}
  </svg>`
}
