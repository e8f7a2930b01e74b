import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compare, multiply, round, subtract } from '../../server/contract/decimal.ts'
import { fractionDigitsOf, isExactIn } from '../../server/money/currency.ts'
import { quote } from '../../server/money/quote.ts'

const CURRENCIES = ['KES', 'UGX', 'USD', 'XOF', 'TZS', 'RWF']
const currency = fc.constantFrom(...CURRENCIES)
const digits = (most: number) => fc.bigInt({ min: 1n, max: 10n ** BigInt(most) - 1n })
const withPoint = (value: bigint, fraction: number) => {
  const text = value.toString().padStart(fraction + 1, '0')
  return fraction === 0 ? text : `${text.slice(0, -fraction)}.${text.slice(-fraction)}`
}
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
const ratesOf = ({
  from,
  to,
  buying,
  selling,
}: {
  from: string
  to: string
  buying: string
  selling: string
}) => ({
  base_currency: from,
  rates: { [to]: { buying, selling } },
})
const smallest = (code: string) => withPoint(1n, fractionDigitsOf(code))

describe('a quote', () => {
  test('when buying pays out less than the exact worth by less than the smallest coin', () => {
    fc.assert(
      fc.property(asked, (given) => {
        const quoted = quote({ ...given, direction: 'buying' }, ratesOf(given))!
        const exact = multiply(given.amount, given.buying)
        expect(compare(quoted.recipient_amount, exact)).toBeLessThanOrEqual(0)
        expect(compare(subtract(exact, quoted.recipient_amount), smallest(given.to))).toBe(-1)
        expect(compare(quoted.sender_amount, given.amount)).toBe(0)
        expect(quoted.exchange_rate).toBe(given.buying)
      }),
    )
  })

  test('when selling takes more than the exact cost by less than the smallest coin', () => {
    fc.assert(
      fc.property(asked, (given) => {
        const quoted = quote({ ...given, direction: 'selling' }, ratesOf(given))!
        const exact = multiply(given.amount, given.selling)
        expect(compare(quoted.sender_amount, exact)).toBeGreaterThanOrEqual(0)
        expect(compare(subtract(quoted.sender_amount, exact), smallest(given.to))).toBe(-1)
        expect(compare(quoted.recipient_amount, given.amount)).toBe(0)
        expect(quoted).toMatchObject({
          source_currency: given.to,
          destination_currency: given.from,
          exchange_rate: null,
        })
      }),
    )
  })

  test('has amounts that their currencies have coins for', () => {
    fc.assert(
      fc.property(asked, fc.constantFrom('buying' as const, 'selling' as const), (given, direction) => {
        const quoted = quote({ ...given, direction }, ratesOf(given))!
        expect(isExactIn(quoted.source_currency, quoted.sender_amount)).toBe(true)
        expect(isExactIn(quoted.destination_currency, quoted.recipient_amount)).toBe(true)
      }),
    )
  })

  test('between one currency and itself changes nothing', () => {
    const request = { from: 'KES', to: 'KES', amount: '12.5', direction: 'buying' } as const
    expect(quote(request, { base_currency: 'KES', rates: {} })).toMatchObject({
      sender_amount: '12.50',
      recipient_amount: '12.50',
      exchange_rate: '1',
    })
  })

  test.each(['USD', 'toString', '__proto__'])('without a rate for %s is none', (to) => {
    const request = { from: 'KES', to, amount: '1', direction: 'buying' } as const
    expect(quote(request, { base_currency: 'KES', rates: {} })).toBeNull()
  })

  test('is exact where floating-point numbers are not', () => {
    const request = { from: 'KES', to: 'USD', amount: '999999999999.99', direction: 'buying' } as const
    const rates = { base_currency: 'KES', rates: { USD: { buying: '0.1000000001', selling: '0.11' } } }
    expect(quote(request, rates)?.recipient_amount).toBe('100000000099.99')
  })
})

describe('rounding', () => {
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
  ] as const)('%s with %i digits, %s: %s', (amount, fractionDigits, towards, expected) => {
    expect(round(amount, fractionDigits, towards)).toBe(expected)
  })
})
