// The time zone in which a reader sees times, and in which the days of the portal begin. Only a script knows the zone
// of a browser, so each page tells it to the server in a cookie. [assumed] Without a script, it is that of the
// merchant's country.

import { html } from 'hono/html'

import { cityOf, timeZoneOf } from '../money/currencies.ts'

export const ZONE_COOKIE = 'portal_zone'
export const ZONE_SCRIPT = `document.cookie = '${ZONE_COOKIE}=' + encodeURIComponent(Intl.DateTimeFormat().resolvedOptions().timeZone) + '; path=/portal; samesite=lax; max-age=31536000'`

export type Zone = ReturnType<typeof zoneOf>

/**
 * @param cookie The name of a time zone, as the cookie has it.
 * @param country An ISO 3166-1 alpha-3 code.
 */
export function zoneOf(cookie: string | undefined, country: string) {
  const timeZone = [cookie, timeZoneOf(country)].find(isZone) ?? 'UTC'
  const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone })
  const offset = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'shortOffset', timeZone })
  // Swedish writes a date as ISO 8601 does.
  const date = new Intl.DateTimeFormat('sv', { timeZone })
  const dateOf = (at: number | string) => date.format(new Date(at))
  return {
    /** Returns the name of the zone, such as "Nairobi (GMT+3)". */
    nameAt: (at: number) => `${cityOf(timeZone)} (${offset.format(at).replace(/.* /, '')})`,
    /** Returns a time, such as "21 Nov 2026, 09:00:00". */
    when: (at: number | string) =>
      html`<time datetime="${new Date(at).toISOString()}">${time.format(new Date(at))}</time>`,
    /** Returns a date, such as "2026-11-21". */
    dateOf,
    /** Returns how many midnights lie between two times. */
    daysBetween: (from: number | string, to: number) =>
      (Date.parse(dateOf(to)) - Date.parse(dateOf(from))) / 86_400_000,
  }
}

function isZone(name: string | undefined): name is string {
  try {
    return name !== undefined && Boolean(Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}
