/** Decides between stream and polling: `next` as a table. */

import { describe, expect, test } from 'vitest'
import { freshView } from '../support/till.ts'
import { failure } from '../../widget/failure.ts'
import { initialState, next, paceMs } from '../../widget/status-watcher/next.ts'

import type { Conditions, WatcherEvent, WatcherState } from '../../widget/status-watcher/next.ts'

const NOW = Date.parse('2026-11-21T09:00:00Z')
const WATCHED: Conditions = { now: NOW, hidden: false, onLine: true, random: 0 }
const HIDDEN: Conditions = { ...WATCHED, hidden: true }
const OFFLINE: Conditions = { ...WATCHED, onLine: false }

/** Last polled a minute ago; the stream is as old. */
const STATE: WatcherState = { ...initialState(true), polledAt: NOW - 60_000, streamedAt: NOW - 60_000 }

const IDLE = { at: 'idle', ms: 0 } as const
const WAITING = { at: 'waiting', ms: 5_000 } as const
const POLLING = { at: 'polling', ms: 0 } as const
const STREAMING = { at: 'streaming', ms: 30_000 } as const

const POLLED: WatcherEvent = { type: 'polled', answer: { view: freshView(NOW), retryAfterMs: 3_000 } }
const FAILED: WatcherEvent = {
  type: 'polled',
  answer: { failure: failure('network', true), retryAfterMs: 0 },
}

type Row = [
  fact: string,
  before: Partial<WatcherState>,
  event: WatcherEvent,
  conditions: Conditions,
  after: Partial<WatcherState>,
]

const START: Row[] = [
  ['polls at once', { ...IDLE }, { type: 'rechecked' }, WATCHED, { ...POLLING }],
  [
    'opens a stream when the BFF has answered already',
    { ...IDLE },
    POLLED,
    WATCHED,
    { at: 'streaming', ms: 5_000, streamedAt: NOW },
  ],
  [
    'waits as long as the BFF asks where the browser has no streams',
    { ...IDLE, canStream: false },
    POLLED,
    WATCHED,
    { at: 'waiting', ms: 3_000 },
  ],
  ['does nothing on a hidden page', { ...IDLE }, { type: 'rechecked' }, HIDDEN, { ...IDLE }],
  ['does nothing offline', { ...IDLE }, POLLED, OFFLINE, { ...IDLE }],
]

const ANSWERS: Row[] = [
  [
    'opens a stream after a poll that succeeded',
    { ...POLLING, failures: 3 },
    POLLED,
    WATCHED,
    { at: 'streaming', ms: 5_000, failures: 0, streamedAt: NOW },
  ],
  [
    'waits as long as the BFF asks where streams do not work',
    { ...POLLING, canStream: false },
    POLLED,
    WATCHED,
    { at: 'waiting', ms: 3_000 },
  ],
  [
    'doubles the pause after a second failure',
    { ...POLLING, failures: 1 },
    FAILED,
    WATCHED,
    { at: 'waiting', ms: 2_000, failures: 2 },
  ],
  ['stops when the page was hidden meanwhile', { ...POLLING }, POLLED, HIDDEN, { ...IDLE }],
]

const STREAM: Row[] = [
  [
    'expects the next beat within 30 s',
    { at: 'streaming', ms: 5_000 },
    { type: 'streamed' },
    WATCHED,
    { at: 'streaming', ms: 30_000 },
  ],
  ['keeps the timer of a hidden page', { ...STREAMING }, { type: 'streamed' }, HIDDEN, { ...STREAMING }],
  [
    'polls when a stream falls silent',
    { ...STREAMING },
    { type: 'timed-out' },
    WATCHED,
    { ...POLLING, canStream: true },
  ],
  [
    'only polls from now on when a stream was silent from the start',
    { ...STREAMING, streamedAt: NOW - 5_000 },
    { type: 'timed-out' },
    WATCHED,
    { ...POLLING, canStream: false },
  ],
  [
    'waits a moment when a stream is cut, and tries another after the poll',
    { ...STREAMING },
    { type: 'stream-cut' },
    WATCHED,
    { at: 'waiting', ms: 1_000, canStream: true },
  ],
  [
    'only polls from now on when a stream is cut within 10 s',
    { ...STREAMING, streamedAt: NOW - 9_999 },
    { type: 'stream-cut' },
    WATCHED,
    { at: 'waiting', ms: 1_000, canStream: false },
  ],
  [
    'closes the stream of a page that stays hidden',
    { ...STREAMING },
    { type: 'timed-out' },
    HIDDEN,
    { ...IDLE },
  ],
  [
    'polls when the pause is over, although the device’s clock shows no time passed',
    { ...WAITING, polledAt: NOW },
    { type: 'timed-out' },
    WATCHED,
    { ...POLLING },
  ],
]

