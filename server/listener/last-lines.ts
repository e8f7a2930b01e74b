/** Waits for the last lines of a process that ends. */

import { withTimeout } from '../work/clock.ts'

import type { Clock } from '../work/clock.ts'
import type { Writable } from 'node:stream'

/** How long a process that has stopped waits for the reader of its log, in milliseconds. */
const LAST_LINES_MS = 500
const LATE = new Error('The reader takes no lines.')

/**
 * Resolves with whether the reader of a stream has taken all lines, after {@link LAST_LINES_MS} at most. Node does not
 * end a process by itself while a line waits for a reader that stands still.
 */
export async function areTaken(stream: Writable, clock: Clock): Promise<boolean> {
  // Writes are completed in their order, also by an error where there is no reader any more.
  const take = () => new Promise<void>((resolve) => void stream.write('', () => resolve()))
  try {
    await withTimeout(LAST_LINES_MS, clock, take, LATE)
    return true
  } catch {
    return false
  }
}
