// Why a request is refused, and the codes that say so: an unknown id of a checkout or charge, for example, is 120.
// `error-response.ts` writes the answer of each endpoint.

import { CHECKOUT_CODE } from '../../../server/contract/status.ts'

import type { PayoutErrorCode } from '../../../server/contract/payout.ts'

const { accountMissing, failure: general, invalidCredentials, validationFailed } = CHECKOUT_CODE

/**
 * By reason: the HTTP status, the `status_code` and `status_description`, and the `error_code` of an acknowledgement.
 * [spec: Checkout errors; Payout error_code values]
 *
 * [assumed] The HTTP statuses except 401: the spec only says 400 "or another 4xx/5xx", and names none for
 * acknowledgements. Clients decide by `status_code`, and by `response_code`. A missing token gives UNAUTHORIZED, an
 * unknown or expired token INVALID_ACCESS_TOKEN.
 */
const REASONS = {
  token_missing: [401, invalidCredentials, 'Unauthorized', 'UNAUTHORIZED'],
  token_unknown: [401, invalidCredentials, 'Unauthorized', 'INVALID_ACCESS_TOKEN'],
  token_expired: [401, invalidCredentials, 'Unauthorized', 'INVALID_ACCESS_TOKEN'],
  credentials_wrong: [401, invalidCredentials, 'Unauthorized', 'UNAUTHORIZED'],
  body_too_large: [413, validationFailed, 'Validation failed', 'FAILED'],
  body_of_other_type: [415, validationFailed, 'Validation failed', 'FAILED'],
  body_unreadable: [400, validationFailed, 'Validation failed', 'FAILED'],
  field_wrong: [400, validationFailed, 'Validation failed', 'FAILED'],
  service_unknown: [400, validationFailed, 'Invalid Service Code', 'SERVICE_NOT_ALLOWED'],
  transaction_unknown: [404, accountMissing, 'Transaction not found', 'RESOURCE_NOT_FOUND'],
  transaction_taken: [409, validationFailed, 'Validation failed', 'DUPLICATE_IGNORED'],
  not_possible_now: [409, general, 'Not possible now', 'FAILED'],
  not_found: [404, general, 'Not found', 'RESOURCE_NOT_FOUND'],
  not_allowed: [403, general, 'Not allowed', 'FAILED'],
  sandbox_full: [503, general, 'Sandbox full', 'FAILED'],
  fault: [503, general, 'Simulated fault', 'FAILED'],
  broken: [500, general, 'Internal error', 'FAILED'],
} as const

interface Codes {
  status: number
  status_code: number
  status_description: string
  error_code: PayoutErrorCode
}

/** Why a request is refused, or why a simulated event is not possible. */
export class Failure {
  readonly reason: keyof typeof REASONS
  readonly message: string
  readonly codes: Codes

  /** @param codes Those that differ from the codes of the reason. */
  constructor(reason: Failure['reason'], message: string, codes: Partial<Codes> = {}) {
    const [status, status_code, status_description, error_code] = REASONS[reason]
    this.reason = reason
    this.message = message
    this.codes = { status, status_code, status_description, error_code, ...codes }
  }
}

export type Result<T> = T | Failure

export const transactionUnknown = (what: string, field: string, value: string): Failure =>
  new Failure('transaction_unknown', `No ${what} has the ${field} ${JSON.stringify(value)}.`)

export const notPossible = (message: string): Failure => new Failure('not_possible_now', message)

export const WRONG_CREDENTIALS = 'Invalid Authentication Credentials'
