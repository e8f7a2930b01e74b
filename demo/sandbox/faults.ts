// Simulated faults: what goes wrong between the gateway and a merchant.

import { IncomingMessage } from 'node:http'
import { z } from 'zod'

import { nonEmpty } from '../../server/contract/fields.ts'
import { refuseAt } from './errors/error-response.ts'
import { Failure } from './errors/failure.ts'
import { createRandomness } from './randomness.ts'

import type { Clock } from './journal/state-clock.ts'
import type { Randomness } from './randomness.ts'
import type { MiddlewareHandler } from 'hono'

// [assumed] Longer than any client's timeout.
const MAX_MS = 10 * 60_000
const MAX_FAULTS = 100
const SET_BY = 'A fault that was set under /_sandbox/faults.'
const HTML = '<!doctype html><title>Bad gateway</title><h1>The gateway is under maintenance</h1>'

const ms = z.number().int().min(0).max(MAX_MS)
const OF_REQUESTS = [
  z.object({ fault: z.literal('latency'), ms }),
  z.object({ fault: z.literal('status'), status: z.number().int().min(400).max(599) }),
  z.object({ fault: z.literal(['reset', 'truncate', 'html', 'answer_lost', 'token_expired']) }),
] as const
const OF_CALLBACKS = [
  z.object({ fault: z.literal('callback_delay'), ms }),
  z.object({
    fault: z.literal([
      'callback_drop',
      'callback_hold',
      'callback_duplicate',
      'callback_reorder',
      'callback_corrupt',
    ]),
  }),
] as const
const KINDS = [...OF_REQUESTS, ...OF_CALLBACKS] as const
const NAMES = KINDS.flatMap(({ shape }) => [...shape.fault.values])
const Kind = z.discriminatedUnion('fault', KINDS, `must be one of ${NAMES.join(', ')}`)
const Repetition = z.object({
  /**
   * The path of the affected requests or callbacks. Paths below this path are affected, too. A segment such as ":id"
   * matches any segment; "*" matches all paths.
   */
  route: nonEmpty.default('*'),
  /** The number of affected requests or callbacks. Default: 1; unlimited if `probability` is set. */
  next: z.number().int().min(1).max(1_000_000).optional(),
  probability: z.number().min(0).max(1).optional(),
  seed: z.number().int().default(0),
})

export const FaultRequest = z
  .intersection(Kind, Repetition)
  .refine(({ next, probability }) => next === undefined || probability === undefined, {
    error: 'next and probability exclude each other',
  })
export type FaultRequest = z.output<typeof FaultRequest>

type Fault = z.output<typeof Kind>
type RequestFault = z.output<(typeof OF_REQUESTS)[number]>
export type CallbackFault = z.output<(typeof OF_CALLBACKS)[number]>

interface Active {
  request: FaultRequest
  left: number
  chance: Randomness
}

export type Faults = ReturnType<typeof createFaults>

export function createFaults() {
  let active: Active[] = []

  return {
    add(request: FaultRequest): boolean {
      if (active.length >= MAX_FAULTS) {
        return false
      }

      const left = request.probability === undefined ? (request.next ?? 1) : Infinity
      active.push({ request, left, chance: createRandomness(request.seed) })
      return true
    },
    clear: () => void (active = []),
    list: () => active.map(({ request, left }) => (left === Infinity ? request : { ...request, next: left })),
    /**
     * Returns the faults that affect a request or a callback to `path`, and counts it in the limit `next` of each of
     * these faults.
     */
    take<F extends Fault>(path: string, isMeant: (fault: Fault) => fault is F): F[] {
      const taken: F[] = []
      for (const fault of active) {
        const { request, chance } = fault
        if (!isMeant(request) || !matches(request.route, path)) {
          continue
        }
        if (request.probability !== undefined && chance.fraction() >= request.probability) {
          continue
        }

        fault.left -= 1
        taken.push(request)
      }

      active = active.filter(({ left }) => left > 0)
      return taken
    },
  }
}

export const isCallbackFault = (fault: Fault): fault is CallbackFault => fault.fault.startsWith('callback_')

const isRequestFault = (fault: Fault): fault is RequestFault => !isCallbackFault(fault)

function matches(route: string, path: string): boolean {
  if (route === '*') {
    return true
  }

  const segments = path.split('/')
  const wanted = route.replace(/\/$/, '').split('/')
  return wanted.every((name, index) => name === segments[index] || (name.startsWith(':') && segments[index]))
}

export function applyRequestFaults(faults: Faults, clock: Clock): MiddlewareHandler {
  return async function requestFaults(c, next) {
    for (const taken of faults.take(c.req.path, isRequestFault)) {
      switch (taken.fault) {
        case 'latency':
          if (!(await clock.sleep(taken.ms))) {
            return cutConnection(c.env)
          }
          break
        case 'status':
          return refuseAt(c.req.path, new Failure('fault', SET_BY, { status: taken.status }))
        case 'html':
          return new Response(HTML, { headers: { 'content-type': 'text/html; charset=utf-8' } })
        case 'token_expired':
          return refuseAt(c.req.path, new Failure('token_expired', 'The access token has expired.'))
        case 'reset':
          return cutConnection(c.env)
        case 'answer_lost':
          await next()
          c.res = cutConnection(c.env)
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

/**
 * Closes the TCP connection of a request. If the request comes from the same process and has no connection, returns a
 * response whose body cannot be read.
 */
function cutConnection(env: unknown): Response {
  if (typeof env === 'object' && env && 'incoming' in env && env.incoming instanceof IncomingMessage) {
    env.incoming.socket.destroy()
    return new Response(null)
  }

  const broken = new ReadableStream({
    start: (controller) => controller.error(new Error('The connection was reset.')),
  })
  return new Response(broken)
}

async function halfOf(response: Response): Promise<Response> {
  const text = await response.text()
  const half = text.slice(0, Math.floor(text.length / 2))
  return new Response(half, { status: response.status, headers: { 'content-type': 'application/json' } })
}
