// This test replaces timers and `Date` globally, because `systemClock` reads them directly.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { systemClock } from '../../../widget/button/environment.ts'

const HOUR = 3_600_000

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }))
afterEach(() => void vi.useRealTimers())

test.each([1, 20, 1_000, 30_500])('a timer runs once after %d ms', (ms) => {
  const run = vi.fn<() => void>()
  systemClock.after(ms, run)
  vi.advanceTimersByTime(ms - 1)
  expect(run).not.toHaveBeenCalled()
  vi.advanceTimersByTime(HOUR)
  expect(run).toHaveBeenCalledOnce()
})

test('a timer that became due during sleep runs within a second of waking', () => {
  const run = vi.fn<() => void>()
  systemClock.after(30_000, run)
  vi.setSystemTime(Date.now() + 8 * HOUR)
  vi.advanceTimersByTime(1_000)
  expect(run).toHaveBeenCalledOnce()
})

test('a timer is not held up by a clock that is set back', () => {
  const run = vi.fn<() => void>()
  systemClock.after(5_000, run)
  vi.setSystemTime(Date.now() - 8 * HOUR)
  vi.advanceTimersByTime(5_000)
  expect(run).toHaveBeenCalledOnce()
})

test('a cancelled timer never runs', () => {
  const run = vi.fn<() => void>()
  const cancel = systemClock.after(5_000, run)
  vi.advanceTimersByTime(2_500)
  cancel()
  vi.advanceTimersByTime(HOUR)
  expect(run).not.toHaveBeenCalled()
  expect(vi.getTimerCount()).toBe(0)
})
