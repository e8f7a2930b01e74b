/**
 * Defines failures, such as a failed request to the BFF or a missing attribute. Failures are values, not exceptions.
 */

import type { ProblemCode } from '../../server/api/problem-codes.ts'
import type { PayerField } from './payer.ts'

/** Codes of errors that the element itself detects. */
export type ElementErrorCode =
  | 'no_server'
  | 'no_order'
  | 'network'
  | 'timeout'
  | 'invalid_answer'
  | 'popup_blocked'
  | 'prompt_off'
  | 'unknown_value'

export type CheckoutErrorCode = ElementErrorCode | ProblemCode

export interface Failure {
  code: CheckoutErrorCode
  /** Whether a later retry of the request may succeed. */
  retryable: boolean
  /** A message for the merchant's developers, in English. */
  message: string
  /** The payer fields that the BFF refused; empty if the failure has another reason. */
  fields: readonly PayerField[]
}

/**
 * Creates a failure that the element itself detected.
 *
 * @param message A message for developers, in English.
 */
export function failure(code: ElementErrorCode, retryable: boolean, message = 'See the console.'): Failure {
  return { code, retryable, message, fields: [] }
}
