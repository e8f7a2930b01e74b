import { createSeededRandom } from '../support/seeded-random.ts'
import { attack } from './harness.ts'
import { jsonNear } from './json.ts'
import { textNear } from './text.ts'

import type { SeededRandom } from '../support/seeded-random.ts'
import type { Model } from './json.ts'

export interface Parser {
  name: string
  /** Examples of text, or a model of JSON text. */
  near: readonly string[] | Model
  /** Returns what the parser makes of a text; `null` or `undefined` if the parser refuses the text. */
  parse: (text: string, luck: SeededRandom) => unknown
  /** The errors with which the parser refuses a text. */
  refusals?: readonly (new (...given: never[]) => Error)[]
  /** The maximum length of texts that are not JSON. Default: 5,000 characters. */
  most?: number
}

/** The maximum size of a parser's result, in characters of JSON text. */
const mostOf = (text: string) => 20_000 + 10 * text.length

/** Declares a test of a parser: whatever the text, the parser returns a value or refuses the text. */
export function attackParser({ name, near, parse, refusals = [], most }: Parser): void {
  attack<{ text: string; luck: number }>({
    name,
    generate: (random) => ({
      text: 'examples' in near ? jsonNear(random, near) : textNear(random, near, most),
      luck: random.between(0, 1e9),
    }),
    open: () => ({
      async run({ text, luck }) {
        const { value, isRefused } = await outcomeOf(() => parse(text, createSeededRandom(luck)), refusals)
        const size = JSON.stringify(value)?.length ?? 0
        if (size > mostOf(text)) {
          throw new Error(`The result has ${size} characters.`)
        }
        return !isRefused && value !== null && value !== undefined
      },
    }),
  })
}

async function outcomeOf(parse: () => unknown, refusals: Required<Parser>['refusals']) {
  try {
    return { value: await parse(), isRefused: false }
  } catch (error) {
    if (error instanceof Error && refusals.some((refusal) => error instanceof refusal)) {
      return { value: error.message, isRefused: true }
    }
    throw error
  }
}
