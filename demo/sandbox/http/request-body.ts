// Bodies of requests and the fields in them.

import { isUtf8 } from 'node:buffer'

import { parseJson, safeParse } from '../../../server/contract/parse.ts'
import { CHECKOUT_CODE } from '../../../server/contract/status.ts'
import { findUnknownFields } from '../../../server/openapi/unknown-fields.ts'
import { Failure } from '../errors/failure.ts'
import { rejected } from '../errors/rejection.ts'
import { fieldWrong } from '../errors/wrong-field.ts'

import type { PayoutErrorCode } from '../../../server/contract/payout.ts'
import type { Result } from '../errors/failure.ts'
import type { FieldCode } from '../errors/wrong-field.ts'
import type { z } from 'zod'

export type Fields = Record<string, unknown>

// Only airtime requests may be larger.
const BODY_LIMIT_BYTES = 64 * 1024
// Enough for airtime for 1,000 recipients as indented JSON.
export const LARGEST_BODY_BYTES = 256 * 1024

export const JSON_TYPE = /^application\/(json|[\w.-]+\+json)\s*(;|$)/i
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/i

export async function readJson(request: Request, limit = BODY_LIMIT_BYTES): Promise<Result<Fields>> {
  if (!JSON_TYPE.test(typeOf(request))) {
    return otherType('application/json')
  }

  const text = await readText(request, limit)
  if (text instanceof Failure) {
    return text
  }

  const parsed = parseJson(text)
  const message = 'The body must be a JSON object, with at most 100 levels.'
  return isObject(parsed) ? parsed : new Failure('body_unreadable', message)
}

// [assumed] Some clients send the token request as a form.
export function readJsonOrForm(request: Request): Promise<Result<Fields>> {
  return FORM_TYPE.test(typeOf(request)) ? readForm(request) : readJson(request)
}

export async function readForm(request: Request): Promise<Result<Record<string, string>>> {
  if (!FORM_TYPE.test(typeOf(request))) {
    return otherType('application/x-www-form-urlencoded')
  }

  const text = await readText(request, BODY_LIMIT_BYTES)
  return text instanceof Failure ? text : Object.fromEntries(new URLSearchParams(text))
}

const typeOf = (request: Request): string => request.headers.get('content-type') ?? ''

export function otherType(expected: string): Failure {
  return new Failure('body_of_other_type', `The Content-Type must be ${expected}.`)
}

async function readText(request: Request, limit: number): Promise<Result<string>> {
  const bytes = await readBytes(request, limit)
  if (bytes && bytes.byteLength > limit) {
    return new Failure('body_too_large', `The body must be at most ${limit} bytes.`)
  }
  if (bytes && isUtf8(bytes)) {
    return bytes.toString()
  }
  return new Failure('body_unreadable', 'The body must be UTF-8 text, sent to its end.')
}

/** Returns a body up to the first piece beyond `limit` bytes; `null` if it is not sent to its end. */
export async function readBytes({ body }: Request, limit = LARGEST_BODY_BYTES): Promise<Buffer | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    // The Content-Length may be missing or wrong, so the bytes that arrive are counted.
    for await (const chunk of body ?? []) {
      chunks.push(chunk)
      size += chunk.byteLength
      if (size > limit) {
        break
      }
    }

    return Buffer.concat(chunks)
  } catch {
    return null
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads the body of a request to the control, which only tests and people send: an unknown field is a mistake. */
export async function readAs<T>(request: Request, schema: z.ZodType<T>): Promise<Result<T>> {
  const body = await readJson(request)
  if (body instanceof Failure) {
    return body
  }

  const unknown = findUnknownFields(schema, body, 'client')
  if (unknown.length > 0) {
    return fieldWrong(`${unknown.map(({ path, message }) => `${path} ${message}`).join('; ')}.`)
  }
  return readFields(body, schema)
}

/** A failure has the status code of the first wrong field. [spec: Checkout errors] */
export function readFields<T>(body: Fields, schema: z.ZodType<T>): Result<T> {
  const parsed = safeParse(schema, body)
  if (parsed.success) {
    return parsed.data
  }
  return fieldWrong(problemOf(parsed.error), codeFor(parsed.error.issues[0]?.path[0], body))
}

/** The same for payouts and airtime. [spec: Payout error_code values] */
export function readOrReject<T>(body: Fields, schema: z.ZodType<T>): Result<T> {
  const parsed = safeParse(schema, body)
  if (parsed.success) {
    return parsed.data
  }

  const error_code = ERROR_CODES[String(parsed.error.issues[0]?.path.at(-1))]
  const problem = problemOf(parsed.error)
  return error_code === undefined ? fieldWrong(problem) : rejected(error_code, problem)
}

// [assumed] The nearest code for an invalid field; the first invalid field decides.
const ERROR_CODES: Readonly<Record<string, PayoutErrorCode>> = {
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

function codeFor(field: PropertyKey | undefined, body: Fields): FieldCode {
  const { msisdnMissing, invalidMsisdn, accountMissing, invalidCurrency, validationFailed } = CHECKOUT_CODE
  const value = body[String(field)] ?? ''
  const isMissing = typeof value === 'string' && value.trim() === ''
  if (field === 'payer_msisdn') {
    return isMissing ? msisdnMissing : invalidMsisdn
  }
  if (field === 'account_number' && isMissing) {
    return accountMissing
  }
  return field === 'currency_code' ? invalidCurrency : validationFailed
}

// Every field of the body is named. A list may have thousands of wrong items.
const MAX_ITEMS = 20

function problemOf({ issues }: z.ZodError): string {
  const named = issues.filter(({ path }, index) => path.length <= 1 || index < MAX_ITEMS)
  const problems = named.map(({ path, message }) => `${nameOf(path)} ${message}`.trim())
  if (issues.length > named.length) {
    problems.push(`and ${issues.length - named.length} more`)
  }
  return `${problems.join('; ')}.`
}

function nameOf(path: readonly PropertyKey[]): string {
  const parts = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
  return parts.join('').replace(/^\./, '')
}

// [assumed] Some clients send `null` or empty text for missing fields.
export function present(body: Fields): Fields {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== ''))
}
