/** Why a question to the BFF has no view for an answer. A value, because it is expected. */

import type { PayerField } from './payer.ts'

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

export function failure(
  code: string,
  retryable: boolean,
  message: string,
  fields: readonly PayerField[] = [],
): Failure {
  return { code, retryable, message, fields }
}
