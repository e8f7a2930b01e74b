/**
 * Decides when the element polls the BFF and when it opens the BFF's stream. The element polls where streams do not
 * work, and never does both at once. Pure: `next` maps a state and an event to the next state, and `status-watcher.ts`
 * carries it out.
 *
 * The element polls when the page becomes visible, the pop-up closes, or the stream is silent or cut. After a
 * successful poll it opens the stream again. The first beat must arrive within 5 s and the stream must last 10 s;
 * otherwise a proxy probably buffers or cuts streams, and the element only polls. While the page is hidden or offline,
 * the element does not poll, and it closes the stream after at most 30 s.
 */

import type { Answer } from '../bff-client.ts'

const SHORTEST_GAP_MS = 1_000
const LONGEST_GAP_MS = 60_000
/**
 * The pause between polls if the BFF sends no `Retry-After`, in milliseconds. [assumed] The BFF can answer this often.
 */
const USUAL_GAP_MS = 5_000
const FIRST_BACKOFF_MS = 2_000

/**
 * The time within which the first beat of a stream must arrive, in milliseconds. [assumed] The BFF sends a beat at
 * once. If none arrives in time, a proxy buffers the stream.
 */
const FIRST_BEAT_MS = 5_000
/**
 * The longest time without a beat or a view on a stream, in milliseconds. [assumed] It is twice the BFF's interval
 * between beats.
 */
const LONGEST_SILENCE_MS = 30_000
/** How long a hidden page keeps its stream open, in milliseconds. */
const LONGEST_HIDDEN_MS = 30_000
/**
 * The age of a running poll from which a recheck replaces it, in milliseconds. [assumed] An older poll was probably
 * lost with its network.
 */
const LONGEST_POLL_MS = 5_000
/** The shortest life of a useful stream, in milliseconds. [assumed] If streams are cut sooner, polling costs less. */
const SHORTEST_STREAM_MS = 10_000

export interface WatcherState {
  at: 'idle' | 'waiting' | 'polling' | 'streaming' | 'stopped'
  /** The time until the event `timed-out`, in milliseconds; zero if no timer runs. */
  ms: number
  /** The number of failed polls since the last successful poll. */
  failures: number
  canStream: boolean
  /** When the last poll started, in milliseconds since the Unix epoch, by the device's clock. */
  polledAt: number
  streamedAt: number
}

export type WatcherEvent =
  /** The watcher was started, `recheck()` was called, or the page's visibility or network changed. */
  | { type: 'rechecked' }
  | { type: 'timed-out' }
  /** A poll ended: the BFF answered, or the request failed. */
  | { type: 'polled'; answer: Answer }
  /** The stream delivered a beat or a view. */
  | { type: 'streamed' }
  | { type: 'stream-cut' }
  | { type: 'stopped' }

/** The conditions that a decision depends on, besides the state and the event. */
export interface Conditions {
  now: number
  /** Whether the page is hidden: `document.hidden`. */
  hidden: boolean
  /** Whether the browser is online: `navigator.onLine`. */
  onLine: boolean
  /** A random number from 0 (inclusive) to 1 (exclusive). */
  random: number
}

export function initialState(canStream: boolean): WatcherState {
  return { at: 'idle', ms: 0, failures: 0, canStream, polledAt: -Infinity, streamedAt: 0 }
}

/** Returns the state after an event; the same object if timer, request and stream continue unchanged. */
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
  // If the device's clock was set back, `since` lies in the future. The difference then counts as elapsed time.
  const elapsedMs = (since: number) => Math.abs(now - since)
  /**
   * Returns the state that polls after `ms` milliseconds, or at once if `ms` is zero or negative. While the page is
   * hidden or offline, returns the idle state.
   */
  const poll = (ms: number, change?: Partial<WatcherState>) => {
    if (!isWatched) return enter('idle', 0, change)
    return ms > 0 ? enter('waiting', ms, change) : enter('polling', 0, { ...change, polledAt: now })
  }
  /**
   * Returns the state after a poll: it opens a stream if streams work and the poll succeeded, otherwise it waits for
   * the next poll.
   */
  const proceed = (retryAfterMs: number, failures: number) =>
    state.canStream && failures === 0 && isWatched
      ? enter('streaming', FIRST_BEAT_MS, { failures, streamedAt: now })
      : poll(paceMs(retryAfterMs, failures, random), { failures })
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
 * Returns the pause before the next poll, in milliseconds: the BFF's `Retry-After`, but at least one second and at most
 * one minute. The pause doubles with each failure, up to one minute, with random jitter so that many pages do not poll
 * at the same time.
 *
 * @param retryAfterMs The BFF's `Retry-After` in milliseconds; zero if there is none.
 * @param failures The number of failed polls since the last successful poll.
 * @param random A random number from 0 (inclusive) to 1 (exclusive).
 */
export function paceMs(retryAfterMs: number, failures: number, random: number): number {
  const backoffMs = Math.min(FIRST_BACKOFF_MS * 2 ** (failures - 1), LONGEST_GAP_MS) * (0.5 + random / 2)
  const gapMs = failures > 0 ? Math.max(backoffMs, retryAfterMs) : retryAfterMs || USUAL_GAP_MS
  return Math.min(Math.max(gapMs, SHORTEST_GAP_MS), LONGEST_GAP_MS)
}
