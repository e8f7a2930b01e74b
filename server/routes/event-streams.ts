/**
 * Open streams of server-sent events. One timer serves all streams: it sends the heartbeats, and ends the streams
 * that are too old.
 */

import type { Clock } from '../clock.ts'
import { createTicker } from '../ticker.ts'

/** [assumed] Proxies close silent connections. The element reconnects after two missing heartbeats. */
const HEARTBEAT_MS = 15_000
/** The maximum age of a stream, in milliseconds. A page that still needs the stream then opens a new one. */
const LONGEST_STREAM_MS = 15 * 60_000
const TICK_MS = 1_000
const ENCODER = new TextEncoder()
const BEAT = 'event: beat\ndata:\n\n'

export interface EventStream {
  send(text: string): void
  end(): void
}

interface OpenStream extends EventStream {
  /** When the next heartbeat is due, in milliseconds since the Unix epoch. */
  beatAt: number
  endAt: number
}

export class EventStreams {
  readonly #clock: Clock
  readonly #open = new Set<OpenStream>()
  readonly #startBeating: () => void

  /** @param stopping A signal that ends all streams when it aborts. Pages then reconnect automatically. */
  constructor(clock: Clock, stopping: AbortSignal) {
    this.#clock = clock
    this.#startBeating = createTicker(clock, TICK_MS, () => this.#beat())
    stopping.addEventListener('abort', () => this.#open.forEach((stream) => stream.end()))
  }

  get size(): number {
    return this.#open.size
  }

  /**
   * Opens a stream and sends a first heartbeat.
   *
   * @param started Receives the stream. Returns a function that is called when the stream is closed by either side.
   */
  open(started: (stream: EventStream) => () => void): ReadableStream<Uint8Array> {
    let close = () => {}
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        const now = this.#clock.now()
        const stream: OpenStream = {
          beatAt: now + HEARTBEAT_MS,
          endAt: now + LONGEST_STREAM_MS,
          send: (text) => controller.enqueue(ENCODER.encode(text)),
          end() {
            close()
            controller.close()
          },
        }
        this.#open.add(stream)
        this.#startBeating()
        stream.send(`retry: 2000\n\n${BEAT}`)
        const closed = started(stream)
        close = () => {
          close = () => {}
          stream.send = () => {}
          stream.end = () => {}
          this.#open.delete(stream)
          closed()
        }
      },
      cancel: () => close(),
    })
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
