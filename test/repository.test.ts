import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const PAGES = ['README.md', '.github/CONTRIBUTING.md', '.github/SECURITY.md']
const ADDITIONS = [
  'a language',
  'a text',
  'a limit',
  'a refusal of the gateway',
  'a field of the order',
  'an attribute',
  'a scenario',
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

/** A file or a folder that a comment names: from the file itself, from its top folder, or from the whole tree. */
const NAMED = /`((?:\.{1,2}\/)?[\w.-]+(?:\/[\w.-]+)*\.(?:tsx?|mjs|md|css)|\.{1,2}\/[\w./-]+)`/g
const ROOMS = ['', 'server', 'demo', 'demo/sandbox', 'widget', 'test', 'test/support']

test('every name that the contribution guide gives to a file stands there', () => {
  const text = readFileSync('.github/CONTRIBUTING.md', 'utf8')
  const named = [...text.matchAll(/`(\w+)` (?:in|of) `([\w./-]+\.tsx?)`/g)]
  const missing = named.filter(([, name = '', path = '']) => {
    const file = ['', ...ROOMS].map((room) => join(room, path)).find((each) => existsSync(each))
    return file === undefined || !readFileSync(file, 'utf8').includes(name)
  })
  expect(named.length).toBeGreaterThan(10)
  expect(missing.map(([phrase]) => phrase)).toEqual([])
})

test('every file that a comment names exists', () => {
  const folders = ['server', 'widget', 'demo', 'test']
  const names = folders.flatMap((folder) => {
    const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    return entries.map((name) => join(folder, name))
  })
  const sources = names.filter(
    (name) => /\.(tsx?|mjs|css)$/.test(name) && !/(^|\/)(dist|node_modules)\//.test(name),
  )
  const missing: string[] = []
  for (const source of sources) {
    const comments = readFileSync(source, 'utf8')
      .split('\n')
      .filter((line) => /^\s*(\/\/|\/?\*)/.test(line))
      .join('\n')
    for (const [, path = ''] of comments.matchAll(NAMED)) {
      const rooms = path.startsWith('.') ? [dirname(source)] : [dirname(source), ...ROOMS]
      if (!rooms.some((room) => existsSync(join(room, path)))) {
        missing.push(`${source} names ${path}`)
      }
    }
  }

  expect(missing).toEqual([])
})

/** The beginning of a form that is posted, in HTML or JSX, and not in a pattern that finds one. */
const POSTED_FORM = /(?<!\/)<form\b[^>]*\bmethod="post"[^>]*/g
/** A form of a bank, in an example of what the gateway answers. */
const FOREIGN = 'https://acs.bank.example/'

// The page of a shop may be in windows-1252: without it, a name such as André would arrive with U+FFFD.
test('every form that is written or shown sends UTF-8, whatever the encoding of the page', () => {
  const names = ['server', 'widget', 'demo'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  const pages = [...PAGES, ...names].filter(
    (name) => /\.(md|txt|html|php|py|[mc]?[jt]sx?)$/.test(name) && !/(^|\/)(dist|node_modules)\//.test(name),
  )
  const forms = pages.flatMap((page) => {
    const found = readFileSync(page, 'utf8').match(POSTED_FORM) ?? []
    return found.map((form) => ({ page, form }))
  })
  const own = forms.filter(({ form }) => !form.includes(FOREIGN))
  expect(own.length).toBeGreaterThan(10)
  expect(own.filter(({ form }) => !form.includes('accept-charset="utf-8"'))).toEqual([])
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
