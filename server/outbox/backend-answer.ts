/** What the merchant's backend answered to a delivery, as it is stored with the event. */

import type { DeliveryAnswer } from '../outbox.ts'

/** The maximum number of characters of an answer that are stored. */
const MOST_CHARACTERS = 200
const PHONE_LIKE = /\+?\d(?:[\s().-]{0,2}\d){7,14}/g
const EMAIL_LIKE = /[^\s@<>"']+@[^\s@<>"']+/g

/** Thrown by a sink if the backend has not accepted an event. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError'
  readonly answer: DeliveryAnswer

  constructor(message: string, status: number | null, text: string) {
    super(message)
    this.answer = { status, text: beginningOf(text) }
  }
}

/** Returns the answer of a failed delivery. An `onEvent` handler that throws answers with the message of its error. */
export function answerOf(error: unknown): DeliveryAnswer {
  if (error instanceof DeliveryError) return error.answer
  return { status: null, text: beginningOf(error instanceof Error ? error.message : String(error)) }
}

/** Returns the beginning of a text without what may be a phone number or an e-mail address; `null` if it is blank. */
function beginningOf(text: string): string | null {
  const beginning = text
    .slice(0, 2 * MOST_CHARACTERS)
    .replaceAll(PHONE_LIKE, '***')
    .replaceAll(EMAIL_LIKE, '***')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return beginning.slice(0, MOST_CHARACTERS) || null
}
