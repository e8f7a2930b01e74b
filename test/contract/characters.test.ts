import { expect, test } from 'vitest'
import {
  optionalText,
  reference,
  text,
  firstCharacters,
  isBlank,
  readEmail,
  withoutControls,
} from '../../server/contract/fields.ts'

test.each([
  ['', 3, ''],
  ['abc', 3, 'abc'],
  ['abcd', 3, 'abc'],
  ['💳💳💳', 3, '💳💳💳'],
  ['a💳💳💳', 3, 'a💳💳'],
  ['💳', 0, ''],
  ['漢字です', 2, '漢字'],
])('of %j the first %i characters are %j', (whole, max, first) => {
  expect(firstCharacters(whole, max)).toBe(first)
})

test.each([
  '',
  ' \t\n',
  '\u00a0\u3000',
  '\u200b',
  '\u3164',
  '\u00ad',
  '\u200d\u200c',
  '\ufe0f',
  '\u2800',
  '\0',
])('%j is blank', (shown) => {
  expect(isBlank(shown)).toBe(true)
  expect(isBlank(`${shown}ا${shown}`)).toBe(false)
  expect(text(10).safeParse(shown).error?.issues[0]?.message).toBe('must not be blank')
  expect(optionalText.parse(shown)).toBeNull()
})

test.each([
  ['Asha\r\nBcc: all@evil.example', 'Asha Bcc: all@evil.example'],
  ['Asha\u0000\u001b[2J', 'Asha [2J'],
  ['Asha\u202eelpmaxe\u2066\u200f\ufeff\u200b', 'Ashaelpmaxe'],
  ['one\u2028two', 'one two'],
  ['half \ud83d of \udcb3', 'half \ufffd of \ufffd'],
])('%j is written on one line as %j', (typed, line) => {
  expect(withoutControls(typed)).toBe(line)
  expect(text(100).parse(typed)).toBe(line)
})

// A Persian name with a joiner, a Sinhala one, an emoji of several, and an Arabic mark that shows.
test.each(['علی\u200cرضا', 'ශ\u0dca\u200dරී', '👩🏽\u200d🌾❤\ufe0f', '\u0600١٢', "N'Golo Kanté-Ünal"])(
  '%s stays',
  (name) => {
    expect(withoutControls(name)).toBe(name)
  },
)

test('lengths count characters', () => {
  expect(text(100).parse('💳'.repeat(100))).toHaveLength(200)
  const { error } = text(100).safeParse('💳'.repeat(101))
  expect(error?.issues[0]?.message).toBe('must be at most 100 characters')
  expect(optionalText.parse(`a${'💳'.repeat(1_000)}`)).toBe(`a${'💳'.repeat(999)}`)
})

test.each([
  [' asha@example.com\n', 'asha@example.com'],
  ['\u202aasha@example.com\u202c', 'asha@example.com'],
  ['as\u00adha@exam\u200bple.com\ufeff', 'asha@example.com'],
  ['ａｓｈａ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'asha@example.com'],
  ['asha@pwani\u2011textiles.example', 'asha@pwani-textiles.example'],
  ['Zoe\u0308@example.com', 'Zoë@example.com'],
])('the e-mail address %j is %j', (typed, address) => {
  expect(readEmail(typed)).toBe(address)
})

test.each([
  'A-1 ',
  ' A-1',
  'A  1',
  'A\u00a01',
  'A-1\u200b',
  'A\u202e-1',
  'A\u00ad1',
  'Ａ-1',
  '①',
  'e\u0301',
  'ﬁ',
])('the reference %j cannot be typed back, and is refused', (given) => {
  expect(reference.safeParse(given).error?.issues[0]?.message).toMatch(/^must be typed as it is seen/)
})

test.each(['A-1', 'A 1', 'é/2026', 'أ-١', '注文-1', 'क्षि'])('the reference %j is taken as it is', (given) => {
  expect(reference.parse(given)).toBe(given)
})
