/** Sends requests over pooled connections, which is faster than the platform's `fetch`. */

import type { Fetch } from './exchange.ts'
import { Agent } from 'undici'

/** The maximum number of connections to one origin. Further requests wait. */
const MAX_CONNECTIONS = 256

export function createPooledFetch(): Fetch {
  const dispatcher = new Agent({ connections: MAX_CONNECTIONS, pipelining: 1 })
  return async (url, { method, headers, body, signal }) => {
    const { origin, pathname, search } = new URL(url)
    const answer = await dispatcher.request({
      origin,
      path: pathname + search,
      method,
      headers,
      body: body ?? null,
      signal,
    })
    return { status: answer.statusCode, body: answer.body }
  }
}
