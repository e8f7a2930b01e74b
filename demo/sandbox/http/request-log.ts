// The log of requests, which shows a developer what the gateway has received, without secrets.

import { endpoints } from '../../../server/contract/endpoints.ts'
import { parseJson } from '../../../server/contract/parse.ts'
import { firstCharacters } from '../../../server/contract/text.ts'

import type { Clock } from '../journal/state-clock.ts'
import type { Fields } from './request-body.ts'
import type { MiddlewareHandler } from 'hono'

export interface LoggedRequest {
  at: string
  method: string
  path: string
  /** Top-level fields of the request body; `null` if there is no readable body. */
  body: Fields | null
  status: number | null
  /** JSON body of an error response; `null` for other responses. */
  refusal: unknown
}

export type RequestLog = ReturnType<typeof createRequestLog>

const KEPT_REQUESTS = 1_000
const KEPT_CHARACTERS = 500
const SECRETS: readonly string[] = ['consumer_key', 'consumer_secret']

export function createRequestLog() {
  const entries: LoggedRequest[] = []
  const byRequest = new WeakMap<Request, LoggedRequest>()

  return {
    add(request: Request, path: string, now: number): LoggedRequest {
      const at = new Date(now).toISOString()
      const entry = { at, method: request.method, path, body: null, status: null, refusal: null }
      byRequest.set(request, entry)
      entries.push(entry)
      if (entries.length > KEPT_REQUESTS) {
        entries.shift()
      }
      return entry
    },
    addBody(request: Request, body: Fields) {
      const entry = byRequest.get(request)
      if (!entry) {
        return
      }

      // Only the known fields of a token request are logged: a secret under a mistyped name would not be redacted.
      const isCredentials = entry.path === endpoints.authenticate.path
      const shownFields = Object.entries(body).filter(([name]) => !isCredentials || SECRETS.includes(name))
      entry.body = Object.fromEntries(shownFields.map(([name, value]) => [name, shown(name, value)]))
    },
    list: (): readonly LoggedRequest[] => entries,
  }
}

export function logRequests(requests: RequestLog, clock: Clock): MiddlewareHandler {
  return async function requestLog(c, next) {
    const entry = requests.add(c.req.raw, c.req.path, clock.now())
    await next()
    entry.status = c.res.status
    if (c.res.headers.get('content-type')?.startsWith('application/json') && !c.res.ok)
    // A fault may have truncated the JSON; then there is no refusal to show.
    {
      entry.refusal = parseJson(await c.res.clone().text()) ?? null
    }
  }
}

// Nested values are not logged: recursion into a deeply nested body could overflow the stack.
function shown(name: string, value: unknown): unknown {
  if (SECRETS.includes(name)) {
    return '[redacted]'
  }
  if (typeof value === 'string') {
    return firstCharacters(value, KEPT_CHARACTERS)
  }
  return typeof value === 'object' && value !== null ? '[nested]' : value
}
