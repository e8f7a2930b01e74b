// The header `Date` of every response, by the sandbox's clock, which may run ahead of the machine's.

import type { Timeline } from '../clock/timeline.ts'
import type { MiddlewareHandler } from 'hono'

export function sendDate({ now }: Pick<Timeline, 'now'>): MiddlewareHandler {
  return async function date(c, next) {
    await next()
    c.header('date', new Date(now()).toUTCString())
  }
}
