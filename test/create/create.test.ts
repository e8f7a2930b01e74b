import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, describe, expect, test, vi } from 'vitest'

import { NAMES, TEMPLATES } from '../../demo/create/write-project.ts'
import { openChromium } from '../e2e/browser/open.ts'
import { installLanguages } from '../examples/languages.ts'
import { newFolder } from '../support/folder.ts'
import { run as runCommand } from '../support/worlds/command-line.ts'
import { createByNpm, createProject, linkModules, npm, packAll } from './packed.ts'
import { changePorts, freePorts, openOrder, payOrder, run } from './shop.ts'
import { payOnPhone, payWithoutScript } from './shopper.ts'

import type { Ports } from './shop.ts'

const TIMEOUT_MS = 600_000
/** Next is not among the installed packages. */
const QUICK = ['express', 'hono', 'php', 'python']
const isFull = Boolean(process.env.FULL)
vi.setConfig({ testTimeout: TIMEOUT_MS, hookTimeout: TIMEOUT_MS })

const folder = newFolder(afterAll)
installLanguages()
const browser = isFull ? await openChromium() : null
afterAll(() => browser?.close())

test.concurrent.each(QUICK)('the template %s leads from an empty folder to a paid order', async (name) => {
  const project = mkdtempSync(join(folder, `${name}-`))
  createProject(project, ['.', '--template', name])
  linkModules(project)
  await pays(project, payOrder)
})

// npm needs a second to start: here it starts a shop, and "A clone makes the packages" in `guides/` runs its `exec`.
test.concurrent('so does node, and a restart begins anew with its sandbox', async ({ onTestFinished }) => {
  const project = mkdtempSync(join(folder, 'node-'))
  createProject(project, ['.', '--template', 'node'])
  linkModules(project)
  const ports = await pays(project, payOrder, 'npm start')
  const cli = join(project, 'node_modules/gateway-checkout-server/dist/cli.js')
  const list = () => runCommand(['events', 'list'], {}, '', cli, project)
  expect((await list()).out).toContain('checkout.paid')
  const restarted = run(project, startScriptOf(project))
  onTestFinished(() => restarted.stop())
  await restarted.isUp(ports.shop)
  expect(await list()).toMatchObject({ out: '', err: 'The list is empty.\n' })
})

test.runIf(isFull).each(NAMES)('so does %s, with what npm installs for it', async (name) => {
  const project = mkdtempSync(join(folder, `installed-${name}-`))
  createByNpm(project, ['--template', name, '.'])
  npm(project, ['install', '--no-audit', '--no-fund', ...packAll().libraries])
  const payments = TEMPLATES[name].parts.includes('three-processes')
    ? // In PHP and Python, the form in the tag pays without JavaScript, too.
      [payOnPhone, payWithoutScript]
    : [payOnPhone]

  const payAll = async ({ shop }: Ports) => {
    let order = ''
    for (const pay of payments) {
      order = await pay(browser!, shop)
    }

    return order
  }

  // Next takes its port from the environment, and from no file.
  await pays(project, payAll, 'npm start', name === 'next')
})

async function pays(
  project: string,
  pay: (ports: Ports) => Promise<string>,
  command = startScriptOf(project),
  takesPort = false,
): Promise<Ports> {
  const ports = await freePorts()
  changePorts(project, ports)
  const shop = run(project, command, takesPort ? { PORT: new URL(ports.shop).port } : {})
  try {
    await shop.isUp(ports.shop)
    if (!takesPort) {
      const { MERCHANT_METHODS } = parseEnv(read(project, '.env'))
      expect(await openOrder(ports.shop)).toContain(`methods="${MERCHANT_METHODS}"`)
    }

    await shop.says(`paid: fulfil order ${await pay(ports)}`)
    expect(shop.said()).not.toMatch(/"level":(40|50)|error/i)
  } finally {
    await shop.stop()
  }

  return ports
}

/** Returns what `npm start` runs. */
function startScriptOf(project: string): string {
  const { scripts }: { scripts: { start: string } } = JSON.parse(read(project, 'package.json'))
  return `exec ${scripts.start}`
}

