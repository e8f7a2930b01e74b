/** Keeps a checkout's view up to date, by polling or by a stream. `polling.ts` chooses between the two. */

import { askBff, readAnswer } from './bff-client.ts'
import { initialState, next } from './polling.ts'
import { takeSeat } from './stream-seats.ts'

import type { Environment } from '../button/environment.ts'
import type { Answer } from './bff-client.ts'
import type { WatcherEvent } from './polling.ts'

/**
 * Polls or streams a checkout's view until `signal` aborts.
 *
 * @param url The URL of the checkout's status. The stream is at `{url}/stream`.
 * @param receive Receives the result of each poll and each view of the stream.
 * @param last The result of an earlier request, which counts as the result of the first poll; `null` to poll at once.
 * @returns The function `recheck()`, which polls at once, but at the earliest one second after the start of the last
 * poll. While a poll runs that started at most 5 seconds ago, `recheck()` has no effect.
 */
export function watchStatus(
  url: string,
  receive: (answer: Answer) => void,
  environment: Environment,
  last: Answer | null,
  signal: AbortSignal,
): () => void {
  const { clock, random, window } = environment
  let state = initialState(Boolean(window.EventSource))
  let request: AbortController | null = null
  let stream: EventSource | null = null
  let leaveSeat: (() => void) | null = null
  let cancelTimer = () => {}

  const dispatch = (event: WatcherEvent) => {
    const before = state
    state = next(state, event, {
      now: clock.now(),
      hidden: window.document.hidden,
      mayStream: leaveSeat !== null,
      random: random(),
    })
    if (state === before) {
      return
    }

    cancelTimer()
    request?.abort()
    request = null
    if (state.at === 'streaming') {
      try {
        stream ??= openStream()
      } catch {
        // Some web views, and policies of pages, refuse any stream. It then counts as silent, and the element polls.
      }
    } else {
      closeStream()
    }
    if (state.at === 'polling') {
      void poll()
    }
    if (state.ms > 0) {
      cancelTimer = clock.after(state.ms, () => dispatch({ type: 'timed-out' }))
    }
  }

  const poll = async () => {
    const started = (request = new AbortController())
    // A service worker of the page that answers from its cache first would repeat the first view for ever.
    const address = `${url}?at=${clock.now()}`
    const answer = await askBff(address, { cache: 'no-store' }, environment, started.signal)
    if (request !== started) {
      return
    }

    request = null
    receive(answer)
    // `receive` may have started a new poll by `recheck()`. Then the result of the new poll counts.
    if (request === null) {
      await proceed(answer)
    }
  }

  /** Goes on after a poll, with a stream if there is a seat for one. */
  const proceed = async (answer: Answer) => {
    const asked = state
    const seat = await takeSeat(window)
    if (state !== asked) {
      seat?.()
      return
    }

    leaveSeat = seat
    dispatch({ type: 'polled', answer })
    if (stream === null) {
      closeStream()
    }
  }

  const closeStream = () => {
    stream?.close()
    stream = null
    leaveSeat?.()
    leaveSeat = null
  }

  const openStream = () => {
    const opened = new window.EventSource(`${url}/stream`)
    opened.onerror = () => dispatch({ type: 'stream-cut' })

    const hear = async ({ data }: MessageEvent<string>) => {
      const answer = data ? await readAnswer(new Response(data), url) : null
      if (answer) {
        receive(answer)
      }

      dispatch({ type: 'streamed', answer })
    }

    for (const type of ['beat', 'status']) {
      opened.addEventListener(type, (event) => void hear(event))
    }

    return opened
  }

  signal.addEventListener('abort', () => dispatch({ type: 'stopped' }))
  if (last) {
    void proceed(last)
  } else {
    dispatch({ type: 'rechecked' })
  }
  return () => dispatch({ type: 'rechecked' })
}
