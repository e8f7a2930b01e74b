import { safeParse } from '../../../server/contract/safe-parse.ts'
import { CHECKOUT_CODE } from '../../../server/contract/status.ts'
import type { z } from 'zod'
import type { Failure, FieldCode, Result } from './failure.ts'

export type Fields = Record<string, unknown>

// A failure has the status code of the first invalid field. [spec: Checkout errors]
export function readFields<T>(body: Fields, schema: z.ZodType<T>): Result<T> {
  const parsed = safeParse(schema, body)
  if (parsed.success) return { value: parsed.data }
  const first = parsed.error.issues[0]?.path[0]
  return { failure: fieldWrong(codeFor(first, body), problemOf(parsed.error)) }
}

export function fieldWrong(code: FieldCode, problem: string): Failure {
  return { reason: 'field_wrong', code, problem }
}

// A list may have thousands of wrong items.
const MOST_PROBLEMS = 20

export function problemOf({ issues }: z.ZodError): string {
  const first = issues.slice(0, MOST_PROBLEMS)
  const named = first.map(({ path, message }) => `${nameOf(path)} ${message}`.trim())
  const more = issues.length - named.length
  return `${[...named, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')}.`
}

// [assumed] Some clients send `null` or empty text for missing fields.
export function present(body: Fields): Fields {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== ''))
}

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
