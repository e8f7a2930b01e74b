/**
 * Open streams of server-sent events. One timer serves all streams: it sends the heartbeats, and ends the streams
 * that are too old.
 */

import type { Clock } from '../clock.ts'
import { createTicker } from '../ticker.ts'

/**
 * Milliseconds between two heartbeats of a stream. [assumed] Proxies close connections without data. The element
 * reconnects after two missing heartbeats.
 */
const HEARTBEAT_MS = 15_000
/** The maximum age of a stream, in milliseconds. A page that still needs the stream then opens a new one. */
const LONGEST_STREAM_MS = 15 * 60_000
const TICK_MS = 1_000
const ENCODER = new TextEncoder()
const BEAT = 'event: beat\ndata:\n\n'

/** A page that receives a stream. The stream calls these methods when it opens and when it closes. */
export interface StreamPage {
  opened(stream: EventStream): void
  /** Called when the page or this server closes the stream. */
  closed(): void
}

/**
 * A stream of server-sent events, and the source of its own `ReadableStream`. A single object saves memory, because
 * thousands of streams are open at once.
 */
export class EventStream {
  /** When the next heartbeat is due, in milliseconds since the Unix epoch. */
  beatAt: number
  readonly endAt: number
  readonly #open: Set<EventStream>
  readonly #page: StreamPage
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null

  /** @param open The open streams, to which a started stream is added. */
  constructor(open: Set<EventStream>, page: StreamPage, now: number) {
    this.beatAt = now + HEARTBEAT_MS
    this.endAt = now + LONGEST_STREAM_MS
    this.#open = open
    this.#page = page
  }

  send(text: string): void {
    this.#controller?.enqueue(ENCODER.encode(text))
  }

  end(): void {
    const controller = this.#controller
    this.cancel()
    controller?.close()
  }

  /** Called by the `ReadableStream` when it is created. */
  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller
    this.#open.add(this)
    this.send(`retry: 2000\n\n${BEAT}`)
    this.#page.opened(this)
  }

  /** Called by the `ReadableStream` when the page disconnects. */
  cancel(): void {
    this.#controller = null
    if (this.#open.delete(this)) this.#page.closed()
  }
}

/** A set of streams that reports its size whenever the size changes. */
class CountedStreams extends Set<EventStream> {
  readonly #counted: (size: number) => void

  constructor(counted: (size: number) => void) {
    super()
    this.#counted = counted
  }

  override add(stream: EventStream): this {
    super.add(stream)
    this.#counted(this.size)
    return this
  }

  override delete(stream: EventStream): boolean {
    const isDeleted = super.delete(stream)
    if (isDeleted) this.#counted(this.size)
    return isDeleted
  }
}

export class EventStreams {
  readonly #clock: Clock
  readonly #open: Set<EventStream>
  readonly #startBeating: () => void

  /**
   * @param stopping A signal that ends all streams when it aborts. Pages then reconnect automatically.
   * @param counted Called with the number of open streams whenever it changes.
   */
  constructor(clock: Clock, stopping: AbortSignal, counted: (open: number) => void) {
    this.#clock = clock
    this.#open = new CountedStreams(counted)
    this.#startBeating = createTicker(clock, TICK_MS, () => this.#beat())
    stopping.addEventListener('abort', () => this.#open.forEach((stream) => stream.end()))
  }

  get size(): number {
    return this.#open.size
  }

  /** Opens a stream and sends a first heartbeat. */
  open(page: StreamPage): ReadableStream<Uint8Array> {
    const opened = new ReadableStream<Uint8Array>(new EventStream(this.#open, page, this.#clock.now()))
    this.#startBeating()
    return opened
  }

  /** Sends the due heartbeats and ends old streams. Returns whether any stream is still open. */
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
