/** Keeps a checkout's view up to date: carries out what `status-watcher/next.ts` decides. */

import { askBff, readAnswer } from './bff-client.ts'
import { initialState, next } from './status-watcher/next.ts'

import type { Answer } from './bff-client.ts'
import type { Environment } from './environment.ts'
import type { WatcherEvent } from './status-watcher/next.ts'

/**
 * Runs until `signal` aborts.
 *
 * @param url Address of the status; the stream is at `{url}/stream`.
 * @param receive Gets every answer, of a poll or of the stream.
 * @param retryAfterMs When the BFF wants the first poll, if it has answered already; else zero.
 * @returns `recheck()`, which polls at once. Ignored within one second of the last poll, and while a poll runs.
 */
export function watchStatus(
  url: string,
  receive: (answer: Answer) => void,
  environment: Environment,
  retryAfterMs: number,
  signal: AbortSignal,
): () => void {
  const { clock, random, window } = environment
  let state = initialState(Boolean(window.EventSource))
  let request: AbortController | null = null
  let stream: EventSource | null = null
  let cancelTimer = () => {}

  const dispatch = (event: WatcherEvent) => {
    const before = state.connection
    state = next(state, event, {
      now: clock.now(),
      isVisible: !window.document.hidden,
      isOnline: window.navigator.onLine,
      random: random(),
    })
    const { connection } = state
    if (connection === before) return
    cancelTimer()
    request?.abort()
    request = null
    if (connection.at !== 'streaming') {
      stream?.close()
      stream = null
    } else stream ??= openStream()
    if (connection.at === 'polling') void poll()
    if ('ms' in connection) cancelTimer = clock.after(connection.ms, () => dispatch({ type: 'timed-out' }))
  }

  const poll = async () => {
    const own = (request = new AbortController())
    const answer = await askBff(url, { cache: 'no-cache' }, environment, own.signal)
    if (request !== own) return
    request = null
    receive(answer)
    // A final view has stopped the watcher by now.
    if (request === null)
      dispatch({ type: 'polled', hasFailed: 'failure' in answer, retryAfterMs: answer.retryAfterMs })
  }

  const openStream = () => {
    const opened = new window.EventSource(`${url}/stream`)
    opened.onerror = () => dispatch({ type: 'stream-cut' })
    const hear = ({ data }: MessageEvent<string>) => {
      if (data) void readAnswer(new Response(data)).then(receive)
      dispatch({ type: 'streamed' })
    }
    for (const type of ['beat', 'status']) opened.addEventListener(type, hear)
    return opened
  }

  signal.addEventListener('abort', () => dispatch({ type: 'stopped' }))
  dispatch({ type: 'started', retryAfterMs })
  return () => dispatch({ type: 'rechecked' })
}
