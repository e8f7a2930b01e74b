import naughty from 'big-list-of-naughty-strings'
import examples from 'libphonenumber-js/examples.mobile.json'
import { getCountries, getExampleNumber } from 'libphonenumber-js/max'
import { describe, expect, test } from 'vitest'

import { listScenarios } from '../../demo/sandbox/scenarios.ts'
import { readCountry } from '../../server/contract/country.ts'
import { possibleMsisdn } from '../../server/contract/fields.ts'
import { compactNumber, localCurrencyOf, readPhoneNumber } from '../../server/contract/phone-number.ts'

/** Numbers of the countries that the gateway serves: the calling code, and a mobile number without its last digits. */
const NETWORKS = [
  ['BWA', '267', '7100'],
  ['CIV', '225', '070000'],
  ['EGY', '20', '100000'],
  ['GHA', '233', '24000'],
  ['KEN', '254', '70000'],
  ['MOZ', '258', '84000'],
  ['MWI', '265', '99000'],
  ['NGA', '234', '803000'],
  ['RWA', '250', '78000'],
  ['SEN', '221', '77000'],
  ['TZA', '255', '75000'],
  ['UGA', '256', '70000'],
  ['ZAF', '27', '82000'],
  ['ZMB', '260', '97000'],
  ['ZWE', '263', '77000'],
] as const

test.each(NETWORKS)('%s: every magic number is possible', (_, code, network) => {
  const digits = listScenarios().map((scenario) => scenario.digits)
  const numbers = ['0001', '0002', '1234', ...digits].map((last) => `${code}${network}${last}`)
  expect(numbers.map((number) => readPhoneNumber(number, null))).toEqual(numbers)
})

test.each(NETWORKS)('%s: a number of half the digits, or of twice as many, is not', (_, code, network) => {
  const own = `${network}0001`
  expect(readPhoneNumber(code + own.slice(0, own.length / 2), null)).toBeNull()
  expect(readPhoneNumber(code + own + own, null)).toBeNull()
})

test.each(NETWORKS)('%s: one trunk zero after the calling code is removed', (country, code, network) => {
  const own = `${network}0001`
  for (const typed of [`+${code} 0${own}`, `${code} 0${own}`, `+${code} (0) ${own}`, `00${code}0${own}`]) {
    expect({ typed, phoneNumber: readPhoneNumber(typed, null) }).toEqual({ typed, phoneNumber: code + own })
  }

  if (country !== 'CIV') {
    expect(readPhoneNumber(`+${code} 00${own}`, null)).toBeNull()
  }
})

test.each<[typed: string, number: string | null, because: string]>([
  ['254999999999', '254999999999', 'a range that no operator has'],
  ['25420222222', '25420222222', 'a landline'],
  ['254700000001234', null, 'three digits long'],
  ['254', null, 'a calling code alone'],
  ['2540', null, 'a calling code and a zero'],
  ['2547', null, 'a calling code and a digit'],
  ['+225 (0) 07 00 00 00 01', '2250700000001', 'and a second one is a trunk zero'],
  ['+39 06 1234 5678', '390612345678', "Italy's landlines keep their zero"],
  ['+39 333 123 4567', '393331234567', 'and its mobile numbers have none'],
  ['+229 01 97 00 00 00', '2290197000000', "Benin's numbers keep their zero"],
  ['+44 (0)20 7946 0000', '442079460000', 'the usual way in Britain'],
  ['+212 0 612-345678', '212612345678', 'a calling code of several territories'],
  ['12025550123', '12025550123', 'a country with many others under its code'],
  ['881612345678', '881612345678', 'a satellite network'],
  ['999123456789', null, 'a calling code that nobody has'],
  ['0700000001', null, 'a national number'],
  ['not a number', null, 'text'],
])('with its calling code, %j is %j (%s)', (typed, number) => {
  expect(readPhoneNumber(typed, null)).toBe(number)
})

test.each([
  ['KE', '0700 000 001', '254700000001'],
  ['KE', '+254 700-000-001', '254700000001'],
  ['KE', '(0700) 000.001', '254700000001'],
  ['KE', '+256 772 000 001', '256772000001'],
  ['MZ', '0841000001', '258841000001'],
  ['SN', '0771000001', '221771000001'],
  ['BW', '71000001', '26771000001'],
  ['CI', '0701000001', '2250701000001'],
  ['EG', '01001000001', '201001000001'],
  ['KE', '00256 772 000 001', '256772000001'],
  ['KE', '000 256 772 000 001', '256772000001'],
  ['NG', '009 234 803 000 0001', '2348030000001'],
  ['NG', '00 234 803 000 0001', '2348030000001'],
  ['UG', '00254 700 000 001', '254700000001'],
  ['UG', '000 254 700 000 001', '254700000001'],
  ['TZ', '006 62 812 345 6789', '62812345678' + '9'],
  ['AU', '0011 254 700 000 001', '254700000001'],
] as const)('in %s, %s is %s', (country, typed, number) => {
  expect(readPhoneNumber(typed, country)).toBe(number)
})

