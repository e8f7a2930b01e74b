/**
 * Handles the requests of each connection one at a time. A client may send many requests without reading a response
 * (HTTP pipelining). Node passes all of them to the server at once and keeps every response in memory until the client
 * reads it. Browsers and proxies do not pipeline.
 */

import type { HttpBindings, Http2Bindings } from '@hono/node-server'
import type { Socket } from 'node:net'

type Handle = (request: Request, env: HttpBindings | Http2Bindings) => unknown

/**
 * The maximum number of requests that wait on one connection. A connection with more waiting requests is closed.
 * [assumed] No client of this server needs more.
 */
const MOST_WAITING = 10

interface Queue {
  isBusy: boolean
  /** For each waiting request, a function that starts the request. */
  waiting: (() => void)[]
}

/**
 * Returns a handler that passes a request to `handle` only after the response to the connection's previous request was
 * sent completely.
 */
export function handleOneAtATime(handle: Handle): (...args: Parameters<Handle>) => Promise<unknown> {
  const queues = new WeakMap<object, Queue>()
  return async (request, env) => {
    const { incoming, outgoing } = env
    const { socket } = incoming
    const queue = queues.get(socket) ?? createQueue(socket)
    if (queue.isBusy) {
      if (queue.waiting.length >= MOST_WAITING) {
        socket.destroy()
        return CLOSED()
      }
      await new Promise<void>((resolve) => queue.waiting.push(resolve))
    }
    queue.isBusy = true
    if (socket.destroyed) return CLOSED()
    outgoing.once('close', () => startNext(queue))
    return handle(request, env)
  }

  function createQueue(socket: Socket): Queue {
    const queue: Queue = { isBusy: false, waiting: [] }
    queues.set(socket, queue)
    // Responses of waiting requests emit no `close` event.
    socket.once('close', () => queue.waiting.splice(0).forEach((start) => start()))
    return queue
  }
}

function startNext(queue: Queue): void {
  const start = queue.waiting.shift()
  // The queue stays busy if another request starts.
  queue.isBusy = start !== undefined
  start?.()
}

/** The response on a connection that is closed. Nobody receives this response. */
const CLOSED = () => new Response(null, { status: 503 })
