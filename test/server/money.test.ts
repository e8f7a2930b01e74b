/** Charge totals, splits and the fineness of currencies. Quotes have a file of their own. */

import { describe, expect, test } from 'vitest'
import { ChargeRequest } from '../../server/contract/charge.ts'
import { isTotalOf, totalOf } from '../../server/money/charge-total.ts'
import { fractionDigitsOf, isExactIn } from '../../server/money/currency.ts'
import { Quote } from '../../server/money/quote.ts'
import { completeSplits, findSplitErrors } from '../../server/money/splits.ts'
import { charge } from '../support/spec-charges.ts'

describe('the total of a charge', () => {
  const of = (fields: object) => ChargeRequest.parse({ ...charge, ...fields })

  test.each([
    [{}, '1500'],
    [{ transaction_charge: 25.5 }, '1500'],
    [{ add_transaction_charge: true }, '1500'],
    [{ add_transaction_charge: true, transaction_charge: 25.5 }, '1525.5'],
  ])('with %j is %s at least', (fields, total) => {
    expect(totalOf(of(fields))).toBe(total)
  })

  test('is exact unless the gateway sets its own transaction charge', () => {
    for (const fields of [
      {},
      { transaction_charge: 25.5 },
      { add_transaction_charge: true, transaction_charge: 0 },
    ]) {
      expect(isTotalOf(of(fields), '1500.00')).toBe(true)
      expect(isTotalOf(of(fields), '1500.01')).toBe(false)
      expect(isTotalOf(of(fields), '1499.99')).toBe(false)
    }
    const open = of({ add_transaction_charge: true })
    expect(isTotalOf(open, '1500')).toBe(true)
    expect(isTotalOf(open, '1600')).toBe(true)
    expect(isTotalOf(open, '1499.99')).toBe(false)
  })
})

describe('the fineness of a currency', () => {
  test.each([
    ['KES', 2],
    ['UGX', 0],
    ['KWD', 3],
    ['QQQ', 2],
  ])('%s has %i digits behind the point', (currency, digits) => {
    expect(fractionDigitsOf(currency)).toBe(digits)
  })

  test('decides which amounts can be paid', () => {
    expect(isExactIn('KES', '5.10')).toBe(true)
    expect(isExactIn('KES', '5.105')).toBe(false)
    expect(isExactIn('UGX', '5.0')).toBe(true)
    expect(isExactIn('UGX', '5.1')).toBe(false)
  })
})

describe('splits', () => {
  const split = (account: string, amount: number, reason = 'Cloth') => ({ account, amount, reason })

  test('are completed with the dynamic accounts, after those given; a given share stands', () => {
    const given = [split('A', 10), split('B', 20)]
    const dynamic = [split('B', 5, 'Fee'), split('C', 7, 'Fee')]
    expect(completeSplits(given, dynamic)).toEqual([...given, split('C', 7, 'Fee')])
    expect(completeSplits([], dynamic)).toEqual(dynamic)
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
      [split('A', 10), split('B', 10), split(' B ', 10)],
      [{ path: '[2].account', message: 'is the same as that of [1]' }],
    ],
    [
      'for one account twice, written with spaces first',
      [split(' A', 10), split('A', 10)],
      [{ path: '[1].account', message: 'is the same as that of [0]' }],
    ],
    [
      'above the amount',
      [split('A', 60), split('B', 40.01)],
      [{ path: '', message: 'come to 100.01, which is more than the amount of 100' }],
    ],
  ])('%s', (_, splits, errors) => {
    expect(findSplitErrors(splits, '100', 'KES')).toEqual(errors)
  })
})

test('a quote is read with every field', () => {
  const quoted = {
    direction: 'selling',
    rate: '1.5',
    source_currency: 'KES',
    sender_amount: '15.00',
    destination_currency: 'UGX',
    recipient_amount: '10',
    exchange_rate: null,
  }
  expect(Quote.parse(quoted)).toEqual(quoted)
  expect(Quote.safeParse({ ...quoted, direction: 'lending' }).success).toBe(false)
})
