// `npm run rebuild` builds the last commit twice, in two clean folders, and compares each published file by SHA-256.
// `npm run rebuild -- FILE.tgz …` also compares the result with published packages.
// `npm run rebuild -- --into FOLDER` writes the packages, SHA256SUMS and the SBOM there, for a release.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runnerImport } from 'vite'

const { module } = await runnerImport('./test/supply/packages.ts', { configFile: false })
const { findDifferences, readPackage, sha256 } = module

// The second build has another path, file mode and environment: the files must not depend on them.
const BUILDS = [
  { name: 'first', umask: 0o022, env: { NODE_ENV: 'production' } },
  {
    name: 'second, with another path',
    umask: 0o077,
    env: { NODE_ENV: 'development', TZ: 'Pacific/Kiritimati', LANG: 'sw_KE.UTF-8' },
  },
]
const INSTALL = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']

const { values, positionals: published } = parseArgs({
  options: { into: { type: 'string' } },
  allowPositionals: true,
})
const folder = mkdtempSync(join(tmpdir(), 'rebuild-'))
let differences = ['Nothing was built.']
try {
  const [tarballs, again] = BUILDS.map((each) => build(each))
  differences = [...compare(tarballs, again), ...compare(tarballs, published)]
  for (const tarball of tarballs) console.log(`${sha256(tarball)}  ${basename(tarball)}`)
  if (values.into !== undefined) release(tarballs, resolve(values.into))
} finally {
  rmSync(folder, { recursive: true })
}
for (const line of differences) console.error(line)
console.log(differences.length === 0 ? 'Every file is the same.' : 'The packages differ.')
process.exitCode = differences.length === 0 ? 0 : 1

/** Builds the last commit in a new folder. Returns the paths of the packed packages. */
function build({ name, umask, env }) {
  process.umask(umask)
  const at = join(folder, name)
  const packed = join(at, 'packed')
  mkdirSync(packed, { recursive: true })
  const sources = execFileSync('git', ['archive', 'HEAD'], { maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', at], { input: sources })
  console.log(`Building in ${at}`)
  npm(at, env, 'ci', '--include=dev', ...INSTALL)
  npm(at, env, 'run', 'build')
  npm(at, env, 'pack', '--workspaces', '--pack-destination', packed)
  return readdirSync(packed).map((file) => join(packed, file))
}

/** Compares each package of `others` with the built package of the same name. Returns one line per difference. */
function compare(built, others) {
  const packages = built.map((tarball) => readPackage(tarball))
  return others.flatMap((tarball) => {
    const other = readPackage(tarball)
    const own = packages.find(({ name }) => name === other.name)
    console.log(`Comparing ${other.files.size} files of ${tarball}`)
    return own ? findDifferences(own, other) : [`${tarball}: the package ${other.name} is not built here.`]
  })
}

/** Writes the packages, SHA256SUMS and the SBOM. The SBOM lists what npm installs for a merchant. */
function release(tarballs, into) {
  process.umask(BUILDS[0].umask)
  mkdirSync(into, { recursive: true })
  const packages = tarballs.map((tarball) => readPackage(tarball))
  const sums = [
    ...tarballs.map((tarball) => `${sha256(tarball)}  ${basename(tarball)}`),
    ...packages.flatMap(({ name, files }) => [...files].map(([path, hash]) => `${hash}  ${name}/${path}`)),
  ]
  for (const tarball of tarballs) copyFileSync(tarball, join(into, basename(tarball)))
  writeFileSync(join(into, 'SHA256SUMS'), `${sums.join('\n')}\n`)

  const at = join(folder, 'gateway-checkout-release')
  mkdirSync(at)
  const { version } = packages[0]
  writeFileSync(join(at, 'package.json'), JSON.stringify({ name: basename(at), version, private: true }))
  npm(at, {}, 'install', ...INSTALL, ...tarballs)
  const sbom = npm(at, {}, 'sbom', '--sbom-format', 'cyclonedx')
  writeFileSync(join(into, 'sbom.cdx.json'), sbom.replaceAll(`file:${folder}/`, 'file:'))
  console.log(`${into} has the packages, SHA256SUMS and sbom.cdx.json.`)
}

function npm(at, env, ...parameters) {
  const options = { cwd: at, env: { ...process.env, ...env }, encoding: 'utf8', maxBuffer: 2 ** 30 }
  return execFileSync('npm', ['--loglevel=error', ...parameters], {
    ...options,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}
