import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'

import { readConfig } from '../../server/config/config.ts'
import { readServices } from '../support/composed.ts'
import { newFolder } from '../support/folder.ts'
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

test('the lines at the top of compose.yaml write the file from which it takes its keys', () => {
  const folder = newFolder()
  const lines = readFileSync('server/compose.yaml', 'utf8').split('\n')
  const text = lines.filter((line) => line.startsWith('#   ')).map((line) => line.slice(4))
  const from = text.findIndex((line) => line.includes('> .env'))
  const to = text.indexOf('END')
  execFileSync('sh', ['-c', text.slice(from, to + 1).join('\n')], { cwd: folder })
  const path = join(folder, '.env')
  expect((statSync(path).mode & 0o777).toString(8)).toBe('600')
  const given: Record<string, string> = Object.fromEntries(
    Object.entries(parseEnv(readFileSync(path, 'utf8'))).map(([name, value = '']) => [name, value]),
  )
  const { orders, webhook } = readConfig(readServices(given)['replica-1']!.environment)
  expect(orders?.kind).toBe('signed')
  expect(webhook?.url).toBe(given.MERCHANT_WEBHOOK_URL)
})

test('compose.yaml takes the addresses of a shop from the environment', () => {
  const given = {
    ALLOWED_ORIGINS: 'https://shop.example',
    MERCHANT_WEBHOOK_URL: 'https://shop.example/events',
    MERCHANT_WEBHOOK_SECRET: `whsec_${Buffer.from('the secret of a merchant in a test').toString('base64')}`,
  }
  const { allowedOrigins, webhook } = readConfig(readServices(given)['replica-1']!.environment)
  expect(allowedOrigins).toContain(given.ALLOWED_ORIGINS)
  expect(webhook?.url).toBe(given.MERCHANT_WEBHOOK_URL)
  const lookups = {
    ORDERS_URL: 'https://shop.example/orders',
    ORDERS_TOKEN: 'a token of the shop',
  }
  const { environment } = readServices(lookups)['replica-1']!
  expect(readConfig({ ...environment, ORDER_SIGNING_KEY: '' }).orders).toMatchObject({
    kind: 'url',
    url: lookups.ORDERS_URL,
  })
})

test('compose.yaml listens on this machine only, and publishes no password', () => {
  expect(services.postgres!.command).toContain('listen_addresses=127.0.0.1')
  for (const name of ['replica-1', 'replica-2']) {
    expect(services[name]!.environment.HOST).toBe('127.0.0.1')
  }

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
