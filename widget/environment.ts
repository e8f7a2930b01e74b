/** The world around the element, as arguments: the browser's own, or a test's. */

import { systemClock, systemRandom } from './clock.ts'

import type { Clock } from './clock.ts'

export interface Environment {
  fetch: typeof fetch
  clock: Clock
  random: () => number
  window: Window & typeof globalThis
}

/** Reads the globals when they are used, not when it is imported: importing must work without a browser. */
export const browserEnvironment: Environment = {
  fetch: (input, init) => fetch(input, init),
  clock: systemClock,
  random: systemRandom,
  get window() {
    return window
  },
}
