import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { get } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { NAMES } from '../../demo/create/templates.ts'
import { openChromium } from '../e2e/browser/open.ts'
import { installLanguages } from '../examples/languages.ts'
import { run as runCommand } from '../support/command-line.ts'
import { linkModules } from '../supply/packed-server.ts'
import type { Packed } from './packed.ts'
import { createByNpm, createProject, npm, packAll } from './packed.ts'
import type { Ports } from './shop.ts'
import { changePorts, freePorts, payOrder, run } from './shop.ts'
import { payAcrossReload, payOnPhone } from './shopper.ts'

const TIMEOUT_MS = 600_000
/** The tests of the guides start the templates of PHP and Python, and Next is not among the installed packages. */
const QUICK = ['node', 'express']
const isFull = Boolean(process.env.FULL)
vi.setConfig({ testTimeout: TIMEOUT_MS, hookTimeout: TIMEOUT_MS })

const folder = mkdtempSync(join(tmpdir(), 'create-'))
let packed: Packed
let browser: Browser
beforeAll(async () => {
  installLanguages()
  packed = packAll(join(folder, 'tarballs'))
  browser = await openChromium()
})
afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true })
})

test.concurrent.each(QUICK)('the template %s leads from an empty folder to a paid order', async (name) => {
  const project = mkdtempSync(join(folder, `${name}-`))
  const create = name === 'node' ? createByNpm : createProject
  create(packed, project, ['.', '--template', name])
  linkModules(project, packed.libraries)
  await pays(project, (ports) => (name === 'node' ? payInBrowser(ports) : payOrder(ports)))
})

test.runIf(isFull).each(NAMES)('so does %s, with what npm installs for it', async (name) => {
  const project = mkdtempSync(join(folder, `installed-${name}-`))
  createByNpm(packed, project, ['--template', name, '.'])
  npm(project, ['install', '--no-audit', '--no-fund', ...packed.libraries])
  // Next takes its port from the environment, and from no file.
  await pays(project, payInBrowser, name === 'next')
})

/** Pays two orders: on a phone, and in a pop-up with a reload. Returns the second. */
async function payInBrowser(ports: Ports): Promise<string> {
  await payOnPhone(browser, ports.shop)
  return payAcrossReload(browser, ports.shop)
}

async function pays(
  project: string,
  pay: (ports: Ports) => Promise<string>,
  takesPort = false,
): Promise<void> {
  const ports = await freePorts()
  changePorts(project, ports)
  const shop = run(project, 'npm start', takesPort ? { PORT: new URL(ports.shop).port } : {})
  try {
    await shop.isUp(ports.shop)
    await shop.says(`paid: fulfil order ${await pay(ports)}`)
    expect(shop.said()).not.toMatch(/"level":(40|50)|error/i)
  } finally {
    await shop.stop()
  }
}

test.concurrent.each(['node', 'python'])(
  'where its port is taken, %s says which, and where to change it',
  async (name) => {
    const project = mkdtempSync(join(folder, `taken-${name}-`))
    createProject(packed, project, ['.', '--template', name])
    linkModules(project, packed.libraries)
    const ports = await freePorts()
    changePorts(project, ports)
    const { hostname, port, host } = new URL(ports.sandbox)
    const other = createServer().listen(Number(port), hostname)
    await once(other, 'listening')
    const shop = run(project, 'npm start')
    try {
      await shop.says(
        `The sandbox cannot start: listen EADDRINUSE: address already in use ${host}. GATEWAY_BASE_URL in .env`,
      )
    } finally {
      await shop.stop()
      other.close()
    }
  },
)

test.concurrent.each(['node', 'python', 'php'])(
  'the commands see the payments of the shop %s, whose store begins anew with its sandbox',
  async (name) => {
    const project = mkdtempSync(join(folder, `commands-${name}-`))
    createProject(packed, project, ['.', '--template', name])
    linkModules(project, packed.libraries)
    const ports = await freePorts()
    changePorts(project, ports)
    const cli = join(project, 'node_modules/gateway-checkout-server/dist/cli.js')
    const list = () => runCommand(['events', 'list'], {}, '', cli, project)
    const shop = run(project, 'npm start')
    let order = ''
    try {
      await shop.isUp(ports.shop)
      order = await payOrder(ports)
      await shop.says(`paid: fulfil order ${order}`)
      expect((await list()).out).toContain(order)
    } finally {
      await shop.stop()
    }
    expect((await list()).out).toContain(order)
    const restarted = run(project, 'npm start')
    try {
      await restarted.isUp(ports.shop)
      expect(await list()).toMatchObject({ out: '', err: 'The list is empty.\n' })
    } finally {
      await restarted.stop()
    }
  },
)

