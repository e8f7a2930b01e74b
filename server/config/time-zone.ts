/** The merchant's time zone, in TIME_ZONE. */

export const TIME_ZONE_RULE =
  'UTC or the IANA name of a place, such as Africa/Nairobi: Etc/GMT+3 is three hours behind UTC, not ahead'

/** A place in an area, or UTC. Names of offsets are none: their signs are taken for the opposite, and they are not kept. */
const PLACE_OR_UTC = /^((?!Etc\/)[a-z_]+\/.+|(Etc\/)?UTC)$/i

/** Returns whether a text is the IANA name of the time zone of a place that this runtime knows, or of UTC. */
export function isTimeZone(text: string): boolean {
  try {
    return PLACE_OR_UTC.test(text) && Boolean(new Intl.DateTimeFormat('en', { timeZone: text }))
  } catch {
    return false
  }
}
