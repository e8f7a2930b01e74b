/**
 * Decides how the element learns of changes: by the BFF's stream, or by polling where streams do not work, never by
 * both at once. Pure: `next` maps a state and an event to the next state, and `status-watcher.ts` carries it out.
 *
 * Every doubt (the page returns, the pop-up closes, the stream is silent or cut) leads to a poll, and a successful
 * poll to the next stream. A proxy that buffers a stream looks like a silent one: a stream must be heard within 5 s
 * and last 10 s, otherwise the element only polls. While the page is hidden or offline there is no poll and no timer,
 * and soon no stream.
 */

import type { Answer } from '../bff-client.ts'

const SHORTEST_GAP_MS = 1_000
const LONGEST_GAP_MS = 60_000
/** [assumed] When the BFF sends no `Retry-After`. */
const USUAL_GAP_MS = 5_000
const FIRST_BACKOFF_MS = 2_000

/** [assumed] The BFF sends a beat at once; a stream that is silent for so long is buffered by a proxy. */
const FIRST_BEAT_MS = 5_000
/** [assumed] Twice the BFF's interval between beats. */
const LONGEST_SILENCE_MS = 30_000
/** A hidden page keeps its stream for so long. */
const LONGEST_HIDDEN_MS = 30_000
/** [assumed] An older poll was probably lost with the network that it was sent over. */
const LONGEST_POLL_MS = 5_000
/** [assumed] Where streams are cut sooner, polling costs less. */
const SHORTEST_STREAM_MS = 10_000

export interface WatcherState {
  at: 'idle' | 'waiting' | 'polling' | 'streaming' | 'stopped'
  /** When `timed-out` is due; zero for never. */
  ms: number
  /** Polls that failed since the last one that succeeded. */
  failures: number
  canStream: boolean
  /** Milliseconds since the Unix epoch, by the device. */
  polledAt: number
  streamedAt: number
}

export type WatcherEvent =
  /** At the start, and when something may have changed: the page is visible again, the network is back. */
  | { type: 'rechecked' }
  | { type: 'timed-out' }
  /** The BFF answered. */
  | { type: 'polled'; answer: Answer }
  /** The stream delivered a beat or a view. */
  | { type: 'streamed' }
  | { type: 'stream-cut' }
  | { type: 'stopped' }

/** What the decision depends on besides state and event. */
export interface Conditions {
  now: number
  /** `document.hidden` */
  hidden: boolean
  /** `navigator.onLine` */
  onLine: boolean
  /** From 0 to just below 1. */
  random: number
}

export function initialState(canStream: boolean): WatcherState {
  return { at: 'idle', ms: 0, failures: 0, canStream, polledAt: -Infinity, streamedAt: 0 }
}

/** Returns the same object when timer, request and stream stay as they are. */
export function next(
  state: WatcherState,
  event: WatcherEvent,
  { now, hidden, onLine, random }: Conditions,
): WatcherState {
  const { at } = state
  const isWatched = !hidden && onLine
  const enter = (place: WatcherState['at'], ms: number, change?: Partial<WatcherState>): WatcherState => ({
    ...state,
    at: place,
    ms,
    ...change,
  })
  // After the device's clock was set back, the moment lies in the future; the difference then counts as elapsed.
  const elapsedMs = (since: number) => Math.abs(now - since)
  /** Polls after a pause; at once when it is not positive. */
  const poll = (ms: number, change?: Partial<WatcherState>) => {
    if (!isWatched) return enter('idle', 0, change)
    return ms > 0 ? enter('waiting', ms, change) : enter('polling', 0, { ...change, polledAt: now })
  }
  /** After an answer: opens a stream where that works, else waits for the next poll. */
  const proceed = (wishMs: number, failures: number) =>
    state.canStream && failures === 0 && isWatched
      ? enter('streaming', FIRST_BEAT_MS, { failures, streamedAt: now })
      : poll(paceMs(wishMs, failures, random), { failures })
  const abandonStream = (gapMs: number) =>
    poll(gapMs, { canStream: elapsedMs(state.streamedAt) >= SHORTEST_STREAM_MS })

  if (at === 'stopped') return state
  switch (event.type) {
    case 'rechecked':
      if (at === 'streaming' && hidden) return enter(at, LONGEST_HIDDEN_MS)
      return at === 'polling' && elapsedMs(state.polledAt) <= LONGEST_POLL_MS
        ? state
        : poll(SHORTEST_GAP_MS - elapsedMs(state.polledAt))
    case 'timed-out':
      return at === 'streaming' ? abandonStream(0) : poll(0)
    case 'polled':
      return proceed(event.answer.retryAfterMs, 'failure' in event.answer ? state.failures + 1 : 0)
    case 'streamed':
      // A hidden page keeps the timer that closes its stream.
      return at === 'streaming' && !hidden ? enter(at, LONGEST_SILENCE_MS) : state
    case 'stream-cut':
      return abandonStream(paceMs(0, 1, random))
    case 'stopped':
      return enter('stopped', 0)
  }
}

/**
 * The pause before the next poll: the BFF's wish within limits. After failures it doubles with each, up to a minute,
 * and is spread at random, so that many pages do not return at the same moment.
 *
 * @param wishMs Zero for none.
 */
export function paceMs(wishMs: number, failures: number, random: number): number {
  const backoffMs = Math.min(FIRST_BACKOFF_MS * 2 ** (failures - 1), LONGEST_GAP_MS) * (0.5 + random / 2)
  const gapMs = failures > 0 ? Math.max(backoffMs, wishMs) : wishMs || USUAL_GAP_MS
  return Math.min(Math.max(gapMs, SHORTEST_GAP_MS), LONGEST_GAP_MS)
}
