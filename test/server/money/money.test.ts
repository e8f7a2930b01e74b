import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { ChargeRequest } from '../../../server/contract/charge.ts'
import { exactnessRuleOf, fractionDigitsOf, isExactIn } from '../../../server/contract/currency.ts'
import { compare, multiply, round, subtract } from '../../../server/contract/decimal.ts'
import { isTotalOf, totalOf } from '../../../server/money/charge-total.ts'
import { DIRECTIONS, Quote, quote } from '../../../server/money/quote.ts'
import { completeSplits, findSplitErrors } from '../../../server/money/splits.ts'
import { charge } from '../../support/spec/charges.ts'

describe('the total of a charge', () => {
  const of = (fields: object) => ChargeRequest.parse({ ...charge, ...fields })

  test.each([
    [{}, '1500'],
    [{ transaction_charge: 25.5 }, '1500'],
    [{ add_transaction_charge: true }, '1500'],
    [{ add_transaction_charge: true, transaction_charge: 25.5 }, '1525.5'],
  ])('the total of a charge with %j is %s at least', (fields, total) => {
    expect(totalOf(of(fields))).toBe(total)
  })

  test.each([
    [{}, ['1500.00']],
    [{ transaction_charge: 25.5 }, ['1500.00']],
    [{ add_transaction_charge: true, transaction_charge: 0 }, ['1500.00']],
    // The gateway adds its own transaction charge, so a larger total is valid.
    [{ add_transaction_charge: true }, ['1500.00', '1500.01', '1600']],
  ])('the total of a charge with %j may be %j', (fields, totals) => {
    const offered = ['1499.99', '1500.00', '1500.01', '1600']
    expect(offered.filter((total) => isTotalOf(of(fields), total))).toEqual(totals)
  })
})

test.each([
  ['KES', 2, '5.10', '5.105'],
  ['UGX', 0, '5.0', '5.000'],
  ['UGX', 0, '5.0000', '5.50'],
  ['KES', 2, '25', '25.000'],
  ['KWD', 3, '5.105', '5.1055'],
  ['QQQ', 2, '5.10', '5.105'],
])('%s has %i digits behind the point: %s can be paid, %s cannot', (currency, digits, exact, inexact) => {
  expect(fractionDigitsOf(currency)).toBe(digits)
  expect([isExactIn(currency, exact), isExactIn(currency, inexact)]).toEqual([true, false])
  const rule = digits === 0 ? 'no fraction' : `at most ${digits} fraction digits`
  expect(exactnessRuleOf(currency)).toBe(`must have ${rule} in ${currency}`)
})

describe('splits', () => {
  const split = (account: string, amount: number, reason = 'Cloth') => ({ account, amount, reason })

  test('splits are completed with the dynamic accounts, after those given; a given share stands', () => {
    const given = [split('A', 10), split('B', 20)]
    const dynamic = [split('B', 5, 'Fee'), split('C', 7, 'Fee')]
    expect(completeSplits(given, dynamic)).toEqual([...given, split('C', 7, 'Fee')])
    expect(completeSplits([], dynamic)).toEqual(dynamic)
    expect(completeSplits([split('b', 20)], dynamic)).toEqual([split('b', 20), split('C', 7, 'Fee')])
    const spelt = [split('PARTNER FEES', 5)]
    expect(completeSplits(spelt, [split('PARTNER-FEES', 25, 'Fee')])).toEqual(spelt)
  })

  test.each([
    ['within the amount', [split('A', 10.5), split('B', 89.5)], []],
    ['none', [], []],
    [
      'finer than their currency',
      [split('A', 10), split('B', 1.005)],
      [{ path: '[1].amount', message: 'must have at most 2 fraction digits in KES' }],
    ],
    [
      'for one account twice',
      [split('A', 10), split('B', 10), split('b', 10)],
      [{ path: '[2].account', message: 'is the same as that of [1]' }],
    ],
    [
      'for one account twice, in another case first',
      [split('a', 10), split('A', 10)],
      [{ path: '[1].account', message: 'is the same as that of [0]' }],
    ],
    [
      'for one account twice, in another spelling',
      [split('PARTNER-FEES', 10), split('PARTNER FEES', 10), split('partnerfees', 10)],
      [
        { path: '[1].account', message: 'is the same as that of [0]' },
        { path: '[2].account', message: 'is the same as that of [0]' },
      ],
    ],
    [
      'above the amount',
      [split('A', 60), split('B', 40.01)],
      [{ path: '', message: 'come to 100.01, which is more than the amount of 100' }],
    ],
  ])('splits have the errors that their list has: %s', (_, splits, errors) => {
    expect(findSplitErrors(splits, '100', 'KES')).toEqual(errors)
  })
})

