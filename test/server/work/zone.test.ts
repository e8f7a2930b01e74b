import { describe, expect, test } from 'vitest'

import { createZone, isDate } from '../../../server/work/zone.ts'

const HOUR = 3_600_000

describe('a day', () => {
  test.each([
    ['Africa/Nairobi', '2026-11-21', '2026-11-20T21:00:00Z', 24],
    ['Africa/Accra', '2026-11-21', '2026-11-21T00:00:00Z', 24],
    ['Asia/Kathmandu', '2026-11-21', '2026-11-20T18:15:00Z', 24],
    ['Pacific/Kiritimati', '2026-11-21', '2026-11-20T10:00:00Z', 24],
    ['Pacific/Pago_Pago', '2026-11-21', '2026-11-21T11:00:00Z', 24],
    // The clocks change: at one o'clock, and at midnight.
    ['Europe/London', '2026-03-29', '2026-03-29T00:00:00Z', 23],
    ['Europe/London', '2026-10-25', '2026-10-24T23:00:00Z', 25],
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00Z', 23],
    ['Africa/Nairobi', '2026-12-31', '2026-12-30T21:00:00Z', 24],
  ])('in %s begins when its clocks say so: %s', (name, day, begins, hours) => {
    const { from, until } = createZone(name).timesOf(day)
    expect(new Date(from).toISOString()).toBe(new Date(begins).toISOString())
    expect((until - from) / HOUR).toBe(hours)
  })

  test('begins when the day before ends, and a range has all its days', () => {
    const zone = createZone('Africa/Nairobi')
    expect(zone.timesOf('2026-11-21').until).toBe(zone.timesOf('2026-11-22').from)
    const { from, until } = zone.timesOf('2026-11-01', '2026-11-30')
    expect((until - from) / HOUR).toBe(30 * 24)
  })
})

test.each([
  ['Africa/Nairobi', '2026-11-21T12:00:05+03:00'],
  ['America/St_Johns', '2026-11-21T05:30:05-03:30'],
  ['UTC', '2026-11-21T09:00:05+00:00'],
])('a time in %s is written with its offset', (name, written) => {
  expect(createZone(name).write(Date.UTC(2026, 10, 21, 9, 0, 5, 999))).toBe(written)
})

test.each(['2026-02-30', '2026-1-1', '21-11-2026', '', 'today', '2026-13-01'])('%s is no date', (text) => {
  expect(isDate(text)).toBe(false)
})
