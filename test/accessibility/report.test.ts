import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { TestName } from './criteria.ts'
import { CRITERIA } from './criteria.ts'
import { renderReport } from './report.ts'

const REPORT = 'widget/ACCESSIBILITY.md'
// [WCAG 2.2] Success criteria of levels A and AA, by guideline. 4.1.1 was removed.
const GUIDELINES = {
  '1.1': [1],
  '1.2': [1, 2, 3, 4, 5],
  '1.3': [1, 2, 3, 4, 5],
  '1.4': [1, 2, 3, 4, 5, 10, 11, 12, 13],
  '2.1': [1, 2, 4],
  '2.2': [1, 2],
  '2.3': [1],
  '2.4': [1, 2, 3, 4, 5, 6, 7, 11],
  '2.5': [1, 2, 3, 4, 7, 8],
  '3.1': [1, 2],
  '3.2': [1, 2, 3, 4, 6],
  '3.3': [1, 2, 3, 4, 7, 8],
  '4.1': [2, 3],
}

test('each criterion of WCAG 2.2 A and AA is answered once', () => {
  const ids = Object.entries(GUIDELINES).flatMap(([guideline, numbers]) =>
    numbers.map((number) => `${guideline}.${number}`),
  )
  expect(CRITERIA.map(({ id }) => id)).toEqual(ids)
})

test('each test that the report names exists', () => {
  const named = CRITERIA.flatMap(({ evidence }) => ('tests' in evidence ? evidence.tests : []))
  const isThere = ([file, title]: TestName) => readFileSync(`test/${file}`, 'utf8').includes(`'${title}'`)
  expect(named.filter((each) => !isThere(each))).toEqual([])
  expect(CRITERIA.filter(({ evidence }) => 'tests' in evidence && evidence.tests.length === 0)).toEqual([])
})

test('the report is current', () => {
  const text = renderReport(CRITERIA)
  if (process.env.ACCESSIBILITY === 'renew') writeFileSync(REPORT, text)
  expect(readFileSync(REPORT, 'utf8')).toBe(text)
})
