// The failure of a request for a checkout or a charge whose body has a wrong field.

import { CHECKOUT_CODE } from '../../../server/contract/status.ts'
import { Failure } from './failure.ts'

/** The `status_description` of each `status_code`. [spec: Checkout errors] */
const FIELD_CODES = {
  [CHECKOUT_CODE.msisdnMissing]: 'Customer MSISDN missing',
  [CHECKOUT_CODE.invalidMsisdn]: 'Invalid customer MSISDN',
  [CHECKOUT_CODE.accountMissing]: 'Invoice account number not specified',
  [CHECKOUT_CODE.invalidCurrency]: 'Invalid currency code',
  [CHECKOUT_CODE.validationFailed]: 'Validation failed',
} as const
export type FieldCode = keyof typeof FIELD_CODES

/** Refuses a request for a checkout or a charge, and any other whose errors have the same shape. */
export function fieldWrong(
  message: string,
  status_code: FieldCode = CHECKOUT_CODE.validationFailed,
): Failure {
  return new Failure('field_wrong', message, { status_code, status_description: FIELD_CODES[status_code] })
}
