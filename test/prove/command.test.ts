import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { cancelOrder, createOrders, readState } from '../../server/prove/shop.ts'
import { systemClock } from '../../server/work/clock.ts'
import { newFolder } from '../support/folder.ts'
import { listen } from '../support/free-port.ts'
import { LEAST } from '../support/least-config.ts'
import { runHere } from '../support/worlds/terminal.ts'
import { openShop, SECRET } from './faulty-shop.ts'
import { createSkippingClock } from './skipping-clock.ts'

import type { Fault } from './faulty-shop.ts'
import type { TestContext } from 'vitest'

const TIMEOUT = { timeout: 60_000 }

test('prove says of each sequence whether it passed, and writes JUnit', TIMEOUT, async (context) => {
  const { prove, folder, orders } = await open(context, 'compares no amount')
  const junit = join(folder, 'prove.xml')
  const { code, out } = await prove('--create', orders, '--state', `${orders}/{order}`, '--junit', junit)
  expect(code).toBe(1)
  expect(out).toContain('✓ duplicate: answered 200, 200, 200; the order is paid exactly once\n')
  // The advice stands at the first of the two to end.
  expect(out).toMatch(
    /✗ wrong amount(, paid late)?: .*expected that the order is not paid.*\n {4}The shopper pays/,
  )
  expect(out).toMatch(/\n\d+ passed, 2 failed, 0 not proven\.\n$/)
  const xml = readFileSync(junit, 'utf8')
  expect(xml).toMatch(/<testsuite name="prove" tests="\d+" failures="2" skipped="0">/)
  expect(xml).toMatch(
    /<testcase classname="prove" name="wrong amount" time="[\d.]+"><failure message="event 1 of 2, checkout.paid: /,
  )
})

test('a run ends and fails when its verdicts cannot be written', { timeout: 5_000 }, async (context) => {
  const { prove, folder, exits } = await open(context, null)
  const { err } = await prove('--junit', folder)
  expect(err).toContain(`${folder} cannot be written.`)
  await expect.poll(() => exits).toEqual([73])
})

test('where the shop cancels orders, a payment of a cancelled one is sent, too', TIMEOUT, async (context) => {
  const { prove, orders } = await open(context, 'fulfils what it has cancelled')
  const means = ['--create', orders, '--state', `${orders}/{order}`]
  const { out } = await prove(...means, '--cancel', `${orders}/{order}/cancel`)
  expect(out).toMatch(/✗ paid after the shop has cancelled it: .*\n {4}The goods went back to the stock/)
  expect((await prove(...means)).out).not.toContain('cancelled')
  expect((await prove(...means, '--cancel', orders)).err).toContain('--cancel must contain {order}')
})

test('the help says what an event is, and what the shop answers', async () => {
  const { out } = await runHere(['prove', '--help'], {})
  const unfolded = out.replaceAll(/\n {10,}/g, ' ')
  expect(unfolded).toContain(
    '{"type": "checkout.paid", "timestamp": …, "data": {"order": "A-1", "amount": "1500",',
  )
  expect(unfolded).toMatch(/ --create .* A-1, \{"order": "A-1"\}, or location: \/order\/A-1\n/)
  expect(unfolded).toMatch(/ --state .* how often it was fulfilled, as a number, /)
})

test.each([{}, LEAST])(
  'it asks before it sends anything, unless the environment is explicitly the sandbox: %j',
  async (more) => {
    const sent: string[] = []

    const fetch = (url: string) => {
      sent.push(url)
      return new Response(null, { status: 204 })
    }

    const env = { MERCHANT_WEBHOOK_SECRET: SECRET, ...more }
    const { code, err } = await runHere(['prove', 'https://shop.example/events'], env, { fetch })
    expect({ code, sent }).toEqual({ code: 2, sent: [] })
    expect(err).toContain(
      'Sends signed events, also of paid orders, to https://shop.example/events: pass --yes',
    )
  },
)

test('what to do is said once, and named where it is said again', TIMEOUT, async (context) => {
  const { prove, orders } = await open(context, 'fulfils each time')
  const { out } = await prove('--create', orders, '--state', `${orders}/{order}`)
  expect(out.split('One payment is fulfilled twice')).toHaveLength(2)
  expect(out).toMatch(/✗ (.*): .*\n {4}One payment is fulfilled twice[^]*\n✗ .*\n {4}See "\1"\.\n/)
})

