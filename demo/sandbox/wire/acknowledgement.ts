// [spec: Payout acknowledgement codes] [assumed] The spec defines no HTTP statuses for acknowledgements; clients
// decide by `response_code`. For airtime, the spec defines only 720 and 721; the other fields, and the response to an
// unknown reference, are those of payouts.

import { endpoints } from '../../../server/contract/endpoints.ts'
import { ACKNOWLEDGEMENT_CODE } from '../../../server/contract/status.ts'
import { brief } from './brief.ts'
import { problemOf } from './fields.ts'
import { messageOf, refuse, refuseAuthentication, statusOf } from './failure.ts'
import type { z } from 'zod'
import type { Acknowledgement, PayoutErrorCode } from '../../../server/contract/payout.ts'
import type { Failure } from './failure.ts'

export interface Rejection {
  /** The spec's error code for the problem; `null` if no code fits, and the response says FAILED. */
  error_code: PayoutErrorCode | null
  problem: string
}

export type Checked<T> = { value: T } | { rejection: Rejection }

export function rejected(error_code: PayoutErrorCode | null, problem: string): { rejection: Rejection } {
  return { rejection: { error_code, problem } }
}

// [spec: Payout error_code values] [assumed] The nearest code for an invalid field; the first invalid field decides.
const FIELD_CODES: Readonly<Record<string, PayoutErrorCode>> = {
  service_code: 'SERVICE_NOT_ALLOWED',
  destination_type: 'INVALID_DESTINATION_TYPE',
  recipient_type: 'INVALID_DESTINATION_TYPE',
  destination_name: 'INVALID_WALLET',
  recipient_account_number: 'INVALID_WALLET',
  recipient_phone_number: 'INVALID_PHONE_NUMBER',
  sender_phone_number: 'INVALID_PHONE_NUMBER',
  phone_number: 'INVALID_PHONE_NUMBER',
  payment_method: 'INVALID_PAYMENT_METHOD',
}

export function rejectFields(error: z.ZodError): { rejection: Rejection } {
  return rejected(FIELD_CODES[String(error.issues[0]?.path.at(-1))] ?? null, problemOf(error))
}

const HTTP_STATUS = {
  INSUFFICIENT_BALANCE: 400,
  SERVICE_NOT_ALLOWED: 403,
  INVALID_ACCESS_TOKEN: 401,
  INVALID_DESTINATION_TYPE: 400,
  INVALID_PHONE_NUMBER: 400,
  INVALID_PAYMENT_METHOD: 400,
  INVALID_WALLET: 400,
  UNAUTHORIZED: 401,
  RESOURCE_NOT_FOUND: 404,
  DUPLICATE_IGNORED: 409,
  FAILED: 503,
} as const satisfies Record<PayoutErrorCode, number>

type Named = { payout_reference: string | null } | { reference: string | null }

export function accept(named: Named): Response {
  return acknowledge(200, named, {
    response_code: ACKNOWLEDGEMENT_CODE.accepted,
    response_description: 'The request was validated and accepted for processing.',
    error_code: null,
  })
}

export function reject(named: Named, { error_code, problem }: Rejection): Response {
  const { rejected, duplicateIgnored } = ACKNOWLEDGEMENT_CODE
  // [spec: Endpoints, note 5] Airtime is only accepted or rejected.
  const isDuplicate = error_code === 'DUPLICATE_IGNORED' && 'payout_reference' in named
  return acknowledge(error_code === null ? 400 : HTTP_STATUS[error_code], named, {
    response_code: isDuplicate ? duplicateIgnored : rejected,
    response_description: problem,
    error_code: error_code ?? 'FAILED',
  })
}

// [spec: Payout acknowledgement codes, 723]
export function refuseUnknown(named: Named): Response {
  const which =
    'reference' in named
      ? `No request for airtime has the reference ${JSON.stringify(named.reference)}.`
      : `No payout has the payout_reference ${JSON.stringify(named.payout_reference)}.`
  return acknowledge(404, named, {
    response_code: ACKNOWLEDGEMENT_CODE.notFound,
    response_description: which,
    error_code: 'RESOURCE_NOT_FOUND',
  })
}

export function rejectFailure(name: 'payout_reference' | 'reference', failure: Failure): Response {
  const named = name === 'reference' ? { reference: null } : { payout_reference: null }
  return acknowledge(statusOf(failure), named, {
    response_code: ACKNOWLEDGEMENT_CODE.rejected,
    response_description: messageOf(failure),
    error_code: errorCodeOf(failure),
  })
}

export function refuseAt(path: string, failure: Failure): Response {
  if (path === endpoints.authenticate.path) return refuseAuthentication(failure)
  if (path.startsWith('/v1/payouts/')) return rejectFailure('payout_reference', failure)
  return path.startsWith('/v1/gw/airtime/') ? rejectFailure('reference', failure) : refuse(failure)
}

// [assumed] A missing token gives UNAUTHORIZED, an unknown or expired token INVALID_ACCESS_TOKEN.
function errorCodeOf(failure: Failure): PayoutErrorCode {
  switch (failure.reason) {
    case 'token_missing':
    case 'credentials_wrong':
      return 'UNAUTHORIZED'
    case 'token_unknown':
    case 'token_expired':
      return 'INVALID_ACCESS_TOKEN'
    case 'transaction_unknown':
    case 'not_found':
      return 'RESOURCE_NOT_FOUND'
    case 'service_unknown':
      return 'SERVICE_NOT_ALLOWED'
    case 'transaction_taken':
      return 'DUPLICATE_IGNORED'
    case 'not_allowed':
    case 'sandbox_full':
    case 'fault':
    case 'broken':
    case 'body_too_large':
    case 'body_of_other_type':
    case 'body_unreadable':
    case 'field_wrong':
    case 'confirmed_otherwise':
    case 'not_possible_now':
      return 'FAILED'
  }
}

function acknowledge(
  status: number,
  named: Named,
  { error_code, response_code, response_description }: Omit<Acknowledgement, 'payout_reference'>,
): Response {
  const said = { response_code, response_description: brief(response_description) }
  const body = { ...briefly(named), ...said, ...(error_code !== null && { error_code }) }
  return Response.json(body, { status })
}

function briefly(named: Named): Named {
  const shortened = (text: string | null) => text && brief(text)
  return 'reference' in named
    ? { reference: shortened(named.reference) }
    : { payout_reference: shortened(named.payout_reference) }
}
