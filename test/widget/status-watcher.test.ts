/** Decides between stream and polling: `next` as a table. */

import { describe, expect, test } from 'vitest'
import { initialState, next, paceMs } from '../../widget/status-watcher/next.ts'

import type { Conditions, Connection, WatcherEvent, WatcherState } from '../../widget/status-watcher/next.ts'

const NOW = Date.parse('2026-11-21T09:00:00Z')
const WATCHED: Conditions = { now: NOW, isVisible: true, isOnline: true, random: 0 }
const HIDDEN: Conditions = { ...WATCHED, isVisible: false }
const OFFLINE: Conditions = { ...WATCHED, isOnline: false }

/** Last polled a minute ago; the stream is as old. */
const STATE: WatcherState = { ...initialState(true), polledAt: NOW - 60_000, streamedAt: NOW - 60_000 }

const NONE: Connection = { at: 'none' }
const WAITING: Connection = { at: 'waiting', ms: 5_000 }
const POLLING: Connection = { at: 'polling' }
const STREAMING: Connection = { at: 'streaming', ms: 30_000 }

const POLLED: WatcherEvent = { type: 'polled', hasFailed: false, retryAfterMs: 3_000 }
const FAILED: WatcherEvent = { type: 'polled', hasFailed: true, retryAfterMs: 0 }

type Row = [
  fact: string,
  before: Partial<WatcherState>,
  event: WatcherEvent,
  conditions: Conditions,
  after: Partial<WatcherState>,
]

const START: Row[] = [
  [
    'polls at once',
    { connection: NONE },
    { type: 'started', retryAfterMs: 0 },
    WATCHED,
    { connection: POLLING },
  ],
  [
    'opens a stream when the BFF has answered already',
    { connection: NONE },
    { type: 'started', retryAfterMs: 2_000 },
    WATCHED,
    { connection: { at: 'streaming', ms: 5_000 }, streamedAt: NOW },
  ],
  [
    'waits as long as the BFF asks where the browser has no streams',
    { connection: NONE, canStream: false },
    { type: 'started', retryAfterMs: 2_000 },
    WATCHED,
    { connection: { at: 'waiting', ms: 2_000 } },
  ],
  [
    'does nothing on a hidden page',
    { connection: NONE },
    { type: 'started', retryAfterMs: 0 },
    HIDDEN,
    { connection: NONE },
  ],
  [
    'does nothing offline',
    { connection: NONE },
    { type: 'started', retryAfterMs: 2_000 },
    OFFLINE,
    { connection: NONE },
  ],
]

const ANSWERS: Row[] = [
  [
    'opens a stream after a poll that succeeded',
    { connection: POLLING, failures: 3 },
    POLLED,
    WATCHED,
    { connection: { at: 'streaming', ms: 5_000 }, failures: 0, streamedAt: NOW },
  ],
  [
    'waits as long as the BFF asks where streams do not work',
    { connection: POLLING, canStream: false },
    POLLED,
    WATCHED,
    { connection: { at: 'waiting', ms: 3_000 } },
  ],
  [
    'doubles the pause after a second failure',
    { connection: POLLING, failures: 1 },
    FAILED,
    WATCHED,
    { connection: { at: 'waiting', ms: 2_000 }, failures: 2 },
  ],
  ['stops when the page was hidden meanwhile', { connection: POLLING }, POLLED, HIDDEN, { connection: NONE }],
]

