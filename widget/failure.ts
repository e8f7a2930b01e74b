/** Why a request to the BFF brought no view, or why none was made. An expected outcome, and therefore a value. */

import type { ProblemCode } from '../server/api/problem-codes.ts'
import type { PayerField } from './payer.ts'

/** Found by the element itself. */
export type ElementErrorCode =
  | 'no_server'
  | 'no_order'
  | 'network'
  | 'timeout'
  | 'invalid_answer'
  | 'popup_blocked'
  | 'unknown_value'

export type CheckoutErrorCode = ElementErrorCode | ProblemCode

export interface Failure {
  code: CheckoutErrorCode
  /** Whether the same request may succeed later. */
  retryable: boolean
  /** For the merchant's developers, in English. */
  message: string
  /** The payer's fields that the BFF refused. */
  fields: readonly PayerField[]
}

/** @param message Whatever is known beyond the code. */
export function failure(code: ElementErrorCode, retryable: boolean, message = 'See the console.'): Failure {
  return { code, retryable, message, fields: [] }
}
