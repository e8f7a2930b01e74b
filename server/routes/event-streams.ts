/**
 * The open streams of server-sent events. A single timer sends the heartbeats of all streams, and ends each stream that
 * has reached its maximum age.
 */

import type { Clock } from '../clock.ts'
import { createTicker } from '../ticker.ts'

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
const TICK_MS = 1_000
const ENCODER = new TextEncoder()
const BEAT = 'event: beat\ndata:\n\n'

/**
 * A page that receives the events of a stream. The stream calls `opened` when it opens, and `closed` when it closes.
 */
export interface StreamPage {
  opened(stream: EventStream): void
  closed(): void
}

/**
 * A stream of server-sent events to one page. This object is also the underlying source of the response's
 * `ReadableStream`. A separate object for each source would cost memory, because thousands of streams may be open.
 */
export class EventStream {
  /** When the next heartbeat is due, in milliseconds since the Unix epoch. */
  beatAt: number
  readonly endAt: number
  /**
   * The network from which the page's request came; `null` if the network is unknown. The number of open streams per
   * network is limited.
   */
  readonly network: string | null
  readonly #open: OpenStreams
  readonly #page: StreamPage
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null

  /** @param open The set of open streams. This stream is added to the set when it starts, and removed when it ends. */
  constructor(open: OpenStreams, page: StreamPage, network: string | null, now: number) {
    this.network = network
    this.beatAt = now + HEARTBEAT_MS
    this.endAt = now + LONGEST_STREAM_MS
    this.#open = open
    this.#page = page
  }

  /** Sends a server-sent event to the page. If the page has too many unread events, closes the connection instead. */
  send(text: string): void {
    const controller = this.#controller
    if ((controller?.desiredSize ?? 0) > -MAX_WAITING_EVENTS) return controller?.enqueue(ENCODER.encode(text))
    this.cancel()
    controller?.error(new Error('The page takes no events.'))
  }

  end(): void {
    const controller = this.#controller
    this.cancel()
    controller?.close()
  }

  /** Called when the response's `ReadableStream` is created. */
  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller
    this.#open.add(this)
    this.send(`retry: 2000\n\n${BEAT}`)
    this.#page.opened(this)
  }

  /** Called when the page disconnects. */
  cancel(): void {
    this.#controller = null
    if (this.#open.delete(this)) this.#page.closed()
  }
}

/**
 * The set of open streams, with a count of the streams of each network. `counted` is called with the size of the set
 * whenever the size changes.
 */
class OpenStreams extends Set<EventStream> {
  readonly #counted: (size: number) => void
  readonly #byNetwork = new Map<string, number>()

  constructor(counted: (size: number) => void) {
    super()
    this.#counted = counted
  }

  countOf(network: string | null): number {
    return this.#byNetwork.get(network ?? '') ?? 0
  }

  override add(stream: EventStream): this {
    super.add(stream)
    this.#change(stream, 1)
    return this
  }

  override delete(stream: EventStream): boolean {
    const isDeleted = super.delete(stream)
    if (isDeleted) this.#change(stream, -1)
    return isDeleted
  }

  #change({ network }: EventStream, by: number): void {
    this.#counted(this.size)
    if (network === null) return
    const count = this.countOf(network) + by
    if (count > 0) this.#byNetwork.set(network, count)
    else this.#byNetwork.delete(network)
  }
}

export class EventStreams {
  readonly #clock: Clock
  readonly #open: OpenStreams
  readonly #startBeating: () => void

  /**
   * @param stopping An abort signal. When the signal aborts, all streams end, and the pages reconnect automatically.
   * @param counted Called with the number of open streams whenever this number changes.
   */
  constructor(clock: Clock, stopping: AbortSignal, counted: (open: number) => void) {
    this.#clock = clock
    this.#open = new OpenStreams(counted)
    this.#startBeating = createTicker(clock, TICK_MS, () => this.#beat())
    stopping.addEventListener('abort', () => this.#open.forEach((stream) => stream.end()))
  }

  get size(): number {
    return this.#open.size
  }

  /** Returns the number of open streams of a network; 0 if `network` is `null`. */
  countOf(network: string | null): number {
    return this.#open.countOf(network)
  }

  /** Opens a stream to a page, and sends the first heartbeat at once. */
  open(page: StreamPage, network: string | null): ReadableStream<Uint8Array> {
    const stream = new EventStream(this.#open, page, network, this.#clock.now())
    const opened = new ReadableStream<Uint8Array>(stream)
    this.#startBeating()
    return opened
  }

  /**
   * Sends the heartbeats that are due, and ends the streams that have reached their maximum age. Returns whether any
   * stream is still open.
   */
  #beat(): boolean {
    const now = this.#clock.now()
    for (const stream of this.#open) {
      if (now >= stream.endAt) stream.end()
      else if (now >= stream.beatAt) {
        stream.beatAt += HEARTBEAT_MS
        stream.send(BEAT)
      }
    }
    return this.#open.size > 0
  }
}
