import { expect, test } from 'vitest'

import { compareLines, readStatement } from '../../../server/payments/statement.ts'

const TABLE = `Time;x,Description,Merchant Reference,Amount,Currency Code
2026-11-21,Payment,A-1,"1,500.00",KES
2026-11-21,Payout,W-1,-200,KES
`

test('a statement is read by its headings, and its amounts as numbers', () => {
  expect(readStatement(TABLE)).toEqual([
    { reference: 'A-1', amount: '1500', currency: 'KES', time: '' },
    { reference: 'W-1', amount: '-200', currency: 'KES', time: '' },
  ])
})

test.each([',', ';', '\t'])(
  'a statement may be separated by %j, and have its currency in small letters',
  (separator) => {
    const lines = [
      ['reference', 'amount', 'currency'],
      ['A-1', '1500.50', 'kes'],
    ]
    expect(readStatement(lines.map((cells) => cells.join(separator)).join('\n'))).toEqual([
      { reference: 'A-1', amount: '1500.5', currency: 'KES', time: '' },
    ])
  },
)

test.each([
  ['', /columns reference, amount and currency/],
  ['reference,amount\nA-1,1\n', /columns reference, amount and currency/],
  ['reference,amount,currency\nA-1,1,KES\nA-2,x,KES\n', /no amount in line 3/],
  ['reference,amount,currency\n\n"A\n1",x,KES\n', /no amount in line 3/],
  ['reference;amount;currency\nA-1;"1,5";KES\n', /no amount in line 2/],
  ['reference,amount,currency\nA-1,1,KES\n"A-1', /quote in line 3 that is not closed/],
])('what is no statement is refused with the reason: %j', (text, why) => {
  expect(readStatement(text)).toMatch(why)
})

test('lines are matched one by one, by reference, amount and currency', () => {
  const line = (reference: string, amount: string, currency = 'KES') => ({
    reference,
    amount,
    currency,
    time: '',
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
