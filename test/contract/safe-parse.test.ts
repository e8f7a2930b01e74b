import { expect, test } from 'vitest'
import { z } from 'zod'

import { safeParse } from '../../server/contract/parse.ts'
import { LIBRARY_WORDS } from '../fuzz/library-words.ts'

const messageOf = (schema: z.ZodType, value: unknown) =>
  safeParse(schema, value).error?.issues.map(({ message }) => message)

const number = z.number()
const KIND = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('a') }),
  z.object({ kind: z.literal('b') }),
])

test.each<[z.ZodType, unknown, string]>([
  [z.string(), undefined, 'is required'],
  [z.string(), 7, 'must be text'],
  [number, 'ten', 'must be a number'],
  [number, Number.NaN, 'must be a number'],
  [z.int(), 1.5, 'must be a whole number'],
  [z.boolean(), 'yes', 'must be true or false'],
  [z.object({}), [], 'must be an object'],
  [z.record(z.string(), number), 7, 'must be an object'],
  [z.array(number), {}, 'must be a list'],
  [z.tuple([number]), {}, 'must be a list'],
  [z.null(), 7, 'must be null'],
  [z.date(), 7, 'has the wrong type'],
  [z.literal('a'), undefined, 'is required'],
  [z.enum(['a', 'b']), 'c', 'must be one of a, b'],
  [number.min(5), 4, 'must be at least 5'],
  [number.gt(5), 5, 'must be more than 5'],
  [number.max(5), 6, 'must be at most 5'],
  [number.lt(5), 5, 'must be less than 5'],
  [number.multipleOf(5), 6, 'must be a multiple of 5'],
  [z.string().min(2), 'a', 'must have a length of at least 2'],
  [z.string().max(2), 'abc', 'must have a length of at most 2'],
  [z.array(number).max(1), [1, 2], 'must have a length of at most 1'],
  [z.string().regex(/a/), 'b', 'has the wrong format'],
  [z.url(), 'b', 'has the wrong format'],
  [z.strictObject({}), { tip: 1 }, 'must not have the fields tip'],
  [z.union([z.string(), number]), true, 'is not valid'],
  [KIND, { kind: 'c' }, 'is not valid'],
  [z.string().refine(() => false), 'a', 'is not valid'],
  [z.map(z.string(), number), 7, 'has the wrong type'],
])('rule %#: %j %s', (schema, value, message) => {
  expect(messageOf(schema, value)).toEqual([message])
  expect(message).not.toMatch(LIBRARY_WORDS)
  expect(z.prettifyError(schema.safeParse(value).error!)).toMatch(LIBRARY_WORDS)
})

test('a message of a schema of its own remains', () => {
  expect(messageOf(z.string('must be a name'), 7)).toEqual(['must be a name'])
})
