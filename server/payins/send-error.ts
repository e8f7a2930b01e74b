/**
 * What is observed of a request for a pay-in that ended with an error, and how a refusal is logged. The payer's details
 * are in neither. Pure.
 */

import { firstCharacters } from '../contract/text.ts'
import { GatewayError, GatewayRefusal } from '../gateway/errors.ts'
import { createRedactor } from '../privacy/redactor.ts'

import type { CheckoutError } from '../contract/errors.ts'
import type { PayerDetails } from '../privacy/personal.ts'

/**
 * The observation that the request for a pay-in is refused: by the gateway, or by this server, for example because the
 * gateway's response contradicts the request. `refusal` is the gateway's error object; `null` if this server refuses.
 */
export interface Refused {
  kind: 'refused'
  why: string
  refusal: CheckoutError | null
}

/**
 * The observation that the gateway took the request as a charge with this id, but with another total. Only the id counts:
 * by it, the gateway says what is paid.
 */
export interface Taken {
  kind: 'taken'
  charge_request_id: string
  why: string
}

/**
 * Returns the observation of the error with which a request for a pay-in ended, without the payer's details.
 *
 * @throws {unknown} The argument `error`, unless it is a {@link GatewayRefusal}, or names a charge that was taken.
 */
export function observeSendError(error: unknown, payer: PayerDetails): Refused | Taken {
  if (error instanceof GatewayError && error.takenAs !== null) {
    return { kind: 'taken', charge_request_id: error.takenAs, why: error.summary }
  }
  if (!(error instanceof GatewayRefusal)) {
    throw error
  }

  const redact = createRedactor(payer)
  const { status_code, status_description, message } = error.refusal
  const refusal = { status_code, status_description: redact(status_description), message: redact(message) }
  return { kind: 'refused', why: redact(error.message), refusal }
}

/** The maximum number of characters of the gateway's message in a line of the log. */
const MAX_LOGGED = 300

/**
 * Returns a sentence for the merchant's log: why a pay-in was refused, and the gateway's own message, for example which
 * field is wrong.
 */
export function loggedReason({ why, refusal }: Pick<Refused, 'why' | 'refusal'>): string {
  if (!refusal || refusal.message === '' || refusal.message === refusal.status_description) {
    return why
  }
  return `${why} It says: ${firstCharacters(refusal.message, MAX_LOGGED)}`
}
