/**
 * Decides how the element learns of changes: by the BFF's stream, or by polling where streams do not work, never by
 * both at once. Pure: `next` maps a state and an event to the next state, and `status-watcher.ts` carries it out.
 *
 * Every doubt (the page returns, the pop-up closes, the stream is silent or cut) leads to a poll, and a successful
 * poll to the next stream. A proxy that buffers a stream looks like a silent one: a stream must be heard within 5 s
 * and last 10 s, otherwise the element only polls. While the page is hidden or offline there is no poll and no timer,
 * and soon no stream.
 */

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

/** `ms`: when `timed-out` is due. A new object restarts the timer, and a new `polling` sends a new request. */
export type Connection =
  | { at: 'none' }
  | { at: 'waiting'; ms: number }
  | { at: 'polling' }
  | { at: 'streaming'; ms: number }
  | { at: 'stopped' }

export interface WatcherState {
  connection: Connection
  /** Polls that failed since the last one that succeeded. */
  failures: number
  canStream: boolean
  /** Milliseconds since the Unix epoch, by the device. */
  polledAt: number
  streamedAt: number
}

export type WatcherEvent =
  /** `retryAfterMs`: when the BFF wants the next poll, if it has answered already; else zero. */
  | { type: 'started'; retryAfterMs: number }
  /** Something may have changed: the page is visible again, the network is back, the pop-up was closed. */
  | { type: 'rechecked' }
  | { type: 'timed-out' }
  /** `retryAfterMs` is zero when the BFF did not say. */
  | { type: 'polled'; hasFailed: boolean; retryAfterMs: number }
  /** The stream delivered a beat or a view. */
  | { type: 'streamed' }
  | { type: 'stream-cut' }
  | { type: 'stopped' }

/** What the decision depends on besides state and event. */
export interface Conditions {
  now: number
  isVisible: boolean
  isOnline: boolean
  /** From 0 to just below 1. */
  random: number
}

export function initialState(canStream: boolean): WatcherState {
  return { connection: { at: 'none' }, failures: 0, canStream, polledAt: -Infinity, streamedAt: 0 }
}

/** The same `connection` object means: leave request, stream and timer as they are. */
export function next(state: WatcherState, event: WatcherEvent, conditions: Conditions): WatcherState {
  const { at } = state.connection
  if (at === 'stopped') return state
  switch (event.type) {
    case 'started':
      return event.retryAfterMs ? proceed(state, event.retryAfterMs, conditions) : poll(state, 0, conditions)
    case 'rechecked':
      return recheck(state, conditions)
    case 'timed-out':
      return at === 'streaming' ? abandonStream(state, 0, conditions) : poll(state, 0, conditions)
    case 'polled': {
      const failures = event.hasFailed ? state.failures + 1 : 0
      return proceed({ ...state, failures }, event.retryAfterMs, conditions)
    }
    case 'streamed':
      // A hidden page keeps the timer that closes its stream.
      return at === 'streaming' && conditions.isVisible
        ? { ...state, connection: { at, ms: LONGEST_SILENCE_MS } }
        : state
    case 'stream-cut':
      return abandonStream(state, paceMs(0, 1, conditions.random), conditions)
    case 'stopped':
      return { ...state, connection: { at: 'stopped' } }
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

function recheck(state: WatcherState, conditions: Conditions): WatcherState {
  switch (state.connection.at) {
    case 'polling':
      return elapsedMs(state.polledAt, conditions) > LONGEST_POLL_MS ? poll(state, 0, conditions) : state
    case 'streaming':
      return conditions.isVisible
        ? poll(state, 0, conditions)
        : { ...state, connection: { at: 'streaming', ms: LONGEST_HIDDEN_MS } }
    case 'none':
    case 'waiting':
    case 'stopped':
      return poll(state, 0, conditions)
  }
}

/** After a poll: opens a stream where that works, else waits for the next poll. */
function proceed(state: WatcherState, wishMs: number, conditions: Conditions): WatcherState {
  const { canStream, failures } = state
  if (canStream && failures === 0 && isWatched(conditions))
    return { ...state, connection: { at: 'streaming', ms: FIRST_BEAT_MS }, streamedAt: conditions.now }
  return poll(state, paceMs(wishMs, failures, conditions.random), conditions)
}

function abandonStream(state: WatcherState, gapMs: number, conditions: Conditions): WatcherState {
  const canStream = elapsedMs(state.streamedAt, conditions) >= SHORTEST_STREAM_MS
  return poll({ ...state, canStream }, gapMs, conditions)
}

/** Polls after a pause, and never twice within a second. */
function poll(state: WatcherState, gapMs: number, conditions: Conditions): WatcherState {
  if (!isWatched(conditions)) return { ...state, connection: { at: 'none' } }
  const ms = Math.max(gapMs, SHORTEST_GAP_MS - elapsedMs(state.polledAt, conditions))
  return ms > 0
    ? { ...state, connection: { at: 'waiting', ms } }
    : { ...state, connection: { at: 'polling' }, polledAt: conditions.now }
}

function isWatched({ isVisible, isOnline }: Conditions): boolean {
  return isVisible && isOnline
}

/** After the device's clock was set back, the moment lies in the future; the difference then counts as elapsed. */
function elapsedMs(since: number, { now }: Conditions): number {
  return Math.abs(now - since)
}
