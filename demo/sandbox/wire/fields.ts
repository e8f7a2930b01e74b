/** Reads the fields of a checkout or a charge, or says which is wrong and with which code. [spec: Checkout errors] */

import { CHECKOUT_CODE } from '../../../server/contract/status.ts'
import { problemOf } from './body.ts'
import type { z } from 'zod'
import type { Fields } from './body.ts'
import type { Failure, FieldCode, Result } from './failure.ts'

/** The message names all that are wrong; the one that comes first in the spec's table decides the code. */
export function readFields<T>(body: Fields, schema: z.ZodType<T>): Result<T> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return { value: parsed.data }
  const first = parsed.error.issues[0]?.path[0]
  return { failure: fieldWrong(codeFor(first, body), problemOf(parsed.error)) }
}

export function fieldWrong(code: FieldCode, problem: string): Failure {
  return { reason: 'field_wrong', code, problem }
}

function codeFor(field: PropertyKey | undefined, body: Fields): FieldCode {
  const missing = isMissing(body[String(field)])
  if (field === 'payer_msisdn') return missing ? CHECKOUT_CODE.msisdnMissing : CHECKOUT_CODE.invalidMsisdn
  if (field === 'account_number' && missing) return CHECKOUT_CODE.accountMissing
  if (field === 'currency_code') return CHECKOUT_CODE.invalidCurrency
  return CHECKOUT_CODE.validationFailed
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}
