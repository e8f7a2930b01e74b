import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

import { readConfig } from '../../server/config/config.ts'
import { LEAST } from '../support/least-config.ts'
import { generate, tables, variables } from './reference.ts'

test.each(Object.entries(generate()))('%s is as "npm run reference" writes it', (path, text) => {
  expect(readFileSync(path, 'utf8')).toBe(text)
})

test('every row of a generated table has words', () => {
  const rows = Object.values(tables())
    .flatMap((made) => Object.values(made))
    .flatMap((table) => table.split('\n').filter((line) => line.startsWith('| `')))
  expect(rows.length).toBeGreaterThan(100)
  expect(rows.filter((row) => !/\w{3}.* \|$/.test(row.split(' | ').at(-1) ?? ''))).toEqual([])
})

test('the variables that the server reads are those of the reference', () => {
  const read = new Set<string>()
  const watched = (env: typeof LEAST) =>
    new Proxy(env, {
      get(target, name) {
        read.add(String(name))
        return Reflect.get(target, name)
      },
    })
  const hosted = { ORDERS_URL: 'https://shop.example/orders', ORDERS_TOKEN: 'wxDm4CXkfzj3cQtUr8bGZ6Lp' }
  const webhook = {
    MERCHANT_WEBHOOK_URL: 'https://shop.example/events',
    MERCHANT_WEBHOOK_SECRET: `whsec_${Buffer.from('a test, and 24 bytes at least').toString('base64')}`,
  }
  readConfig(watched({ ...LEAST, ...hosted, ...webhook }))
  const listed = variables.flatMap(({ name, file, rotated }) => {
    const names = rotated ? [name, `${name}_PREVIOUS`] : [name]
    return file ? names.flatMap((each) => [each, `${each}_FILE`]) : names
  })
  const named = [...read].map((name) => name.toUpperCase())
  expect([...new Set(named)].toSorted()).toEqual(listed.toSorted())
})

/** Production also needs a STORE_URL: the default is relative. */
const SANDBOX = Object.fromEntries(
  Object.entries({ ...LEAST, GATEWAY_ENVIRONMENT: 'sandbox' }).filter(([name]) => name !== 'STORE_URL'),
)

const defaults = variables.flatMap(({ name, fallback }) => (fallback === undefined ? [] : [[name, fallback]]))

test.each(defaults)('%s: %s has the same effect as no value', (name, value) => {
  const signed = { ...SANDBOX, ORDER_SIGNING_KEY: 'qN8v3rTzWk5yHb2mXc7dJf4gLs9pAe6u' }
  expect(plain(readConfig({ ...signed, [name!]: value }))).toEqual(plain(readConfig(signed)))
})

test('a required variable is one without which the server does not start', () => {
  const required = variables.flatMap(({ name, required }) => (required ? [name] : []))
  expect(required.toSorted()).toEqual(Object.keys(SANDBOX).toSorted())
  for (const name of required) {
    expect(() => readConfig({ ...SANDBOX, [name]: undefined })).toThrow(name)
  }
})

function plain({ storeUrl, ...config }: ReturnType<typeof readConfig>): object {
  return { ...config, storeUrl: storeUrl.reveal() }
}
