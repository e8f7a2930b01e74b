/**
 * One beat a second for everything on the page that must look again: countdowns, and pop-ups that may have
 * closed. A single timer however many tags there are, and none while nobody listens.
 */

import type { Clock } from './clock.ts'

const BEAT_MS = 1_000

const listeners = new Set<() => void>()
let cancel: (() => void) | null = null

/** Calls `beat` once a second until the answer is called. */
export function joinPulse(clock: Clock, beat: () => void): () => void {
  listeners.add(beat)
  cancel ??= clock.after(BEAT_MS, () => {
    cancel = null
    const called = [...listeners]
    listeners.clear()
    for (const listener of called) listener()
  })
  return () => {
    listeners.delete(beat)
    if (listeners.size > 0) return
    cancel?.()
    cancel = null
  }
}