test('commands make the orders and tell their state in place of URLs', TIMEOUT, async (context) => {
  const { prove, folder, orders } = await open(context, 'knows no payment')
  const state = `test -e ${folder}/$ORDER && echo known`
  const { out } = await prove('--create', `touch ${folder}/$ORDER; echo made; echo $ORDER`, '--state', state)
  expect(out).toMatch(/✗ paid: .*expected that the state has changed\. --state still says: known\./)
  expect(out).toMatch(/\? all others: \d+ need "paid" to pass\.\n/)
  expect(out.split('"paid"')).toHaveLength(2)
  const nothing = await prove('--create', orders.replace('orders', 'other'), '--state', state)
  expect(nothing.out).toContain('? paid: --create answers "", not A-1 or {"order": "A-1"}.')
  const absent = await prove('--create', orders, '--state', orders)
  expect(absent.err).toContain('--state must contain {order}')
  const page = await prove('--create', `echo '<p>'; echo '</html>'`, '--state', state)
  expect(page.out).toContain('? paid: --create answers "</html>", not A-1 or {"order": "A-1"}.')
  const broken = await prove('--create', 'no-such-command', '--state', state)
  expect(broken.out).toMatch(/\? paid: no-such-command: .*not found/)
})

test('without the state of an order, what needs it is not proven, and nothing has passed by that', async (context) => {
  const { prove } = await open(context, null)
  const { code, out } = await prove()
  expect(code).toBe(1)
  expect(out).toContain('✓ ping: answered 200\n')
  expect(out).toContain('? wrong secret: answered 401; what became of the order is not known.\n')
  expect(out).toMatch(/\n\? all others: \d+ need --create, .* and --state, .*guide Testing\.\n/)
  expect(out.split('--state')).toHaveLength(2)
})

test('a webhook that accepts nothing proves nothing by what it refuses', async (context) => {
  const { prove } = await open(context, 'redirects')
  const { out } = await prove()
  expect(out).toContain('? all others: no genuine event is accepted: see above.\n')
  expect(out).toMatch(/✗ a redirect: .* not followed: set MERCHANT_WEBHOOK_URL to where it leads/)
})

test('a webhook that is away has passed nothing', async ({ onTestFinished }) => {
  const { prove } = await open({ onTestFinished }, null, 'http://127.0.0.1:1/')
  const { out } = await prove()
  expect(out).toMatch(/✗ ping: [^]*\n0 passed, 1 failed, 4 not proven\.\n$/)
  expect(out).toMatch(/✗ ping: .*\n {4}Start your shop, or correct the address\.\n/)
  expect(out).toContain('? a page: not accepted: no answer\n')
})

test.for([
  ['/order/A-1', '/order/A-2', 'A-1'],
  ['/orders/A-1/', '/orders/A-2/', 'A-1'],
  ['/orders/A-1/edit', '/orders/A-2/edit', 'A-1'],
  ['https://shop.test/order/caf%C3%A9?new=1#top', '/order/tea?new=2', 'caf\u00e9'],
  ['/orders/50%', '/orders/60%', '50%'],
  ['/?order=A-1', '/?order=A-2', 'A-1'],
  ['/index.php?page=order&id=7f9c', '/index.php?page=order&id=2ba4', '7f9c'],
  ['/index.php?id=caf%C3%A9&page=order', '/index.php?id=tea&page=order', 'caf\u00e9'],
])('with the locations %s and %s, the reference is %s', async ([location = '', other = '', reference]) => {
  await expect(created(location, other)).resolves.toBe(reference)
})

test.for(['/', '/#/orders/A-1'])('the location %s has no reference', async (location) => {
  await expect(created(location, location)).rejects.toThrow(
    `--create answers "${location}", not A-1 or {"order": "A-1"}.`,
  )
})

test.for(['/index.php?page=order', '/orders/%7Border%7D', '/order/1700'])(
  'of two orders with the location %s, both locations are told, and no order is made of them',
  async (location) => {
    await expect(created(location, location)).rejects.toMatchObject({
      verdict: 'not proven',
      message: expect.stringContaining(`redirects two orders to "${location}" and "${location}"`),
    })
  },
)

