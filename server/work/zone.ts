/** The merchant's time zone: when its days begin and end, and how a time is written there. */

export type Zone = ReturnType<typeof createZone>

/** A range of times, in milliseconds since the Unix epoch: from the first on, and before the second. */
export interface Times {
  from: number
  until: number
}

const HOUR = 3_600_000
const DAY = 24 * HOUR
/**
 * [assumed] A day closes six hours after its end: what is paid at midnight is confirmed by then, and whoever closes the
 * day in the morning sees all of it. Nothing changes it afterwards.
 */
const STAYS_OPEN_MS = 6 * HOUR
/** No zone is further from UTC. */
const FURTHEST_MS = 15 * HOUR

/** @param timeZone The IANA name of a zone, such as Africa/Nairobi. */
export function createZone(timeZone: string) {
  // Swedish writes a time as ISO 8601 does.
  const written = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  const localAt = (at: number) => written.format(at).replace(' ', 'T')
  const dateAt = (at: number) => localAt(at).slice(0, 10)
  return { timeZone, dateAt, write, timesOf, openSince, closingOf }

  /** Returns a time with its offset from UTC, such as 2026-11-21T12:00:00+03:00. */
  function write(at: number): string {
    const local = localAt(at)
    const seconds = Math.floor(at / 1000) * 1000
    const minutes = Math.round((Date.parse(`${local}Z`) - seconds) / 60_000)
    const pad = (part: number) => String(part).padStart(2, '0')
    const offset = `${pad(Math.floor(Math.abs(minutes) / 60))}:${pad(Math.abs(minutes) % 60)}`
    return `${local}${minutes < 0 ? '-' : '+'}${offset}`
  }

  /** Returns the times of all days from the first to the last. Each is a date, such as 2026-11-21. */
  function timesOf(first: string, last = first): Times {
    const after = new Date(Date.parse(last) + DAY).toISOString().slice(0, 10)
    return { from: beginOf(first), until: beginOf(after) }
  }

  /** Returns since when days are open at a time. A day that ended before is closed. */
  function openSince(at: number): number {
    return beginOf(dateAt(at - STAYS_OPEN_MS))
  }

  /** Returns when a day closes. */
  function closingOf(day: string): number {
    return timesOf(day).until + STAYS_OPEN_MS
  }

  /** Returns the first moment of a day, which is not midnight where the clocks are changed at midnight. */
  function beginOf(day: string): number {
    let before = Date.parse(day) - FURTHEST_MS
    let within = Date.parse(day) + FURTHEST_MS
    while (within - before > 1) {
      const middle = Math.floor((before + within) / 2)
      if (dateAt(middle) < day) {
        before = middle
      } else {
        within = middle
      }
    }

    return within
  }
}

/** Returns whether a text is a date that exists, such as 2026-11-21. */
export function isDate(text: string): boolean {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : NaN
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}
