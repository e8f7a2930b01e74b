/**
 * The limits on prompts, which make a phone ring. Every prompt is a row of the store, so that the limits hold for all
 * processes and after a restart. Beyond a limit, the payer pays on the hosted page instead.
 */

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** A prompt that a checkout sends to the payer's phone. */
export interface SentPrompt {
  /** The fingerprint of the phone number. */
  phone: string
  /** The fingerprint of the client network that requested the prompt; `null` if the network is unknown. */
  network: string | null
}

/** Thrown by the store if a prompt exceeds a limit. Nothing is stored then. */
export class PromptLimitError extends Error {}

interface PromptLimit {
  /** Whose prompts are counted: a column of the table `prompts`. The server's are those of its `account`. */
  of: 'phone' | 'order' | 'network' | 'account'
  /** Whether only the other phones that were asked are counted, each once, instead of all prompts. */
  isOfPhones: boolean
  most: number
  windowMs: number
}

/**
 * A prompt is sent if each count of earlier prompts is lower than `most`. The first limit is the one that shoppers
 * meet. [assumed] These numbers and time windows are suitable.
 */
export const PROMPT_LIMITS = [
  { of: 'phone', isOfPhones: false, most: 3, windowMs: HOUR / 6 },
  { of: 'phone', isOfPhones: false, most: 10, windowMs: DAY },
  // While a prompt waits, its order has no page: whoever knows the order could keep its payer from paying by prompts on
  // phones that nobody answers.
  { of: 'order', isOfPhones: false, most: 2, windowMs: DAY },
  { of: 'network', isOfPhones: true, most: 30, windowMs: HOUR },
  { of: 'account', isOfPhones: true, most: 500, windowMs: HOUR / 6 },
] as const satisfies readonly PromptLimit[]

/** Stored prompts whose time differs from the clock by at least this time are deleted, in milliseconds. */
export const LONGEST_WINDOW_MS = DAY
