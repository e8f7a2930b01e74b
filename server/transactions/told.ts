/**
 * What the merchant was told of a transaction or of an airtime recipient, by events: what the merchant knows, and what
 * came after an end that was told. Pure.
 */

import { z } from 'zod'

/**
 * What the merchant was told of a transaction or of one recipient: the types of the events, without the prefix, each
 * once, in the order in which they were last sent. `ended` follows the event `partial` that said that the session had
 * ended. Entries are only added.
 */
export const told = z.array(z.string())
export type Told = readonly string[]

const SUCCESSES = ['succeeded', 'paid']
const RETURNS = ['reversed', 'refunded']
const FAILED_ENDS = ['failed', 'unpaid', 'expired', 'ended', ...RETURNS]

/** Returns whether a payout, a charge or a recipient with this outcome has ended. */
export function isEnd(outcome: string): boolean {
  return outcome === 'succeeded' || FAILED_ENDS.includes(outcome)
}

/** Returns whether an outcome says that the money was returned. */
export function isReturn(outcome: string): boolean {
  return RETURNS.includes(outcome)
}

/** Returns the record or the recipient with `events` added to what the merchant was told. */
export function tell<Subject extends { told: string[] }>(subject: Subject, events: Told): Subject {
  return events.length === 0
    ? subject
    : { ...subject, told: [...subject.told.filter((event) => !events.includes(event)), ...events] }
}

/**
 * Returns whether the merchant was told of an end without success, whatever was reported since. The merchant may have
 * paid or charged in another way, so a success after this end is late, and needs a person. What a person then resolves
 * as paid is not late any more.
 */
export function hasEnded(told: Told): boolean {
  const last = told.findLast((event) => SUCCESSES.includes(event) || FAILED_ENDS.includes(event))
  return last !== undefined && FAILED_ENDS.includes(last)
}

/** Returns whether the merchant was told of a success, whatever was reported since. */
export function hasSucceeded(told: Told): boolean {
  return told.some((event) => SUCCESSES.includes(event))
}

/**
 * Returns whether the merchant knows an outcome. A success is told once, because a second one could be fulfilled twice. A
 * failure, and money that comes back, is told again if the merchant has heard something else since.
 */
export function isKnown(told: Told, outcome: string): boolean {
  if (!told.includes(outcome) || SUCCESSES.includes(outcome)) {
    return told.includes(outcome)
  }

  const last = told.findLast((event) => event !== 'ended') ?? ''
  return last === outcome || (RETURNS.includes(outcome) && RETURNS.includes(last))
}

/** Why a person has to check what came after its end. Money that was on its way and then arrived is another reason. */
export const LATE = {
  pending: 'The merchant was told of its end, and the gateway reports it as on its way all the same.',
  succeeded: 'The merchant was told of its end, and the gateway reports it all the same.',
} as const

/** Returns whether a person has to check something because it came after its end. */
export function isOfLate(attention: string | null): boolean {
  return Object.values(LATE).some((why) => why === attention)
}
