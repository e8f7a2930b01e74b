/**
 * Serves client networks in turn, so that a network that sends thousands of requests per second delays the requests of
 * other networks by little.
 */

import type { App } from '../app.ts'
import type { Clock } from '../clock.ts'
import type { ClientNetwork } from '../routes/client-network.ts'

/**
 * Milliseconds for which networks are served in turn after the network of a request differs from the network of the
 * request before. A single client does not wait, however many requests it sends.
 */
const SHARED_MS = 1_000

/**
 * Returns a handler that, while requests from several networks arrive, starts at most one request of each network in
 * each iteration of the event loop. Further requests of a network wait for the next iterations. Requests from an unknown
 * network do not wait.
 */
export function fairTurns(handle: App['fetch'], networkOf: ClientNetwork, clock: Clock): App['fetch'] {
  /** The networks of which a request was started in this iteration of the event loop. */
  const served = new Set<string>()
  /** For each network, functions that start its waiting requests. */
  const waiting = new Map<string, (() => void)[]>()
  let last: string | null = null
  let sharedUntil = 0
  let isScheduled = false

  return (request, env, context) => {
    const header = (name: string) => request.headers.get(name) ?? undefined
    const network = networkOf({ env, req: { header } })
    if (network === null || !mustWait(network)) return handle(request, env, context)
    return waitForTurn(network).then(() => handle(request, env, context))
  }

  function mustWait(network: string): boolean {
    const now = clock.now()
    if (last !== null && last !== network) sharedUntil = now + SHARED_MS
    last = network
    if (now >= sharedUntil && !waiting.has(network)) return false
    scheduleTurn()
    if (served.has(network)) return true
    served.add(network)
    return false
  }

  function waitForTurn(network: string): Promise<void> {
    return new Promise((resolve) => {
      const queue = waiting.get(network)
      if (queue) queue.push(resolve)
      else waiting.set(network, [resolve])
    })
  }

  function scheduleTurn(): void {
    if (isScheduled) return
    isScheduled = true
    setImmediate(beginTurn)
  }

  function beginTurn(): void {
    isScheduled = false
    served.clear()
    for (const [network, queue] of waiting) {
      served.add(network)
      queue.shift()?.()
      if (queue.length === 0) waiting.delete(network)
    }
    if (served.size > 0) scheduleTurn()
  }
}
