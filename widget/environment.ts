/** The browser APIs that the element uses, passed as arguments so that tests can replace them. */

import { systemClock, systemRandom } from './clock.ts'

import type { Clock } from './clock.ts'

export interface Environment {
  fetch: typeof fetch
  clock: Clock
  random: () => number
  window: Window & typeof globalThis
}

/**
 * The APIs of a real browser. No global variable is read before it is used, so that this module can be imported without
 * a browser.
 */
export const browserEnvironment: Environment = {
  fetch: (input, init) => fetch(input, init),
  clock: systemClock,
  random: systemRandom,
  get window() {
    return window
  },
}
