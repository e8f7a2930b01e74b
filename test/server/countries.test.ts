import { expect, test } from 'vitest'
import { localCurrencyOf, readCountry } from '../../server/contract/phone-number.ts'

test.each(['XX', 'KEN', '', 'toString', '__proto__', 'constructor'])('%j is no country here', (code) => {
  expect(readCountry(code)).toBeNull()
})

test.each([
  ['254700000001', 'KES'],
  ['27820000001', 'ZAR'],
  ['2250700000001', 'XOF'],
  ['12025550123', null],
  ['881612345678', null],
  ['', null],
])('the local currency of %j is %j', (msisdn, currency) => {
  expect(localCurrencyOf(msisdn)).toBe(currency)
})
