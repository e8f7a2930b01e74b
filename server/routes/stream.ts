/**
 * `GET /checkout/status/{checkout_id}/stream`: the view as server-sent events, whenever it changes.
 *
 * `id:` is the view's version, so a page that reconnects with Last-Event-ID is not told again what it knows. A `beat`
 * comes at once and then regularly: by it a page tells a stream that is quiet from one that a proxy holds back, or that
 * is dead. EventSource would keep a comment to itself.
 */

import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Store, Transaction } from '../store.ts'
import type { Synchronizer } from '../transactions/synchronizer.ts'
import { Hono } from 'hono'
import { readCheckout } from '../checkouts/record.ts'
import { pollPauseMs } from '../checkouts/kind.ts'
import { viewOf } from '../checkouts/view.ts'
import { follow } from '../transactions/watch.ts'
import { checkoutIn } from './checkout.ts'
import { ProblemError } from './problem.ts'

interface StreamRoutes {
  store: Store
  synchronizer: Synchronizer
  clock: Clock
  log: Log
  /** Pages come back by themselves, to the process that follows. */
  stopping: AbortSignal
}

const MOST_STREAMS = 2_000
/** Whoever knows one checkout is not to take the room of all the others. */
const MOST_STREAMS_OF_ONE = 100
/** [assumed] Proxies cut what is silent, and the element gives up on a stream after two beats that did not come. */
const HEARTBEAT_MS = 15_000
/** A stream ends after this, and a page that still watches opens another. */
const LONGEST_STREAM_MS = 15 * 60_000

export function streamRoutes({ store, synchronizer, clock, log, stopping }: StreamRoutes): Hono {
  const app = new Hono()
  /** What ends each stream that is open, and which checkout it follows. */
  const open = new Map<() => void, string>()
  const isFull = (id: string) =>
    open.size >= MOST_STREAMS ||
    [...open.values()].filter((other) => other === id).length >= MOST_STREAMS_OF_ONE
  stopping.addEventListener('abort', () => open.forEach((_, end) => end()))

  app.get('/status/:checkout_id/stream', async (c) => {
    const id = c.req.param('checkout_id')
    const checkout = checkoutIn(await store.find(id))
    const known = readVersion(c.req.header('last-event-id'))
    const { settled, version } = viewOf(checkout, clock.now())
    // 204 tells an EventSource not to come back; a HEAD has no body that anybody could leave.
    if ((settled && version <= known) || c.req.method !== 'GET') return c.body(null, 204)
    if (isFull(id)) {
      throw new ProblemError('too_many_streams', 'Ask for the status instead, as Retry-After says.')
    }
    return c.body(createStream(id, known), 200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
  })

  return app

  /** Ends when the checkout is settled, when it has lasted long enough, or when the page leaves. */
  function createStream(id: string, known: number): ReadableStream<Uint8Array> {
    const over = new AbortController()
    const { signal } = over
    const pauseMs = (row: Transaction) => pollPauseMs(readCheckout(row), clock.now())

    return new ReadableStream<Uint8Array>({
      start(controller) {
        const encoder = new TextEncoder()
        const write = (text: string) => controller.enqueue(encoder.encode(text))
        const end = () => {
          if (signal.aborted) return
          over.abort()
          controller.close()
        }
        open.set(end, id)
        signal.addEventListener('abort', () => open.delete(end))
        const show = (row: Transaction) => {
          const view = viewOf(readCheckout(row), clock.now())
          if (view.version > known) {
            write(`event: status\nid: ${view.version}\ndata: ${JSON.stringify(view)}\n\n`)
          }
          if (view.settled) end()
        }
        const beat = () => write('event: beat\ndata:\n\n')
        write('retry: 2000\n\n')
        beat()
        void follow({ store, clock, synchronizer, pauseMs }, id, show, signal)
          .catch((error: unknown) => log.error({ id, err: error }, 'A checkout could not be followed.'))
          .then(end)
        void repeat(beat, clock, signal)
        void clock.sleep(LONGEST_STREAM_MS, signal).then(end, () => {})
      },
      cancel: () => over.abort(),
    })
  }
}

/** What the page knows already; nothing when it does not say so in digits. */
function readVersion(lastEventId: string | undefined): number {
  return /^\d{1,9}$/.test(lastEventId ?? '') ? Number(lastEventId) : 0
}

async function repeat(beat: () => void, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(HEARTBEAT_MS, signal).catch(() => {})
    if (!signal.aborted) beat()
  }
}
