import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const PAGES = ['README.md', '.github/CONTRIBUTING.md', '.github/SECURITY.md']
const ADDITIONS = [
  'a language',
  'a status',
  'an endpoint of the gateway',
  'an endpoint of `/api`',
  'an event',
  'a kind of transaction',
  'a store',
]

test.each(PAGES)('every file that %s names exists', (page) => {
  const text = readFileSync(page, 'utf8')
  const paths = [...text.matchAll(/`((?:\.github|demo|server|test|widget)\/[\w./-]*)`/g)].map(
    ([, path]) => path!,
  )
  expect(paths.filter((path) => !existsSync(path))).toEqual([])
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
