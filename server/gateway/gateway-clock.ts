/**
 * The gateway's clock: the header `Date` of its answers. The gateway decides by this clock whether a session is over,
 * and so does this server. The clock of this server may be wrong, and counts only for an answer without a `Date`, or
 * with one that stands still.
 */

import type { FetchAnswer } from '../http/exchange.ts'
import type { Log } from '../log/log.ts'
import type { Clock } from '../work/clock.ts'

/** `Date` in the only format that a server may send. [RFC 9110, 5.6.7] */
const HTTP_DATE = /^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/
/**
 * [assumed] A gateway that answers before 2025 or after 2099 has no clock, such as a machine that starts in 1970. A
 * difference from this server's clock proves nothing, because this server's clock may be the wrong one.
 */
const EARLIEST = Date.UTC(2025)
const LATEST = Date.UTC(2100)
/** The unit of `Date`, in milliseconds. */
const SECOND = 1_000

/** Returns when the gateway answered, by its own clock; `null` if the answer has no `Date`, or none that can be read. */
export function readDate(headers: FetchAnswer['headers']): number | null {
  const text = headers?.get('date') ?? ''
  const at = HTTP_DATE.test(text) ? Date.parse(text) : NaN
  return at >= EARLIEST && at < LATEST ? at : null
}

/** How long answers may have the same `Date`, in milliseconds by this server's clock. */
const MAX_STILL_MS = 60 * SECOND
/** The number of dates that are kept: several hosts may answer, and only one of their clocks stand still. */
const MAX_DATES = 1_000

/**
 * Returns a function that reads the `Date` of each answer, in turn: `is_still` if it stands still, as from a cache or by
 * a clock that has stopped. By such a `Date`, no session would ever end.
 *
 * It stands still if it was seen again twice, each time more than {@link MAX_STILL_MS} later. Twice, because this
 * server's clock may have jumped once.
 */
export function createDateReader({ now }: Pick<Clock, 'now'>) {
  const seen = new Map<number, { at: number; again: number }>()
  return (headers: FetchAnswer['headers']): { date: number | null; is_still: boolean } => {
    const date = readDate(headers)
    if (date === null) {
      return { date, is_still: false }
    }

    const at = now()
    const before = seen.get(date) ?? { at, again: 0 }
    const isLater = Math.abs(at - before.at) > MAX_STILL_MS
    const entry = isLater ? { at, again: before.again + 1 } : before
    // A map keeps the order of insertion: the date that was seen last is the last to be forgotten.
    seen.delete(date)
    seen.set(date, entry)
    for (const oldest of [...seen.keys()].slice(0, -MAX_DATES)) {
      seen.delete(oldest)
    }
    return { date, is_still: entry.again >= 2 }
  }
}

/** Receives when the gateway gave an answer, by its own clock; `null` if the answer does not say so. */
export type OnDate = (at: number | null) => void

/**
 * Calls the gateway. Resolves with the answer, and with when the gateway gave it, by its own clock; `null` if the answer
 * does not say so.
 */
export async function dated<Answer>(
  call: (options: { onDate: OnDate }) => Promise<Answer>,
): Promise<{ answer: Answer; at: number | null }> {
  let at: number | null = null
  const answer = await call({ onDate: (date) => (at = date) })
  return { answer, at }
}

/**
 * Returns how far this server's clock is ahead of the gateway's, in milliseconds; negative if it is behind, 0 if the
 * answer was given while the exchange took place, and `null` if that cannot be said.
 *
 * @param startedAt When the request was sent, and `endedAt` when the answer had arrived, by this server's clock.
 */
export function skewOf(
  date: number | null,
  headers: FetchAnswer['headers'],
  startedAt: number,
  endedAt: number,
): number | null {
  // An answer from a cache was given long before.
  if (date === null || headers?.get('age')) {
    return null
  }
  if (endedAt < date) {
    return endedAt - date
  }
  return Math.max(0, startedAt - (date + SECOND - 1))
}

/** The difference between the clocks above which a person should set them, in milliseconds. */
export const MAX_SKEW_MS = 30 * SECOND
/** The shortest time between two lines of the log about the clocks, in milliseconds: several gateways may differ. */
const LOG_PAUSE_MS = 60 * SECOND

/** What a difference between the clocks does. */
export const SKEW_DOES =
  "A session ends by the gateway's clock all the same. By this server's, the gateway is queried, events are signed and signed orders end: set it by NTP."

const DATE_IS_STILL =
  "The Date of the gateway's answers stands still: a cache answers, or the gateway's clock has stopped. This server's clock counts in its place."

/** Returns how the clocks differ, as "2400 seconds ahead of". */
export function describeSkew(skewMs: number): string {
  return `${Math.round(Math.abs(skewMs) / SECOND)} seconds ${skewMs > 0 ? 'ahead of' : 'behind'}`
}

/**
 * Returns a function that takes each exchange with the gateway, and logs once when the difference between the clocks
 * has changed by more than {@link MAX_SKEW_MS}.
 */
export function createSkewWatch({ clock, log }: { clock: Clock; log: Log }) {
  let logged = { skewMs: 0, at: -Infinity }
  let isStillLogged = false
  return ({ skew_ms: skewMs, is_date_still }: { skew_ms: number | null; is_date_still: boolean }): void => {
    if (is_date_still && !isStillLogged) {
      isStillLogged = true
      log.warn({}, DATE_IS_STILL)
    }
    if (skewMs === null || Math.abs(skewMs - logged.skewMs) <= MAX_SKEW_MS) {
      return
    }

    const at = clock.now()
    if (Math.abs(at - logged.at) < LOG_PAUSE_MS) {
      return
    }

    logged = { skewMs, at }
    const seconds = Math.round(skewMs / SECOND)
    if (Math.abs(skewMs) <= MAX_SKEW_MS) {
      log.warn({ seconds }, "This server's clock agrees with the gateway's again.")
    } else {
      log.warn({ seconds }, `This server's clock is ${describeSkew(skewMs)} the gateway's. ${SKEW_DOES}`)
    }
  }
}
