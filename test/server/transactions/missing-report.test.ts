import { describe, expect, test } from 'vitest'

import { alarmIfMissing, FORGOTTEN, WHY_MISSING } from '../../../server/transactions/missing-report.ts'
import { DAY, MINUTE } from '../../support/worlds/observed.ts'

import type { Alarm } from '../../../server/transactions/alarm.ts'

const SENT = Date.UTC(2026, 10, 21, 9)

describe('an acknowledged transaction without a report', () => {
  const STOOD = SENT + 2 * MINUTE
  const missing = (
    alarm: Alarm | null,
    missing_since: number | null,
    askedAt: number,
    why: 'unknown' | 'overdue',
  ) => alarmIfMissing({ alarm, missing_since, resolution: null }, false, askedAt, why)
  const alarm: Alarm = { why: 'It has other terms.', until: 'reported' }
  const lost: Alarm = { why: WHY_MISSING.unknown, until: 'reported' }
  const late: Alarm = { why: WHY_MISSING.overdue, until: 'settled' }

  test.each([null, alarm])(
    'an acknowledged transaction without a report that is unknown, with the alarm %j, needs a person two minutes later',
    (before) => {
      const first = missing(before, null, SENT, 'unknown')
      expect(first).toEqual({
        record: { alarm: before, missing_since: SENT, resolution: null },
        historyEntry: null,
      })
      expect(missing(before, SENT, STOOD - 1, 'unknown')).toEqual(first)
      expect(missing(before, SENT, STOOD, 'unknown')).toMatchObject({
        record: { alarm: lost },
        historyEntry: lost.why,
      })
    },
  )

  test('an acknowledged transaction that has reported no end needs a person at once, unless one checks it already', () => {
    expect(missing(null, null, SENT, 'overdue')).toMatchObject({
      record: { alarm: late },
      historyEntry: late.why,
    })
    expect(missing(alarm, null, SENT, 'overdue')).toMatchObject({ record: { alarm }, historyEntry: null })
  })
})

test('a settled transaction that the gateway no longer knows raises no alarm, and says so once', () => {
  const subject = { alarm: null, missing_since: null, resolution: null }
  const missing = { ...subject, missing_since: SENT }
  expect(alarmIfMissing(subject, true, SENT, 'unknown')).toEqual({ record: missing, historyEntry: FORGOTTEN })
  expect(alarmIfMissing(missing, true, SENT + DAY, 'unknown')).toEqual({
    record: missing,
    historyEntry: null,
  })
})
