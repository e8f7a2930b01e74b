import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const report = readFileSync('widget/ACCESSIBILITY.md', 'utf8')
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
  expect([...report.matchAll(/^\| ([\d.]+) /gm)].map(([, id]) => id)).toEqual(ids)
})

test('each test that the report names exists, and each criterion that is met has one', () => {
  const isThere = (file = '', title = '') => {
    const text = readFileSync(file, 'utf8')
    return text.includes(`'${title}'`) || text.includes(`\`${title}\``)
  }
  const named = [...report.matchAll(/“([^”]+)” \(`(test\/[^`]+)`\)/g)]
  expect(named.filter(([, title, file]) => !isThere(file, title)).map(([text]) => text)).toEqual([])
  const met = report.split('\n').filter((line) => line.includes('| supports |'))
  expect(met.filter((line) => !/(“|By hand)/.test(line))).toEqual([])
})
