/**
 * The assertions of the checks. The checks also run outside this repository, without a test framework, and each failure
 * is one line for a person who has never seen the check.
 */

import { inspect } from 'node:util'

import type { Json } from './connection.ts'

const MAX_CHARACTERS = 400

/** A part of an expected value that any value may have for which `fits` returns `true`. */
class Pattern {
  readonly fits: (value: Json) => boolean
  readonly #says: string

  constructor(says: string, fits: (value: Json) => boolean) {
    this.fits = fits
    this.#says = says
  }

  [inspect.custom] = () => this.#says
}

/**
 * Returns what can be asserted of a value.
 *
 * @param context What a failure also shows, such as the text of the answer.
 */
export function expect(value: Json, context = '') {
  const assert = (relation: string, expected: unknown, holds: boolean, isWanted: boolean) => {
    if (holds === isWanted) {
      return
    }

    const verb = isWanted ? 'expected' : 'did not expect'
    const message = `${verb} ${relation}${shown(expected)}, got ${shown(value)}`
    throw new Error(context === '' ? message : `${message}: ${short(context)}`)
  }

  const assertions = (isWanted: boolean) => ({
    toBe: (expected: unknown) => assert('', expected, Object.is(value, expected), isWanted),
    /** Properties that are undefined count as missing. */
    toEqual: (expected: unknown) => assert('', expected, isLike(value, expected, true), isWanted),
    /** Objects may have further properties. */
    toMatchObject: (expected: object) => assert('', expected, isLike(value, expected, false), isWanted),
    toMatch: (pattern: RegExp) => assert('', pattern, isMatch(value, pattern), isWanted),
    toContain: (part: unknown) => assert('to contain ', part, Boolean(value?.includes(part)), isWanted),
    toHaveLength: (length: number) => assert('the length ', length, value?.length === length, isWanted),
    toBeGreaterThan: (least: number) => assert('more than ', least, value > least, isWanted),
    toBeGreaterThanOrEqual: (least: number) => assert('at least ', least, value >= least, isWanted),
    toBeLessThanOrEqual: (most: number) => assert('at most ', most, value <= most, isWanted),
  })
  return { ...assertions(true), not: assertions(false) }
}

expect.matching = (pattern: RegExp) => new Pattern(String(pattern), (value) => isMatch(value, pattern))
expect.anything = () => new Pattern('anything', (value) => value !== undefined && value !== null)

function isLike(value: Json, expected: Json, isWhole: boolean): boolean {
  if (expected instanceof Pattern) {
    return expected.fits(value)
  }
  if (!isObject(value) || !isObject(expected)) {
    return Object.is(value, expected)
  }
  if (Array.isArray(value) !== Array.isArray(expected)) {
    return false
  }

  const haveSameNames = isWhole || Array.isArray(expected)
  const names = new Set([...Object.keys(expected), ...(haveSameNames ? Object.keys(value) : [])])
  return [...names].every((name) => isLike(value[name], expected[name], isWhole))
}

const isMatch = (value: Json, pattern: RegExp) => typeof value === 'string' && pattern.test(value)

// An array or an object of JSON. Other objects, such as a Set, are equal to themselves only.
const isObject = (value: Json) => Array.isArray(value) || value?.constructor === Object

const shown = (value: unknown) => short(inspect(value, { depth: 6, breakLength: Infinity }))

const short = (text: string) => (text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text)
