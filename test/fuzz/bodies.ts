import fc from 'fast-check'
import { fieldAt, placesIn } from './shape.ts'
import { strangeValue } from './values.ts'
import type { Values } from './addresses.ts'
import type { Field, Place } from './shape.ts'

export interface Sent {
  contentType: string | null
  body: string | Uint8Array<ArrayBuffer>
}

export interface Model {
  example: object
  values: Values
  shape: Field
}

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'
const TYPES = [
  null,
  '',
  'text/plain',
  'text/xml',
  'application/json; charset=utf-16',
  'APPLICATION/JSON',
  'application/json;;;',
  'application/vnd.api+json',
  'application/jsonx',
  'multipart/form-data; boundary=x',
  `${JSON_TYPE}, ${FORM_TYPE}`,
  FORM_TYPE,
]
const HOSTILE = [
  '',
  ' ',
  'null',
  'undefined',
  '7',
  '"x"',
  '[]',
  '[{}]',
  '{}',
  '{',
  '\u0000',
  '{"__proto__":{"amount":1}}',
  '{"a":1e400}',
  `{"a":"${'x'.repeat(300_000)}"}`,
  '['.repeat(100_000),
  `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
]
const HOLE = '\ue000hole\ue000'

export function bodies(model: Model): fc.Arbitrary<Sent> {
  return good(model).chain((value) =>
    fc.oneof(
      { weight: 4, arbitrary: fc.constant(json(JSON.stringify(value))) },
      { weight: 10, arbitrary: near(value, model.shape) },
      { weight: 4, arbitrary: hostile(value) },
    ),
  )
}

function good({ example, values }: Model): fc.Arbitrary<object> {
  const known = placesIn(example, {}).filter((place) => Object.hasOwn(values, String(place.at(-1))))
  const choices = known.map((place) => fc.constantFrom(...(values[String(place.at(-1))] ?? [])))
  return fc
    .tuple(...choices)
    .map((chosen) =>
      known.reduce<object>((value, place, index) => withField(value, place, chosen[index]), example),
    )
}

function near(value: object, shape: Field): fc.Arbitrary<Sent> {
  const text = JSON.stringify(value)
  const changed = fc.constantFrom(...placesIn(value, shape)).chain((place) => {
    const wrong = strangeValue(fieldAt(shape, place), at(value, place))
    return fc.oneof(
      { weight: 5, arbitrary: wrong.map((given) => filled(withField(value, place, HOLE), given)) },
      { weight: 1, arbitrary: fc.constant(JSON.stringify(withField(value, place, undefined))) },
      { weight: 1, arbitrary: wrong.map((given) => added(text, String(place[0]), given)) },
    )
  })
  const extra = fc
    .constantFrom('__proto__', 'constructor', 'toString', 'unknown', '', 'a'.repeat(5_000))
    .map((name) => added(text, name, '{"amount":1}'))
  return fc.oneof({ weight: 9, arbitrary: changed }, { weight: 1, arbitrary: extra }).map(json)
}

function hostile(value: object): fc.Arbitrary<Sent> {
  const text = JSON.stringify(value)
  const fields = Object.entries(value).map(([name, field]) => [name, String(field)])
  const form = new URLSearchParams(fields).toString()
  const texts = fc.oneof(
    fc.constantFrom(...HOSTILE),
    fc.constantFrom(`\ufeff${text}`, `${text}\u0000`, `${text}${text}`, `[${text}]`, `/* */${text}`),
    fc.nat(text.length).map((length) => text.slice(0, length)),
    fc.string({ unit: 'binary' }),
    fc.json(),
  )
  return fc.oneof(
    { weight: 4, arbitrary: texts.map(json) },
    { weight: 2, arbitrary: fc.constantFrom(...TYPES).map((contentType) => ({ contentType, body: text })) },
    { weight: 1, arbitrary: texts.map((body) => ({ contentType: FORM_TYPE, body })) },
    { weight: 1, arbitrary: fc.constant({ contentType: FORM_TYPE, body: form }) },
    { weight: 1, arbitrary: fc.uint8Array().map((bytes) => json(Uint8Array.from(bytes))) },
  )
}

function json(body: Sent['body']): Sent {
  return { contentType: JSON_TYPE, body }
}

function filled(value: object, text: string): string {
  return JSON.stringify(value).replace(JSON.stringify(HOLE), () => text)
}

function added(text: string, name: string, given: string): string {
  return text.replace(/\}$/, () => `,${JSON.stringify(name)}:${given}}`)
}

function at(value: unknown, place: Place): unknown {
  return place.reduce<unknown>(
    (part, name) => Object.getOwnPropertyDescriptor(Object(part), name)?.value,
    value,
  )
}

function withField(value: object, [name = '', ...rest]: Place, field: unknown): object {
  const next = rest.length === 0 ? field : withField(Object(at(value, [name])), rest, field)
  if (Array.isArray(value)) return value.map((item: unknown, index) => (index === name ? next : item))
  return { ...value, [name]: next }
}
