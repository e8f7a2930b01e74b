import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { createCliWorld } from '../support/cli-world.ts'
import { ORDER_SIGNING_KEY, readServices } from '../support/composed.ts'
import { freePort } from '../support/free-port.ts'
import { isRoot, NOBODY } from '../support/server-process.ts'
import { canInstallNode, installNode } from '../supply/install-node.ts'
import { productionDependencies } from '../supply/production.ts'
import { buildImage, readInstructions, sizeOf } from './image.ts'

const isFull = Boolean(process.env.FULL) && canInstallNode
const MOST_BYTES = 60_000_000
const SOON = { timeout: 60_000 }
vi.setConfig({ testTimeout: 300_000, hookTimeout: 600_000 })

const instructions = readInstructions()
const texts = (name: string) => instructions.flatMap((each) => (each.name === name ? [each.text] : []))
const last = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'))

test('the image has two stages on one base, and the last runs no command and is not root', () => {
  const [first, second, ...further] = texts('FROM').map((text) => text.replace(/ AS .*/, ''))
  expect([second, further]).toEqual([first, []])
  expect(last.filter(({ name }) => name === 'RUN' || name === 'ADD')).toEqual([])
  expect(last.filter(({ name }) => name === 'USER')).toEqual([{ name: 'USER', text: 'node' }])
  expect(last.filter(({ name }) => name === 'HEALTHCHECK')).toHaveLength(1)
})

test('the image has a Node with SQLite, and starts the program of the package', () => {
  const [, major] = /^node:(\d+)-slim/.exec(texts('FROM')[0]!) ?? []
  expect(Number(major)).toBeGreaterThanOrEqual(24)
  const { bin, files } = JSON.parse(readFileSync('server/package.json', 'utf8'))
  const program = bin['gateway-checkout-server'].replace('./', '')
  const entrypoint = JSON.parse(texts('ENTRYPOINT')[0]!)
  expect(entrypoint).toEqual(['node', `/app/node_modules/gateway-checkout-server/${program}`])
  expect(files).toEqual(expect.arrayContaining(['Dockerfile', 'compose.yaml', 'places']))
  for (const file of files) expect([file, existsSync(`server/${file}`)]).toEqual([file, true])
})

test('compose.yaml asks for health as the image does', () => {
  const [, image] = /CMD (.*)$/.exec(texts('HEALTHCHECK')[0]!) ?? []
  const [, ...composed] = readServices()['replica-1']!.healthcheck.test
  const withoutDefault = JSON.parse(image!).map((word: string) => word.replace(' ?? 8080', ''))
  expect(composed).toEqual(withoutDefault)
})

test('what the image installs takes less than 60 MB', () => {
  const required = productionDependencies('server').filter(({ isOptional }) => !isOptional)
  const built = ['server/dist', 'widget/dist'].map((path) => ({ path }))
  const sizes = [...required, ...built].map(({ path }) => sizeOf(path))
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(MOST_BYTES)
})

const folder = mkdtempSync(join(tmpdir(), 'gateway-checkout-image-'))
let cli: Awaited<ReturnType<typeof createCliWorld>>
beforeAll(async () => {
  if (isFull) cli = await createCliWorld()
})
afterAll(async () => {
  if (isFull) await cli.close()
  rmSync(folder, { recursive: true })
})

test.runIf(isFull)(
  'the steps of the Dockerfile make a small image that serves without write access',
  async () => {
    execFileSync('npm', ['pack', '--workspaces', '--pack-destination', folder], { stdio: 'pipe' })
    const PACKAGES = readdirSync(folder)
      .map((name) => join(folder, name))
      .join(' ')
    const image = buildImage(folder, { PACKAGES })
    expect(image.volumes).toEqual([image.workdir])
    const layers = sizeOf(image.root)
    console.error(`[places] The layers of the image take ${(layers / 1e6).toFixed(1)} MB.`)
    expect(layers).toBeLessThan(MOST_BYTES)

    const node = join(installNode(folder, '24.21.0'), 'node')
    chmodSync(folder, 0o755)
    if (!isRoot) execFileSync('chmod', ['-R', 'a-w', join(image.root, 'app')])

    const port = String(await freePort())
    const merchant = cli.fresh({ HOST: '127.0.0.1', PORT: port, ORDER_SIGNING_KEY })
    const { STORE_URL: _, ...env } = { ...merchant, ...image.env }
    const asUser = {
      cwd: join(image.root, image.workdir),
      env,
      ...(isRoot && { uid: NOBODY, gid: NOBODY }),
    }
    const [, program = ''] = image.entrypoint
    const server = spawn(node, [join(image.root, program), ...image.command], { ...asUser, stdio: 'ignore' })
    onTestFinished(() => void server.kill('SIGKILL'))
    const health = async () => {
      const [code] = await once(spawn(node, image.health.slice(1), { ...asUser, stdio: 'ignore' }), 'exit')
      return code
    }
    await expect.poll(health, SOON).toBe(0)
    expect(readdirSync(asUser.cwd)).toContain('gateway-checkout.sqlite')
    const owned = execFileSync('find', [
      join(image.root, 'app'),
      '-newer',
      join(asUser.cwd, 'gateway-checkout.sqlite'),
    ])
    expect(String(owned)).toBe('')

    const ended = once(server, 'exit')
    server.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    expect(await health()).toBe(1)
  },
)
