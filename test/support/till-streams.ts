/** The till's streams, as the element's EventSource meets them, and what lines do to streams. */

import type { Clock } from '../../widget/clock.ts'
import type { Till } from './till.ts'

/**
 * What becomes of a stream that is opened: it works; a proxy holds back all that it says; it is refused, or answered
 * by something else; it is cut right after its first word.
 */
export type Line = 'open' | 'buffered' | 'refused' | 'cut'

export interface Streams {
  /** Stands in for the browser's own. */
  readonly EventSource: unknown
  line: Line
  /** How many are open now. */
  readonly open: number
  /** The addresses of all that were ever opened. */
  readonly opened: string[]
  /** How many questions were asked while a stream was open. */
  overlaps: number
  /** What the BFF says on all of them: the view as it stands, or any text. */
  tell(text?: string): void
  /** What is open is never heard again, and does not know it. */
  mute(): void
  /** What is open breaks. */
  cut(): void
}

const BEAT_MS = 15_000

export function createStreams(till: Till, clock: Clock, line: Line): Streams {
  const open = new Set<TillStream>()
  const view = () => JSON.stringify({ ...till.view, server_time: new Date(clock.now()).toISOString() })

  class TillStream extends EventTarget {
    onerror: (() => void) | null = null
    isMute = streams.line === 'buffered'
    #cancelBeat = () => {}

    constructor(url: string) {
      super()
      streams.opened.push(new URL(url).pathname)
      open.add(this)
      queueMicrotask(() => this.#begin())
    }

    #begin() {
      if (streams.line === 'refused') return this.break()
      this.#beat()
      this.say('status', view())
      if (streams.line === 'cut') this.break()
    }

    #beat() {
      this.say('beat', '')
      this.#cancelBeat = clock.after(BEAT_MS, () => this.#beat())
    }

    say(type: string, data: string) {
      if (!this.isMute && open.has(this)) this.dispatchEvent(new MessageEvent(type, { data }))
    }

    break() {
      if (open.has(this)) this.onerror?.()
    }

    close() {
      this.#cancelBeat()
      open.delete(this)
    }
  }

  const streams: Streams = {
    EventSource: TillStream,
    line,
    get open() {
      return open.size
    },
    opened: [],
    overlaps: 0,
    tell: (text) => [...open].forEach((stream) => stream.say('status', text ?? view())),
    mute: () => [...open].forEach((stream) => (stream.isMute = true)),
    cut: () => [...open].forEach((stream) => stream.break()),
  }
  return streams
}
