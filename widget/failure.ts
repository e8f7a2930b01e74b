/**
 * The reason why a request to the BFF failed or was not made. Failures are expected, so they are values, not
 * exceptions.
 */

import type { ProblemCode } from '../server/api/problem-codes.ts'
import type { PayerField } from './payer.ts'

/** Codes of errors that the element itself detects. */
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
  /** A message for the merchant's developers, in English. */
  message: string
  /** The payer's fields that the BFF refused. */
  fields: readonly PayerField[]
}

/** @param message Details in addition to the code. */
export function failure(code: ElementErrorCode, retryable: boolean, message = 'See the console.'): Failure {
  return { code, retryable, message, fields: [] }
}
