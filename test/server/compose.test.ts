import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { CheckoutView } from '../../server/api/view.ts'
import { readConfig } from '../../server/config.ts'
import { signOrder } from '../../server/orders/sign.ts'
import { start as startServer } from '../support/command-line.ts'
import { ORDER_SIGNING_KEY, readServices, startComposed } from '../support/composed.ts'
import { freePort } from '../support/free-port.ts'
import { startPostgres } from '../support/postgres.ts'
import { PAYER } from '../support/world.ts'

const PROCESS_MS = 180_000
const SOON = { timeout: 30_000, interval: 100 }
const services = readServices()

test('compose.yaml configures two replicas on one Postgres', () => {
  const configs = ['replica-1', 'replica-2'].map((name) => readConfig(services[name]!.environment))
  const [first, second] = configs
  expect(first).toEqual({ ...second, port: first?.port })
  expect(first?.port).not.toBe(second?.port)
  const {
    POSTGRES_USER: user,
    POSTGRES_PASSWORD: password,
    POSTGRES_DB: database,
  } = services.postgres!.environment
  expect(first?.storeUrl.reveal()).toBe(`postgres://${user}:${password}@127.0.0.1:5432/${database}`)
})

test('compose.yaml takes the addresses of a shop from the environment', () => {
  const given = {
    ALLOWED_ORIGINS: 'https://shop.example',
    MERCHANT_WEBHOOK_URL: 'https://shop.example/events',
    MERCHANT_WEBHOOK_SECRET: `whsec_${Buffer.from('the secret of a merchant in a test').toString('base64')}`,
  }
  const { allowedOrigins, webhook } = readConfig(readServices({}, given)['replica-1']!.environment)
  expect(allowedOrigins).toContain(given.ALLOWED_ORIGINS)
  expect(webhook?.url).toBe(given.MERCHANT_WEBHOOK_URL)
  const lookups = {
    ORDERS_URL: 'https://shop.example/orders',
    ORDERS_TOKEN: 'a token of the shop',
  }
  const { environment } = readServices({}, lookups)['replica-1']!
  expect(readConfig({ ...environment, ORDER_SIGNING_KEY: '' }).orders).toMatchObject({
    kind: 'url',
    url: lookups.ORDERS_URL,
  })
})

test('compose.yaml completes national phone numbers, of another country if one is given', () => {
  for (const [given, country] of [
    [{}, 'KE'],
    [{ DEFAULT_COUNTRY: 'UG' }, 'UG'],
  ] as const)
    expect(readConfig(readServices({}, given)['replica-1']!.environment).country).toBe(country)
})

test('compose.yaml listens on this machine only, and publishes no password', () => {
  expect(services.postgres!.command).toContain('listen_addresses=127.0.0.1')
  for (const name of ['replica-1', 'replica-2']) expect(services[name]!.environment.HOST).toBe('127.0.0.1')
  expect(readFileSync('server/compose.yaml', 'utf8')).not.toMatch(/PASSWORD: (?!\$\{POSTGRES_PASSWORD:\?)/)
})

test('compose.yaml sets only variables that README.md describes', () => {
  const readme = readFileSync('server/README.md', 'utf8')
  const names = Object.keys(services['replica-1']!.environment)
  expect(names.filter((name) => !readme.includes(`\`${name}\``))).toEqual([])
})

test('compose.yaml starts the sandbox at the address of the gateway', () => {
  const { port } = new URL(services['replica-1']!.environment.GATEWAY_BASE_URL!)
  expect(services.sandbox!.command).toEqual(['sandbox', '--port', port])
  expect(services['replica-1']!.command).toEqual(['serve'])
})

interface Shop {
  origin: string
  audience: string
  gateway: string
}

async function start({ origin, audience }: Shop, order: string): Promise<CheckoutView> {
  const terms = { order, amount: '500', currency: 'KES', narration: 'Two kangas' }
  const issuedAt = Math.floor(Date.now() / 1_000)
  const signed = await signOrder(terms, { key: ORDER_SIGNING_KEY, audience, issuedAt, lifetime: 3_600 })
  const answer = await fetch(`${origin}/checkout/initiate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ ...PAYER, payer_msisdn: '254700000001', order: signed }),
  })
  if (!answer.ok) throw new Error(await answer.text())
  return answer.json()
}

async function pay({ origin, gateway }: Shop, { checkout_id, merchant_transaction_id }: CheckoutView) {
  const paid = await fetch(`${gateway}/_sandbox/checkouts/${merchant_transaction_id}/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"scenario":"approve"}',
  })
  expect(paid.ok).toBe(true)
  const outcome = async () => {
    const view: CheckoutView = await (await fetch(`${origin}/checkout/status/${checkout_id}`)).json()
    return view.outcome
  }
  await expect.poll(outcome, SOON).toBe('paid')
}

test(
  'the services of compose.yaml take payments, when a replica is killed and on SQLite, too',
  async () => {
    const postgres = await startPostgres()
    onTestFinished(() => postgres.stop())
    const composed = await startComposed(postgres)
    onTestFinished(async () => void (await composed.stop()))
    const [one, other] = ['replica-1', 'replica-2'].map((name): Shop => {
      const { PORT, PUBLIC_URL } = composed.services[name]!.environment
      return { origin: `http://127.0.0.1:${PORT}`, audience: PUBLIC_URL!, gateway: composed.gateway }
    })
    await pay(one!, await start(one!, 'A-1'))
    await pay(other!, await start(other!, 'A-2'))

    const begun = await start(one!, 'A-3')
    await composed.kill('replica-1')
    await pay(other!, begun)
    await composed.untilHealthy('replica-1')
    await pay(one!, await start(one!, 'A-4'))

    // Only STORE_URL differs for a server on SQLite.
    const folder = mkdtempSync(join(tmpdir(), 'compose-'))
    const STORE_URL = `sqlite:${join(folder, 'store.sqlite')}`
    const PORT = String(await freePort())
    const env = { ...composed.services['replica-1']!.environment, STORE_URL, PORT }
    const alone = await startServer(['serve'], env, /listens on port/)
    const sqlite = { ...one!, origin: `http://127.0.0.1:${PORT}` }
    await pay(sqlite, await start(sqlite, 'A-5'))
    expect(await alone.stop()).toBe(0)
    rmSync(folder, { recursive: true })

    const grace = Number(services['replica-1']!.stop_grace_period?.replace('s', '')) * 1_000
    const stoppedAt = performance.now()
    const codes = await composed.stop()
    expect(performance.now() - stoppedAt).toBeLessThan(grace)
    expect(codes).toEqual({ sandbox: 143, 'replica-1': 0, 'replica-2': 0 })
  },
  PROCESS_MS,
)
