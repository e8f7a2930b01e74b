/** Defines the glyph of each state. Each is one path, drawn with a round pen in a square of 24 units. */

import type { CheckoutState } from '../state/state.ts'

const WINDOW = 'M3 5h18v14H3zM3 9h18'
const CLOCK = 'M12 3a9 9 0 1 0 .1 0M12 7v5l3 2'
const BACK = 'm8 4-5 5 5 5M3 9h12a5 5 0 0 1 0 10h-3'
const ATTENTION = 'M12 5v8m0 5v.1'

/** `prompted` while the shopper's phone asks for the payment. */
export const GLYPHS: Readonly<Record<Exclude<CheckoutState, 'idle' | 'details'> | 'prompted', string>> = {
  starting: WINDOW,
  blocked: WINDOW,
  waiting: WINDOW,
  prompted: 'M7 2h10v20H7zM11 18.5h2',
  paid: 'm5 12 5 5 9-10',
  partial: CLOCK,
  unpaid: 'M20 12a8 8 0 1 1-2.5-6M20 3v5h-5',
  expired: CLOCK,
  reversed: BACK,
  refunded: BACK,
  pending: CLOCK,
  jammed: ATTENTION,
  review: ATTENTION,
  error: ATTENTION,
}
