import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

import { CHECKS, NOT_OBSERVABLE, coverage } from '../../server/conformance/all-checks.ts'
import { CLAIMS } from '../../server/conformance/claims.ts'
import {
  FIELD_LIST,
  INTRODUCTIONS,
  SENTENCES,
  readParagraphs,
  readRows,
  specification,
} from '../../server/conformance/specification.ts'

const LEAST_ROWS = 250

test('every row of the specification has a check, or a reason why it has none', () => {
  expect(coverage().uncovered).toEqual([])
})

test('every check and reason is for an existing row', () => {
  expect(coverage().unknown).toEqual([])
})

test('no row has both a check and a reason', () => {
  expect(coverage().twice).toEqual([])
})

test('each check has a unique name and at least one row', () => {
  const facts = CHECKS.map(({ fact }) => fact)
  expect(facts.filter((fact, index) => facts.indexOf(fact) !== index)).toEqual([])
  expect(CHECKS.filter(({ rows }) => rows.length === 0)).toEqual([])
})

test('each row has a unique id', () => {
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

test('each rule and introduction is in the specification', () => {
  const known = [...SENTENCES.map(({ says }) => says), ...INTRODUCTIONS]
  expect(known.filter((says) => !specification.includes(says))).toEqual([])
})

test('each reason is a sentence, and its quotations are in the README', () => {
  const readme = readFileSync(new URL('../../demo/sandbox/README.md', import.meta.url), 'utf8')
  for (const reason of Object.values(NOT_OBSERVABLE)) {
    expect(reason).toMatch(/^[A-Z].{20,}\.$/s)
    for (const [, name] of reason.matchAll(/"([^"]+)"/g)) {
      expect(readme).toMatch(RegExp(`^(\\| |## )${name}( \\||$)`, 'm'))
    }
  }
})

test('the claims of a rule are the whole rule', () => {
  const rows = readRows()
  for (const [id, claims] of Object.entries(CLAIMS)) {
    const says = rows.find((row) => row.id === id || row.id.startsWith(`${id} / `))?.says ?? ''
    expect(
      claims.filter((claim) => !says.includes(claim.says)),
      id,
    ).toEqual([])
    const rest = claims.reduce((text, claim) => text.replace(claim.says, ''), says.split(' | ').at(-1) ?? '')
    expect([id, rest.replaceAll(/[\s,.;:()]/g, '')]).toEqual([id, ''])
  }
})

test('a line added to the specification is a row without a check', () => {
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
