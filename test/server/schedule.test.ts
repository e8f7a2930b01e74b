/** When the gateway is queried, and for how long its answer is fresh. */

import { describe, expect, test } from 'vitest'
import type { Progress } from '../../server/transactions/schedule.ts'
import { freshForMs, nextQueryAt } from '../../server/transactions/schedule.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const NOW = Date.UTC(2026, 10, 21, 9)

const open = (age: number, deadlines?: number[]): Progress => ({
  stage: 'open',
  since: NOW - age,
  ...(deadlines && { deadlines }),
})

describe('the next query', () => {
  test.each([
    [-MINUTE, SECOND],
    [0, 20 * SECOND],
    [5 * MINUTE - 1, 20 * SECOND],
    [5 * MINUTE, MINUTE],
    [30 * MINUTE - 1, MINUTE],
    [30 * MINUTE, 5 * MINUTE],
    [2 * HOUR - 1, 5 * MINUTE],
    [2 * HOUR, HOUR],
    [DAY - 1, HOUR],
    [DAY, 6 * HOUR],
    [7 * DAY - 1, 6 * HOUR],
    [7 * DAY, DAY],
    [300 * DAY, DAY],
  ])('about something open for %i ms comes after %i ms', (age, pause) => {
    expect(nextQueryAt(open(age), NOW)).toBe(NOW + pause)
  })

  test('comes at the next turn of what is open, when that is sooner', () => {
    expect(nextQueryAt(open(DAY, [NOW + 5, NOW + 3]), NOW)).toBe(NOW + 3)
    expect(nextQueryAt(open(DAY, [NOW + 5, NOW - 3, NOW]), NOW)).toBe(NOW + 5)
    expect(nextQueryAt(open(0, [NOW + MINUTE]), NOW)).toBe(NOW + 20 * SECOND)
  })

  test('about what was not acknowledged comes three times in two minutes', () => {
    expect(nextQueryAt({ stage: 'unacknowledged' }, NOW)).toBe(NOW + 41 * SECOND)
  })

  test('comes at once while a service confirmation is to be sent', () => {
    expect(nextQueryAt({ stage: 'confirming' }, NOW)).toBe(NOW)
  })

  test('comes for thirty days after settlement, and then no more', () => {
    const pauses: number[] = []
    for (let at: number | null = NOW; at !== null; at = nextQueryAt({ stage: 'settled', at: NOW }, at))
      pauses.push(at - NOW)
    expect(pauses).toEqual([0, HOUR, 6 * HOUR, DAY, 2 * DAY, 7 * DAY, 30 * DAY])
  })

  test('never comes when nothing more can be learned', () => {
    expect(nextQueryAt({ stage: 'ended' }, NOW)).toBeNull()
  })
})

describe('an answer is fresh', () => {
  const AGES = [
    [-MINUTE, SECOND],
    [0, 2 * SECOND],
    [30 * SECOND - 1, 2 * SECOND],
    [30 * SECOND, 4 * SECOND],
    [2 * MINUTE - 1, 4 * SECOND],
    [2 * MINUTE, 10 * SECOND],
    [5 * MINUTE - 1, 10 * SECOND],
    [5 * MINUTE, 20 * SECOND],
    [DAY, 20 * SECOND],
  ] as const

  test.each(AGES)('about something open for %i ms: for %i ms', (age, fresh) => {
    expect(freshForMs(open(age), { created_at: NOW - 40 * DAY }, NOW)).toBe(fresh)
  })

  test.each(AGES)('about what was created %i ms ago and is not open: for %i ms', (age, fresh) => {
    for (const stage of ['unacknowledged', 'confirming'] as const)
      expect(freshForMs({ stage }, { created_at: NOW - age }, NOW)).toBe(fresh)
  })

  test('for a minute after the end', () => {
    for (const progress of [{ stage: 'settled', at: NOW } as const, { stage: 'ended' } as const])
      expect(freshForMs(progress, { created_at: NOW }, NOW)).toBe(MINUTE)
  })
})
