import { expect, test } from 'vitest'
import { isCountryCode } from '../../server/contract/fields.ts'
import { isCountry } from '../../server/contract/countries.ts'
import { explainCountry } from '../../widget/developer/diagnosis.ts'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('')
const PAIRS = LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
const codes = PAIRS.filter(isCountryCode)
const suggested = (country: string) => /Write country="(\w+)"\.$/.exec(explainCountry(country))?.[1]

test('the codes of the contract are codes, in capital and small letters, and no other pair is', () => {
  expect(PAIRS.filter((code) => explainCountry(code) === '')).toEqual(codes)
  expect(codes.filter((code) => explainCountry(code.toLowerCase()) !== '')).toEqual([])
})

test.each(['en', 'fr', 'sw'])('the name of a country in %s gives its code', (lang) => {
  const names = new Intl.DisplayNames(lang, { type: 'region' })
  // Without FULL, every fifth of the others.
  const named = codes.filter((code, at) => isCountry(code) || process.env.FULL || at % 5 === 0)
  expect(named.filter((code) => suggested(names.of(code) ?? '') !== code)).toEqual([])
})

test.each([
  ['KEN', 'KE'],
  ['254', 'KE'],
  ['+254', 'KE'],
  ['Cote dIvoire', 'CI'],
  ['Tanzania, United Republic of', 'TZ'],
  ['UGANDA', 'UG'],
  ['UK', 'GB'],
])('country="%s" is %s', (country, code) => {
  expect(suggested(country)).toBe(code)
})

test.each(['', 'KE', 'ke'])('country="%s" is not reported', (country) => {
  expect(explainCountry(country)).toBe('')
})

test.each(['Nigera', 'Atlantis', 'XX', '(+1)'])('country="%s" is reported without a guess', (country) => {
  expect(explainCountry(country)).toMatch(/Write an ISO 3166-1 code of two letters, such as country="KE"\.$/)
})

test('the alpha-3 code of each supported country is understood', () => {
  const triples = 'BWA CIV EGY GHA KEN MWI MOZ NGA RWA SEN TZA UGA ZAF ZMB ZWE'.split(' ')
  expect(new Set(triples.map((code) => suggested(code)))).toEqual(new Set(codes.filter(isCountry)))
})
