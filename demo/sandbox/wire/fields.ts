/** Checks the fields of a body against the contract, and names the wrong fields. */

import { CHECKOUT_CODE } from '../../../server/contract/status.ts'
import type { z } from 'zod'
import type { Failure, FieldCode, Result } from './failure.ts'

/** The body of a request: an object whose fields are not checked yet. */
export type Fields = Record<string, unknown>

/**
 * Returns the fields of a checkout, a charge or a confirmation; fails if a field is wrong. The message names every
 * wrong field; the field that comes first in the spec's table decides the code. [spec: Checkout errors]
 */
export function readFields<T>(body: Fields, schema: z.ZodType<T>): Result<T> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return { value: parsed.data }
  const first = parsed.error.issues[0]?.path[0]
  return { failure: fieldWrong(codeFor(first, body), problemOf(parsed.error)) }
}

export function fieldWrong(code: FieldCode, problem: string): Failure {
  return { reason: 'field_wrong', code, problem }
}

/** Returns a sentence that names every wrong field and its rule. */
export function problemOf({ issues }: z.ZodError): string {
  return `${issues.map(({ path, message }) => `${nameOf(path)} ${message}`.trim()).join('; ')}.`
}

/**
 * Returns the body without null and empty fields. [assumed] They count as missing, because some clients always send
 * every field.
 */
export function present(body: Fields): Fields {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== ''))
}

/** Formats the path of a field, such as "extra_data.split_settlements[1].account". */
function nameOf(path: readonly PropertyKey[]): string {
  const parts = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
  return parts.join('').replace(/^\./, '')
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