describe('a quote', () => {
  const digits = (most: number) => fc.bigInt({ min: 1n, max: 10n ** BigInt(most) - 1n })

  const withPoint = (value: bigint, fraction: number) => {
    const text = value.toString().padStart(fraction + 1, '0')
    return fraction === 0 ? text : `${text.slice(0, -fraction)}.${text.slice(-fraction)}`
  }

  const currency = fc.constantFrom('KES', 'UGX', 'USD', 'XOF', 'TZS', 'RWF')
  const rate = digits(14).map((value) => withPoint(value, 10))
  const asked = currency.chain((from) =>
    fc.record({
      from: fc.constant(from),
      to: currency.filter((to) => to !== from),
      amount: digits(12).map((value) => withPoint(value, fractionDigitsOf(from))),
      buying: rate,
      selling: rate,
    }),
  )

  test.each(DIRECTIONS)(
    'a quote when %s is off by less than the smallest unit, and never too low',
    (direction) => {
      fc.assert(
        fc.property(asked, ({ from, to, amount, ...rates }) => {
          const quoted = quote(
            { from, to, amount, direction },
            { base_currency: from, rates: { [to]: rates } },
          )!
          const exact = multiply(amount, rates[direction])
          const { sender_amount, recipient_amount } = quoted
          const [given, other] =
            direction === 'buying' ? [sender_amount, recipient_amount] : [recipient_amount, sender_amount]
          const excess = direction === 'buying' ? subtract(exact, other) : subtract(other, exact)
          expect(compare(excess, '0')).toBeGreaterThanOrEqual(0)
          expect(compare(excess, withPoint(1n, fractionDigitsOf(to)))).toBe(-1)
          expect(compare(given, amount)).toBe(0)
          const [source_currency, destination_currency] = direction === 'buying' ? [from, to] : [to, from]
          const exchange_rate = direction === 'buying' ? rates.buying : null
          expect(quoted).toMatchObject({ source_currency, destination_currency, exchange_rate })
          expect(isExactIn(source_currency, sender_amount)).toBe(true)
          expect(isExactIn(destination_currency, recipient_amount)).toBe(true)
          expect(Quote.parse(quoted)).toEqual(quoted)
        }),
      )
    },
  )

  const buying = (to: string, amount: string, rates = {}) =>
    quote({ from: 'KES', to, amount, direction: 'buying' }, { base_currency: 'KES', rates })

  test('a quote between one currency and itself changes nothing', () => {
    const same = { sender_amount: '12.50', recipient_amount: '12.50', exchange_rate: '1' }
    expect(buying('KES', '12.5')).toMatchObject(same)
  })

  test.each(['USD', 'toString', '__proto__'])('without a rate for %s there is no quote', (to) => {
    expect(buying(to, '1')).toBeNull()
  })

  test('a quote is exact where floating-point numbers are not', () => {
    const rates = { USD: { buying: '0.1000000001', selling: '0.11' } }
    expect(buying('USD', '999999999999.99', rates)?.recipient_amount).toBe('100000000099.99')
  })

  test('a quote has only two directions', () => {
    const quoted = buying('KES', '1')
    expect(Quote.safeParse({ ...quoted, direction: 'lending' }).success).toBe(false)
  })
})

test.each([
  ['1.005', 2, 'down', '1.00'],
  ['1.001', 2, 'up', '1.01'],
  ['1.00', 2, 'up', '1.00'],
  ['1.000', 2, 'up', '1.00'],
  ['1.010', 2, 'up', '1.01'],
  ['0.000', 2, 'up', '0.00'],
  ['-1.005', 2, 'down', '-1.00'],
  ['-1.005', 2, 'up', '-1.01'],
  ['7', 2, 'up', '7.00'],
  ['0.4', 0, 'up', '1'],
  ['0.4', 0, 'down', '0'],
] as const)('rounding %s with %i digits, %s: %s', (amount, fractionDigits, towards, expected) => {
  expect(round(amount, fractionDigits, towards)).toBe(expected)
})
