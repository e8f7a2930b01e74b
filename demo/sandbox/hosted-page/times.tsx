// The times on the hosted page.
//
// CSS animates the number, because a reload would discard the customer's input. Screen readers skip it: a text would be
// wrong soon after they read it, and a live one would be read aloud each second.

import { PROMPT_TIMEOUT_MS } from '../scenarios.ts'

interface CountdownProps {
  /** What ends. */
  of: 'session' | 'prompt'
  /** The text between the sentence and the number. */
  before?: string
}

export function Countdown({ of, before = '' }: CountdownProps) {
  return (
    <span aria-hidden="true">
      {before}
      <span class={`countdown of-${of}`} />
    </span>
  )
}

export function countdownStyle(of: CountdownProps['of'], msLeft: number, speed: number): string {
  const seconds = Math.max(0, Math.floor(msLeft / 1_000))
  const movement =
    speed === 0
      ? ''
      : `animation: ${of}-left ${(seconds / speed).toFixed(3)}s steps(${seconds}, end) forwards;`
  return `
@keyframes ${of}-left { from { --left: ${seconds}; } to { --left: 0; } }
.countdown.of-${of} {
  --left: ${seconds}; ${seconds > 0 ? movement : ''}
  --minutes: round(down, var(--left) / 60, 1);
  counter-reset: minutes calc(var(--minutes)) seconds calc(var(--left) - 60 * var(--minutes));
}
`
}

/** Returns the style of a line that becomes shorter until the prompt closes. */
export function promptStyle(msLeft: number, speed: number): string {
  const part = Math.min(1, Math.max(0, msLeft / PROMPT_TIMEOUT_MS)).toFixed(3)
  const movement =
    speed === 0 ? '' : `animation: close ${(msLeft / 1_000 / speed).toFixed(3)}s linear forwards;`
  return `
@keyframes close { from { scale: ${part} 1; } to { scale: 0 1; } }
.prompt-left::before { scale: ${part} 1; }
@media (prefers-reduced-motion: no-preference) { .prompt-left::before { ${movement} } }
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
 * Times of day need no script, which could ask the browser for its time zone: they are those of the country in which the
 * customer pays, and name its city. [assumed] The time zone of the capital, for countries with several.
 */
const TIME_ZONES: Readonly<Record<string, string>> = {
  BWA: 'Africa/Gaborone',
  CIV: 'Africa/Abidjan',
  EGY: 'Africa/Cairo',
  GHA: 'Africa/Accra',
  KEN: 'Africa/Nairobi',
  MOZ: 'Africa/Maputo',
  MWI: 'Africa/Blantyre',
  NGA: 'Africa/Lagos',
  RWA: 'Africa/Kigali',
  SEN: 'Africa/Dakar',
  TZA: 'Africa/Dar_es_Salaam',
  UGA: 'Africa/Kampala',
  ZAF: 'Africa/Johannesburg',
  ZMB: 'Africa/Lusaka',
  ZWE: 'Africa/Harare',
}

/**
 * Returns a time of day, such as "12:30, Nairobi time".
 *
 * @param time Milliseconds since the Unix epoch.
 * @param country An ISO 3166-1 alpha-3 code.
 */
export function localTime(time: number, country: string): string {
  const timeZone = TIME_ZONES[country]
  const format = new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    timeZone: timeZone ?? 'UTC',
  })
  const city = timeZone?.replace(/.*\//, '').replaceAll('_', ' ')
  return `${format.format(time)}${city === undefined ? ' UTC' : `, ${city} time`}`
}
