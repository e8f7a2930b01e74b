import { expect, test } from 'vitest'
import { listScenarios } from '../../demo/sandbox/scenarios.ts'
import { isPossiblePhoneNumber } from '../../server/contract/fields.ts'

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
  expect(numbers.filter((number) => !isPossiblePhoneNumber(number))).toEqual([])
})

test.each(NETWORKS)('%s: a number of half the digits, or of twice as many, is not', (_, code, network) => {
  const own = `${network}0001`
  expect(isPossiblePhoneNumber(code + own.slice(0, own.length / 2))).toBe(false)
  expect(isPossiblePhoneNumber(code + own + own)).toBe(false)
})

test.each<[digits: string, isPossible: boolean, because: string]>([
  ['254700000001', true, 'a mobile number of Kenya'],
  ['254999999999', true, 'a range that no operator has'],
  ['25420222222', true, 'a landline'],
  ['254700000', false, 'three digits short'],
  ['254700000001234', false, 'three digits long'],
  ['256700000001', true, 'Uganda has 9 digits'],
  ['25670000000', false, 'Uganda has no 8'],
  ['2250700000001', true, "Ivory Coast's numbers keep their zero"],
  ['225700000001', false, 'and have no fewer digits'],
  ['12025550123', true, 'a country with many others under its code'],
  ['881612345678', true, 'a satellite network'],
  ['999123456789', false, 'a calling code that nobody has'],
  ['0700000001', false, 'a national number'],
  ['', false, 'nothing'],
  ['not a number', false, 'text'],
])('%s is possible: %s (%s)', (digits, isPossible) => {
  expect(isPossiblePhoneNumber(digits)).toBe(isPossible)
})
