/** Compares `server/compose.yaml` with the command line. No container is started. */

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '../../server/config.ts'

interface Service {
  command: string[]
  environment: Record<string, string>
}

const ORDER_SIGNING_KEY = 'a signing key of at least 32 bytes, for a test'
const text = readFileSync('server/compose.yaml', 'utf8').replaceAll(
  /\$\{ORDER_SIGNING_KEY:[^}]*\}/g,
  ORDER_SIGNING_KEY,
)
const { services }: { services: Record<string, Service> } = parse(text, { merge: true })

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
  expect(first?.storeUrl).toBe(`postgres://${user}:${password}@127.0.0.1:5432/${database}`)
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
