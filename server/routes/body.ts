/** Reads the body of a request, JSON or a form, within a time and up to a size. */

import type { Context } from 'hono'
import type { Clock } from '../work/clock.ts'
import { refuse } from '../api/refusal.ts'
import { MAX_LEVELS, parseJson } from '../contract/parse.ts'
import { readText } from '../http/exchange.ts'
import { withTimeout } from '../work/clock.ts'
import { problem, ProblemError } from './problem.ts'

const MAX_BODY_BYTES = 32_000
/**
 * Milliseconds within which a body must arrive. Routes that accept more than `MAX_BODY_BYTES` use `LARGE_DEADLINE_MS`.
 */
const DEADLINE_MS = 10_000
const LARGE_DEADLINE_MS = 60_000
/** The detail of a failure of the merchant's own process: an earlier handler has read the body. */
export const BODY_WAS_READ =
  'The body was read before the request reached gateway-checkout-server, and was not kept: mount the server before the code that reads bodies.'
const NOT_JSON = `The body is not valid JSON, or is nested more than ${MAX_LEVELS} levels deep.`
const LATE = new Error('The body did not arrive in time.')

/** The name under which a request keeps the field `lang` of its form, for the page that says why the form failed. */
const LANGUAGE = 'posted-language'

/** Returns the field `lang` of the form that was read; `null` if there is none. */
export function postedLanguage(c: Context): string | null {
  const lang: unknown = c.get(LANGUAGE)
  return typeof lang === 'string' ? lang : null
}

/** Resolves with the value of a JSON body, or the fields of a form. */
export async function readBody(c: Context, clock: Clock, maxBytes = MAX_BODY_BYTES): Promise<unknown> {
  if (c.req.raw.bodyUsed) throw problem('internal', BODY_WAS_READ)
  const deadlineMs = maxBytes > MAX_BODY_BYTES ? LARGE_DEADLINE_MS : DEADLINE_MS
  const text = await readWithin(deadlineMs, c, clock, maxBytes).catch((cause: unknown) => {
    const detail = cause === LATE ? LATE.message : 'The body ended before it was whole.'
    throw new ProblemError(refuse('invalid_request', detail), { cause })
  })
  if (text === null) throw problem('too_large', `The body must be at most ${maxBytes} bytes.`)
  if (typeOf(c) === 'application/x-www-form-urlencoded') {
    const form = new URLSearchParams(text)
    c.set(LANGUAGE, form.get('lang'))
    return Object.fromEntries(form)
  }
  if (isJson(c)) {
    const json = parseJson(text)
    if (json !== undefined) return json
    throw problem('invalid_request', NOT_JSON)
  }
  throw problem(
    'invalid_request',
    'Send application/json or application/x-www-form-urlencoded, named in Content-Type.',
  )
}

export function isJson(c: Context): boolean {
  return typeOf(c) === 'application/json'
}

function typeOf(c: Context): string | undefined {
  return c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase()
}

/** Resolves with the text of a small body, whatever its type; `null` if it is too large, arrives too late or is not whole. */
export function readSmallText(c: Context, clock: Clock): Promise<string | null> {
  return readWithin(DEADLINE_MS, c, clock, MAX_BODY_BYTES).catch(() => null)
}

/**
 * Resolves with the text of the body; `null` if the body is larger than `maxBytes`. Without a `content-length` header,
 * the body is read in parts, so that reading stops at `maxBytes`. Rejects with {@link LATE} after `ms` milliseconds.
 */
async function readWithin(ms: number, c: Context, clock: Clock, maxBytes: number): Promise<string | null> {
  const length = c.req.header('content-length')
  if (Number(length) > maxBytes) return null
  const read = () => (length === undefined ? readText(c.req.raw.body, maxBytes) : c.req.text())
  return withTimeout(ms, clock, read, LATE)
}
