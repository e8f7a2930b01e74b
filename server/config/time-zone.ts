/** The merchant's time zone, in TIME_ZONE. */

/** Returns whether a text is the IANA name of a time zone that this runtime knows. A mere offset is none. */
export function isTimeZone(text: string): boolean {
  try {
    return /^[a-z]/i.test(text) && Boolean(new Intl.DateTimeFormat('en', { timeZone: text }))
  } catch {
    return false
  }
}
