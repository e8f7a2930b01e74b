import { describe, expect, test } from 'vitest'
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
  ['TZ', '0712000001', '255712000001'],
  ['GH', '0241000001', '233241000001'],
  ['ZM', '0971000001', '260971000001'],
  ['MZ', '841000001', '258841000001'],
  ['NG', '08031000001', '2348031000001'],
  ['ZA', '0821000001', '27821000001'],
  ['SN', '771000001', '221771000001'],
  ['CI', '0701000001', '2250701000001'],
  ['EG', '01001000001', '201001000001'],
  ['BW', '71000001', '26771000001'],
  ['RW', '0781000001', '250781000001'],
  ['MW', '0991000001', '265991000001'],
  ['ZW', '0771000001', '263771000001'],
] as const)('in %s, %s is %s', (country, typed, number) => {
  expect(completeMsisdn(typed, country)).toBe(number)
})

describe('without a country', () => {
  test('a number with its country code is taken', () => {
    expect(completeMsisdn('+254 700 000 001', null)).toBe('254700000001')
    expect(completeMsisdn('254700000001', null)).toBe('254700000001')
  })

  test('a national number cannot be completed', () => {
    expect(completeMsisdn('0700000001', null)).toBeNull()
  })
})

test.each([
  [''],
  ['+'],
  ['12'],
  ['0700 000'],
  ['not a number'],
  ['0700000001; DROP'],
  ['٠٧٠٠٠٠٠٠٠١'],
  ['+0700000001'],
  ['9'.repeat(16)],
])('%j is no phone number', (typed) => {
  expect(completeMsisdn(typed, 'KE')).toBeNull()
})

test('a number once completed stays as it is', () => {
  for (const typed of ['0700000001', '+254700000001', '254700000001']) {
    const completed = completeMsisdn(typed, 'KE') ?? ''
    expect(completeMsisdn(completed, 'KE')).toBe(completed)
  }
})

test.each(['XX', 'ke', '', 'toString', '__proto__', 'constructor'])('%j is no country here', (code) => {
  expect(isCountry(code)).toBe(false)
})
