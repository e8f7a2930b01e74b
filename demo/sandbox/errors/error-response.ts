// How each endpoint refuses a request: the body and the HTTP status of its answer. Which codes they have is in
// `failure.ts`.

import { STATUS_CODES } from 'node:http'

import { endpoints } from '../../../server/contract/endpoints.ts'
import { ACKNOWLEDGEMENT_CODE } from '../../../server/contract/status.ts'
import { firstCharacters } from '../../../server/contract/text.ts'
import { WRONG_CREDENTIALS } from './failure.ts'

import type { AuthenticationError, CheckoutError } from '../../../server/contract/errors.ts'
import type { Failure } from './failure.ts'

// [spec: Checkout errors]
export function refuse({ message, codes: { status, status_code, status_description } }: Failure): Response {
  const body: CheckoutError = { status_code, status_description, message: brief(message) }
  return Response.json(body, { status })
}

/** Refuses a request in the shape of its endpoint. `reference` is that of a payout or of airtime, if it has one. */
export function refuseAt(path: string, failure: Failure, reference: string | null = null): Response {
  if (path === endpoints.authenticate.path) {
    return refuseAuthentication(failure)
  }
  if (path.startsWith('/v1/payouts/')) {
    return acknowledge('payout_reference', failure, reference)
  }
  return path.startsWith('/v1/gw/airtime/') ? acknowledge('reference', failure, reference) : refuse(failure)
}

// [spec: Authentication, 5]
function refuseAuthentication({ codes: { status } }: Failure): Response {
  const error = STATUS_CODES[status] ?? 'Bad Request'
  const body: AuthenticationError = { statusCode: status, message: WRONG_CREDENTIALS, error }
  return Response.json(body, { status })
}

// [spec: Payout acknowledgement codes] [assumed] For airtime, the spec defines only 720 and 721; the other fields, and
// the response to an unknown reference, are those of payouts.
function acknowledge(
  idField: 'payout_reference' | 'reference',
  { reason, message, codes: { status, error_code } }: Failure,
  reference: string | null,
): Response {
  const { notFound, rejected, duplicateIgnored } = ACKNOWLEDGEMENT_CODE
  // [spec: Endpoints, note 5] Airtime is only accepted or rejected.
  const isDuplicate = error_code === 'DUPLICATE_IGNORED' && idField === 'payout_reference'
  const refusal = isDuplicate ? duplicateIgnored : rejected
  const response_code = reason === 'transaction_unknown' ? notFound : refusal
  const response_description = brief(message)
  const body = { [idField]: reference && brief(reference), response_code, response_description, error_code }
  return Response.json(body, { status })
}

const MAX_CHARACTERS = 1_000

// A path may hold a reference of any length, and an error that repeated it would be as long.
function brief(text: string): string {
  const beginning = firstCharacters(text, MAX_CHARACTERS)
  return beginning === text ? text : `${beginning}…`
}
