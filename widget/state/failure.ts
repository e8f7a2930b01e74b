/**
 * Failures, such as a failed request to the BFF or a missing attribute, and which of those that the element itself
 * detects may be retried. Of the BFF's problems, the BFF says so (`retryable`). Failures are values, not exceptions.
 */

import type { ProblemCode } from '../../server/api/problem-codes.ts'
import type { PayerField } from './payer.ts'

/** The codes of errors that the element itself detects, and whether a later retry may succeed. */
const RETRYABLE = {
  no_server: false,
  no_order: false,
  network: true,
  timeout: true,
  invalid_answer: true,
  popup_blocked: true,
  prompt_off: true,
  unknown_value: false,
}

export type ElementErrorCode = keyof typeof RETRYABLE
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
export function failure(code: ElementErrorCode, message = 'See the console.'): Failure {
  return { code, retryable: RETRYABLE[code], message, fields: [] }
}
