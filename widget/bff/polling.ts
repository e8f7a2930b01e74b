/**
 * Decides when the element polls the BFF, and when the element opens the BFF's stream instead. Pure: the watcher
 * (`status-watcher.ts`) carries out the decisions.
 *
 * The element polls when the page becomes visible, when the pop-up that shows the hosted page closes, and when the
 * stream is silent or cut. After a successful poll, the element opens the stream. If a stream is silent or cut within
 * 10 s, a proxy probably buffers or cuts streams. The element then opens no more streams and only polls.
 *
 * While the page is hidden, the element does not poll, and closes the stream after 30 s. What the browser says of the
 * network (`navigator.onLine`) decides nothing: without a network, a payment server on the same machine still answers.
 *
 * While the page is visible, the element never gives up before the checkout has ended, whatever fails: the pauses between
 * polls grow to a minute at most. Once the checkout is settled, the element polls once a minute, because the gateway may still report that the payment
 * was reversed or refunded.
 */

import type { Answer } from './bff-client.ts'

const SHORTEST_GAP_MS = 1_000
const LONGEST_GAP_MS = 60_000
/** Milliseconds between polls if the BFF sends no `Retry-After`. [assumed] The BFF can handle polls at this rate. */
const USUAL_GAP_MS = 5_000
const FIRST_BACKOFF_MS = 2_000

/**
 * The maximum time from opening a stream to its first heartbeat, in milliseconds. [assumed] The BFF sends a heartbeat
 * at once. If the heartbeat is late, a proxy probably buffers the stream.
 */
const FIRST_BEAT_MS = 5_000
/** The maximum time between two events of a stream, in milliseconds. [assumed] The BFF sends a heartbeat every 15 s. */
const LONGEST_SILENCE_MS = 30_000
/** Milliseconds for which a hidden page keeps its stream open. */
const LONGEST_HIDDEN_MS = 30_000
/**
 * If a poll has had no response for this time, in milliseconds, `recheck()` replaces it with a new poll. [assumed] The
 * response is then probably lost.
 */
const LONGEST_POLL_MS = 5_000
/**
 * The minimum duration of a stream, in milliseconds. If a stream is cut or becomes silent earlier, the element opens no
 * more streams and only polls. [assumed] Polling costs less than short streams.
 */
const SHORTEST_STREAM_MS = 10_000

export interface WatcherState {
  at: 'idle' | 'waiting' | 'polling' | 'streaming' | 'stopped'
  /** Milliseconds until the event `timed-out`; zero if no timer runs. */
  ms: number
  /** The number of failed polls since the last successful poll. */
  failures: number
  /** `false` if the browser has no `EventSource`, or if a stream was cut or silent within 10 s. */
  canStream: boolean
  /** When the last poll started, in milliseconds since the Unix epoch, by the device's clock. */
  polledAt: number
  /** When the last stream was opened, by the device's clock. */
  streamOpenedAt: number
}

export type WatcherEvent =
  /** The watcher was started, `recheck()` was called, or the page became visible, hidden, online or offline. */
  | { type: 'rechecked' }
  | { type: 'timed-out' }
  /** A poll ended with a response or a failure. */
  | { type: 'polled'; answer: Answer }
  /** The stream delivered a view, or a heartbeat: `answer` is then `null`. */
  | { type: 'streamed'; answer: Answer | null }
  | { type: 'stream-cut' }
  | { type: 'stopped' }

/** The inputs of {@link next} other than the state and the event. */
export interface Conditions {
  now: number
  /** Whether the page is hidden: `document.hidden`. */
  hidden: boolean
  /** Whether there is a seat for a stream (`stream-seats.ts`). */
  mayStream: boolean
  /** A random number from 0 (inclusive) to 1 (exclusive). */
  random: number
}

export function initialState(canStream: boolean): WatcherState {
  return { at: 'idle', ms: 0, failures: 0, canStream, polledAt: -Infinity, streamOpenedAt: 0 }
}

/** Returns the state after an event; `state` itself if the current timer, request and stream continue. */
export function next(
  state: WatcherState,
  event: WatcherEvent,
  { now, hidden, mayStream, random }: Conditions,
): WatcherState {
  const { at } = state

  const enter = (place: WatcherState['at'], ms: number, change?: Partial<WatcherState>): WatcherState => {
    return { ...state, at: place, ms, ...change }
  }

  // After the device's clock was set back, `since` lies in the future. The difference counts as elapsed time.
  const elapsedMs = (since: number) => Math.abs(now - since)

  /**
   * Returns the state in which the watcher polls after `ms` milliseconds, or at once if `ms <= 0`. If the page is
   * hidden, returns the state `idle`.
   */
  const poll = (ms: number, change?: Partial<WatcherState>) => {
    if (hidden) {
      return enter('idle', 0, change)
    }
    return ms > 0 ? enter('waiting', ms, change) : enter('polling', 0, { ...change, polledAt: now })
  }

  /**
   * Returns the state after a poll. The watcher opens a stream if the poll succeeded, streams work (`canStream`),
   * there is a seat for one (`mayStream`), and the page is visible. Otherwise, the watcher waits for the next poll.
   */
  const proceed = (retryAfterMs: number, failures: number) =>
    state.canStream && mayStream && failures === 0 && !hidden
      ? enter('streaming', FIRST_BEAT_MS, { failures, streamOpenedAt: now })
      : poll(paceMs(retryAfterMs, failures, random), { failures })
  const abandonStream = (gapMs: number) =>
    poll(gapMs, { canStream: elapsedMs(state.streamOpenedAt) >= SHORTEST_STREAM_MS })

  if (at === 'stopped') {
    return state
  }

  switch (event.type) {
    case 'rechecked':
      if (at === 'streaming' && hidden) {
        return enter(at, LONGEST_HIDDEN_MS)
      }

      return at === 'polling' && elapsedMs(state.polledAt) <= LONGEST_POLL_MS
        ? state
        : poll(SHORTEST_GAP_MS - elapsedMs(state.polledAt))
    case 'timed-out':
      return at === 'streaming' ? abandonStream(0) : poll(0)
    case 'polled':
      if (isSettled(event.answer)) {
        return poll(LONGEST_GAP_MS, { failures: 0 })
      }
      return proceed(event.answer.retryAfterMs, 'failure' in event.answer ? state.failures + 1 : 0)
    case 'streamed':
      if (at === 'streaming' && isSettled(event.answer)) {
        return poll(LONGEST_GAP_MS)
      }
      // A hidden page keeps the timer that closes its stream.
      return at === 'streaming' && !hidden ? enter(at, LONGEST_SILENCE_MS) : state
    case 'stream-cut':
      return abandonStream(paceMs(0, 1, random))
    case 'stopped':
      return enter('stopped', 0)
  }
}

function isSettled(answer: Answer | null): boolean {
  return answer !== null && 'view' in answer && answer.view.settled
}

/**
 * Returns the pause before the next poll in milliseconds, from one second to one minute.
 *
 * After a successful poll, the pause is the BFF's `Retry-After`, or 5 s without this header.
 *
 * After a failed poll, the pause is a random time between half of a maximum and the whole maximum, so that many pages
 * do not poll at the same time. The maximum is 2 s after the first failed poll, and doubles with each further failed
 * poll. If the BFF's `Retry-After` is longer than the random time, the pause is `Retry-After`.
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
