// Why a request is refused, and the codes that say so: an unknown id of a checkout or charge, for example, is 120. How
// each endpoint words them is in `error-response.ts`. [assumed] The HTTP statuses except 401: the spec only says 400 "or
// another 4xx/5xx", and names none for acknowledgements. Clients decide by `status_code`, and by `response_code`.

import { CHECKOUT_CODE } from '../../../server/contract/status.ts'

import type { PayoutErrorCode } from '../../../server/contract/payout.ts'

const { accountMissing, failure: general, invalidCredentials, validationFailed } = CHECKOUT_CODE

/**
 * By reason: the HTTP status, the `status_code` and `status_description`, and the `error_code` of an acknowledgement.
 * [spec: Checkout errors; Payout error_code values] [assumed] A missing token gives UNAUTHORIZED, an unknown or expired
 * token INVALID_ACCESS_TOKEN.
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

// [spec: Checkout errors]
const FIELD_CODES = {
  [CHECKOUT_CODE.msisdnMissing]: 'Customer MSISDN missing',
  [CHECKOUT_CODE.invalidMsisdn]: 'Invalid customer MSISDN',
  [CHECKOUT_CODE.accountMissing]: 'Invoice account number not specified',
  [CHECKOUT_CODE.invalidCurrency]: 'Invalid currency code',
  [CHECKOUT_CODE.validationFailed]: 'Validation failed',
} as const
export type FieldCode = keyof typeof FIELD_CODES

export function fieldWrong(message: string, status_code: FieldCode = validationFailed): Failure {
  return new Failure('field_wrong', message, { status_code, status_description: FIELD_CODES[status_code] })
}

/** The HTTP status of an acknowledgement by its `error_code`; 400 for the others. */
const STATUS_OF: Partial<Record<PayoutErrorCode, number>> = {
  SERVICE_NOT_ALLOWED: 403,
  INVALID_ACCESS_TOKEN: 401,
  UNAUTHORIZED: 401,
  RESOURCE_NOT_FOUND: 404,
  DUPLICATE_IGNORED: 409,
  FAILED: 503,
}

/**
 * Rejects a payout or airtime with a code of the spec. Where none fits, a field is wrong. [spec: Payout error_code
 * values]
 */
export function rejected(error_code: PayoutErrorCode, message: string): Failure {
  return new Failure('field_wrong', message, { error_code, status: STATUS_OF[error_code] ?? 400 })
}

export const transactionUnknown = (what: string, field: string, value: string): Failure =>
  new Failure('transaction_unknown', `No ${what} has the ${field} ${JSON.stringify(value)}.`)

export const notPossible = (message: string): Failure => new Failure('not_possible_now', message)

export const WRONG_CREDENTIALS = 'Invalid Authentication Credentials'
