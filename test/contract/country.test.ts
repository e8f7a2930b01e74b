import { expect, test } from 'vitest'

import { isCountryCode, readCountry } from '../../server/contract/country.ts'
import { listedAlpha3 } from '../../server/contract/fields.ts'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('')
const PAIRS = LETTERS.flatMap((first) => LETTERS.map((second) => first + second))

test('ISO 3166-1 has 249 countries, with two codes each', () => {
  const triples = PAIRS.flatMap((pair) => LETTERS.map((third) => pair + third))
  expect(PAIRS.filter(isCountryCode)).toHaveLength(249)
  expect(triples.filter(isCountryCode)).toHaveLength(249)
  const isAlpha3 = (code: string) => listedAlpha3.safeParse(code).success
  expect(triples.filter(isAlpha3)).toHaveLength(249)
  expect(PAIRS.filter(isAlpha3)).toEqual([])
})

test('every alpha-2 code has a name', () => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  expect(PAIRS.filter(isCountryCode).filter((code) => names.of(code) === undefined)).toEqual([])
})

test.each(['XX', 'KEN', '', '001', 'toString', '__proto__', 'constructor'])(
  '%j is no country here',
  (code) => {
    expect(readCountry(code)).toBeNull()
  },
)