test.concurrent('where a port is taken, the shop says which, and where to change it', async () => {
  const project = mkdtempSync(join(folder, 'taken-'))
  createProject(project, ['.', '--template', 'node'])
  linkModules(project)
  const ports = await freePorts()
  changePorts(project, ports)
  const { hostname, port, host } = new URL(ports.sandbox)
  const other = createServer().listen(Number(port), hostname)
  await once(other, 'listening')
  const shop = run(project, startScriptOf(project))
  try {
    await shop.says(
      `The sandbox cannot start: listen EADDRINUSE: address already in use ${host}. GATEWAY_BASE_URL in .env`,
    )
  } finally {
    await shop.stop()
    other.close()
  }
})

describe('the command', () => {
  test('the command says how to go on, names the package after the folder, and makes secrets of its own', () => {
    const said = createProject(folder, ['Duka la Pwani', '--template=python'])
    expect(said).toContain("  cd 'Duka la Pwani'\n  npm install\n  npm start\n")
    createProject(folder, ['second', '--template=python'])
    const [first, second] = ['Duka la Pwani', 'second'].map((name) => join(folder, name))
    expect(JSON.parse(read(first!, 'package.json'))).toMatchObject({ name: 'duka-la-pwani' })
    const { version }: { version: string } = JSON.parse(read('server', 'package.json'))
    expect(JSON.parse(read(first!, 'package.json'))).toHaveProperty('dependencies', {
      'gateway-checkout-server': `^${version}`,
    })
    expect(read(first!, '.env')).toMatch(/^MERCHANT_WEBHOOK_SECRET=whsec_[\w+/]{32}$/m)
    expect(read(first!, '.env')).not.toBe(read(second!, '.env'))
    execFileSync('git', ['init', '--quiet'], { cwd: first })
    const kept = ['.env', 'node_modules/x', 'sandbox.sqlite-wal', 'orders/x.paid']
    expect(execFileSync('git', ['check-ignore', ...kept], { cwd: first, encoding: 'utf8' })).toBe(
      `${kept.join('\n')}\n`,
    )
    // Only the owner may read the secrets.
    expect((statSync(join(first!, '.env')).mode & 0o777).toString(8)).toBe('600')
  })

  test('the command writes into no folder that has a file, and over no file', () => {
    const taken = join(folder, 'taken')
    const file = join(folder, 'file')
    mkdirSync(taken)
    writeFileSync(join(taken, '.env'), 'mine')
    writeFileSync(file, 'mine')
    for (const name of ['taken', 'file']) {
      expect(refusal([name, '--template=node'])).toBe(
        `"${name}" exists and is not empty. Nothing was written: name a new folder.\n`,
      )
    }

    expect({
      files: readdirSync(taken),
      read: read(taken, '.env'),
      text: readFileSync(file, 'utf8'),
    }).toEqual({ files: ['.env'], read: 'mine', text: 'mine' })
  })

  test('the command takes an empty folder', () => {
    mkdirSync(join(folder, 'empty'))
    createProject(folder, ['empty', '-t', 'node'])
    expect(existsSync(join(folder, 'empty/shop.mjs'))).toBe(true)
  })

  test.each([
    [['shop'], /^--template is missing: one of node, express, hono, next, php, python\./],
    [
      ['shop', '--template=ruby'],
      /^--template is "ruby", and must be one of node, express, hono, next, php, python\.\n/,
    ],
    [['shop', 'other', '--template=node'], /^One folder may be given, not 2\.\n/],
    [['shop', '--tempalte=node'], /--tempalte/],
  ])('the command refuses %j by name, and shows its usage', (parameters, message) => {
    expect(refusal(parameters)).toMatch(message)
    expect(refusal(parameters)).toContain('Usage: npm create gateway-checkout [folder] -- --template <node|')
    expect(existsSync(join(folder, 'shop'))).toBe(false)
  })
})

function refusal(parameters: readonly string[]): string {
  try {
    createProject(folder, parameters)
  } catch (error) {
    if (error instanceof Error && 'stderr' in error) {
      return String(error.stderr).replace(/^npm (warn|error).*\n/gm, '')
    }
    throw error
  }

  throw new Error(`${parameters.join(' ')} was not refused.`)
}

function read(at: string, name: string): string {
  return readFileSync(join(at, name), 'utf8')
}
