import { expect, test } from 'vitest'
import { completeMsisdn, isCountry } from '../../server/countries.ts'

test.each([
  ['KE', '0700 000 001', '254700000001'],
  ['KE', '700000001', '254700000001'],
  ['KE', '+254 700-000-001', '254700000001'],
  ['KE', '254700000001', '254700000001'],
  ['KE', '00254700000001', '254700000001'],
  ['KE', '(0700) 000.001', '254700000001'],
  ['KE', '+256 772 000 001', '256772000001'],
  ['UG', '0772000001', '256772000001'],
  ['MZ', '841000001', '258841000001'],
  ['NG', '08031000001', '2348031000001'],
  ['ZA', '0821000001', '27821000001'],
  ['SN', '771000001', '221771000001'],
  ['CI', '0701000001', '2250701000001'],
  ['EG', '01001000001', '201001000001'],
  [null, '+254 700 000 001', '254700000001'],
  [null, '254700000001', '254700000001'],
  [null, '0700000001', null],
] as const)('in %s, %s is %s', (country, typed, number) => {
  expect(completeMsisdn(typed, country)).toBe(number)
})

const NONE = ['', '+', '12', '0700 000', 'not a number', '0700000001; DROP', '٠٧٠٠٠٠٠٠٠١', '+0700000001']
test.each([...NONE, '9'.repeat(16)])('%j is no phone number', (typed) => {
  expect(completeMsisdn(typed, 'KE')).toBeNull()
})

test.each(['XX', 'ke', '', 'toString', '__proto__', 'constructor'])('%j is no country here', (code) => {
  expect(isCountry(code)).toBe(false)
})
