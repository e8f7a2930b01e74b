/**
 * What a person was asked about a transaction or a recipient, and has said since. `alarm.ts` asks, `resolving.ts` stores
 * the answer. Pure.
 */

import { z } from 'zod'

import { isOtherwise, SAYS } from './resolution.ts'

import type { Says } from './resolution.ts'

/**
 * The reports about which a person was called, each by what it says, and what the person has said since; `null` before
 * that. A gateway may contradict itself without end: once there is a word, none of these reports calls anybody again. The
 * word outlives its resolution, which a report that agrees ends, and is void when the gateway says something new.
 */
export const Consulted = z.object({ about: z.array(z.string()), says: z.enum(SAYS).nullable() })
export type Consulted = z.output<typeof Consulted>

/** What a person may have been asked about. */
interface Asked {
  consulted?: Consulted
}

/** Returns what a person is asked about a report, and about those before it. */
export function askedAbout({ consulted }: Asked, report: string): Consulted {
  const about = consulted?.about ?? []
  return { about: about.includes(report) ? about : [...about, report], says: null }
}

/** Returns what a person has said since a report has called the person; `null` if this is no such report. */
export function answerTo({ consulted }: Asked, about: string | null): Says | null {
  const isAsked = consulted !== undefined && about !== null && consulted.about.includes(about)
  return isAsked ? consulted.says : null
}

/** Returns whether a person was called about a report, and has said otherwise: it is then left out. */
export function isDenied(subject: Asked, about: string, outcome: string): boolean {
  const says = answerTo(subject, about)
  return says !== null && isOtherwise(says, outcome)
}
