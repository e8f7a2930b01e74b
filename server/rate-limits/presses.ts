/**
 * The limits on presses of a reusable link, each of which makes an order. Every press is a row of the store, so that the
 * limits hold for all processes and after a restart.
 */

const HOUR = 3_600_000

interface PressLimit {
  /** Whose presses of the link are counted: those of one client network, or all. */
  of: 'network' | 'link'
  most: number
  windowMs: number
}

/** [assumed] These numbers and the time window are suitable: a carrier may have hundreds of payers behind one address. */
export const PRESS_LIMITS = [
  { of: 'network', most: 300, windowMs: HOUR },
  { of: 'link', most: 5_000, windowMs: HOUR },
] as const satisfies readonly PressLimit[]

/**
 * How long a press is stored, in milliseconds: for as long, a checkout of its order can be started. [assumed] A payer
 * who comes back later opens the link again.
 */
export const PRESS_LIFETIME_MS = 24 * HOUR

/**
 * How long the page of a link can be pressed, in milliseconds. Shorter than a press is stored, also where the clocks of
 * processes differ, so that no name is pressed anew whose press was deleted. [assumed]
 */
export const PAGE_LIFETIME_MS = 12 * HOUR
