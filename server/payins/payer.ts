/** Keeps the payer's details out of the gateway's refusals, and erases the payer's fingerprints on request. */

import { firstCharacters } from '../contract/fields.ts'
import { GatewayError, GatewayRefusal } from '../gateway/errors.ts'
import { createRedactor } from '../privacy/redactor.ts'
import { withoutPayers } from './reported-state.ts'

import type { CheckoutError } from '../contract/errors.ts'
import type { PayerDetails } from '../privacy/personal.ts'
import type { Concerns, Erased } from '../transactions/kind.ts'
import type { Resolution } from '../transactions/resolution.ts'
import type { ReportedState } from './reported-state.ts'

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
const MOST_LOGGED = 300

/**
 * Returns a sentence for the merchant's log: why a pay-in was refused, and the gateway's own message, for example which
 * field is wrong.
 */
export function loggedReason({ why, refusal }: Pick<Refused, 'why' | 'refusal'>): string {
  if (!refusal || refusal.message === '' || refusal.message === refusal.status_description) {
    return why
  }
  return `${why} It says: ${firstCharacters(refusal.message, MOST_LOGGED)}`
}

/**
 * What a record of a pay-in has of its payer. `call` is the request, until the gateway has accepted or refused it;
 * `visit` is where the shopper of a checkout returns to, whose address may contain anything; `link.answer` is what the
 * payer of a link answered.
 */
interface ErasableRecord {
  people: readonly string[] | null
  reported?: ReportedState | null
  call?: { request: unknown }
  visit?: { return_url: string | null; links: readonly string[] }
  link?: { answer?: string | null }
  resolution: Resolution | null
}

/**
 * Erases the payer's fingerprints and receipts, the answer to a question, and the addresses to which the payer returns:
 * the only data of a payer that a record keeps once the gateway has accepted or refused the payment. Until then, the
 * payer's details are needed to send it, unless a person has resolved it. Who has paid may be somebody else: the data of
 * both go.
 */
export function erasePayer<Kept extends ErasableRecord>(
  { record }: { record: Kept },
  concerns: Concerns,
): Erased | string | null {
  const { people, reported = null, call, visit, link, resolution } = record
  if (people === null) {
    return null
  }

  const payers = reported?.payments.flatMap(({ payer }) => payer?.phone ?? []) ?? []
  const urls = visit ? [...visit.links, ...(visit.return_url === null ? [] : [visit.return_url])] : []
  const hasReceipt = reported?.payments.some(({ receipt }) => receipt !== null) ?? false
  const isEmpty = people.length + payers.length + urls.length === 0 && !hasReceipt
  if (isEmpty || !concerns([...people, ...payers])) {
    return null
  }
  if (call !== undefined && resolution === null) {
    return 'the gateway has not accepted or refused it yet'
  }

  const erased = {
    ...record,
    people: null,
    ...(reported && { reported: withoutPayers(reported) }),
    ...(visit && { visit: { ...visit, return_url: null, links: [] } }),
    ...(link?.answer !== undefined && { link: { ...link, answer: null } }),
  }
  return { record: erased, parts: [] }
}
