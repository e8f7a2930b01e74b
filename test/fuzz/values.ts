import fc from 'fast-check'
import type { Field } from './shape.ts'

const STRANGE = [
  'null',
  'true',
  'false',
  '0',
  '-0',
  '-1',
  '0.005',
  '1e2',
  '1e400',
  '-1e400',
  '9007199254740993',
  '99999999999999999999999999999999',
  '0.1234567890123456789',
  '""',
  '"   "',
  '"0"',
  '"1e400"',
  '"NaN"',
  '"0x10"',
  '"١٢٣"',
  '"-5"',
  '"1,500"',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\u202e"',
  '"\\r\\nX-Injected: 1"',
  '"__proto__"',
  '"constructor"',
  '"../../etc/passwd"',
  '"javascript:alert(1)"',
  '"http://169.254.169.254/latest"',
  '"http://127.0.0.1:9/%zz"',
  '"https://"',
  `"' OR 1=1 --"`,
  '"<script>alert(1)</script>"',
  '[]',
  '{}',
  '[[]]',
  '[null]',
  '{"$gt": ""}',
  '{"__proto__": {"ok": true}}',
  '{"toString": 1}',
  '{"length": 1e9}',
  '{"length": {"toString": 1}}',
] as const

const FILLERS = ['a', '7', ' ', 'é', '😀', '\u0000', '\ud83d'] as const
// Longer than any request body may be.
const HUGE = 200_000
const DEEP = 20_000
const ENORMOUS = [
  JSON.stringify('x'.repeat(HUGE)),
  '['.repeat(DEEP) + ']'.repeat(DEEP),
  `${'{"a":'.repeat(DEEP / 4)}1${'}'.repeat(DEEP / 4)}`,
  `[${'0,'.repeat(DEEP)}0]`,
  '9'.repeat(DEEP),
] as const

export function strangeValue(field: Field, value: unknown): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...STRANGE) },
    { weight: 3, arbitrary: fc.constantFrom(...textsAroundLimits(field, value)) },
    { weight: 2, arbitrary: fc.constant(retyped(value)) },
    { weight: 2, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.constantFrom(...ENORMOUS) },
  )
}

function textsAroundLimits(
  { maxLength, minimum, maximum, enum: words = [], maxItems }: Field,
  value: unknown,
) {
  const lengths = maxLength === undefined ? [] : [maxLength, maxLength + 1]
  const numbers = [minimum, maximum].filter((limit) => limit !== undefined)
  const counts = Array.isArray(value) && maxItems !== undefined ? [maxItems, maxItems + 1] : []
  const near = [
    ...lengths.flatMap((length) => FILLERS.map((filler) => filler.repeat(length))),
    ...numbers.flatMap((number) => [number - 1, number, number + 1, String(number - 1)]),
    ...words.flatMap((word) => [`${String(word)} `, String(word).toLowerCase(), [word]]),
    ...counts.map((length) => Array.from({ length }, () => Object(value)[0])),
    `${String(value)} `,
  ]
  return near.map((one) => JSON.stringify(one))
}

function retyped(value: unknown): string {
  if (typeof value === 'number') return JSON.stringify(String(value))
  if (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)) return value
  return JSON.stringify([value])
}
