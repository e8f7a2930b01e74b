/** What the faults that strike a callback make of it. */

import type { CallbackFault } from '../wire/faults.ts'

export interface Distortion {
  isDropped: boolean
  isCut: boolean
  /** Waits for another callback to overtake it. */
  isHeld: boolean
  delayMs: number
  copies: number
}

export function distortionBy(faults: readonly CallbackFault[]): Distortion {
  const isStruckBy = (name: CallbackFault['fault']) => faults.some(({ fault }) => fault === name)
  const delays = faults.map((struck) => (struck.fault === 'callback_delay' ? struck.ms : 0))
  return {
    isDropped: isStruckBy('callback_drop'),
    isCut: isStruckBy('callback_corrupt'),
    isHeld: isStruckBy('callback_reorder'),
    delayMs: delays.reduce((sum, ms) => sum + ms, 0),
    copies: 1 + faults.filter(({ fault }) => fault === 'callback_duplicate').length,
  }
}
