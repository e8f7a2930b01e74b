/** Warns once if requests arrive under another host than that of PUBLIC_URL, which callbacks and returns are sent to. */

import type { MiddlewareHandler } from 'hono'
import type { Log } from '../log.ts'

/** Only accepted requests count: anybody can send a request with any header Host. */
const FIRST_REFUSAL = 400

export function warnOfOtherHost(publicUrl: string, log: Log): MiddlewareHandler {
  const { host: own, hostname } = new URL(publicUrl)
  // Some proxies pass on the host without its port.
  const expected = new Set([own, hostname].map(comparable))
  let hasWarned = false
  return async (c, next) => {
    await next()
    const host = c.req.header('x-forwarded-host') ?? c.req.header('host')
    if (hasWarned || host === undefined || expected.has(comparable(host)) || c.res.status >= FIRST_REFUSAL)
      return
    hasWarned = true
    log.warn(
      { host, public_url: publicUrl },
      'Requests arrive under another host than that of PUBLIC_URL, which the gateway sends callbacks and shoppers to. Correct PUBLIC_URL, or let the proxy pass on the header Host.',
    )
  }
}

/** A page of localhost may call 127.0.0.1, and the other way round. */
function comparable(host: string): string {
  return host.toLowerCase().replace(/^localhost(?=:|$)/, '127.0.0.1')
}
