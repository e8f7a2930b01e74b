/**
 * Stops the server within 7.5 seconds. Incoming requests and workers get 6 seconds to complete. Outgoing requests that
 * are still open are then aborted. An aborted request to the gateway counts as a request whose response was lost. After
 * 7 seconds, all connections to this server are closed.
 */

import type { ServerResponse } from 'node:http'
import type { ServerType } from '@hono/node-server'
import type { Clock } from '../clock.ts'
import type { Fetch, FetchAnswer } from '../exchange.ts'
import type { Store } from '../store.ts'

/** The times at which `drain` acts, in milliseconds after the stop signal. */
const ABORT_REQUESTS_MS = 6_000
const CLOSE_CONNECTIONS_MS = 7_000
const EXIT_MS = 7_500

export interface AbortableFetch {
  fetch: Fetch
  /** Aborts all open outgoing requests, and every later outgoing request. */
  abort: () => void
}

export function createAbortableFetch(fetch: Fetch): AbortableFetch {
  const open = new Set<(reason: Error) => void>()
  let isAborted = false
  const reason = new Error('The process stops.')
  return {
    fetch: (url, init) =>
      new Promise<FetchAnswer>((resolve, reject) => {
        if (isAborted) return reject(reason)
        open.add(reject)
        Promise.resolve(fetch(url, init))
          .then(resolve, reject)
          .finally(() => open.delete(reject))
      }),
    abort() {
      isAborted = true
      for (const reject of open) reject(reason)
    },
  }
}

/**
 * Returns a function that makes the server close each connection after its next response. Once that function was
 * called, all responses have the header `Connection: close`, including the responses to requests that are already open.
 */
export function closeAfterResponses(server: ServerType): () => void {
  const open = new Set<ServerResponse>()
  let isClosing = false
  server.prependListener('request', (_, response: ServerResponse) => {
    if (isClosing) response.shouldKeepAlive = false
    open.add(response)
    response.once('close', () => open.delete(response))
  })
  return () => {
    isClosing = true
    for (const response of open) response.shouldKeepAlive = false
  }
}

interface Drained {
  clock: Clock
  server: ServerType
  /** A promise that resolves when the workers have ended. */
  working: Promise<void>
  store: Pick<Store, 'close'>
  abortRequests: () => void
  exit: () => void
}

/**
 * Resolves when all connections are closed, the workers have ended, and the store is closed. Calls `exit` if this takes
 * longer than 7.5 seconds.
 */
export async function drain({ clock, server, working, store, abortRequests, exit }: Drained): Promise<void> {
  const over = new AbortController()
  const after = (ms: number, act: () => void) => void clock.sleep(ms, over.signal).then(act, () => {})
  after(ABORT_REQUESTS_MS, abortRequests)
  after(CLOSE_CONNECTIONS_MS, () => {
    if ('closeAllConnections' in server) server.closeAllConnections()
  })
  after(EXIT_MS, exit)
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  await Promise.all([closed, working])
  await store.close()
  over.abort()
}
