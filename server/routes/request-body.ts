/** Reads the bodies of requests, at most so many bytes within a deadline. */

import { refuse } from '../api/refusal.ts'
import { NOT_JSON, parseJson } from '../contract/parse.ts'
import { readText } from '../http/exchange.ts'
import { withTimeout } from '../work/clock.ts'
import { problem, ProblemError } from './problem.ts'

import type { Clock } from '../work/clock.ts'
import type { Context } from 'hono'

const MAX_BODY_BYTES = 32_000
/** Milliseconds within which a body must arrive. */
const DEADLINE_MS = 10_000
/** The same for routes that accept more than `MAX_BODY_BYTES`. */
const LARGE_DEADLINE_MS = 60_000
/** For the merchant's developer: an earlier handler in the same process has read the body. */
export const BODY_WAS_READ =
  'The body was read before the request reached gateway-checkout-server, and was not kept as it was sent: mount the server before the code that reads bodies.'
const LATE = new Error('The body did not arrive in time.')

/** The context variable that keeps the field `lang` of a form, for the page that says why the form failed. */
const LANGUAGE = 'posted-language'

/** Returns the field `lang` of the form that was read; `null` if there is none. */
export function postedLanguage(c: Context): string | null {
  const lang: unknown = c.get(LANGUAGE)
  return typeof lang === 'string' ? lang : null
}

/**
 * Resolves with the value of a JSON body, or the fields of a form.
 *
 * @throws {ProblemError} if the body cannot be read.
 */
export async function readBody(c: Context, clock: Clock, maxBytes = MAX_BODY_BYTES): Promise<unknown> {
  const text = await readWholeText(c, clock, maxBytes)
  if (mediaTypeOf(c) === 'application/x-www-form-urlencoded') {
    const form = new URLSearchParams(text)
    c.set(LANGUAGE, form.get('lang'))
    return fieldsOf(form)
  }
  if (isJson(c)) {
    const json = parseJson(text)
    if (json !== undefined) {
      return json
    }
    throw problem('invalid_request', `The body ${NOT_JSON}.`)
  }

  throw problem(
    'invalid_request',
    'Send application/json or application/x-www-form-urlencoded, named in Content-Type.',
  )
}

/** Returns the fields of a form. One with several values is a list of them, which no field that is read may be. */
function fieldsOf(form: URLSearchParams): Record<string, string | string[]> {
  const fields = [...new Set(form.keys())].map((name): [string, string | string[]] => {
    const [first = '', ...others] = form.getAll(name)
    return [name, others.length === 0 ? first : [first, ...others]]
  })
  return Object.fromEntries(fields)
}

/** Returns whether the body of the request is JSON. */
export function isJson(c: Context): boolean {
  return mediaTypeOf(c) === 'application/json'
}

function mediaTypeOf(c: Context): string | undefined {
  return c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase()
}

/**
 * Resolves with the text of a body, whatever its type.
 *
 * @throws {ProblemError} if the body is too large, arrives too late or is not whole.
 */
export async function readWholeText(c: Context, clock: Clock, maxBytes: number): Promise<string> {
  if (c.req.raw.bodyUsed) {
    throw problem('internal', BODY_WAS_READ)
  }

  const text = await readInTime(c, clock, maxBytes).catch((cause: unknown) => {
    const detail = cause === LATE ? LATE.message : 'The body ended before it was whole.'
    throw new ProblemError(refuse('invalid_request', detail), { cause })
  })
  if (text === null) {
    throw problem('too_large', `The body must be at most ${maxBytes} bytes.`)
  }
  return text
}

/**
 * Resolves with the text of the body; `null` if the body is larger than `maxBytes`. Rejects with {@link LATE} after the
 * deadline. Without a `content-length` header, the body is read in parts, which is slower, to stop at `maxBytes`.
 */
async function readInTime(c: Context, clock: Clock, maxBytes: number): Promise<string | null> {
  const deadlineMs = maxBytes > MAX_BODY_BYTES ? LARGE_DEADLINE_MS : DEADLINE_MS
  const length = c.req.header('content-length')
  if (Number(length) > maxBytes) {
    return null
  }

  const read = () => (length === undefined ? readText(c.req.raw.body, maxBytes) : c.req.text())
  return withTimeout(deadlineMs, clock, read, LATE)
}
