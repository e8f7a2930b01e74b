import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'

const PAGES = ['.github/CONTRIBUTING.md', '.github/SECURITY.md']
const ADDITIONS = [
  'a language',
  'a status',
  'an endpoint of the gateway',
  'an endpoint of `/api`',
  'an event',
  'a kind of transaction',
  'a store',
]
const MOST_LINES = 80

test.each(PAGES)('%s is one page, and every file that it names exists', (page) => {
  const text = readFileSync(page, 'utf8')
  expect(text.split('\n').length).toBeLessThanOrEqual(MOST_LINES)
  const paths = [...text.matchAll(/`((?:\.github|demo|server|test|widget)\/[\w./-]*)`/g)].map(
    ([, path]) => path!,
  )
  expect(paths.filter((path) => !existsSync(path))).toEqual([])
})

test('every source that the map in the README names exists', () => {
  let root = ''
  const missing: string[] = []
  for (const row of readFileSync('README.md', 'utf8').split('\n')) {
    root = /^\| `(server|widget|demo)\/`/.exec(row)?.[1] ?? root
    // In a row, a name without a folder is beside the name before it.
    let folder = root
    for (const [, path = ''] of row.matchAll(/`([\w./-]+(?:\.tsx?|\/))`/g)) {
      const found = [path, `${root}/${path}`, `${folder}/${path}`].find((each) => existsSync(each))
      if (found === undefined) {
        missing.push(path)
      } else {
        folder = found.endsWith('/') ? found : dirname(found)
      }
    }
  }

  expect([root, missing]).toEqual(['demo', []])
})

test.each(ADDITIONS)('the contributing page says what to touch for %s', (addition) => {
  const row = readFileSync('.github/CONTRIBUTING.md', 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`| ${addition} |`))
  expect(row).toMatch(/`(server|widget|demo)\/.+`.*\|.*`test\/.+`/)
})

test('npm ci warns of no package that needs a newer Node than this one', { timeout: 60_000 }, () => {
  const { status, stderr } = spawnSync('npm', ['ci', '--dry-run', '--offline'], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, expect.not.stringContaining('EBADENGINE')])
})