const RECHECKS: Row[] = [
  ['polls at once', { ...WAITING }, { type: 'rechecked' }, WATCHED, { ...POLLING, polledAt: NOW }],
  ['polls although a stream is open', { ...STREAMING }, { type: 'rechecked' }, WATCHED, { ...POLLING }],
  [
    'waits until a second has passed since the last poll',
    { ...WAITING, polledAt: NOW - 400 },
    { type: 'rechecked' },
    WATCHED,
    { at: 'waiting', ms: 600 },
  ],
  [
    'polls after the device’s clock was set back',
    { ...WAITING, polledAt: NOW + 3_600_000 },
    { type: 'rechecked' },
    WATCHED,
    { ...POLLING },
  ],
  [
    'leaves a running poll alone',
    { ...POLLING, polledAt: NOW - 5_000 },
    { type: 'rechecked' },
    WATCHED,
    { ...POLLING, polledAt: NOW - 5_000 },
  ],
  [
    'replaces a poll that is older than 5 s',
    { ...POLLING, polledAt: NOW - 5_001 },
    { type: 'rechecked' },
    WATCHED,
    { ...POLLING, polledAt: NOW },
  ],
  [
    'keeps a hidden page’s stream for 30 s',
    { ...STREAMING },
    { type: 'rechecked' },
    HIDDEN,
    { at: 'streaming', ms: 30_000 },
  ],
  ['closes the stream offline', { ...STREAMING }, { type: 'rechecked' }, OFFLINE, { ...IDLE }],
  ['clears the timer of a hidden page', { ...WAITING }, { type: 'rechecked' }, HIDDEN, { ...IDLE }],
]

describe.each([
  ['at the start', START],
  ['after a poll', ANSWERS],
  ['with a stream', STREAM],
  ['on a recheck', RECHECKS],
])('%s', (_, rows) => {
  test.each(rows)('%s', (_fact, before, event, conditions, after) => {
    expect(next({ ...STATE, ...before }, event, conditions)).toMatchObject(after)
  })
})

test('the state of a poll that goes on is the same object, and of a replaced one another', () => {
  const polling = (ageMs: number) => ({ ...STATE, ...POLLING, polledAt: NOW - ageMs })
  const [fresh, old] = [polling(5_000), polling(5_001)]
  expect(next(fresh, { type: 'rechecked' }, WATCHED)).toBe(fresh)
  expect(next(old, { type: 'rechecked' }, WATCHED)).not.toBe(old)
})

test.each<WatcherEvent>([
  { type: 'rechecked' },
  { type: 'timed-out' },
  POLLED,
  { type: 'streamed' },
  { type: 'stream-cut' },
])('nothing happens after the watcher stopped: $type', (event) => {
  const stopped = next({ ...STATE, ...STREAMING }, { type: 'stopped' }, WATCHED)
  expect(stopped.at).toBe('stopped')
  expect(next(stopped, event, WATCHED)).toBe(stopped)
})

test('the pause is the BFF’s wish, within limits', () => {
  expect([0, 100, 3_000, 86_400_000].map((wish) => paceMs(wish, 0, 0))).toEqual([5_000, 1_000, 3_000, 60_000])
})

test('the pause grows with failures, is spread at random, and is never shorter than the BFF’s wish', () => {
  expect([1, 2, 3, 9].map((failures) => paceMs(0, failures, 0))).toEqual([1_000, 2_000, 4_000, 30_000])
  expect(paceMs(20_000, 1, 0)).toBe(20_000)
})
