// The failure of a payout or of airtime that is rejected with an `error_code`. [spec: Payout error_code values]

import { Failure } from './failure.ts'

import type { PayoutErrorCode } from '../../../server/contract/payout.ts'

/** The HTTP status of an acknowledgement by its `error_code`; 400 for the others. */
const HTTP_STATUS_OF: Partial<Record<PayoutErrorCode, number>> = {
  SERVICE_NOT_ALLOWED: 403,
  INVALID_ACCESS_TOKEN: 401,
  UNAUTHORIZED: 401,
  RESOURCE_NOT_FOUND: 404,
  DUPLICATE_IGNORED: 409,
  FAILED: 503,
}

export function rejected(error_code: PayoutErrorCode, message: string): Failure {
  return new Failure('field_wrong', message, { error_code, status: HTTP_STATUS_OF[error_code] ?? 400 })
}
