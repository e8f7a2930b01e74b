/** What both lists take. */

import type { ResultOptions } from './result.ts'

export interface ListOptions extends ResultOptions {
  outcome?: string
  updatedSince?: string
  cursor?: string
}

export function listQueryOf({ outcome, updatedSince, cursor }: ListOptions) {
  return { outcome, updated_since: updatedSince, cursor }
}
