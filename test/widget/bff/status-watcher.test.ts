import { describe, expect, test } from 'vitest'

import { initialState, next, paceMs } from '../../../widget/bff/polling.ts'
import { failure } from '../../../widget/state/failure.ts'
import { freshView } from '../../support/worlds/scripted-bff.ts'

import type { Answer } from '../../../widget/bff/bff-client.ts'
import type { Conditions, WatcherEvent, WatcherState } from '../../../widget/bff/polling.ts'

const NOW = Date.parse('2026-11-21T09:00:00Z')
const WATCHED: Conditions = { now: NOW, hidden: false, mayStream: true, random: 0 }
const HIDDEN: Conditions = { ...WATCHED, hidden: true }
const CROWDED: Conditions = { ...WATCHED, mayStream: false }

const STATE: WatcherState = { ...initialState(true), polledAt: NOW - 60_000, streamOpenedAt: NOW - 60_000 }

const IDLE = { at: 'idle', ms: 0 } as const
const WAITING = { at: 'waiting', ms: 5_000 } as const
const POLLING = { at: 'polling', ms: 0 } as const
const STREAMING = { at: 'streaming', ms: 30_000 } as const
const waiting = (ms: number) => ({ at: 'waiting', ms }) as const

const POLLED: WatcherEvent = { type: 'polled', answer: { view: freshView(NOW), retryAfterMs: 3_000 } }
const LOST = failure('network')
const FAILED: WatcherEvent = { type: 'polled', answer: { failure: LOST, retryAfterMs: 0 } }
const RECHECKED: WatcherEvent = { type: 'rechecked' }
const TIMED_OUT: WatcherEvent = { type: 'timed-out' }
const STREAMED: WatcherEvent = { type: 'streamed', answer: null }
const ENDED: Answer = { view: { ...freshView(NOW), outcome: 'paid', settled: true }, retryAfterMs: 0 }
const STREAM_CUT: WatcherEvent = { type: 'stream-cut' }

type Row = [
  fact: string,
  before: Partial<WatcherState>,
  event: WatcherEvent,
  after: Partial<WatcherState>,
  conditions?: Conditions,
]

const OPENED = { at: 'streaming', ms: 5_000, streamOpenedAt: NOW } as const
const POLLS_ONLY = { canStream: false }
const STREAMS_AGAIN = { canStream: true }

const START: Row[] = [
  ['polls at once', IDLE, RECHECKED, POLLING],
  ['opens a stream when the BFF has answered already', IDLE, POLLED, OPENED],
  ['does nothing on a hidden page', IDLE, RECHECKED, IDLE, HIDDEN],
  ['polls while other tags of the page have its streams', POLLING, POLLED, waiting(3_000), CROWDED],
  ['opens a stream once another tag has closed one', WAITING, POLLED, OPENED],
]

const ANSWERS: Row[] = [
  ['opens a stream after success', { ...POLLING, failures: 3 }, POLLED, { ...OPENED, failures: 0 }],
  ['waits as long as the BFF asks without streams', { ...POLLING, ...POLLS_ONLY }, POLLED, waiting(3_000)],
  [
    'doubles the pause after two failures',
    { ...POLLING, failures: 1 },
    FAILED,
    { ...waiting(2_000), failures: 2 },
  ],
  ['stops when the page was hidden meanwhile', POLLING, POLLED, IDLE, HIDDEN],
  [
    'asks a settled checkout once a minute',
    { ...POLLING, failures: 2 },
    { type: 'polled', answer: ENDED },
    { ...waiting(60_000), failures: 0 },
  ],
]

