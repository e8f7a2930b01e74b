import naughty from 'big-list-of-naughty-strings'
import { expect, test } from 'vitest'

import { ChargeRequest } from '../../server/contract/charge.ts'
import { referenceKey } from '../../server/contract/comparison-keys.ts'
import { optionalText, reference, text } from '../../server/contract/fields.ts'
import {
  firstCharacters,
  cleanName,
  isBlank,
  readEmail,
  withoutControls,
} from '../../server/contract/text.ts'

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
  ['A-1\u2010', 'U+2010 (‐)'],
  ['A-\u0661', 'U+0661 (١)'],
  ['A\u00d8', 'U+00D8 (Ø)'],
  ['e\u0301', 'U+0301 (\u0301)'],
  ['A-1\u200b', 'U+200B'],
  ['A\n1', 'U+000A'],
  ['A\u007f', 'U+007F'],
  ['A\u00a01', 'U+00A0'],
  ['A\ud83d', 'U+D83D'],
  ['💳', 'U+1F4B3 (💳)'],
  ['A-1 ', 'U+0020'],
  [' A-1', 'U+0020'],
  ['A  1', 'U+0020'],
])('the reference %j is refused, and the character is named: %s', (given, character) => {
  expect(reference.safeParse(given).error?.issues[0]?.message).toBe(
    `must have only printable ASCII characters and single spaces within, not ${character}: write another text with encodeURIComponent`,
  )
})

test.each(['A-1', 'A 1', 'INV/2026/0042', '#1042', '~a?b=c&d', '%E6%97%A5-1', 'a@b', '...'])(
  'the reference %j is taken as it is',
  (given) => {
    expect(reference.parse(given)).toBe(given)
  },
)

test('of the characters of Unicode, references have those of printable ASCII', () => {
  const taken: string[] = []
  for (let point = 0; point <= 0x10ffff; point++) {
    const character = String.fromCodePoint(point)
    // Beyond the first plane, those that look like ASCII, and some of the others.
    const isTried = point < 0x10000 || point % 97 === 0 || /^[ -~]+$/.test(character.normalize('NFKC'))
    if (isTried && reference.safeParse(`A${character}1`).success) {
      taken.push(character)
    }
  }

  expect(taken.length).toBe(95)
  expect(taken.join('')).toMatch(/^ !"#.*}~$/)
})

test('of the naughty strings, what is taken as a reference is taken as it is, and is another one unless only its case differs', () => {
  const taken = naughty.filter((each) => reference.safeParse(each).success)
  expect(taken.length).toBeGreaterThan(100)
  for (const each of taken) {
    expect(each).toMatch(/^(?! )[ -~]{1,64}(?<! )$/)
    expect(reference.parse(each)).toBe(each)
  }

  const lowerCase = (each: string) =>
    Buffer.from(each).map((byte) => (byte >= 65 && byte <= 90 ? byte + 32 : byte))
  const distinct = new Set(taken.map((each) => Buffer.from(lowerCase(each)).toString()))
  expect(new Set(taken.map(referenceKey))).toEqual(distinct)
})

test('of the naughty strings, a cleaned name has no link and begins no formula, and stays when it is cleaned again', () => {
  for (const each of naughty) {
    const cleaned = cleanName(each)
    expect(
      cleaned
        .normalize('NFKC')
        .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
        .trim(),
    ).not.toMatch(/:\/\/|www\.|^[-=+@]/i)
    expect(cleanName(cleaned)).toBe(cleaned)
  }
})

test('a name in letters of any script stays', () => {
  for (let point = 0x41; point < 0x3_0000; point++) {
    const letter = String.fromCodePoint(point)
    if (!/\p{L}/u.test(letter)) {
      continue
    }

    const name = `${letter}sha ${letter}. Otieno-${letter}`
    if (cleanName(name) !== name) {
      expect(cleanName(name), `U+${point.toString(16)}`).toBe(name)
    }
  }
})

test.each([
  ['=Acme', 'Acme'],
  ['Booking.com', 'Booking.com'],
  ['=@', undefined],
])('the name %j in a charge is sent as %j', (given, sent) => {
  expect(ChargeRequest.shape.payer_name.parse(given)).toBe(sent)
})
