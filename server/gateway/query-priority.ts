/** How urgent a status query is. */

/**
 * The priorities, most urgent first:
 *
 * - `notified`: a callback or the return page requests the query.
 * - `watched`: a page that shows the transaction requests it.
 * - `due`: its stored time has come.
 * - `probe`: it tests whether an unavailable family of endpoints is available again.
 */
export const PRIORITIES = ['notified', 'watched', 'due', 'probe'] as const
export type Priority = (typeof PRIORITIES)[number]

/** The index of a priority in {@link PRIORITIES}: the smallest is the most urgent. */
export type Urgency = number

export function urgencyOf(priority: Priority): Urgency {
  return PRIORITIES.indexOf(priority)
}
