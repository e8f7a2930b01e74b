/** News of one checkout, however it travels: by asking again and again, or over a stream that stays open. */

import type { View } from '../server/contract/view.ts'
import type { Failure } from './failure.ts'

export type Report = { view: View } | { failure: Failure }

export interface StatusSource {
  /**
   * Ends by itself after a settled view, and when `signal` aborts.
   *
   * @param fresh whether a view has just arrived, so that the first question can wait.
   */
  follow(checkoutId: string, fresh: boolean, signal: AbortSignal): AsyncIterable<Report>
  /** Something may have happened: find out now rather than later. */
  nudge(): void
}