const STREAM: Row[] = [
  ['expects the next beat within 30 s', { ...STREAMING, ms: 5_000 }, STREAMED, STREAMING],
  [
    'keeps the timer of a hidden page',
    { ...STREAMING, ms: 7_000 },
    STREAMED,
    { ...STREAMING, ms: 7_000 },
    HIDDEN,
  ],
  [
    'closes the stream of a settled checkout',
    STREAMING,
    { type: 'streamed', answer: ENDED },
    waiting(60_000),
  ],
  ['polls when a stream falls silent', STREAMING, TIMED_OUT, { ...POLLING, ...STREAMS_AGAIN }],
  ['only polls after silence from the start', young(5_000), TIMED_OUT, { ...POLLING, ...POLLS_ONLY }],
  [
    'waits when a stream is cut, then tries another',
    STREAMING,
    STREAM_CUT,
    { ...waiting(1_000), ...STREAMS_AGAIN },
  ],
  ['only polls after a cut within 10 s', young(9_999), STREAM_CUT, { ...waiting(1_000), ...POLLS_ONLY }],
  ['tries another after a cut at 10 s', young(10_000), STREAM_CUT, { ...waiting(1_000), ...STREAMS_AGAIN }],
  [
    'does not try another after a pause',
    { ...WAITING, ...POLLS_ONLY },
    TIMED_OUT,
    { ...POLLING, ...POLLS_ONLY },
  ],
  ['ignores the beat of a stream that was closed', WAITING, STREAMED, WAITING],
  ['ignores the end that a closed stream reports', WAITING, { type: 'streamed', answer: ENDED }, WAITING],
  ['closes the stream of a page that stays hidden', STREAMING, TIMED_OUT, IDLE, HIDDEN],
  ['polls after the pause although the clock stood still', { ...WAITING, polledAt: NOW }, TIMED_OUT, POLLING],
]

const RECHECKS: Row[] = [
  ['polls at once', WAITING, RECHECKED, polled(0)],
  ['polls although a stream is open', STREAMING, RECHECKED, POLLING],
  [
    'polls no sooner than a second after the last',
    { ...WAITING, polledAt: NOW - 400 },
    RECHECKED,
    waiting(600),
  ],
  ['polls after the clock was set back', { ...WAITING, polledAt: NOW + 3_600_000 }, RECHECKED, POLLING],
  ['leaves a running poll alone', polled(5_000), RECHECKED, polled(5_000)],
  ['replaces a poll that is older than 5 s', polled(5_001), RECHECKED, polled(0)],
  ['keeps a hidden page’s stream for 30 s', { ...STREAMING, ms: 7_000 }, RECHECKED, STREAMING, HIDDEN],
  ['clears the timer of a hidden page', WAITING, RECHECKED, IDLE, HIDDEN],
]

function young(ageMs: number) {
  return { ...STREAMING, streamOpenedAt: NOW - ageMs }
}

function polled(ageMs: number) {
  return { ...POLLING, polledAt: NOW - ageMs }
}

describe.each([
  ['at the start', START],
  ['after a poll', ANSWERS],
  ['with a stream', STREAM],
  ['on a recheck', RECHECKS],
])('%s', (_, rows) => {
  test.each(rows)('the status watcher %s', (_fact, before, event, after, conditions = WATCHED) => {
    expect(next({ ...STATE, ...before }, event, conditions)).toMatchObject(after)
  })
})

test('the state of a poll that goes on is the same object, and of a replaced one another', () => {
  const [fresh, old] = [polled(5_000), polled(5_001)].map((state) => ({ ...STATE, ...state }))
  expect(next(fresh!, RECHECKED, WATCHED)).toBe(fresh)
  expect(next(old!, RECHECKED, WATCHED)).not.toBe(old)
})

test.each([RECHECKED, TIMED_OUT, POLLED, STREAMED, STREAM_CUT])(
  'nothing happens after the watcher stopped: $type',
  (event) => {
    const stopped = next({ ...STATE, ...STREAMING }, { type: 'stopped' }, WATCHED)
    expect(stopped.at).toBe('stopped')
    expect(next(stopped, event, WATCHED)).toBe(stopped)
  },
)

test('the pause is the BFF’s `Retry-After`, within limits', () => {
  expect([0, 100, 3_000, 86_400_000].map((retryAfterMs) => paceMs(retryAfterMs, 0, 0))).toEqual([
    5_000, 1_000, 3_000, 60_000,
  ])
})

test('the pause grows with failures, is spread at random, and is never shorter than the BFF’s `Retry-After`', () => {
  expect([1, 2, 3, 9].map((failures) => paceMs(0, failures, 0))).toEqual([1_000, 2_000, 4_000, 30_000])
  expect(paceMs(0, 2, 0.5)).toBe(3_000)
  expect(paceMs(20_000, 1, 0)).toBe(20_000)
})
