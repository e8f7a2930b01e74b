import { expect, test } from 'vitest'

import { systemRandomness } from '../../../server/work/randomness.ts'

test('a token is URL-safe, and begins and ends with a letter or a digit', () => {
  const tokens = Array.from({ length: 5_000 }, () => systemRandomness.token())
  const others = tokens.filter((token) => !/^[A-Za-z0-9][\w-]{22}[A-Za-z0-9]$/.test(token))
  expect(others).toEqual([])
  expect(new Set(tokens).size).toBe(tokens.length)
})

test('every letter and digit begins and ends tokens, and every URL-safe character is within', () => {
  const tokens = Array.from({ length: 5_000 }, () => systemRandomness.token())
  const charactersAt = (index: number) => new Set(tokens.map((token) => token.at(index))).size
  expect({ first: charactersAt(0), within: charactersAt(12), last: charactersAt(-1) }).toEqual({
    first: 62,
    within: 64,
    last: 62,
  })
})
