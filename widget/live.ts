/**
 * Follows a checkout while somebody looks: the BFF's stream tells of each change, and where there is none the element
 * asks at the pace that the BFF sets. Never both at once.
 *
 * Whatever raises a doubt (a return, a hint, silence, a broken line) is answered by a question, and the answer shows
 * that the BFF is there, so that a stream is worth trying. A proxy that holds a stream back looks like one that says
 * nothing, so a stream has to be heard soon and to last, or it was the last one. Nobody looking, or no network: no
 * question and no timer, and soon no stream.
 */

import { askBff, readAnswer } from './bff-client.ts'

import type { Answer } from './bff-client.ts'
import type { Environment } from './environment.ts'

const SHORTEST_GAP_MS = 1_000
const LONGEST_GAP_MS = 60_000
/** [assumed] When the BFF does not say. */
const USUAL_GAP_MS = 5_000
const FIRST_BACKOFF_MS = 2_000

/** [assumed] The BFF beats at once; a stream not heard by now is held back by a proxy. */
const FIRST_BEAT_MS = 5_000
/** [assumed] Two beats of the BFF. */
const LONGEST_SILENCE_MS = 30_000
const LONGEST_HIDDEN_MS = 30_000
/** [assumed] Asked longer ago, a question that somebody comes back to went down with the network it was asked over. */
const LONGEST_ASKING_MS = 5_000
/** [assumed] A line that is cut sooner is better asked over. */
const SHORTEST_STREAM_MS = 10_000

/**
 * Runs until `signal` aborts. What it returns is a doubt: asks at once, though never twice within a second, and
 * not beside a question that may still be answered.
 *
 * @param url Where the status is asked for.
 * @param wishMs When the BFF wants to be asked after what it has just said; zero when it has said nothing yet.
 */
export function follow(
  url: string,
  learn: (answer: Answer) => void,
  environment: Environment,
  wishMs: number,
  signal: AbortSignal,
): () => void {
  const { clock, random, window } = environment
  let failures = 0
  let askedAt = -Infinity
  let asking: AbortController | null = null
  let isStreamable = Boolean(window.EventSource)
  let openedAt = 0
  let stream: EventSource | null = null
  let cancel = () => {}

  /** How long ago: a clock that was set back meanwhile leaves no telling, and counts as long enough. */
  const sinceMs = (at: number) => Math.abs(clock.now() - at)
  const isThere = () => !window.document.hidden && window.navigator.onLine && !signal.aborted
  const close = () => {
    stream?.close()
    stream = null
  }

  const wait = (gapMs: number) => {
    cancel()
    if (!isThere()) return close()
    if (asking) return
    const waitMs = Math.max(gapMs, SHORTEST_GAP_MS - sinceMs(askedAt))
    if (waitMs > 0) cancel = clock.after(waitMs, () => void question())
    else void question()
  }
  const question = async () => {
    close()
    const own = (asking = new AbortController())
    askedAt = clock.now()
    const answer = await askBff(url, { cache: 'no-cache' }, environment, own.signal)
    if (asking !== own) return
    asking = null
    learn(answer)
    failures = 'view' in answer ? 0 : failures + 1
    goOn(answer.retryAfterMs)
  }
  const goOn = (gapMs: number) => {
    if (isStreamable && failures === 0 && isThere()) listen()
    else wait(paceMs(gapMs, failures, random))
  }

  const listen = () => {
    openedAt = clock.now()
    stream = new window.EventSource(`${url}/stream`)
    stream.onerror = () => lose(paceMs(0, 1, random))
    for (const type of ['beat', 'status']) stream.addEventListener(type, hear)
    expectBeat(FIRST_BEAT_MS)
  }
  const hear = ({ data }: MessageEvent<string>) => {
    if (data) void readAnswer(new Response(data)).then(learn)
    if (!window.document.hidden) expectBeat(LONGEST_SILENCE_MS)
  }
  const expectBeat = (ms: number) => {
    cancel()
    cancel = clock.after(ms, () => lose(0))
  }
  const lose = (gapMs: number) => {
    close()
    isStreamable = sinceMs(openedAt) >= SHORTEST_STREAM_MS
    wait(gapMs)
  }

  const giveUp = () => {
    asking?.abort()
    asking = null
  }
  const doubt = () => {
    if (sinceMs(askedAt) > LONGEST_ASKING_MS) giveUp()
    if (stream && window.document.hidden) expectBeat(LONGEST_HIDDEN_MS)
    else wait(0)
  }
  signal.addEventListener('abort', () => {
    giveUp()
    wait(0)
  })
  if (wishMs) goOn(wishMs)
  else wait(0)
  return doubt
}

/**
 * The BFF's wish, within reason. After failures the gap doubles with each, up to a minute, and is spread so that
 * many pages do not return as one.
 *
 * @param wishMs zero for none.
 */
export function paceMs(wishMs: number, failures: number, random: () => number): number {
  const backoffMs = Math.min(FIRST_BACKOFF_MS * 2 ** (failures - 1), LONGEST_GAP_MS) * (0.5 + random() / 2)
  const gapMs = failures > 0 ? Math.max(backoffMs, wishMs) : wishMs || USUAL_GAP_MS
  return Math.min(Math.max(gapMs, SHORTEST_GAP_MS), LONGEST_GAP_MS)
}
