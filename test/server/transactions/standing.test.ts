import { expect, test } from 'vitest'

import { announce, standing } from '../../../server/transactions/standing.ts'

import type { Standing } from '../../../server/transactions/standing.ts'

test.each<[Standing | null, Standing, told: string[], events: string[]]>([
  [null, standing('pending'), [], []],
  [null, standing('sending'), [], []],
  [null, standing('needs_attention'), [], ['needs_attention']],
  [standing('pending'), standing('succeeded'), [], ['succeeded']],
  [standing('succeeded'), standing('succeeded'), [], []],
  [standing('pending'), standing('succeeded'), ['succeeded'], []],
  [standing('pending'), standing('pending', 'A'), ['needs_attention'], ['needs_attention']],
  [standing('pending', 'A'), standing('pending', 'A'), ['needs_attention'], []],
  [standing('pending', 'A'), standing('pending', 'B'), ['needs_attention'], ['needs_attention']],
])(
  'the merchant is told of each outcome once, and of each reason to look: %j, %j after %j: %j',
  (before, after, told, events) => {
    const all = [...new Set([...told, ...events])]
    expect(announce({ told }, before, after, false)).toEqual({ record: { told: all }, events })
  },
)

test('the merchant is told of each resolution', () => {
  const { record, events } = announce({ told: [] }, standing('pending', 'A'), standing('succeeded'), true)
  expect({ record, events }).toEqual({ record: { told: ['resolved', 'succeeded'] }, events: ['resolved'] })
})
