/** The table covers the specification: nothing is left out, and nothing is made up. */

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CHECKS } from './checks.ts'
import { NOT_OBSERVABLE } from './not-observable.ts'
import { INTRODUCTIONS, SENTENCES } from './sentences.ts'
import { FIELD_LIST, readParagraphs, readRows, specification } from './specification.ts'
import { coverage } from './table.ts'

const LEAST_ROWS = 250

test('every row of the specification has a check, or a reason why it cannot have one', () => {
  expect(coverage().uncovered).toEqual([])
})

test('no check and no reason is of a row that does not exist', () => {
  expect(coverage().unknown).toEqual([])
})

test('what a check shows needs no excuse', () => {
  expect(coverage().twice).toEqual([])
})

test('each check states a fact of its own, of one row at least', () => {
  const facts = CHECKS.map(({ fact }) => fact)
  expect(facts.filter((fact, index) => facts.indexOf(fact) !== index)).toEqual([])
  expect(CHECKS.filter(({ rows }) => rows.length === 0)).toEqual([])
})

test('each row has an id of its own', () => {
  const ids = readRows().map(({ id }) => id)
  expect(ids.length).toBeGreaterThanOrEqual(LEAST_ROWS)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
})

test('every sentence of the specification is a rule, a list of fields or an introduction', () => {
  const known = [...SENTENCES.map(({ says }) => says), ...INTRODUCTIONS].toSorted(
    (a, b) => b.length - a.length,
  )
  const rest = readParagraphs().map((paragraph) =>
    known.reduce((text, says) => text.replace(says, ''), paragraph.replaceAll(FIELD_LIST, '')),
  )
  expect(rest.map((text) => text.replaceAll(/[\s,.]/g, '')).filter((text) => text !== '')).toEqual([])
})

test('each rule and introduction stands in the specification', () => {
  const known = [...SENTENCES.map(({ says }) => says), ...INTRODUCTIONS]
  expect(known.filter((says) => !specification.includes(says))).toEqual([])
})

test('each reason is a sentence, and what it names of a README stands there', () => {
  const readme = readFileSync(new URL('../../demo/sandbox/README.md', import.meta.url), 'utf8')
  for (const reason of Object.values(NOT_OBSERVABLE)) {
    expect(reason).toMatch(/^[A-Z].{20,}\.$/s)
    for (const [, name] of reason.matchAll(/"([^"]+)"/g))
      expect(readme).toMatch(RegExp(`^(\\| |## )${name}( \\||$)`, 'm'))
  }
})

test('a line that is added to the specification is a row without a check', () => {
  const longer = specification.replace(
    '\n| narration | string | yes | 255 |',
    '\n| tip | integer | yes | 9 | New. |$&',
  )
  const known = new Set(readRows().map(({ id }) => id))
  const added = readRows(longer).filter(({ id }) => !known.has(id))
  expect(added.map(({ id }) => id)).toEqual([
    'Standard checkout request / tip',
    'Standard checkout request / tip / required',
    'Standard checkout request / tip / at most 9',
  ])
})
