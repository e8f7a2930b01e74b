/**
 * Declares `GET /checkout/status/{checkout_id}/stream`, which sends the view of a checkout as a server-sent event
 * whenever the view changes.
 *
 * The `id` of an event is the version of the view. A page that reconnects with the header Last-Event-ID therefore
 * receives only newer views. Heartbeats (`beat` events) are sent when the stream opens and then every 15 seconds, so
 * that the page can detect a lost connection. Heartbeats are events and not comments, because EventSource does not
 * report comments.
 */

import { z } from 'zod'

import { pollPauseMs } from '../checkouts/kind.ts'
import { readCheckout, determineOutcome } from '../checkouts/record.ts'
import { serializeView } from '../checkouts/view.ts'
import { findOwn } from '../transactions/find.ts'
import { createWatches } from '../transactions/watch.ts'
import { createTicker } from '../work/clock.ts'
import { CheckoutPath } from './checkout-form.ts'
import { checkoutIn } from './checkout-status.ts'
import { checkoutHeaders } from './headers.ts'
import { problem } from './problem.ts'
import { route } from './route.ts'

import type { Transaction } from '../store/transactions.ts'
import type { Watcher, Watches } from '../transactions/watch.ts'
import type { Clock } from '../work/clock.ts'
import type { Needs } from './route.ts'
import type { Hono } from 'hono'

/** The maximum number of open streams of this server. A page that gets no stream polls the status instead. */
const MAX_STREAMS = 10_000
/** The maximum number of open streams per checkout, so that those who know one checkout cannot use all streams. */
const MAX_STREAMS_OF_CHECKOUT = 100
/**
 * The maximum number of open streams per client network, which is an IPv4 address or the first 64 bits of an IPv6
 * address. [assumed] This number is suitable: mobile operators put many shoppers behind one address.
 */
const MAX_STREAMS_OF_NETWORK = 1_000

/**
 * Milliseconds between two heartbeats of a stream. The widget closes a stream on which no event arrives for 30 seconds.
 * [assumed] Proxies keep a connection open if it transports data every 15 seconds.
 */
const HEARTBEAT_MS = 15_000
/** The maximum age of a stream, in milliseconds. When a stream ends, the browser opens a new stream automatically. */
const LONGEST_STREAM_MS = 15 * 60_000
/**
 * The maximum number of events that wait until the page reads them. A stream with more waiting events is closed: a page
 * that reads no event for two minutes (eight heartbeats) has probably disconnected.
 */
const MAX_WAITING_EVENTS = 8
const ENCODER = new TextEncoder()
const HEARTBEAT = 'event: beat\ndata:\n\n'

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  // For nginx, which would otherwise hold back events.
  'x-accel-buffering': 'no',
}

type StreamDeps = Needs<
  | 'config'
  | 'store'
  | 'account'
  | 'queries'
  | 'synchronizer'
  | 'clock'
  | 'log'
  | 'metrics'
  | 'limiter'
  | 'clientNetwork'
  | 'stopping'
>

export function declareStream(app: Hono, deps: StreamDeps): void {
  const { config, store, queries, synchronizer, clock, log, metrics, clientNetwork, stopping } = deps
  const pauseMs = (row: Transaction) => pollPauseMs(readCheckout(row), clock.now())
  // The streams of one checkout share its status queries, and one timer sends the heartbeats of all streams.
  const watches = createWatches({ store, clock, log, queries, synchronizer, pauseMs })
  const open = new Set<EventStream>()
  const streams = {
    clock,
    watches,
    open,
    ofNetwork: new Map(),
    reportCount: () => metrics?.streams(open.size),
  }
  const startHeartbeats = createTicker(clock, HEARTBEAT_MS, () => sendHeartbeats(streams))
  // An open stream would keep the process from stopping. The pages reconnect automatically.
  stopping.addEventListener('abort', () => {
    for (const stream of open) {
      stream.end()
    }
  })

  route(app, 'GET', '/checkout/status/:checkout_id/stream', {
    id: 'streamCheckoutStatus',
    tag: 'Checkout',
    summary: 'Stream the view of a checkout as it changes',
    params: CheckoutPath,
    answers: [
      {
        status: 200,
        description:
          'Server-sent events: "status" with the view as data and its version as id, until the checkout is settled; and "beat" without data, at once and then at least every 15 seconds.',
        content: { type: 'text/event-stream', schema: z.string().meta({ description: 'The events.' }) },
      },
      { status: 204, description: 'The checkout is settled, and Last-Event-ID names its last version.' },
    ],
    problems: ['unknown_checkout', 'too_many_streams', 'store_unavailable', 'too_many_requests'],
    handle: async ({ c, params: { checkout_id: id } }) => {
      const checkout = checkoutIn(await findOwn(deps, id), c, deps)
      const headers = checkoutHeaders(c, config.allowedOrigins)
      const lastEventId = c.req.header('last-event-id') ?? ''
      // A header that is not a version did not come from an event of this route.
      const seenVersion = /^\d{1,9}$/.test(lastEventId) ? Number(lastEventId) : 0
      const { version } = checkout
      const { settled } = determineOutcome(checkout)
      // Status 204 tells an EventSource not to reconnect. A HEAD request gets no stream, because its client could not
      // cancel the stream.
      if ((settled && version <= seenVersion) || c.req.method !== 'GET') {
        return new Response(null, { status: 204, headers })
      }

      const network = clientNetwork(c)
      if (isLimitReached(streams, id, network)) {
        throw problem('too_many_streams', 'Ask for the status instead, as Retry-After says.')
      }

      const events = new ReadableStream(new EventStream(streams, id, seenVersion, network))
      startHeartbeats()
      return new Response(events, { headers: { ...headers, ...STREAM_HEADERS } })
    },
  })
}

