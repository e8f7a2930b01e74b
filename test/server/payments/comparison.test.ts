import { describe, expect, test } from 'vitest'

import { compareLines } from '../../../server/payments/comparison.ts'
import { csvLine } from '../../../server/payments/csv.ts'
import { COLUMNS } from '../../../server/payments/day.ts'
import { readDayTable, readStatement } from '../../../server/payments/statement.ts'

import type { StatementLine } from '../../../server/payments/statement.ts'

test('lines are matched one by one, by reference, amount and currency', () => {
  const line = (reference: string, amount: string, currency = 'KES') => ({
    reference,
    amount,
    currency,
    time: '',
    went_back: false,
  })
  const here = [
    line('A', '10'),
    line('A', '10'),
    line('A', '-10'),
    line('B', '5'),
    line('C', '0'),
    line('D', '1'),
  ]
  const there = [line('a', '10'), line('A', '-10'), line('B', '6'), line('D', '1', 'UGX'), line('E', '0')]
  expect(compareLines(here, there)).toEqual({
    matched: 2,
    missing_here: [line('B', '6'), line('D', '1', 'UGX')],
    missing_there: [line('A', '10'), line('B', '5'), line('D', '1')],
  })
})

describe('a line whose status says that money went back', () => {
  const day = (...rows: Record<string, string>[]) => {
    const lines = rows.map((row) => csvLine(COLUMNS.map((column) => row[column] ?? '')))
    return readDayTable(csvLine([...COLUMNS]) + lines.join('')) as StatementLine[]
  }
  const PAID = { kind: 'checkout', reference: 'A', change: '1500', currency: 'KES' }
  const BACK = { ...PAID, change: '-1500' }
  const PAID_OUT = { kind: 'payout', reference: 'W', change: '-200', currency: 'KES' }
  const CAME_BACK = { ...PAID_OUT, change: '200' }
  const compared = (here: StatementLine[], ...lines: string[]) => {
    const there = readStatement(['reference,amount,currency,status', ...lines].join('\n')) as StatementLine[]
    const { matched, missing_here, missing_there } = compareLines(here, there)
    return { matched, here: missing_here.length, there: missing_there.length }
  }

  test.each([
    'A,1500,KES,Reversed',
    'A,-1500,KES,Reversed',
    'A,1500,KES,Refunded',
    'A,1500.00,KES,841',
    'A,1500,KES,702',
    'A,1500,KES,606',
  ])('is not the payment: %s', (line) => {
    expect(compared(day(PAID), line)).toEqual({ matched: 0, here: 1, there: 1 })
    expect(compared(day(PAID, BACK), 'A,1500,KES,801', line)).toEqual({ matched: 2, here: 0, there: 0 })
    expect(compared(day(BACK, PAID), line, 'A,1500,KES,801')).toEqual({ matched: 2, here: 0, there: 0 })
  })

  test.each(['W,200,KES,702', 'W,-200,KES,Reversed'])('is not the payout: %s', (line) => {
    expect(compared(day(PAID_OUT), line)).toEqual({ matched: 0, here: 1, there: 1 })
    expect(compared(day(PAID_OUT, CAME_BACK), 'W,-200,KES,700', line)).toMatchObject({ matched: 2 })
  })

  test('is of its own amount and currency', () => {
    expect(compared(day(BACK), 'A,1499,KES,840')).toEqual({ matched: 0, here: 1, there: 1 })
    expect(compared(day(BACK), 'A,1500,UGX,840')).toEqual({ matched: 0, here: 1, there: 1 })
    expect(compared(day(BACK), 'A,1500,KES,840', 'A,1500,KES,840')).toEqual({ matched: 1, here: 1, there: 0 })
  })

  test('needs none where the amount has a sign', () => {
    expect(compared(day(PAID, BACK), 'A,1500,KES,', 'A,-1500,KES,')).toMatchObject({ matched: 2 })
    expect(compared(day(BACK), 'A,-1500,KES,successful')).toMatchObject({ matched: 1 })
  })
})
