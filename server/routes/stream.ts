/**
 * `GET /checkout/status/{checkout_id}/stream`: sends the view as a server-sent event whenever the view changes.
 *
 * `id:` is the version of the view, so a page that reconnects with Last-Event-ID receives only newer views. A `beat`
 * event is sent at once and then every 15 seconds, so that the page can detect a dead stream or a proxy that buffers.
 * Beats are events because EventSource does not report comments.
 */

import type { Hono } from 'hono'
import type { Clock } from '../clock.ts'
import type { Transaction } from '../store.ts'
import type { RouteDeps } from './route.ts'
import { z } from 'zod'
import { readCheckout } from '../checkouts/record.ts'
import { pollPauseMs } from '../checkouts/kind.ts'
import { viewOf } from '../checkouts/view.ts'
import { watchTransaction } from '../transactions/watch.ts'
import { checkoutIn, CheckoutPath } from './checkout.ts'
import { ProblemError } from './problem.ts'
import { route } from './route.ts'

const MOST_STREAMS = 2_000
/** The most open streams per checkout, so that one client cannot use all streams of the server. */
const MOST_STREAMS_OF_ONE = 100
/** [assumed] Proxies close silent connections. The element reconnects after two missing beats. */
const HEARTBEAT_MS = 15_000
/** The longest duration of a stream. A page that still waits opens a new stream. */
const LONGEST_STREAM_MS = 15 * 60_000

const ANSWERS = [
  {
    status: 200,
    description:
      'Server-sent events: "status" with the view as data and its version as id, until the checkout is settled; and "beat" without data, at once and every 15 seconds.',
    content: { type: 'text/event-stream', schema: z.string().meta({ description: 'The events.' }) },
  },
  { status: 204, description: 'The checkout is settled, and Last-Event-ID names its last version.' },
]

export function declareStream(app: Hono, { store, synchronizer, clock, log, stopping }: RouteDeps): void {
  /** Each open stream: the function that ends it, and its checkout. */
  const open = new Map<() => void, string>()
  const isFull = (id: string) =>
    open.size >= MOST_STREAMS ||
    [...open.values()].filter((other) => other === id).length >= MOST_STREAMS_OF_ONE
  stopping.addEventListener('abort', () => open.forEach((_, end) => end()))

  route(app, 'GET', '/checkout/status/:checkout_id/stream', {
    id: 'streamCheckoutStatus',
    tag: 'Checkout',
    summary: 'Stream the view of a checkout as it changes',
    params: CheckoutPath,
    answers: ANSWERS,
    problems: ['unknown_checkout', 'too_many_streams', 'store_unavailable'],
    handle: async ({ c, params: { checkout_id: id } }) => {
      const checkout = checkoutIn(await store.find(id))
      const known = readVersion(c.req.header('last-event-id'))
      const { settled, version } = viewOf(checkout, clock.now())
      // Status 204 tells an EventSource not to reconnect. A HEAD request gets no stream: the client could not cancel it.
      if ((settled && version <= known) || c.req.method !== 'GET') return c.body(null, 204)
      if (isFull(id)) {
        throw new ProblemError('too_many_streams', 'Ask for the status instead, as Retry-After says.')
      }
      return c.body(createStream(id, known), 200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
      })
    },
  })

  /** Creates a stream that ends when the checkout is settled, after `LONGEST_STREAM_MS`, or when the page disconnects. */
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
        void watchTransaction({ store, clock, synchronizer, pauseMs }, id, show, signal)
          .catch((error: unknown) => log.error({ id, err: error }, 'A stream failed.'))
          .then(end)
        void repeat(beat, clock, signal)
        void clock.sleep(LONGEST_STREAM_MS, signal).then(end, () => {})
      },
      cancel: () => over.abort(),
    })
  }
}

/** The version that the page already has; 0 when the header is absent or not a number. */
function readVersion(lastEventId: string | undefined): number {
  return /^\d{1,9}$/.test(lastEventId ?? '') ? Number(lastEventId) : 0
}

async function repeat(beat: () => void, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(HEARTBEAT_MS, signal).catch(() => {})
    if (!signal.aborted) beat()
  }
}