/**
 * A stream of server-sent events to a page that watches one checkout. It ends when the checkout is settled. This object
 * is also the underlying source of the response's `ReadableStream`: separate objects would cost memory, because
 * thousands of streams may be open.
 */
class EventStream implements Watcher {
  /** The newest version that `changed` was called with. The watch of the checkout sets it ({@link Watcher}). */
  shown = 0
  /** When the stream ends because of its age, in milliseconds since the Unix epoch. */
  readonly endAt: number
  /** The network from which the page's request came; `null` if it is unknown. */
  readonly network: string | null
  readonly #streams: Streams
  readonly #id: string
  readonly #seenVersion: number
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null

  /** @param seenVersion The version of the view that the page already has; 0 if the page has no view. */
  constructor(streams: Streams, id: string, seenVersion: number, network: string | null) {
    this.network = network
    this.endAt = streams.clock.now() + LONGEST_STREAM_MS
    this.#streams = streams
    this.#id = id
    this.#seenVersion = seenVersion
  }

  /** Called when the response's `ReadableStream` is created. */
  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller
    this.#streams.open.add(this)
    this.#count(1)
    // `retry`: an EventSource reconnects after two seconds.
    this.send(`retry: 2000\n\n${HEARTBEAT}`)
    this.#streams.watches.watch(this.#id, this)
  }

  /** Called when the checkout has changed. */
  changed(row: Transaction): void {
    const checkout = readCheckout(row)
    const { settled, text } = serializeView(checkout, this.#streams.clock.now())
    const { version } = checkout
    if (version > this.#seenVersion) {
      this.send(`event: status\nid: ${version}\ndata: ${text}\n\n`)
    }
    if (settled) {
      this.end()
    }
  }

  /** Sends a server-sent event to the page. If the page has too many unread events, closes the connection instead. */
  send(text: string): void {
    const controller = this.#controller
    // `desiredSize` is 1 when no event waits, and 1 less for each event that waits.
    if ((controller?.desiredSize ?? 0) > -MAX_WAITING_EVENTS) {
      return controller?.enqueue(ENCODER.encode(text))
    }

    this.cancel()
    controller?.error(new Error('The page takes no events.'))
  }

  /** Ends the stream from the side of the server. */
  end(): void {
    const controller = this.#controller
    this.cancel()
    controller?.close()
  }

  /** Called when the page disconnects. */
  cancel(): void {
    this.#controller = null
    if (!this.#streams.open.delete(this)) {
      return
    }

    this.#count(-1)
    this.#streams.watches.leave(this.#id, this)
  }

  #count(change: 1 | -1): void {
    const { ofNetwork, reportCount } = this.#streams
    reportCount()
    if (this.network === null) {
      return
    }

    const count = (ofNetwork.get(this.network) ?? 0) + change
    if (count === 0) {
      ofNetwork.delete(this.network)
    } else {
      ofNetwork.set(this.network, count)
    }
  }
}

/** What the streams of a server share. */
interface Streams {
  clock: Clock
  watches: Watches
  open: Set<EventStream>
  /** The number of open streams of each client network. */
  ofNetwork: Map<string, number>
  /** Called when a stream was opened or has ended. */
  reportCount: () => void
}

function isLimitReached({ open, ofNetwork, watches }: Streams, id: string, network: string | null): boolean {
  return (
    open.size >= MAX_STREAMS ||
    watches.countOf(id) >= MAX_STREAMS_OF_CHECKOUT ||
    (network !== null && (ofNetwork.get(network) ?? 0) >= MAX_STREAMS_OF_NETWORK)
  )
}

/** Sends a heartbeat to each stream, or ends it at its maximum age. Returns whether any stream is still open. */
function sendHeartbeats({ open, clock }: Streams): boolean {
  const now = clock.now()
  for (const stream of open) {
    if (now >= stream.endAt) {
      stream.end()
    } else {
      stream.send(HEARTBEAT)
    }
  }

  return open.size > 0
}
