import naughty from 'big-list-of-naughty-strings'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import {
  add,
  canonical,
  compare,
  decimalOf,
  isDecimal,
  isExact,
  isWhole,
  movedAmount,
  subtract,
  sum,
} from '../../server/contract/decimal.ts'

const SCALE = 12n

// The exact value is an integer in units of 10⁻¹².
const amount = fc
  .record({
    negative: fc.boolean(),
    whole: fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }),
    fraction: fc.option(fc.stringMatching(/^\d{1,12}$/), { nil: '' }),
  })
  .map(({ negative, whole, fraction }) => {
    const magnitude = whole * 10n ** SCALE + BigInt(fraction.padEnd(Number(SCALE), '0'))
    const digits = fraction === '' ? `${whole}` : `${whole}.${fraction}`
    return negative ? { text: `-${digits}`, exact: -magnitude } : { text: digits, exact: magnitude }
  })

function exact(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  expect(text).toMatch(/^-?\d+(\.\d+)?$/)
  return BigInt(whole + fraction.padEnd(Number(SCALE), '0'))
}

test('an amount of up to 18 digits and 12 fraction digits is decimal text', () => {
  fc.assert(fc.property(amount, ({ text }) => isDecimal(text)))
})

test.each([[''], ['-'], ['.5'], ['5.'], ['1,5'], ['1e3'], [' 5'], ['+5'], ['5\n'], ['١']])(
  '%j is not decimal text',
  (text) => {
    expect(isDecimal(text)).toBe(false)
    expect(() => add(text, '1')).toThrow(RangeError)
  },
)

test('an amount with more digits is refused', () => {
  expect(isDecimal('1'.repeat(18))).toBe(true)
  expect(isDecimal('1'.repeat(19))).toBe(false)
  expect(isDecimal(`1.${'1'.repeat(13)}`)).toBe(false)
})

test('sums and differences are exact', () => {
  fc.assert(
    fc.property(amount, amount, (a, b) => {
      expect(exact(add(a.text, b.text))).toBe(a.exact + b.exact)
      expect(exact(subtract(a.text, b.text))).toBe(a.exact - b.exact)
    }),
  )
})

test('nothing has no sign', () => {
  expect(subtract('1.50', '1.5')).toBe('0.00')
  expect(add('-1', '1')).toBe('0')
})

test('what went back has moved, whatever its sign, and nothing else is negative', () => {
  expect({ back: movedAmount('-1500.50', true), paid: movedAmount('-1500.50', false) }).toEqual({
    back: '1500.50',
    paid: null,
  })
  for (const amount of ['0', '1500.50']) {
    expect({ back: movedAmount(amount, true), paid: movedAmount(amount, false) }).toEqual({
      back: amount,
      paid: amount,
    })
  }
})

test('amounts are compared by value, not by how they are written', () => {
  fc.assert(
    fc.property(amount, amount, (a, b) => {
      expect(compare(a.text, b.text)).toBe(a.exact < b.exact ? -1 : a.exact > b.exact ? 1 : 0)
    }),
  )
  expect(compare('1500', '1500.00')).toBe(0)
  expect(compare('-0', '0')).toBe(0)
})

test('the sum of any number of amounts can be compared', () => {
  fc.assert(
    fc.property(fc.array(amount), (amounts) => {
      const total = sum(amounts.map(({ text }) => text))
      expect(exact(total)).toBe(amounts.reduce((before, { exact }) => before + exact, 0n))
      expect(compare(total, total)).toBe(0)
    }),
  )
})

test('an amount is whole when its fraction is zero', () => {
  fc.assert(fc.property(amount, ({ text, exact }) => isWhole(text) === (exact % 10n ** SCALE === 0n)))
})

test.each([
  [1500.0000000000002, '1500'],
  [749.90000000000009, '749.9'],
  [0.1 + 0.2, '0.3'],
  [-0.30000000000000004, '-0.3'],
  [0.1 + 0.2 - 0.3, '0'],
  [0.0000001, '0.0000001'],
  [1_234_567_890_123_456, '1234567890123456'],
  [999999999.995, '999999999.995'],
  [999999999999999, '999999999999999'],
  [1e21, '1e+21'],
])('the number %d means %s', (number, text) => {
  expect(decimalOf(number)).toBe(text)
})

test.each([
  ['1500.00', '1500'],
  ['0010.50', '10.5'],
  ['-0.10', '-0.1'],
  ['0.00', '0'],
  ['100', '100'],
])('%s has the canonical form %s', (given, text) => {
  expect(canonical(given)).toBe(text)
})

test.each<[string, number, boolean]>([
  ['1500.0', 2, true],
  ['1500.00', 0, true],
  ['1500.0000', 0, true],
  ['1500.00000000', 2, true],
  ['1500.1000', 2, true],
  ['1500.123', 3, true],
  ['25.000', 3, true],
  ['25.000', 2, false],
  ['25.000', 0, false],
  ['1.005', 2, false],
  ['1500.0050', 2, false],
  ['1500.10', 0, false],
])('%s with %i fraction digits is exact: %s', (text, digits, exact) => {
  expect(isExact(text, digits)).toBe(exact)
})

test('an amount keeps its value with any number of zeros at its end, but is not exact with three digits in all', () => {
  const zeros = fc.integer({ min: 0, max: 8 })
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 15n }),
      fc.stringMatching(/^\d{0,2}$/),
      zeros,
      (whole, cents, count) => {
        const fraction = cents + '0'.repeat(count)
        const text = fraction === '' ? `${whole}` : `${whole}.${fraction}`
        expect(isExact(text, 2)).toBe(fraction.length !== 3)
        expect(compare(canonical(text), cents === '' ? `${whole}` : `${whole}.${cents}`)).toBe(0)
      },
    ),
  )
})

test('of the naughty strings, an amount is what JavaScript reads as the same number', () => {
  const taken = naughty.filter(isDecimal)
  expect(taken.length).toBeGreaterThan(5)
  for (const each of taken) {
    expect(each).toMatch(/^-?\d+(\.\d+)?$/)
    expect(Number(canonical(each))).toBe(Number(each))
  }
})
