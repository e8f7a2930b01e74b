import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

import { PROBLEMS } from '../../../server/api/problem-codes.ts'
import { MESSAGES } from '../../../widget/developer/console.ts'

import type { ProblemCode } from '../../../server/api/problem-codes.ts'
import type { ElementErrorCode } from '../../../widget/state/failure.ts'

const FOUND = {
  no_server: true,
  no_order: true,
  network: true,
  timeout: true,
  invalid_answer: true,
  popup_blocked: true,
  prompt_off: true,
  unknown_value: true,
} satisfies Record<ElementErrorCode, true>

const FOR_OTHERS: readonly string[] = [
  'unauthorized',
  'unknown_callback',
  'unknown_payout',
  'unknown_charge',
  'unknown_airtime',
  'unknown_event',
  'unknown_payment',
  'unknown_link',
  'unknown_reference',
  'reference_reused',
  'record_deleted',
  'charge_not_paid',
  'acknowledged_otherwise',
  'too_many_streams',
  'gateway_unauthorized',
  'nothing_to_resolve',
  'resolved_otherwise',
  'no_time_zone',
] satisfies ProblemCode[]

const readme = readFileSync('widget/README.md', 'utf8')
const [, chapter = ''] = /## Errors\n([^]*?)\n## /.exec(readme) ?? []
const listed = chapter
  .split('\n')
  .filter((line) => line.startsWith('| `') && !line.startsWith('| `code`'))
  .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, code = '']) => code))

test('the README lists every code of checkout-error once', () => {
  const met = Object.keys(PROBLEMS).filter((code) => !FOR_OTHERS.includes(code))
  expect(listed.toSorted()).toEqual([...Object.keys(FOUND), ...met].toSorted())
})

test('every error of the element has a console message, and no unlisted code has one', () => {
  expect(Object.keys(MESSAGES)).toEqual(expect.arrayContaining(Object.keys(FOUND)))
  expect(Object.keys(MESSAGES).filter((code) => !listed.includes(code))).toEqual([])
})

test('console messages name no variable that the payment server does not have', () => {
  const messages = readFileSync('widget/developer/console.ts', 'utf8')
  const named = [...messages.matchAll(/\b[A-Z]+(?:_[A-Z]+)+\b/g)].map(([name]) => name)
  const server = readFileSync('server/README.md', 'utf8')
  expect(named).toContain('ALLOWED_ORIGINS')
  expect(named.filter((name) => !server.includes(`\`${name}\``))).toEqual([])
})