test.concurrent.for([
  ['sleep 20', 'sleep 20: did not end within 5 seconds.'],
  ['yes', 'yes: prints more than 256 kB.'],
  ['kill -9 $$', 'kill -9 $$: was ended by SIGKILL.'],
])('the command "%s" tells nothing of an order', TIMEOUT, async ([source = '', reason]) => {
  const means = { clock: systemClock, env: { PATH: process.env.PATH }, fetch }
  await Promise.all(
    [createOrders(source, means)('A-1'), readState(source, 'A-1', means)].map((asked) =>
      expect(asked).rejects.toThrow(reason),
    ),
  )
})

test('a redirect of --cancel, as to a form to log in, cancels no order', async () => {
  const fetch = () => new Response(null, { status: 303, headers: { location: '/login' } })
  const means = { clock: systemClock, env: {}, fetch }
  await expect(cancelOrder('https://shop.test/orders/{order}/cancel', 'A-1', means)).rejects.toMatchObject({
    verdict: 'not proven',
    message: expect.stringContaining('--cancel: https://shop.test/orders/A-1/cancel'),
  })
})

test('a command of --cancel that fails cancels no order, also one that fails in silence', async () => {
  const means = { clock: systemClock, env: { PATH: process.env.PATH }, fetch }
  await expect(cancelOrder('false', 'A-1', means)).rejects.toThrow('false: failed with the exit code 1.')
  await expect(cancelOrder('echo no; exit 3', 'A-1', means)).rejects.toThrow('failed with the exit code 3.')
  await expect(readState('false', 'A-1', means)).resolves.toBe('')
})

test('a database that is locked is told with the cure', async () => {
  const means = { clock: systemClock, env: { PATH: process.env.PATH }, fetch }
  const state = "echo 'Runtime error: database is locked' >&2; false"
  await expect(readState(state, 'A-1', means)).rejects.toThrow(
    "database is locked. Let the command wait for your shop: sqlite3 -cmd '.timeout 5000'.",
  )
})

/** The order that is made when the shop answers with a location, and to another order with another. */
function created(location: string, other: string): Promise<string> {
  const locations = [location, other].values()
  const means = {
    clock: systemClock,
    env: {},
    fetch: () => ({
      status: 201,
      headers: new Headers({ location: locations.next().value ?? '' }),
      body: null,
    }),
  }
  return createOrders('http://shop.test/orders', means)('PROVE-1')
}

test('a state that does not come says that the shop may serve one request at a time', async () => {
  const clock = { ...systemClock, sleep: async () => {} }
  const means = { clock, env: {}, fetch: () => new Promise<never>(() => {}) }
  await expect(readState('http://shop.test/orders/{order}', 'A-1', means)).rejects.toThrow(
    '--state: http://shop.test/orders/A-1 did not respond within 5 seconds, while your webhook may be at work',
  )
})

test.runIf(process.env.FULL)('the command ends within 30 seconds', TIMEOUT, async ({ onTestFinished }) => {
  const slow = createServer((_, response) => setTimeout(() => response.end(), 12_000))
  const url = await listen(slow)
  onTestFinished(() => void slow.close())
  const startedAt = systemClock.now()
  const env = { PATH: process.env.PATH, GATEWAY_ENVIRONMENT: 'sandbox', MERCHANT_WEBHOOK_SECRET: SECRET }
  const [code] = await once(spawn(process.execPath, ['server/dist/cli.js', 'prove', url], { env }), 'exit')
  expect(code).toBe(1)
  expect(systemClock.now() - startedAt).toBeLessThan(30_000)
})

async function open(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  fault: Fault | null,
  address?: string,
) {
  const clock = createSkippingClock()
  const shop = await openShop(fault, clock)
  onTestFinished(shop.close)
  const folder = newFolder(onTestFinished)
  const env = { PATH: process.env.PATH, GATEWAY_ENVIRONMENT: 'sandbox', MERCHANT_WEBHOOK_SECRET: SECRET }
  const exits: number[] = []
  const prove = (...args: string[]) =>
    runHere(['prove', address ?? shop.url, ...args], env, {
      clock,
      fetch: clock.fetch,
      exit: (code) => exits.push(code),
    })
  return { prove, exits, folder, orders: new URL('/orders', shop.url).href }
}