test.each([
  ['NG', '009 254 700 000 001', '+254 and +92'],
  ['TZ', '006 254 700 000 001', '+254 and +62'],
] as const)('in %s, %s is two numbers, and none is taken (%s)', (country, typed, _codes) => {
  expect(readPhoneNumber(typed, country)).toBeNull()
})

test.each<[country: 'BJ' | 'CI' | 'MZ' | 'SN' | 'UG', typed: string, number: string | null, because: string]>(
  [
    ['UG', '254700000001', '254700000001', 'a country that the gateway serves'],
    [
      'UG',
      '254999999999',
      '254999999999',
      'a range that nobody has yet in a country that the gateway serves',
    ],
    ['SN', '33612345678', '33612345678', 'a number that exists in France'],
    ['BJ', '97123456', null, 'a number from before Benin had ten digits, and digits that +971 may have'],
    ['BJ', '98123456', null, 'another, and a range that +98 has'],
    [
      'CI',
      '49334499',
      null,
      'a number from before Côte d’Ivoire had ten digits, and one that exists in Germany',
    ],
    ['MZ', '8440000000', null, 'a digit too many, and digits that +84 may have'],
  ],
)('in %s, %s without its plus is %s (%s)', (country, typed, number) => {
  expect(readPhoneNumber(typed, country)).toBe(number)
})

const NONE = ['', '+', '12', '0700 000', 'not a number', '0700000001; DROP', '+0700000001', '070000000\u0000']
const FOOTNOTE = '0700000001¹'
test.each([...NONE, FOOTNOTE, '0700000001/2', '++254700000001', '9'.repeat(16)])(
  '%j is no phone number',
  (typed) => {
    expect(readPhoneNumber(typed, 'KE')).toBeNull()
  },
)

test.each([
  '\u202a+254700000001\u202c',
  '\u20680700000001\u2069',
  '\u200e0700\u200b000\u2060001\ufeff',
  '0700\ufe0f000\u00ad001\u{e0020}',
  '0700\u2011000\u2011001',
  '0700–000—001',
  '0700\u2212000\u30fc001',
  '0700\u00a0000\u3000001\n',
  '（＋２５４）０７００．０００．００１',
])('a number that was copied from a contact or a page is the number that is seen: %j', (typed) => {
  expect(readPhoneNumber(typed, 'KE')).toBe('254700000001')
})

test('a number that was copied may have digits of any script', () => {
  const points = Array.from({ length: 0x11_0000 }, (_, point) => point)
  const digits = points.filter((point) => /\p{Nd}/u.test(String.fromCodePoint(point)))
  const zeros = digits.filter((_, index) => index % 10 === 0)
  expect(zeros.length).toBeGreaterThan(50)
  for (const zero of zeros) {
    const typed = Array.from('0700000001', (digit) => String.fromCodePoint(zero + Number(digit))).join('')
    expect({ zero, phoneNumber: readPhoneNumber(typed, 'KE') }).toEqual({
      zero,
      phoneNumber: '254700000001',
    })
  }
})

describe.each(getCountries())("the library's example of a mobile number in %s", (code) => {
  const example = getExampleNumber(code, examples)!
  const digits = example.number.slice(1)
  const country = readCountry(code)!

  test('a mobile number is read in every form that the library writes', () => {
    const { nationalNumber, number } = example
    const national = [nationalNumber, example.formatNational()]
    const international = [number, example.formatInternational(), `00${digits}`]
    // Elsewhere, as in Germany, digits without "+" may also be a longer national number.
    const bare = localCurrencyOf(digits) === null ? [] : [digits]
    for (const form of [...national, ...international, ...bare]) {
      expect({ form, phoneNumber: readPhoneNumber(form, country) }).toEqual({ form, phoneNumber: digits })
    }
  })

  test('a mobile number that was read as a floating-point number is refused', () => {
    for (const whole of [digits, example.nationalNumber, example.number, `0${example.nationalNumber}`]) {
      for (const typed of [`${whole}.0`, `${whole}.00`, `\u202a${whole}．0\u202c `, `${whole}٫0`]) {
        expect({ typed, phoneNumber: readPhoneNumber(typed, country) }).toEqual({ typed, phoneNumber: null })
        expect({ typed, success: possibleMsisdn.safeParse(typed).success }).toEqual({ typed, success: false })
      }
    }

    for (const typed of [Number(digits).toExponential(), Number(digits).toExponential().toUpperCase()]) {
      expect(readPhoneNumber(typed, country)).toBeNull()
    }
  })
})

test('of the naughty strings, those that are read as phone numbers have only digits and separators', () => {
  for (const each of naughty) {
    const number = readPhoneNumber(each, 'KE')
    if (number !== null) {
      expect(compactNumber(each)).toMatch(/^\+?\d{3,25}$/)
    }
  }
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
