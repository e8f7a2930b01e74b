import { fieldAt, placesIn } from './shape.ts'
import { changed, PIECES, textNear, upTo } from './text.ts'

import type { SeededRandom } from '../support/seeded-random.ts'
import type { Field, Place } from './shape.ts'

/** Values of fields that lead further than any text, by the name of the field. */
export type Values = Readonly<Record<string, readonly string[]>>

export interface Model {
  examples: readonly unknown[]
  values?: Values
  shape?: Field
  /** The maximum length of a list in the JSON text, in characters. Default: what fits into most bodies. */
  most?: number
}

/** Values as JSON text, because no value in memory has repeated names, 1e400 or more digits than a number. */
const STRANGE: readonly string[] = [
  ...'null true false 0 -0 -1 0.005 1e2 1e300 1e400 -1e400 9007199254740993 8640000000000001'.split(' '),
  ...'99999999999999999999999999999999 0.1234567890123456789 "1e400" "0x10" "1,500"'.split(' '),
  ...'"275760-09-13T00:00:00Z" "+275760-09-13T00:00:00.001Z" "\\ud800" "\\u0000"'.split(' '),
  ...'"https://" "https://[::1" "//evil.example/" "http://169.254.169.254/latest"'.split(' '),
  ...'[] {} [[]] [null] {"$gt":""} {"__proto__":{"ok":true}} {"constructor":{"prototype":{}}}'.split(' '),
  ...'{"toString":1} {"toString":1,"valueOf":1,"toJSON":1} {"length":1e9}'.split(' '),
  ...'{"length":{"toString":1}} {"size":{"toString":1,"valueOf":1}} [{"length":{"valueOf":1}}]'.split(' '),
]
const WHOLE = ['', ' ', '{', '[', '"', '\0', 'undefined', '7', '"x"', '[{}]', '/* */{}', '{"a":1,}'] as const
const NAMES = ['__proto__', 'constructor', 'toString', 'length', '', 'a b', 'x'.repeat(5_000)] as const
const DEEPEST = 10_000
const HOLE = '\ue000'

/** Returns JSON text near one of the examples, often with wrong or hostile values, sometimes invalid. */
export function jsonNear(random: SeededRandom, model: Model): string {
  const { examples, values = {}, most = 31_000 } = model
  if (random.happens(0.02)) {
    return random.pick(WHOLE)
  }

  const draft = draftOf(random, model)
  draft.fill(values)
  if (random.happens(0.6)) {
    for (let left = upTo(random, 4); left > 0; left--) {
      draft.change()
    }
  }
  if (random.happens(0.03)) {
    draft.repeat(random.happens(0.5) ? random.between(most / 2, most) : upTo(random, most))
  }

  const text = draft.text()
  return random.happens(0.06) ? damaged(random, text, examples) : text
}

function damaged(random: SeededRandom, text: string, examples: readonly unknown[]): string {
  const kind = random.between(0, 4)
  if (kind === 0) {
    return text.slice(0, random.between(0, text.length))
  }
  if (kind === 1) {
    return `\ufeff${text}`
  }
  if (kind === 2) {
    return random.pick([`[${text}]`, `${text}${text}`, `${text}\0`, JSON.stringify(text)])
  }

  const texts = examples.map((each) => JSON.stringify(each))
  return changed(random, text, texts)
}

