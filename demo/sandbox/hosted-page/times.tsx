// The times on the hosted page.
//
// CSS animates the number, because a reload would discard the customer's input. Screen readers skip it: a text would be
// wrong soon after they read it, and a live one would be read aloud each second.

import { timeZoneOf } from '../money/currencies.ts'

type Ending = 'session' | 'prompt'

/** @param before The text between the sentence and the number. */
export function Countdown({ of, before = '' }: { of: Ending; before?: string }) {
  return (
    <span aria-hidden="true">
      {before}
      <span class={`countdown of-${of}`} />
    </span>
  )
}

export function countdownStyle(of: Ending, msLeft: number, speed: number): string {
  const seconds = Math.max(0, Math.floor(msLeft / 1_000))
  const movement = `animation: ${of}-left ${(seconds / speed).toFixed(3)}s steps(${seconds}, end) forwards;`
  return `
@keyframes ${of}-left { from { --left: ${seconds}; } to { --left: 0; } }
.countdown.of-${of} {
  --left: ${seconds}; ${seconds > 0 && speed > 0 ? movement : ''}
  --minutes: round(down, var(--left) / 60, 1);
  counter-reset: minutes calc(var(--minutes)) seconds calc(var(--left) - 60 * var(--minutes));
}
`
}

export function spokenDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000))
  const minutes = Math.floor(seconds / 60)
  if (minutes === 0) return counted(seconds, 'second')
  if (minutes < 60) return counted(minutes, 'minute')
  const rest = minutes % 60
  return counted(Math.floor(minutes / 60), 'hour') + (rest === 0 ? '' : ` ${counted(rest, 'minute')}`)
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/**
 * Returns a time of day, such as "12:30, Nairobi time". It needs no script, which could ask the browser for its time
 * zone: it is that of the country in which the customer pays.
 *
 * @param time Milliseconds since the Unix epoch.
 * @param country An ISO 3166-1 alpha-3 code.
 */
export function localTime(time: number, country: string): string {
  const timeZone = timeZoneOf(country)
  const shown = { hour: '2-digit', minute: '2-digit', timeZone: timeZone ?? 'UTC' } as const
  const format = new Intl.DateTimeFormat('en-GB', shown)
  const city = timeZone?.replace(/.*\//, '').replaceAll('_', ' ')
  return `${format.format(time)}${city === undefined ? ' UTC' : `, ${city} time`}`
}
