/**
 * Reads the body of a request, as JSON or form-encoded, up to a maximum size in bytes. A form becomes one flat object.
 */

import type { Context } from 'hono'
import { readText } from '../exchange.ts'
import { parseJson } from '../json.ts'
import { ProblemError } from './problem.ts'

const MAX_BODY_BYTES = 32_000

export async function readBody(c: Context, maxBytes = MAX_BODY_BYTES): Promise<unknown> {
  const text = await readTextOf(c, maxBytes).catch((cause: unknown) => {
    throw new ProblemError('invalid_request', 'The body ended before it was whole.', {}, { cause })
  })
  if (text === null) throw new ProblemError('too_large', `The body must be at most ${maxBytes} bytes.`)
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type === 'application/x-www-form-urlencoded') return Object.fromEntries(new URLSearchParams(text))
  if (type === 'application/json') {
    const json = parseJson(text)
    if (json !== undefined) return json
    throw new ProblemError('invalid_request', 'The body is not valid JSON.')
  }
  throw new ProblemError(
    'invalid_request',
    'Send application/json or application/x-www-form-urlencoded, named in Content-Type.',
  )
}

/** Returns `null` when the body exceeds `maxBytes`. A body of known length is read at once, which is faster. */
async function readTextOf(c: Context, maxBytes: number): Promise<string | null> {
  const length = c.req.header('content-length')
  if (length === undefined) return readText(c.req.raw.body, maxBytes)
  return Number(length) > maxBytes ? null : c.req.text()
}
