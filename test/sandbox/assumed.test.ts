import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readSources } from '../support/source-tree.ts'

test('the README lists every file that has an [assumed]', () => {
  const readme = readFileSync('demo/sandbox/README.md', 'utf8')
  const files = readSources('demo/sandbox').map(({ path }) => path)
  const assuming = files.filter((path) => readFileSync(path, 'utf8').includes('[assumed]'))
  const named = (path: string) => readme.includes(`\`${path.replace('demo/sandbox/', '')}\``)
  expect(assuming.length).toBeGreaterThan(20)
  expect(assuming.filter((path) => !named(path))).toEqual([])
})