test('without ORDERS_TOKEN, the template php shows the terms of an order to nobody', async () => {
  const project = mkdtempSync(join(folder, 'php-'))
  createProject(packed, project, ['.', '--template', 'php'])
  const { shop } = await freePorts()
  const php = run(project, `php -S ${new URL(shop).host} shop.php`, { PUBLIC_URL: shop, ORDERS_TOKEN: '' })
  try {
    await php.isUp(shop)
    const { headers } = await fetch(`${shop}/order`, { method: 'POST', redirect: 'manual' })
    const order = `${shop}${headers.get('location')?.replace('/order/', '/orders/')}`
    // `fetch` would remove the space.
    const [answer] = await once(get(order, { headers: { authorization: 'Bearer ' } }), 'response')
    expect(await text(answer)).not.toContain('1500')
  } finally {
    await php.stop()
  }
})

describe('the command', () => {
  test('says how to go on, names the package after the folder, and makes secrets of its own', () => {
    const said = createProject(packed, folder, ['Duka la Pwani', '--template=python'])
    expect(said).toContain("  cd 'Duka la Pwani'\n  npm install\n  npm start\n")
    createProject(packed, folder, ['second', '--template=python'])
    const [first, second] = ['Duka la Pwani', 'second'].map((name) => join(folder, name))
    expect(JSON.parse(read(first!, 'package.json'))).toMatchObject({ name: 'duka-la-pwani' })
    const { version }: { version: string } = JSON.parse(read('server', 'package.json'))
    expect(JSON.parse(read(first!, 'package.json'))).toHaveProperty('dependencies', {
      'gateway-checkout-server': `^${version}`,
    })
    expect(read(first!, '.env')).toMatch(/^MERCHANT_WEBHOOK_SECRET=whsec_[\w+/]{32}$/m)
    expect(read(first!, '.env')).not.toBe(read(second!, '.env'))
    expect(read(first!, '.gitignore')).toContain('.env')
    // Only the owner may read the secrets.
    expect((statSync(join(first!, '.env')).mode & 0o777).toString(8)).toBe('600')
  })

  test('writes into no folder that has a file, and over no file', () => {
    const [taken, file] = [join(folder, 'taken'), join(folder, 'file')]
    mkdirSync(taken)
    writeFileSync(join(taken, '.env'), 'mine')
    writeFileSync(file, 'mine')
    for (const name of ['taken', 'file'])
      expect(refusal([name, '--template=node'])).toBe(
        `"${name}" exists and is not empty. Nothing was written: name a new folder.\n`,
      )
    expect([readdirSync(taken), read(taken, '.env'), readFileSync(file, 'utf8')]).toEqual([
      ['.env'],
      'mine',
      'mine',
    ])
  })

  test('takes an empty folder', () => {
    mkdirSync(join(folder, 'empty'))
    createProject(packed, folder, ['empty', '-t', 'node'])
    expect(existsSync(join(folder, 'empty/shop.mjs'))).toBe(true)
  })

  test.each([
    [['shop'], /^--template is missing: one of node, express, next, php, python\./],
    [
      ['shop', '--template=ruby'],
      /^--template is "ruby", and must be one of node, express, next, php, python\.\n/,
    ],
    [['shop', 'other', '--template=node'], /^One folder may be given, not 2\.\n/],
    [['shop', '--tempalte=node'], /--tempalte/],
  ])('refuses %j by name, and shows its usage', (parameters, message) => {
    expect(refusal(parameters)).toMatch(message)
    expect(refusal(parameters)).toContain('Usage: npm create gateway-checkout [folder] -- --template <node|')
    expect(existsSync(join(folder, 'shop'))).toBe(false)
  })
})

function refusal(parameters: readonly string[]): string {
  try {
    createProject(packed, folder, parameters)
  } catch (error) {
    if (error instanceof Error && 'stderr' in error)
      return String(error.stderr).replace(/^npm (warn|error).*\n/gm, '')
    throw error
  }
  throw new Error(`${parameters.join(' ')} was not refused.`)
}

function read(at: string, name: string): string {
  return readFileSync(join(at, name), 'utf8')
}
