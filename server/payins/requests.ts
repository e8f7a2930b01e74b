/**
 * What the requests of charges and checkouts to the gateway have in common: the query of a charge's status, the
 * erasure of the payer's details, and refusals without them.
 */

import type { CheckoutError } from '../contract/errors.ts'
import type { GatewayRefusal } from '../gateway/errors.ts'
import type { ChargeStatus } from '../contract/charge.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type { Transaction } from '../store/store.ts'
import type { Concerns, Erased } from '../transactions/kind.ts'
import type { PayerDetails } from '../privacy/fingerprints.ts'
import { createRedactor } from '../privacy/redactor.ts'
import { firstCharacters } from '../contract/text.ts'

/** The maximum number of characters of the gateway's message in a line of the log. */
const MOST_LOGGED = 300

/** Of a payer, only fingerprints are left once the gateway has accepted or refused the payment. */
export function erasePayer(
  { record }: { record: { phase: string; people: readonly string[] } },
  concerns: Concerns,
): Erased | string | null {
  if (record.people.length === 0 || !concerns(record.people)) return null
  if (record.phase === 'intended') return 'the gateway has not accepted or refused it yet'
  return { record: { ...record, people: [] }, parts: [] }
}

/** Returns the message and the error object of a refusal, without the payer's details. */
export function redactRefusal(
  { message, refusal }: Pick<GatewayRefusal, 'message' | 'refusal'>,
  { payer_name, payer_email, payer_msisdn }: PayerDetails,
): { why: string; refusal: CheckoutError } {
  const redact = createRedactor({ phones: [payer_msisdn], texts: [payer_name, payer_email] })
  const { status_code, status_description, message: text } = refusal
  return {
    why: redact(message),
    refusal: { status_code, status_description: redact(status_description), message: redact(text) },
  }
}

/**
 * Returns a sentence for the merchant's log: why the gateway refused, and its own message, for example which field is
 * wrong. Both come from `redactRefusal`, without the payer's details.
 */
export function loggedReason(why: string, refusal: CheckoutError | null): string {
  const { message = '', status_description } = refusal ?? {}
  return message === '' || message === status_description
    ? why
    : `${why} It says: ${firstCharacters(message, MOST_LOGGED)}`
}

/**
 * Queries the status of a charge, or of a checkout that was sent as a charge. Resolves with `unknown` if the gateway does
 * not know it, and with `unfound` if the gateway finds charges only by its own id, and this id is unknown (`null`).
 */
export async function queryCharge(
  client: GatewayClient,
  { reference, trace_id: traceId }: Pick<Transaction, 'reference' | 'trace_id'>,
  chargeRequestId: string | null,
): Promise<ChargeStatus | 'unknown' | 'unfound'> {
  if (client.chargeStatusKey === 'charge_request_id' && chargeRequestId === null) return 'unfound'
  return (await client.getChargeStatus(reference, { traceId, chargeRequestId })) ?? 'unknown'
}
