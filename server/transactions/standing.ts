/**
 * The standing of a payout, a charge or an airtime recipient, and the event about a new one. A checkout announces by
 * rules of its own (`checkouts/transition.ts`). Pure.
 */

import { isEnd, isKnown, tell } from './told.ts'

import type { TrackedOutcome, TrackedState } from '../api/tracked.ts'

/** The type of an event about a payout, a charge, or an airtime recipient, without a prefix such as `payout.`. */
export type TrackedEvent = Exclude<TrackedOutcome, 'sending' | 'pending'> | 'resolved'

/** The outcome of a payout, a charge or a recipient, and why a person has to check it; `null` if nobody has to. */
export interface Standing extends TrackedState {
  attention: string | null
}

/** Returns the standing with this outcome or, if a person has to check it, with `needs_attention`. */
export function standing(outcome: TrackedOutcome, attention: string | null = null): Standing {
  if (attention !== null) {
    return { outcome: 'needs_attention', settled: false, attention }
  }
  return { outcome, settled: isEnd(outcome), attention }
}

/**
 * Adds the event for a new standing to what the merchant was told. `resolved` is told of each resolution and
 * `needs_attention` of each new reason, every other outcome unless it is known ({@link isKnown}). `sending` and
 * `pending` cause no event.
 *
 * @param isResolved Whether a person has just resolved it.
 */
export function announce<Subject extends { told: string[] }>(
  record: Subject,
  before: Standing | null,
  { outcome, attention }: Standing,
  isResolved: boolean,
): { record: Subject; events: TrackedEvent[] } {
  if (isResolved) {
    return { record: tell(record, ['resolved', outcome]), events: ['resolved'] }
  }

  if (outcome === 'sending' || outcome === 'pending') {
    return { record, events: [] }
  }

  const isNews = outcome !== before?.outcome || attention !== before.attention
  const isRepeated = outcome !== 'needs_attention' && isKnown(record.told, outcome)
  const events = isNews && !isRepeated ? [outcome] : []
  return { record: tell(record, events), events }
}