const STREAM: Row[] = [
  [
    'expects the next beat within 30 s',
    { connection: { at: 'streaming', ms: 5_000 } },
    { type: 'streamed' },
    WATCHED,
    { connection: { at: 'streaming', ms: 30_000 } },
  ],
  [
    'keeps the timer of a hidden page',
    { connection: STREAMING },
    { type: 'streamed' },
    HIDDEN,
    { connection: STREAMING },
  ],
  [
    'polls when a stream falls silent',
    { connection: STREAMING },
    { type: 'timed-out' },
    WATCHED,
    { connection: POLLING, canStream: true },
  ],
  [
    'only polls from now on when a stream was silent from the start',
    { connection: STREAMING, streamedAt: NOW - 5_000 },
    { type: 'timed-out' },
    WATCHED,
    { connection: POLLING, canStream: false },
  ],
  [
    'waits a moment when a stream is cut, and tries another after the poll',
    { connection: STREAMING },
    { type: 'stream-cut' },
    WATCHED,
    { connection: { at: 'waiting', ms: 1_000 }, canStream: true },
  ],
  [
    'only polls from now on when a stream is cut within 10 s',
    { connection: STREAMING, streamedAt: NOW - 9_999 },
    { type: 'stream-cut' },
    WATCHED,
    { connection: { at: 'waiting', ms: 1_000 }, canStream: false },
  ],
  [
    'closes the stream of a page that stays hidden',
    { connection: STREAMING },
    { type: 'timed-out' },
    HIDDEN,
    { connection: NONE },
  ],
]

const RECHECKS: Row[] = [
  [
    'polls at once',
    { connection: WAITING },
    { type: 'rechecked' },
    WATCHED,
    { connection: POLLING, polledAt: NOW },
  ],
  [
    'polls although a stream is open',
    { connection: STREAMING },
    { type: 'rechecked' },
    WATCHED,
    { connection: POLLING },
  ],
  [
    'waits until a second has passed since the last poll',
    { connection: WAITING, polledAt: NOW - 400 },
    { type: 'rechecked' },
    WATCHED,
    { connection: { at: 'waiting', ms: 600 } },
  ],
  [
    'polls after the device’s clock was set back',
    { connection: WAITING, polledAt: NOW + 3_600_000 },
    { type: 'rechecked' },
    WATCHED,
    { connection: POLLING },
  ],
  [
    'leaves a running poll alone',
    { connection: POLLING, polledAt: NOW - 5_000 },
    { type: 'rechecked' },
    WATCHED,
    { connection: POLLING, polledAt: NOW - 5_000 },
  ],
  [
    'replaces a poll that is older than 5 s',
    { connection: POLLING, polledAt: NOW - 5_001 },
    { type: 'rechecked' },
    WATCHED,
    { connection: POLLING, polledAt: NOW },
  ],
  [
    'keeps a hidden page’s stream for 30 s',
    { connection: STREAMING },
    { type: 'rechecked' },
    HIDDEN,
    { connection: { at: 'streaming', ms: 30_000 } },
  ],
  [
    'closes the stream offline',
    { connection: STREAMING },
    { type: 'rechecked' },
    OFFLINE,
    { connection: NONE },
  ],
  [
    'clears the timer of a hidden page',
    { connection: WAITING },
    { type: 'rechecked' },
    HIDDEN,
    { connection: NONE },
  ],
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

test('a poll that is left alone keeps its connection object, and a replaced one does not', () => {
  const polling = (ageMs: number) => ({ ...STATE, connection: POLLING, polledAt: NOW - ageMs })
  expect(next(polling(5_000), { type: 'rechecked' }, WATCHED).connection).toBe(POLLING)
  expect(next(polling(5_001), { type: 'rechecked' }, WATCHED).connection).not.toBe(POLLING)
})

test.each<WatcherEvent>([
  { type: 'started', retryAfterMs: 0 },
  { type: 'rechecked' },
  { type: 'timed-out' },
  POLLED,
  { type: 'streamed' },
  { type: 'stream-cut' },
])('nothing happens after the watcher stopped: $type', (event) => {
  const stopped = next({ ...STATE, connection: STREAMING }, { type: 'stopped' }, WATCHED)
  expect(stopped.connection).toEqual({ at: 'stopped' })
  expect(next(stopped, event, WATCHED)).toBe(stopped)
})

test('the pause is the BFF’s wish, within limits', () => {
  expect([0, 100, 3_000, 86_400_000].map((wish) => paceMs(wish, 0, 0))).toEqual([5_000, 1_000, 3_000, 60_000])
})

test('the pause grows with failures, is spread at random, and is never shorter than the BFF’s wish', () => {
  expect([1, 2, 3, 9].map((failures) => paceMs(0, failures, 0))).toEqual([1_000, 2_000, 4_000, 30_000])
  expect(paceMs(20_000, 1, 0)).toBe(20_000)
})