function draftOf(random: SeededRandom, { examples, shape = {} }: Model) {
  const raws: string[] = []
  /** The value is in an object, so that it can be replaced as a whole. */
  const root = { it: structuredClone(random.pick(examples)) }
  const places = () => placesIn(root.it, shape)
  const at = (place: Place) =>
    place.reduce<unknown>((part, name) => Object.getOwnPropertyDescriptor(Object(part), name)?.value, root.it)

  function put(place: Place, value: unknown): void {
    const parent = place.length === 0 ? root : at(place.slice(0, -1))
    if (typeof parent !== 'object' || parent === null) {
      return
    }

    const name = place.at(-1) ?? 'it'
    Object.defineProperty(parent, name, { value, enumerable: true, configurable: true, writable: true })
  }

  const hole = (raw: string) => `${HOLE}${raws.push(raw) - 1}`

  function written(value: unknown): string {
    const text = JSON.stringify(value) ?? 'null'
    return text.replaceAll(/"\ue000(\d+)"/g, (_, index: string) => raws[Number(index)] ?? '')
  }

  function strange(place: Place): string {
    const value = at(place)
    const kind = random.between(0, 9)
    if (kind < 2) {
      return JSON.stringify(textNear(random, [String(value)]))
    }
    if (kind < 4) {
      return JSON.stringify(atLimit(random, fieldAt(shape, place), value))
    }
    if (kind === 4) {
      return retyped(value)
    }
    if (kind === 5) {
      return random.happens(0.1) ? enormous(random) : junk(random, 3)
    }
    return random.pick(STRANGE)
  }

  /** Adds a field beside the place: a second value of the same name, or an unknown name. */
  function add(place: Place, raw: string): void {
    const parent = at(place.slice(0, -1))
    if (typeof parent !== 'object' || parent === null || Array.isArray(parent)) {
      return
    }

    const name = random.happens(0.5) ? String(place.at(-1)) : random.pick(NAMES)
    // The hole ends one field and starts another one.
    put([...place.slice(0, -1), `${HOLE}added`], hole(`0,${JSON.stringify(name)}:${raw}`))
  }

  return {
    text: () => written(root.it),

    fill(values: Values): void {
      for (const place of placesIn(root.it, {})) {
        const known = values[String(place.at(-1))]
        if (known && random.happens(0.7)) {
          put(place, random.pick(known))
        }
      }
    },

    change(): void {
      const all = places()
      const place = random.happens(0.03) || all.length === 0 ? [] : random.pick(all)
      const kind = random.between(0, 9)
      if (kind === 0) {
        put(place, undefined)
      } else if (kind === 1) {
        add(place, strange(place))
      } else if (kind === 2) {
        put(place, structuredClone(at(random.pick([...all, []]))))
      } else {
        put(place, hole(strange(place)))
      }
    },

    /** Makes a list of about `characters` characters: of the items of a list, or of any value. */
    repeat(characters: number): void {
      const all = places()
      const lists = all.filter((place) => Array.isArray(at(place)))
      const place = random.pick(lists.length > 0 && random.happens(0.8) ? lists : [...all, []])
      const value = at(place)
      const item = Array.isArray(value) && random.happens(0.7) ? value[0] : hole(strange(place))
      const text = random.happens(0.5) ? '0' : written(item)
      const count = Math.ceil(characters / (text.length + 1))
      // Items that differ have a number in place of their first digit.
      const items = Array.from({ length: count }, (_, index) => text.replace(/\d/, String(index)))
      put(place, hole(`[${random.happens(0.5) ? items.join() : `${text},`.repeat(count - 1) + text}]`))
    },
  }
}

const FILLERS = ['a', '7', ' ', 'é', '😀', '\0', '\ud83d'] as const

/** Returns a value at a limit of the field, or just beyond. */
function atLimit(random: SeededRandom, field: Field, value: unknown): unknown {
  const { maxLength, minimum, maximum, enum: words, maxItems } = field
  const off = random.between(-1, 1)
  const limits: (() => unknown)[] = [() => `${String(value)} `]
  if (maxLength !== undefined) {
    limits.push(() => random.pick(FILLERS).repeat(maxLength + off))
  }

  for (const limit of [minimum, maximum]) {
    if (limit !== undefined) {
      limits.push(() => (random.happens(0.5) ? limit + off : String(limit + off)))
    }
  }

  if (words) {
    limits.push(
      () => random.pick(words),
      () => String(random.pick(words)).toLowerCase(),
    )
  }
  if (maxItems !== undefined && Array.isArray(value)) {
    limits.push(() => Array.from({ length: Math.min(maxItems, 1_000) + off }, () => value[0]))
  }
  return random.pick(limits)()
}

function retyped(value: unknown): string {
  if (typeof value === 'number') {
    return JSON.stringify(String(value))
  }
  if (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)) {
    return value
  }
  return JSON.stringify([value])
}

function junk(random: SeededRandom, depth: number): string {
  const items = () => Array.from({ length: random.between(0, 3) }, () => junk(random, depth - 1))
  const kind = random.between(depth > 0 ? 0 : 2, 5)
  if (kind === 0) {
    return `[${items().join()}]`
  }

  const field = (item: string) => `${JSON.stringify(random.pick(NAMES))}:${item}`
  if (kind === 1) {
    return `{${items().map(field).join()}}`
  }
  return kind === 2 ? random.pick(STRANGE) : JSON.stringify(random.pick(PIECES))
}

function enormous(random: SeededRandom): string {
  const depth = upTo(random, DEEPEST)
  return random.pick([
    () => '['.repeat(depth) + ']'.repeat(depth),
    () => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
    () => '9'.repeat(depth),
    () => JSON.stringify('x'.repeat(depth * 10)),
    () => `{${Array.from({ length: depth }, (_, index) => `"${index}":0`).join()}}`,
  ])()
}
