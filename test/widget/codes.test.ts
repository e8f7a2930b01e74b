/** The codes of `checkout-error`, as the README lists them. */

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PROBLEMS } from '../../server/api/problem-codes.ts'
import { ADVICE } from '../../widget/diagnosis.ts'

import type { ProblemCode } from '../../server/api/problem-codes.ts'
import type { ElementCode } from '../../widget/failure.ts'

/** A code that the element finds itself and that is missing here does not compile. */
const FOUND = {
  no_server: true,
  no_order: true,
  network: true,
  timeout: true,
  invalid_answer: true,
  popup_blocked: true,
  unknown_value: true,
} satisfies Record<ElementCode, true>

/** What the payment server says to others than the tag. */
const FOR_OTHERS: readonly string[] = [
  'unauthorized',
  'unknown_callback',
  'unknown_payout',
  'unknown_charge',
  'unknown_airtime',
  'unknown_event',
  'unknown_reference',
  'reference_reused',
  'charge_not_paid',
  'acknowledged_otherwise',
  'too_many_streams',
  'gateway_unauthorized',
] satisfies ProblemCode[]

const readme = readFileSync('widget/README.md', 'utf8')
const [, chapter = ''] = /## When something is in the way\n([^]*?)\n## /.exec(readme) ?? []
const listed = chapter
  .split('\n')
  .filter((line) => line.startsWith('| `') && !line.startsWith('| `code`'))
  .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, code = '']) => code))

test('the README lists every code that a page can be told, and each once', () => {
  const met = Object.keys(PROBLEMS).filter((code) => !FOR_OTHERS.includes(code))
  expect(listed.toSorted()).toEqual([...Object.keys(FOUND), ...met].toSorted())
})

test('there is advice for everything that the element finds itself, and for no code that nobody says', () => {
  expect(Object.keys(ADVICE)).toEqual(expect.arrayContaining(Object.keys(FOUND)))
  expect(Object.keys(ADVICE).filter((code) => !listed.includes(code))).toEqual([])
})

test('the advice names no variable that the payment server does not have', () => {
  const advice = readFileSync('widget/diagnosis.ts', 'utf8')
  const named = [...advice.matchAll(/\b[A-Z]+(?:_[A-Z]+)+\b/g)].map(([name]) => name)
  const server = readFileSync('server/README.md', 'utf8')
  expect(named).toContain('ALLOWED_ORIGINS')
  expect(named.filter((name) => !server.includes(`\`${name}\``))).toEqual([])
})
