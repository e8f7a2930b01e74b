/** Faults of requests, as a middleware before everything that does work. */

import { IncomingMessage } from 'node:http'
import { refuseAt } from '../refusal.ts'
import type { MiddlewareHandler } from 'hono'
import type { Stage } from '../world.ts'

const HTML = '<!doctype html><title>Bad gateway</title><h1>The gateway is being looked after</h1>'

export function strikeRequests(stage: Stage): MiddlewareHandler {
  return async function faults(c, next) {
    for (const struck of stage.world().faults.strikeRequest(c.req.path)) {
      switch (struck.fault) {
        case 'latency':
          await stage.timeline.sleep(struck.ms)
          break
        case 'status':
          return refuseAt(c.req.path, { reason: 'fault', status: struck.status })
        case 'html':
          return new Response(HTML, { headers: { 'content-type': 'text/html; charset=utf-8' } })
        case 'token_expired':
          return refuseAt(c.req.path, { reason: 'token_expired' })
        case 'reset':
          return severed(c.env)
        case 'answer_lost':
          await next()
          c.res = severed(c.env)
          return
        case 'truncate':
          await next()
          c.res = await halfOf(c.res)
          return
      }
    }
    return next()
  }
}

/** On a port the connection is cut; in a process, where there is none, reading the answer fails. */
function severed(env: unknown): Response {
  const socket = socketOf(env)
  if (socket) {
    socket.destroy()
    return new Response(null)
  }
  const broken = new ReadableStream({
    start: (controller) => controller.error(new Error('The connection was reset.')),
  })
  return new Response(broken)
}

function socketOf(env: unknown): { destroy(): void } | null {
  if (typeof env !== 'object' || env === null || !('incoming' in env)) return null
  const { incoming } = env
  return incoming instanceof IncomingMessage ? incoming.socket : null
}

async function halfOf(response: Response): Promise<Response> {
  const text = await response.text()
  const { status } = response
  return new Response(text.slice(0, Math.floor(text.length / 2)), {
    status,
    headers: { 'content-type': 'application/json' },
  })
}
