// `npm run release -- VERSION` releases all packages under one version. It works in a clone of the last commit: writes the
// version, commits, builds twice and compares (`npm run rebuild`), and tags. Then the commit and the tag come here.
// `--dry-run` leaves out the last step. `--into FOLDER`: where the packages, SHA256SUMS and the SBOM go.
// `--publish` also publishes the packages to npm; nothing else does.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runnerImport } from 'vite'

const { module } = await runnerImport('./test/supply/release.ts', { configFile: false, logLevel: 'error' })
const { CHANGELOGS, FILES, MANIFESTS, findProblems, notesOf, publications, withVersion } = module

const { values, positionals } = parseArgs({
  options: {
    'dry-run': { type: 'boolean', default: false },
    publish: { type: 'boolean', default: false },
    into: { type: 'string' },
  },
  allowPositionals: true,
})
const [version = ''] = positionals
const lines = (text) => text.split('\n').filter((line) => line !== '')
const git = (...words) => execFileSync('git', words, { encoding: 'utf8' }).trim()

const files = Object.fromEntries(FILES.map((path) => [path, readFileSync(path, 'utf8')]))
const problems = findProblems(version, {
  files,
  tags: lines(git('tag', '--list', 'v*')),
  changes: lines(git('status', '--short')),
})
if (values.publish && values['dry-run']) problems.push('--publish and --dry-run exclude each other.')
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)

const into = resolve(values.into ?? mkdtempSync(join(tmpdir(), `release-${version}-`)))
const folder = mkdtempSync(join(tmpdir(), 'release-'))
const clone = join(folder, 'clone')
try {
  git('clone', '--quiet', '.', clone)
  symlinkSync(resolve('node_modules'), join(clone, 'node_modules'))
  const day = new Date().toISOString().slice(0, 10)
  for (const [path, text] of Object.entries(withVersion(files, version, day)))
    writeFileSync(join(clone, path), text)
  const name = ['user.name', 'user.email'].flatMap((key) => ['-c', `${key}=${git('config', key)}`])
  git('-C', clone, ...name, 'commit', '--quiet', '--allow-empty', '-a', '-m', `release: ${version}`)

  execFileSync('node', ['test/supply/rebuild.mjs', '--into', into], { cwd: clone, stdio: 'inherit' })
  const tarballs = tarballsOf(into)
  checkIntegrity(tarballs[0])

  const notes = CHANGELOGS.map((path) => `${path}\n\n${notesOf(files[path], version)}\n`).join('\n')
  git('-C', clone, ...name, 'tag', '--annotate', `v${version}`, '-m', `${version}\n\n${notes}`)
  if (values['dry-run']) console.log(`${version} can be released. Nothing was changed here.`)
  else take(clone)
  if (values.publish)
    for (const words of publications(version, tarballs)) execFileSync('npm', words, { stdio: 'inherit' })
} finally {
  rmSync(folder, { recursive: true })
}

/** Returns the packed packages in the order of their publication. */
function tarballsOf(at) {
  return MANIFESTS.map((path) => {
    const file = `${JSON.parse(files[path]).name}-${version}.tgz`
    if (!readdirSync(at).includes(file)) throw new Error(`${at} has no ${file}.`)
    return join(at, file)
  })
}

/** Compares the hashes that pages pin with the packed files. */
function checkIntegrity(tarball) {
  const read = (path) =>
    execFileSync('tar', ['-xzOf', tarball, `package/dist/${path}`], { maxBuffer: 2 ** 30 })
  const { integrity } = JSON.parse(String(read('integrity.json')))
  for (const [path, hash] of Object.entries(integrity)) {
    // The second file has a second address, with a query.
    const [file] = path.slice('./'.length).split('?')
    const found = `sha384-${createHash('sha384').update(read(file)).digest('base64')}`
    if (found !== hash) throw new Error(`${path} has the hash ${found}, and integrity.json names ${hash}.`)
  }
  console.log(`integrity.json names the hashes of its ${Object.keys(integrity).length} files.`)
}

function take(clone) {
  git('fetch', '--quiet', clone, 'HEAD', `refs/tags/v${version}:refs/tags/v${version}`)
  git('merge', '--quiet', '--ff-only', 'FETCH_HEAD')
  console.log(`Tagged v${version}. Publish ${into}, and push: git push --follow-tags`)
}
