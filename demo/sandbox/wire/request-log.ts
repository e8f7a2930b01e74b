/** What was asked of the gateway, for people who look for their mistake. Secrets are left out. */

import { endpoints } from '../../../server/contract/endpoints.ts'
import type { MiddlewareHandler } from 'hono'
import type { Clock } from '../timeline/clock.ts'
import type { Fields } from './fields.ts'

interface LoggedRequest {
  /** ISO 8601, UTC. */
  at: string
  method: string
  path: string
  /** The fields of the body on their first level; `null` when there was none that could be read. */
  body: Fields | null
  /** `null` while there is no answer. */
  status: number | null
  /** The answer, where it was a refusal. */
  refusal: unknown
}

export interface RequestLog {
  begin(request: Request, path: string, now: number): LoggedRequest
  /** Adds what the body of a request that was begun says. */
  addBody(request: Request, body: Fields): void
  /** The latest {@link KEPT_REQUESTS}, oldest first. */
  list(): readonly LoggedRequest[]
}

const KEPT_REQUESTS = 1_000
const KEPT_CHARACTERS = 500
const SECRETS: readonly string[] = ['consumer_key', 'consumer_secret']

export function createRequestLog(): RequestLog {
  const entries: LoggedRequest[] = []
  const byRequest = new WeakMap<Request, LoggedRequest>()

  return {
    begin(request, path, now) {
      const at = new Date(now).toISOString()
      const entry = { at, method: request.method, path, body: null, status: null, refusal: null }
      byRequest.set(request, entry)
      entries.push(entry)
      if (entries.length > KEPT_REQUESTS) entries.shift()
      return entry
    },
    addBody(request, body) {
      const entry = byRequest.get(request)
      if (!entry) return
      // Of the token call only the fields that are known: a mistyped name would give the secret away.
      const isCredentials = entry.path === endpoints.authenticate.path
      entry.body = redacted(isCredentials ? knownOf(body) : body)
    },
    list: () => entries,
  }
}

export function logRequests(world: () => { requests: RequestLog; clock: Clock }): MiddlewareHandler {
  return async function requestLog(c, next) {
    const { requests, clock } = world()
    const entry = requests.begin(c.req.raw, c.req.path, clock.now())
    await next()
    entry.status = c.res.status
    if (c.res.headers.get('content-type')?.startsWith('application/json') && !c.res.ok)
      // A fault may have cut it: then it is no JSON, and there is nothing to show.
      entry.refusal = await c.res
        .clone()
        .json()
        .catch(() => null)
  }
}

function knownOf(body: Fields): Fields {
  return Object.fromEntries(Object.entries(body).filter(([name]) => SECRETS.includes(name)))
}

/** One level deep: a hostile body may be nested deeper than a stack. */
function redacted(body: Fields): Fields {
  const pairs = Object.entries(body).map(([name, value]) => [name, shown(name, value)] as const)
  return Object.fromEntries(pairs)
}

function shown(name: string, value: unknown): unknown {
  if (SECRETS.includes(name)) return '[redacted]'
  if (typeof value === 'string') return value.slice(0, KEPT_CHARACTERS)
  return typeof value === 'object' && value !== null ? '[nested]' : value
}
