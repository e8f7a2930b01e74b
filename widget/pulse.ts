/**
 * One beat a second for everything on the page that must look again: countdowns, and pop-ups that may have
 * closed. A single timer however many tags there are, and none while nobody listens or the page is hidden.
 */

import type { Clock } from './clock.ts'

const BEAT_MS = 1_000

export interface Pulse {
  /** Calls on every beat until the answer is called. */
  join(beat: () => void): () => void
}

const pulses = new WeakMap<Clock, Pulse>()

/** The pulse that all who live by the same clock share. */
export function pulseOf(clock: Clock, document: Document): Pulse {
  const pulse = pulses.get(clock) ?? createPulse(clock, document)
  pulses.set(clock, pulse)
  return pulse
}

function createPulse(clock: Clock, document: Document): Pulse {
  const listeners = new Set<() => void>()
  let cancel: (() => void) | null = null

  return {
    join(beat) {
      if (listeners.size === 0) document.addEventListener('visibilitychange', arrange)
      listeners.add(beat)
      arrange()
      return () => {
        listeners.delete(beat)
        if (listeners.size === 0) document.removeEventListener('visibilitychange', arrange)
        arrange()
      }
    },
  }

  function arrange() {
    const isWanted = listeners.size > 0 && document.visibilityState === 'visible'
    if (isWanted === (cancel !== null)) return
    cancel?.()
    cancel = isWanted ? clock.after(BEAT_MS, beat) : null
  }

  function beat() {
    cancel = null
    for (const listener of listeners) listener()
    arrange()
  }
}
