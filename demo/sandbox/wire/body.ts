import { safeParse } from '../../../server/contract/safe-parse.ts'
import { CHECKOUT_CODE } from '../../../server/contract/status.ts'
import { fieldWrong, problemOf } from './fields.ts'
import type { z } from 'zod'
import type { Result } from './failure.ts'
import type { Fields } from './fields.ts'

// Only airtime requests may be larger.
const BODY_LIMIT_BYTES = 64 * 1024

export const JSON_TYPE = /^application\/(json|[\w.-]+\+json)\s*(;|$)/i
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/i

export async function readJson(request: Request, limit = BODY_LIMIT_BYTES): Promise<Result<Fields>> {
  if (!JSON_TYPE.test(typeOf(request)))
    return { failure: { reason: 'body_of_other_type', expected: 'application/json' } }
  const text = await readText(request, limit)
  return 'failure' in text ? text : parseObject(text.value)
}

export async function readAs<T>(request: Request, schema: z.ZodType<T>): Promise<Result<T>> {
  const body = await readJson(request)
  if ('failure' in body) return body
  const parsed = safeParse(schema, body.value)
  if (parsed.success) return { value: parsed.data }
  return { failure: fieldWrong(CHECKOUT_CODE.validationFailed, problemOf(parsed.error)) }
}

// [assumed] Some clients send the token request as a form.
export function readJsonOrForm(request: Request): Promise<Result<Fields>> {
  return FORM_TYPE.test(typeOf(request)) ? readForm(request) : readJson(request)
}

export async function readForm(request: Request): Promise<Result<Record<string, string>>> {
  if (!FORM_TYPE.test(typeOf(request)))
    return { failure: { reason: 'body_of_other_type', expected: 'application/x-www-form-urlencoded' } }
  const text = await readText(request, BODY_LIMIT_BYTES)
  return 'failure' in text ? text : { value: Object.fromEntries(new URLSearchParams(text.value)) }
}

function typeOf(request: Request): string {
  return request.headers.get('content-type') ?? ''
}

async function readText(request: Request, limit: number): Promise<Result<string>> {
  const tooLarge = { failure: { reason: 'body_too_large', limit } } as const
  const chunks: Uint8Array[] = []
  let size = 0
  // The Content-Length may be missing or wrong, so the bytes that arrive are counted.
  const reader = request.body?.getReader()
  try {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      size += part.value.byteLength
      if (size > limit) {
        await reader?.cancel()
        return tooLarge
      }
      chunks.push(part.value)
    }
    return { value: new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)) }
  } catch {
    return {
      failure: { reason: 'body_unreadable', problem: 'The body must be UTF-8 text, sent to its end.' },
    }
  }
}

function parseObject(text: string): Result<Fields> {
  try {
    const parsed: unknown = JSON.parse(text)
    if (isObject(parsed)) return { value: parsed }
    return { failure: { reason: 'body_unreadable', problem: 'The body must be a JSON object.' } }
  } catch {
    return { failure: { reason: 'body_unreadable', problem: 'The body must be valid JSON.' } }
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
