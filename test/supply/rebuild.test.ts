import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findDifferences, readPackage, sha256 } from './packages.ts'

const folder = mkdtempSync(join(tmpdir(), 'packages-'))
afterAll(() => rmSync(folder, { recursive: true }))

function pack(name: string, change: (at: string) => void = () => {}): string {
  const at = join(folder, name)
  mkdirSync(join(at, 'package/dist'), { recursive: true })
  writeFileSync(join(at, 'package/package.json'), '{"name": "gateway-checkout", "version": "0.1.0"}')
  cpSync('widget/dist/gateway-checkout.js', join(at, 'package/dist/gateway-checkout.js'))
  writeFileSync(join(at, 'package/dist/index.js'), '')
  change(join(at, 'package'))
  execFileSync('tar', ['-czf', `${at}.tgz`, '-C', at, 'package'])
  return `${at}.tgz`
}

const paths = (lines: string[]) => lines.map((line) => line.split(':')[0])

test('packages are the same if all their files are, whenever they were packed', () => {
  const [first, second] = [readPackage(pack('one')), readPackage(pack('two'))]
  expect(findDifferences(first, second)).toEqual([])
  expect(first.files.get('dist/gateway-checkout.js')).toBe(sha256('widget/dist/gateway-checkout.js'))
})

test.each<[string, (at: string) => void, string]>([
  [
    'one byte of a file',
    (at) => {
      const file = join(at, 'dist/gateway-checkout.js')
      writeFileSync(file, `${readFileSync(file, 'utf8')} `)
    },
    'gateway-checkout/dist/gateway-checkout.js',
  ],
  [
    'a further file',
    (at) => writeFileSync(join(at, 'dist/postinstall.js'), ''),
    'gateway-checkout/dist/postinstall.js',
  ],
  ['a missing file', (at) => rmSync(join(at, 'dist/index.js')), 'gateway-checkout/dist/index.js'],
])('a package that differs in %s is found', (name, change, path) => {
  expect(paths(findDifferences(readPackage(pack('own')), readPackage(pack(name, change))))).toEqual([path])
})

test('a build does not depend on NODE_ENV, and names no folder of the machine', () => {
  const outDir = join(folder, 'development')
  const script = `import { createBuilder } from 'vite'
    const environments = { server: { build: { outDir: ${JSON.stringify(outDir)}, sourcemap: false } } }
    const builder = await createBuilder({ logLevel: 'error', environments })
    await builder.build(builder.environments.server)`
  const env = { ...process.env, NODE_ENV: 'development' }
  execFileSync(process.execPath, ['--input-type=module', '--eval', script], { env })
  const names = readdirSync(outDir, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.js'),
  )
  expect(names.length).toBeGreaterThan(5)
  for (const name of names) {
    const text = readFileSync(join(outDir, name), 'utf8')
    expect(text).not.toContain(process.cwd())
    const [published] = readFileSync(join('server/dist', name), 'utf8').split('//# sourceMappingURL=')
    expect(text.trim()).toBe(published?.trim())
  }
}, 60_000)

if (process.env.FULL)
  test('the last commit, built twice in clean folders, is the same to the byte', () => {
    const into = join(folder, 'release')
    const out = execFileSync('node', ['test/supply/rebuild.mjs', '--into', into], { encoding: 'utf8' })
    expect(out).toContain('Every file is the same.')
    const { bomFormat, components } = JSON.parse(readFileSync(join(into, 'sbom.cdx.json'), 'utf8'))
    expect(bomFormat).toBe('CycloneDX')
    expect(components.map(({ name }: { name: string }) => name)).toContain('gateway-checkout-server')
  }, 600_000)
