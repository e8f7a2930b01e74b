// The times on the hosted page.
//
// CSS animates the number, because a reload would discard the customer's input. Screen readers skip it: a text would be
// wrong soon after they read it, and a live one would be read aloud each second.

import { timeZoneOf } from '../money/currencies.ts'

/** The time that is left, of which a page has at most one. */
export function Countdown() {
  return <span class="countdown" aria-hidden="true" />
}

export function countdownStyle(msLeft: number, speed: number): string {
  const seconds = Math.max(0, Math.floor(msLeft / 1_000))
  const movement = `animation: left ${(seconds / speed).toFixed(3)}s steps(${seconds}, end) forwards;`
  return `
@keyframes left { from { --left: ${seconds}; } to { --left: 0; } }
.countdown {
  --left: ${seconds}; ${seconds > 0 && speed > 0 ? movement : ''}
  --minutes: round(down, var(--left) / 60, 1);
  counter-reset: minutes calc(var(--minutes)) seconds calc(var(--left) - 60 * var(--minutes));
}
`
}

/**
 * Returns a time of day and where it is that time. It needs no script, which could ask the browser for its time zone: it
 * is that of the country in which the customer pays.
 *
 * @param time Milliseconds since the Unix epoch.
 * @param country An ISO 3166-1 alpha-3 code.
 */
export function localTime(time: number, country: string): Record<'time' | 'city', string> {
  const timeZone = timeZoneOf(country) ?? 'UTC'
  const format = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone })
  return { time: format.format(time), city: timeZone.replace(/.*\//, '').replaceAll('_', ' ') }
}
