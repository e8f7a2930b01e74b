/** What the merchant's backend answered to a delivery, as it is stored with the event. */

import type { DeliveryAnswer } from '../store/store.ts'
import { maskedBeginning } from '../privacy/redactor.ts'

/** The number of characters of an answer that are searched for a page or an error of PHP. */
const MOST_SEARCHED = 1_000
const PAGE = /^<(!doctype html|html)\b/i
const PHP_ERROR = /^(PHP |<br ?\/?>\s*)?(<b>)?(Fatal|Parse) error(<\/b>)?:/i
const MARKUP = /^<(head|body|br|b)\b/i

/** Thrown if the backend has not accepted an event. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError'
  readonly answer: DeliveryAnswer

  constructor(message: string, status: number | null, text: string) {
    super(message)
    this.answer = { status, text: maskedBeginning(text) }
  }
}

/** Returns whether a delivery failed without any answer. An `onEvent` handler that throws has answered. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof DeliveryError && error.answer.status === null
}

/** Returns the answer of a failed delivery. An `onEvent` handler that throws answers with the message of its error. */
export function answerOf(error: unknown): DeliveryAnswer {
  if (error instanceof DeliveryError) return error.answer
  return { status: null, text: maskedBeginning(error instanceof Error ? error.message : String(error)) }
}

/**
 * Returns what the body of a 2xx is, if the backend has probably not handled the event: a page, such as a login page or
 * the start page of a single-page app, or an error that PHP displays. `markup` is other HTML, such as a warning of PHP.
 * The header Content-Type does not tell: PHP sends text/html even with an empty body.
 *
 * [assumed] No backend acknowledges an event with a page.
 */
export function findPage(text: string): 'page' | 'php_error' | 'markup' | null {
  const beginning = text.slice(0, MOST_SEARCHED).trimStart()
  if (PAGE.test(beginning)) return 'page'
  if (PHP_ERROR.test(beginning)) return 'php_error'
  return MARKUP.test(beginning) ? 'markup' : null
}
