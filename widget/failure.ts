/** Why a question to the BFF has no view for an answer. A value, because it is expected. */

import type { PayerField } from './payer.ts'

/** What the element itself finds. The BFF's problems have codes of their own. */
export type ElementCode =
  | 'no_server'
  | 'no_order'
  | 'network'
  | 'timeout'
  | 'invalid_answer'
  | 'popup_blocked'
  | 'unknown_value'

export interface Failure {
  /** Stable: a code of the BFF's problems, or one of the element's own, listed in the README. */
  code: string
  /** Whether the same request may succeed later. */
  retryable: boolean
  /** For the merchant's developers, in English. */
  message: string
  /** What the BFF found wrong with the payer. */
  fields: readonly PayerField[]
}

/** @param message What was seen of it, where there is more to see than the code. */
export function failure(code: ElementCode, retryable: boolean, message = 'See the console.'): Failure {
  return { code, retryable, message, fields: [] }
}
