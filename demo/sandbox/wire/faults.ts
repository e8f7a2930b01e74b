/**
 * What goes wrong on purpose. A fault strikes the next few times, or with a probability drawn from a seed of
 * its own, so that a bad day can be had again.
 */

import { z } from 'zod'
import { createRandomness } from '../randomness.ts'
import type { Randomness } from '../randomness.ts'

/** [assumed] Longer than any client waits. */
const MAX_MS = 10 * 60_000
const MAX_FAULTS = 100

const milliseconds = z.number().int().min(0).max(MAX_MS)
const Kind = z.discriminatedUnion('fault', [
  z.object({ fault: z.literal('latency'), ms: milliseconds }),
  z.object({ fault: z.literal('status'), status: z.number().int().min(400).max(599) }),
  z.object({ fault: z.literal('reset') }),
  z.object({ fault: z.literal('truncate') }),
  z.object({ fault: z.literal('html') }),
  z.object({ fault: z.literal('answer_lost') }),
  z.object({ fault: z.literal('token_expired') }),
  z.object({ fault: z.literal('callback_drop') }),
  z.object({ fault: z.literal('callback_delay'), ms: milliseconds }),
  z.object({ fault: z.literal('callback_duplicate') }),
  z.object({ fault: z.literal('callback_reorder') }),
  z.object({ fault: z.literal('callback_corrupt') }),
])
const Strikes = z.object({
  /** A path of a URL or of the spec, as `/v1/payouts/:payout_reference/status`, and all below it; or "*". */
  route: z.string().min(1).default('*'),
  /** How many times it strikes; once, unless a probability is given. */
  next: z.number().int().min(1).max(1_000_000).optional(),
  probability: z.number().min(0).max(1).optional(),
  seed: z.number().int().default(0),
})

export const FaultRequest = z
  .intersection(Kind, Strikes)
  .refine(({ next, probability }) => next === undefined || probability === undefined, {
    error: 'next and probability exclude each other',
  })
export type FaultRequest = z.output<typeof FaultRequest>

type Fault = z.output<typeof Kind>
type RequestFault = Exclude<Fault, CallbackFault>
export type CallbackFault = Extract<Fault, { fault: `callback_${string}` }>

export interface Faults {
  /** Answers whether there was room for one more. */
  add(request: FaultRequest): boolean
  clear(): void
  list(): readonly FaultRequest[]
  /** What strikes this request; each call counts as one chance. */
  strikeRequest(path: string): RequestFault[]
  strikeCallback(path: string): CallbackFault[]
}

interface Armed {
  request: FaultRequest
  left: number
  chance: Randomness
}

export function createFaults(): Faults {
  let armed: Armed[] = []

  function strike<F extends Fault>(path: string, isMeant: (fault: Fault) => fault is F): F[] {
    const struck: F[] = []
    for (const one of armed) {
      const { request } = one
      if (!isMeant(request) || !matches(request.route, path)) continue
      if (request.probability !== undefined && one.chance.fraction() >= request.probability) continue
      one.left -= 1
      struck.push(request)
    }
    armed = armed.filter(({ left }) => left > 0)
    return struck
  }

  return {
    add(request) {
      if (armed.length >= MAX_FAULTS) return false
      const left = request.probability === undefined ? (request.next ?? 1) : Infinity
      armed.push({ request, left, chance: createRandomness(request.seed) })
      return true
    },
    clear() {
      armed = []
    },
    list: () => armed.map(({ request, left }) => (left === Infinity ? request : { ...request, next: left })),
    strikeRequest: (path) => strike(path, isRequestFault),
    strikeCallback: (path) => strike(path, isCallbackFault),
  }
}

function isCallbackFault(fault: Fault): fault is CallbackFault {
  return fault.fault.startsWith('callback_')
}

function isRequestFault(fault: Fault): fault is RequestFault {
  return !isCallbackFault(fault)
}

/** Whether the route is the path or leads to it; `:name` in a route stands for any one part of a path. */
function matches(route: string, path: string): boolean {
  if (route === '*') return true
  const parts = path.split('/')
  const wanted = route.replace(/\/$/, '').split('/')
  return wanted.every((part, index) => part === parts[index] || (part.startsWith(':') && parts[index]))
}
