import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { writeFiles } from '../guides/follow.ts'
import { createCliWorld } from '../support/cli-world.ts'
import { run as runCommand } from '../support/command-line.ts'
import { linkModules } from '../supply/packed-server.ts'
import type { Packed } from './packed.ts'
import { createProject, packAll } from './packed.ts'
import { freePorts, movePorts, payOrder, priceAsNumber, run } from './shop.ts'

const TIMEOUT_MS = 300_000
vi.setConfig({ testTimeout: TIMEOUT_MS, hookTimeout: TIMEOUT_MS })
/** What the guide adds for shares of an order. */
const MARKETPLACE = {
  GATEWAY_CHARGE_PATH: '/v1/charges',
  PARTNER_ACCOUNTS_DYNAMIC: 'PARTNER-FEES=25:Platform fee',
}
const PAID = 'paid: fulfil order '
const SHOPS = [
  ['the template node', template('node'), 'onEvent'],
  ['the template next', template('next'), 'onEvent'],
  ['the guide next', guideNext, 'onEvent'],
  ['the example next', example('next'), 'fulfil'],
  ['the example vite', example('vite'), 'fulfil'],
  ['the example nuxt', example('nuxt', 'server/utils/orders.js'), 'fulfil'],
  ['the example sveltekit', example('sveltekit', 'src/lib/orders.js'), 'fulfil'],
  ['the example astro', example('astro', 'src/orders.js'), 'fulfil'],
] as const

const folder = mkdtempSync(join(tmpdir(), 'fulfilment-'))
let packed: Packed
beforeAll(() => {
  packed = packAll(join(folder, 'tarballs'))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('an order is fulfilled once, however often its event arrives and the shop restarts', () => {
  test.each(SHOPS)('%s', (_, write, receive) => {
    const project = mkdtempSync(join(folder, 'shop-'))
    const orders = write(project)
    // Each call is a process of its own.
    const call = (name: string, parameter: unknown) => callFunction(project, orders, name, parameter)
    const order = call('createOrder', null)
    const data = { order, merchant_transaction_id: 'first', amount: '1500', currency: 'KES' }
    const deliver = (id: string) => call(receive, { id, type: 'checkout.paid', data })
    const mark = join(project, 'orders', `${order}.paid`)
    symlinkSync('/nowhere/file', mark)
    expect(() => deliver('evt_1')).toThrow('EEXIST')
    rmSync(mark)
    expect(deliver('evt_1')).toContain(order)
    expect([deliver('evt_1'), deliver('evt_2')].join('')).not.toContain(order)
  })

  test.concurrent.for(['guides/node.md', 'guides/migrating.md', 'guides/marketplace.md', 'llms.txt'])(
    '%s',
    async (guide, { onTestFinished }) => {
      const cli = await createCliWorld()
      const project = mkdtempSync(join(folder, 'shop-'))
      linkModules(project, packed.libraries)
      writeFiles(`server/${guide}`, project)
      const ports = await freePorts()
      movePorts(project, ports)
      const env = cli.fresh({
        PUBLIC_URL: `${ports.shop}/pay`,
        ALLOWED_ORIGINS: ports.shop,
        DEFAULT_COUNTRY: 'KE',
        ...(guide.includes('marketplace') && MARKETPLACE),
      })
      const start = async () => {
        const shop = run(project, 'exec node shop.mjs', env)
        await shop.isUp(`${ports.shop}/pay/health/ready`)
        return shop
      }
      const first = await start()
      const order = await payOrder({ ...ports, sandbox: cli.gateway })
      await first.says(`${PAID}${order}`)
      await first.stop()
      const second = await start()
      onTestFinished(async () => {
        await second.stop()
        await cli.close()
      })
      const { items } = JSON.parse((await runCommand(['events', 'list', '--json'], env)).out)
      const [{ id }] = items.filter(({ type }: { type: string }) => type === 'checkout.paid')
      expect(await runCommand(['events', 'replay', id], env)).toMatchObject({ code: 0 })
      await vi.waitUntil(async () => {
        const { out } = await runCommand(['events', 'show', id, '--json'], env)
        return JSON.parse(out).delivery === 'delivered'
      }, TIMEOUT_MS)
      expect(second.said()).not.toContain(PAID)
    },
  )
})

test.each(SHOPS)(
  '%s compares amounts as text, names terms that differ, and reports a second payment',
  (_, write, receive) => {
    const project = mkdtempSync(join(folder, 'shop-'))
    const orders = write(project)
    priceAsNumber(project)
    const order = callFunction(project, orders, 'createOrder', null)
    const pay = (terms: object) => {
      const data = { order, merchant_transaction_id: 'first', amount: '1500', currency: 'KES', ...terms }
      return callFunction(project, orders, receive, { id: 'evt_1', type: 'checkout.paid', data })
    }
    expect(pay({ amount: '2000' })).toContain(`paid 2000 KES, order 1500 KES: look at order ${order}`)
    expect(pay({})).toContain(`fulfil ${receive === 'fulfil' ? '' : 'order '}${order}`)
    expect(pay({})).toBe('')
    expect(pay({ merchant_transaction_id: 'other' })).toContain(`paid again: look at order ${order}`)
  },
)

type Write = (project: string) => string

/** Returns a function that writes the orders of a template into a folder, and returns the file's name. */
function template(name: string): Write {
  return (project) => {
    createProject(packed, project, ['.', '--template', name])
    return 'orders.mjs'
  }
}

function example(name: string, orders = 'orders.js'): Write {
  return (project) => {
    cpSync(`server/examples/frameworks/${name}`, project, { recursive: true })
    return orders
  }
}

function guideNext(project: string): string {
  writeFiles('server/guides/next.md', project)
  const options = '--ignoreConfig --noCheck --module esnext --target es2022 --outDir out orders.ts'
  execFileSync(resolve('node_modules/.bin/tsc'), options.split(' '), { cwd: project })
  cpSync(join(project, 'out/orders.js'), join(project, 'orders.mjs'))
  return 'orders.mjs'
}

/** Calls a function of a file in a new process, and returns what it prints and what the function returns. */
function callFunction(project: string, file: string, name: string, parameter: unknown): string {
  const code = `const orders = await import(${JSON.stringify(join(project, file))})
    const result = await orders.${name}(${JSON.stringify(parameter)})
    if (typeof result === 'string') process.stdout.write(result)`
  const parameters = ['--input-type=module', '-e', code]
  return execFileSync(process.execPath, parameters, { cwd: project, encoding: 'utf8', stdio: 'pipe' })
}
