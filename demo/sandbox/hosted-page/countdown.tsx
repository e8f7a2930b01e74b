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
