import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ENDPOINTS } from '../conformance/endpoints.ts'
import { readSources } from '../support/source-tree.ts'

const readme = readFileSync('demo/sandbox/README.md', 'utf8')

test('the README lists every file that has an [assumed]', () => {
  const files = readSources('demo/sandbox', 'server/contract').map(({ path }) => path)
  const assuming = files.filter((path) => readFileSync(path, 'utf8').includes('[assumed]'))
  const named = (path: string) => readme.includes(`\`${path.replace(/^(demo\/sandbox|server)\//, '')}\``)
  expect(assuming.length).toBeGreaterThan(20)
  expect(assuming.filter((path) => !named(path))).toEqual([])
})

test('every assumption of the list is about an endpoint, or about what is beside them', () => {
  const [, list = ''] = readme.split('\n## Assumed\n')
  const listed = [...list.matchAll(/^\| (\S.*?) \|.*`/gm)].map(([, name]) => name)
  const named = Object.values(ENDPOINTS).flatMap(({ assumed }) => assumed.split('; '))
  expect(new Set(named)).toEqual(new Set(listed))
})
