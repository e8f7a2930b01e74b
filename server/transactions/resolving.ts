/**
 * What a resolution makes of a transaction or of an airtime recipient: the transition when a person resolves it, and what
 * the reports after it mean. `resolution.ts` has what a person says. Pure.
 */

import { askedAbout } from './consulted.ts'
import { contradictionOf, describeResolution, isAsSaid, needsPerson, RESOLVED_OUTCOME } from './resolution.ts'
import { standing } from './standing.ts'
import { tell } from './told.ts'
import { changed, unchanged } from './transition-result.ts'

import type { Alarm, Consulting } from './alarm.ts'
import type { Consulted } from './consulted.ts'
import type { Resolution } from './resolution.ts'
import type { Standing } from './standing.ts'
import type { TransitionResult } from './transition-result.ts'

/**
 * Returns the transition result for a resolution; the subject itself if nobody has to check it. What was resolved as
 * not paid or returned has ended: a later success is late. The alarm is kept, so that its cause, of which the person
 * knew, raises no other.
 *
 * @param about The stored report, if the person was called about it; `null` otherwise.
 */
export function resolve<
  Kept extends { told: string[]; resolution: Resolution | null; consulted?: Consulted },
>(
  subject: Kept,
  standing: { outcome: string; attention: string | null },
  resolution: Resolution,
  about: string | null,
): TransitionResult<Kept> {
  if (standing.attention === null && !needsPerson(standing.outcome)) {
    return unchanged(subject)
  }

  const { says } = resolution
  const ended = says === 'paid' ? subject : tell(subject, ['ended'])
  const consulted = about === null ? subject.consulted : askedAbout(subject, about)
  const answered = consulted && { consulted: { ...consulted, says } }
  return changed({ ...ended, ...answered, resolution }, describeResolution(resolution))
}

/**
 * Returns the subject after a report that the person who resolved it did not know. The report counts from then on: it
 * answers what the person was asked, or raises an alarm if it contradicts the resolution.
 */
export function afterResolution<Kept extends Consulting>(
  subject: Kept,
  outcome: string,
  about: string,
): Kept {
  const { resolution, consulted } = subject
  const why = resolution && contradictionOf(resolution, outcome)
  if (why !== null) {
    const asked = { ...subject, consulted: askedAbout(subject, about) }
    return { ...asked, resolution: null, alarm: { why, until: 'resolved' } }
  }

  const says = consulted?.says ?? null
  const isNews = says !== null && !isAsSaid(says, outcome)
  const kept = isNews ? { ...subject, consulted: askedAbout(subject, about) } : subject
  return resolution === null ? kept : { ...kept, resolution: null, alarm: null }
}

/**
 * Returns whether the person who resolved the subject knew the report that is stored; `null` if nobody did. If the
 * gateway had contradicted this report, its return to it is news.
 */
export function isKnownTo({
  resolution,
  alarm,
}: {
  resolution: Resolution | null
  alarm: Alarm | null
}): boolean | null {
  return resolution && alarm?.until !== 'returned'
}

/** Returns the standing of a subject that a person has resolved; `null` if nobody did. */
export function resolvedStanding({ resolution }: { resolution: Resolution | null }): Standing | null {
  return resolution && standing(RESOLVED_OUTCOME[resolution.says])
}
