import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { csvLine, readCsv } from '../../../server/payments/csv.ts'

describe('a cell', () => {
  test.each([
    '=1+1',
    '+254700000001 calls',
    '-1+cmd',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    ' =1',
    '\u200b=1',
    '＝1',
    '﹣1+1',
    '−1+1',
  ])('that a spreadsheet would run begins with an apostrophe: %j', (text) => {
    expect(readCsv(csvLine([text, 'x']))).toEqual([[`'${text}`, 'x']])
  })

  test.each(['-1500', '-0.50', '1500', 'Two kangas', 'QK71P0ZX', 'a=b', ''])('stays as it is: %j', (text) => {
    expect(readCsv(csvLine([text, 'x']))).toEqual([[text, 'x']])
  })

  test('of null is empty', () => {
    expect(csvLine([null, 'a', null])).toBe(',a,\r\n')
  })
})

test('a table is read as it was written', () => {
  const cell = fc
    .string({ unit: 'binary' })
    .filter((text) => !/^[\s\p{Cf}]*[=+\-@\p{Dash}]|^[\t\r\n]/u.test(text.normalize('NFKC')))
  const row = fc.array(cell, { minLength: 2, maxLength: 5 })
  fc.assert(
    fc.property(fc.array(row, { minLength: 1 }), (rows) => {
      const table = rows.filter((cells) => !cells[0]?.startsWith('\uFEFF'))
      expect(readCsv(table.map((cells) => csvLine(cells)).join(''))).toEqual(table)
    }),
  )
})

test.each([
  [
    '\uFEFFa,b\n1,2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a,b\r\n\r\n"1\n2","3 ""4"""\r\n',
    [
      ['a', 'b'],
      ['1\n2', '3 "4"'],
    ],
  ],
  ['a,b,\n', [['a', 'b', '']]],
  ['a,', [['a', '']]],
  ['', []],
])('%j is read', (text, rows) => {
  expect(readCsv(text)).toEqual(rows)
})

test.each(['a,"b', 'a,b"c', '"a"b,c'])('%j is no table', (text) => {
  expect(readCsv(text)).toBeNull()
})
