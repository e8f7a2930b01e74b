import { expect, test } from 'vitest'

import { csvLine } from '../../../server/payments/csv.ts'
import { readStatement } from '../../../server/payments/statement.ts'

const TABLE = `Time;x,Description,Merchant Reference,Amount,Currency Code
2026-11-21,Payment,A-1,"1,500.00",KES
2026-11-21,Payout,W-1,-200,KES
`

test('a statement is read by its headings, and its amounts as numbers', () => {
  expect(readStatement(TABLE)).toEqual([
    { reference: 'A-1', amount: '1500', currency: 'KES', time: '', went_back: false },
    { reference: 'W-1', amount: '-200', currency: 'KES', time: '', went_back: false },
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
      { reference: 'A-1', amount: '1500.5', currency: 'KES', time: '', went_back: false },
    ])
  },
)

test.each([
  ['', /columns reference, amount and currency/],
  ['reference,amount\nA-1,1\n', /columns reference, amount and currency/],
  ['reference,amount,currency\nA-1,1,KES\nA-2,x,KES\n', /no amount in line 3/],
  ['reference,amount,currency\n\n"A\n1",x,KES\n', /no amount in line 3/],
  ['reference;amount;currency\nA-1;"1,5";KES\n', /no amount in line 2/],
  [
    'reference,amount,currency\nA-1,25.000,KES\n',
    /amount 25.000 in line 2, which must have at most 2 fraction/,
  ],
  ['reference,amount,currency\nA-1,1.5,UGX\n', /amount 1.5 in line 2, which must have no fraction in UGX/],
  ['reference,amount,currency\nA-1,1,\n', /no currency in line 2/],
  ['reference,amount,currency\nA-1,1,KE\n', /no currency in line 2/],
  ['status,reference,amount,currency\n700,A,1,KES\nDone,A,1,KES\n', /in line 3 a status that/],
  ['reference,amount,currency\nA-1,1,KES\n"A-1', /quote in line 3 that is not closed/],
  // What a column is, or an amount, is never guessed.
  [
    'reference,amount,amount,currency\nA,1500,15,KES',
    /has "amount" and "amount", each .* the amount: leave out/,
  ],
  ['reference,Amount,Fee amount,currency\nA,1500,15,KES', /has "Amount" and "Fee amount", .* the amount/],
  ['reference,amount,change,currency\nA,1500,-15,KES', /has "amount" and "change", .* the amount/],
  [
    'reference,amount,currency,status,payment_status\nA,1500,KES,801,701',
    /"status" and "payment_status", .* the status/,
  ],
  [
    'reference,amount,currency,Status Code,Result\nA,1500,KES,801,701',
    /"Status Code" and "Result", .* the status/,
  ],
  [
    'reference,merchant_transaction_id,amount,currency\nA,B,1500,KES',
    /"reference" and "merchant_transaction_id", .* the reference/,
  ],
  [
    'reference,amount,currency,currency_code\nA,1500,KES,UGX',
    /"currency" and "currency_code", .* the currency/,
  ],
  [
    'reference;amount;currency\nA;1,500;KES',
    /the amount 1,500 in line 2, which may be a thousand times as much/,
  ],
  ['reference\tamount\tcurrency\nA\t-1,500\tKES', /the amount -1,500 in line 2, which may be/],
  ['reference;amount;currency\nA;25.000;KWD', /the amount 25.000 in line 2, which may be/],
])('what is no statement is refused with the reason: %j', (text, why) => {
  expect(readStatement(text)).toMatch(why)
})

test.each<[string, string[]]>([
  ['Status', ['Successful', 'PROCESSED', '700', 'reversed', 'Refunded', '801', '']],
  ['payment_status', ['successful', '602']],
])('a line of a statement that moved money is read, by its %s', (heading, statuses) => {
  const rows = statuses.map((status, index) => `${status},A-${index},1500,KES`)
  const lines = readStatement([`${heading},reference,amount,currency`, ...rows].join('\n'))
  expect(lines).toMatchObject(statuses.map((_, index) => ({ reference: `A-${index}` })))
})

test.each([
  'FAILED',
  '701',
  'Pending',
  'pending_approval',
  'Pending approval',
  'unpaid',
  'EXPIRED',
  'jammed',
])('a line of a statement that moved nothing matches nothing: %s', (status) => {
  expect(readStatement(`status,reference,amount,currency\n${status},A,1500,KES`)).toEqual([])
})

test.each(['Status Code', 'Txn Status', 'transactionState', 'Outcome', 'sta\u200btus', 'ＳＴＡＴＵＳ'])(
  'a column that may be the status is read as the status: %j',
  (heading) => {
    const rows = ['A,1500,KES,801', 'B,1500,KES,701']
    expect(readStatement([`reference,amount,currency,${heading}`, ...rows].join('\n'))).toMatchObject([
      { reference: 'A' },
    ])
  },
)

test.each(['1,500,000', '1,500.50', '1500'])(
  'an amount that means one number is read, by whatever cells are separated: %s',
  (amount) => {
    const line = { amount: amount.replaceAll(',', '').replace('.50', '.5') }
    expect(readStatement(`reference;amount;currency\nA;${amount};KES`)).toMatchObject([line])
  },
)

test('an amount of a currency with three fraction digits may have three', () => {
  expect(readStatement('reference,amount,currency\nA,25.000,KWD')).toMatchObject([{ amount: '25' }])
})

test.each(['A,1;2', 'A "1"', "'A", '+A', ' A'])(
  'a reference is the same in the table of a day and in a statement: %j',
  (reference) => {
    const lines = (cell: string) => readStatement(`reference;amount;currency\n${cell};1;KES`)
    const written = csvLine([reference]).trimEnd()
    expect(lines(`"${written}"`)).toEqual(lines(`"${reference.replaceAll('"', '""')}"`))
  },
)
