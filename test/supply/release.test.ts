import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { readPackage } from './packages.ts'
import {
  CHANGELOGS,
  FILES,
  findProblems,
  MANIFESTS,
  notesOf,
  publications,
  versionOf,
  withVersion,
} from './release.ts'

const isFull = Boolean(process.env.FULL)
vi.setConfig({ testTimeout: isFull ? 1_800_000 : 120_000 })

const files = Object.fromEntries(FILES.map((path) => [path, readFileSync(path, 'utf8')]))
const current = versionOf(files[MANIFESTS[0]!]!)
const NEXT = '7.3.0'
const withNotes = {
  ...files,
  ...Object.fromEntries(
    CHANGELOGS.map((path) => [
      path,
      `# Changelog\n\n## ${NEXT} (unreleased)\n\n- Rounder.\n\n## 7.2.9 (2026-01-01)\n\n- Round.\n`,
    ]),
  ),
}
const clean = { files: withNotes, tags: ['v7.2.9', 'nightly'], changes: [] }

test('all packages have one version, and the server needs the widget of this version', () => {
  expect(MANIFESTS.map((path) => versionOf(files[path]!))).toEqual(MANIFESTS.map(() => current))
  expect(JSON.parse(files['server/package.json']!).dependencies['gateway-checkout']).toBe(current)
})

test('a version that is new, described and committed can be released', () => {
  expect(findProblems(NEXT, clean)).toEqual([])
})

test.each<[string, string, Partial<typeof clean> | { changes: string[] }, RegExp]>([
  ['no version', 'next', {}, /not a version/],
  ['the version of a tag', NEXT, { tags: [`v${NEXT}`] }, /not newer than the tag v7\.3\.0/],
  ['an older version than a tag', NEXT, { tags: ['v7.10.0'] }, /not newer than the tag v7\.10\.0/],
  ['a prerelease after its release', `${NEXT}-rc.1`, { tags: [`v${NEXT}`] }, /not newer/],
  ['changes that are not committed', NEXT, { changes: [' M README.md'] }, /README\.md/],
  ['a changelog without the version', '7.4.0', {}, /widget\/CHANGELOG\.md must begin with "## 7\.4\.0/],
  [
    'a changelog that says nothing',
    NEXT,
    { files: { ...withNotes, [CHANGELOGS[1]!]: `## ${NEXT} (unreleased)\n\n## 1.0.0\n\n- A.\n` } },
    /server\/CHANGELOG/,
  ],
  [
    'packages of several versions',
    NEXT,
    { files: { ...withNotes, 'server/package.json': '{"version":"9.9.9"}' } },
    /several versions/,
  ],
])('%s is refused', (_, version, change, problem) => {
  expect(findProblems(version, { ...clean, ...change }).join('\n')).toMatch(problem)
})

test('the version is written into every place that has it, and the day into the changelogs', () => {
  const written = withVersion(withNotes, NEXT, '2026-12-01')
  for (const path of MANIFESTS) expect(versionOf(written[path]!)).toBe(NEXT)
  expect(JSON.parse(written['server/package.json']!).dependencies['gateway-checkout']).toBe(NEXT)
  expect(written['widget/README.md']).toContain(`gateway-checkout@${NEXT}.js`)
  for (const path of CHANGELOGS) {
    expect(written[path]).toContain(`## ${NEXT} (2026-12-01)\n`)
    expect(notesOf(written[path]!, NEXT)).toBe('- Rounder.')
  }
  // Without a change of the version, the lockfile stays as npm has written it.
  expect(withVersion(files, current, '2026-12-01')['package-lock.json']).toBe(files['package-lock.json'])
})

test('the widget is published before the server that needs it, and a prerelease not as the latest', () => {
  expect(publications(NEXT, ['w.tgz', 's.tgz']).map(([, file]) => file)).toEqual(['w.tgz', 's.tgz'])
  expect(publications(NEXT, ['w.tgz'])[0]).not.toContain('--tag')
  expect(publications(`${NEXT}-rc.1`, ['w.tgz'])[0]).toEqual(expect.arrayContaining(['--tag', 'next']))
})

const folder = mkdtempSync(join(tmpdir(), 'release-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs the command in a repository at `at`, and returns what it said and what the repository was before and after. */
function release(at: string, words: string[]) {
  const git = (...rest: string[]) => execFileSync('git', ['-C', at, ...rest], { encoding: 'utf8' })
  const state = () => [git('rev-parse', 'HEAD'), git('tag'), git('status', '--short')]
  const before = state()
  const { status, stdout, stderr } = spawnSync('node', ['test/supply/release.mjs', ...words], {
    cwd: at,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return { status, said: stdout + stderr, before, after: state() }
}

function prepare(at: string): void {
  for (const setting of ['user.name=A test', 'user.email=test@shop.example'])
    execFileSync('git', ['-C', at, 'config', ...setting.split('=')])
  symlinkSync(resolve('node_modules'), join(at, 'node_modules'))
  writeFileSync(join(at, '.git/info/exclude'), 'node_modules\n')
}

test.runIf(isFull)('the command refuses with every problem, and changes nothing', () => {
  const at = mkdtempSync(join(folder, 'refused-'))
  execFileSync('git', ['init', '--quiet', at])
  prepare(at)
  for (const path of [...FILES, 'test/supply']) cpSync(path, join(at, path), { recursive: true })
  execFileSync('git', ['-C', at, 'add', '--all'])
  execFileSync('git', ['-C', at, 'commit', '--quiet', '-m', 'a commit'])
  writeFileSync(join(at, 'new.txt'), '')
  const { status, said, before, after } = release(at, ['0.0.9', '--dry-run', '--publish'])
  expect(status).toBe(1)
  for (const problem of [/new\.txt/, /widget\/CHANGELOG\.md must begin/, /--publish and --dry-run/])
    expect(said).toMatch(problem)
  expect(after).toEqual(before)
})

test.runIf(isFull)('a dry run makes the packages, their sums and the SBOM, and changes nothing here', () => {
  const at = mkdtempSync(join(folder, 'dry-'))
  execFileSync('git', ['clone', '--quiet', resolve('.'), at])
  prepare(at)
  const into = join(at, '../packages')
  const { status, said, before, after } = release(at, [current, '--dry-run', '--into', into])
  expect([status, said]).toEqual([0, expect.stringContaining(`${current} can be released.`)])
  expect(said).toContain('Every file is the same.')
  expect(said).toContain('integrity.json names the hashes')
  expect(after).toEqual(before)
  const packages = readdirSync(into).filter((name) => name.endsWith('.tgz'))
  expect(packages.map((name) => readPackage(join(into, name)).version)).toEqual([current, current, current])
  expect(readdirSync(into)).toEqual(expect.arrayContaining(['SHA256SUMS', 'sbom.cdx.json']))
})
