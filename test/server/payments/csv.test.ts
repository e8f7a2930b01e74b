import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { csvLine, readCsv } from '../../../server/payments/csv.ts'
import { cellsIn } from '../../support/table.ts'

describe('a cell', () => {
  test.each([
    '=1+1',
    '+254700000001 calls',
    '-1+cmd',
    '@SUM(A1)',
    ' =1',
    '\u200b=1',
    '＝1',
    '﹣1+1',
    '−1+1',
    '\u00a0=1',
    '\ufe0f=1',
    '\u034f=1',
    '\u3164=1',
    '\u115f=1',
    '\uffa0=1',
    '\u180e=1',
    '\u0301=1',
    '(=1)',
    '%cmd',
  ])('that a spreadsheet would run begins with an apostrophe: %j', (text) => {
    expect(cellsIn(csvLine([text, 'x']))).toEqual([[`'${text}`, 'x']])
  })

  test.each(['-1500', '-0.50', '1500', 'Two kangas', 'QK71P0ZX', 'a=b', 'شاي', '１ kanga', ''])(
    'stays as it is: %j',
    (text) => {
      expect(cellsIn(csvLine([text, 'x']))).toEqual([[text, 'x']])
    },
  )

  test.each([
    ["Riz;=cmd|' /C calc'!A0;x", "Riz =cmd ' /C calc'!A0 x"],
    ['Rice,=1+1', 'Rice =1+1'],
    ['Rice\t=1\r\n@SUM(A1)', 'Rice =1  @SUM(A1)'],
    ['Rice\u0085=1\u2028=2', 'Rice =1 =2'],
    ['a "";=1; b', 'a    =1  b'],
    ['"=1', "' =1"],
    ['\t=1', "' =1"],
    ['|cmd', "' cmd"],
    ['\u0001=1', "' =1"],
    ['Rice, beans', 'Rice  beans'],
    ['a|=HYPERLINK(1)', 'a =HYPERLINK(1)'],
    // Normalized, these are a semicolon, a comma, a bar and a quote.
    ['a\u037e=1', 'a =1'],
    ['a，=1', 'a =1'],
    ['a｜=1', 'a =1'],
    ['a＂=1', 'a =1'],
  ])('that would begin another for some reader has spaces instead: %j', (text, written) => {
    expect(csvLine([text, 'x'])).toBe(`${written},x\r\n`)
  })

  test('of null is empty', () => {
    expect(csvLine([null, 'a', null])).toBe(',a,\r\n')
  })
})

/** Returns the cells that some program may take a text for. */
function separated(text: string): string[] {
  const ends = (character: string) => /[,;|\t"\r\n]/.test(character.normalize('NFKC'))
  return Array.from(text, (character) => (ends(character) ? '\n' : character))
    .join('')
    .split('\n')
}

test('a table is read as it was written, by whatever a reader separates cells, and whether it knows quotes or not', () => {
  const cell = fc.string({ unit: 'binary' })
  const row = fc.array(cell, { minLength: 2, maxLength: 5 })
  fc.assert(
    fc.property(fc.array(row, { minLength: 1 }), (rows) => {
      const lines = [['a', 'b', 'c', 'd', 'e'], ...rows].map((cells) => csvLine(cells))
      const seen = lines.map((line) => line.replace(/\r\n$/, '').split(','))
      expect(cellsIn(lines.join(''))).toEqual(seen.filter((cells) => cells.length > 1 || cells[0] !== ''))
      expect(seen.slice(1).map(({ length }) => length)).toEqual(rows.map(({ length }) => length))
      for (const text of seen.flat().flatMap(separated)) {
        expect(text).toMatch(/^($|'|-?\d|(?!\p{Default_Ignorable_Code_Point})[\p{Letter}\p{Number}])/u)
      }
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
  [
    'a;b\r1,5;"2;3"',
    [
      ['a', 'b'],
      ['1,5', '2;3'],
    ],
  ],
  [
    'a\tb,c\td\n1\t2\t3',
    [
      ['a', 'b,c', 'd'],
      ['1', '2', '3'],
    ],
  ],
  ['a,b,\n', [['a', 'b', '']]],
  ['a,', [['a', '']]],
  ['', []],
])('%j is read', (text, rows) => {
  expect(cellsIn(text)).toEqual(rows)
})

test('a row is of the line in which it begins', () => {
  const table = readCsv('a,b\r\n\r\n"1\n2\r3",4\n5,6')
  expect(table).toMatchObject({ separator: ',', rows: [{ line: 1 }, { line: 3 }, { line: 6 }] })
})

test.each([
  ['a,"b', 'has a quote in line 1 that is not closed'],
  ['a,b\n"c\nd', 'has a quote in line 2 that is not closed'],
  ['a,b\n\nc"d,e', 'has a quote in line 3 that is not at the begin or the end of a cell'],
  ['"a"b,c', 'has a quote in line 1 that is not at the begin or the end of a cell'],
])('%j is no table', (text, why) => {
  expect(readCsv(text)).toBe(why)
})

test.each([
  ['is not closed', `${`${'a'.repeat(240)},1,KES\n`.repeat(100_000)}"`],
  ['is not closed, before lines', `a,b\n"${'a,1,KES\n'.repeat(3_000_000)}`],
  ['is not closed, before quotes', `a,b\n"${'""'.repeat(12_000_000)}`],
])('a quote in 24 MB that %s is told within seconds', { timeout: 10_000 }, (_, text) => {
  expect(readCsv(text)).toMatch(/^has a quote in line \d+ that is not closed$/)
})
