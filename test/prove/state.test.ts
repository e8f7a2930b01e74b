import { expect, test } from 'vitest'

import { hasNumber, linesOf } from '../../server/prove/state.ts'

const NAMES = new Map([
  ['1500', '{amount}'],
  ['c99ad66f-1500-4fc6', '{payment}'],
])

test.each([
  ['{"order2":"paid","items":["a"]}', false],
  ['paid|2026-11-28|c99ad66f-1500-4fc6', false],
  ['paid|1', true],
  ['shipped 1 times', true],
])('that the state %j has a number is %j', (text, isThere) => {
  expect(hasNumber(linesOf(text, NAMES))).toBe(isThere)
})

test.each([
  ['{"status":"paid","of":{"payment":"c99ad66f-1500-4fc6"}}', ['status: paid', 'of.payment: {payment}']],
  ['paid|1500|2026-11-28 12:00:01', ['1: paid', '2: {amount}', '3: {time}']],
  ['paid at 1795867200\n\n paid at 2026-11-28T12:00:01.123Z ', ['paid at {time}']],
  ['', []],
])('the state %j has the lines %j', (text, lines) => {
  expect([...linesOf(text, NAMES).keys()]).toEqual(lines)
})
