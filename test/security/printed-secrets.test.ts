import { inspect, format } from 'node:util'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { Environment } from '../../server/config/config.ts'
import { readConfig } from '../../server/config/config.ts'
import { LEAST } from '../support/least-config.ts'

/** A strong secret for each variable, which contains the variable's name. */
const planted = (name: string) => `planted-${name.toLowerCase()}-9f3A1c70Be5d6482`
const BASE64 = Buffer.from(planted('webhook')).toString('base64')

const SECRETS: Environment = {
  GATEWAY_CONSUMER_SECRET: planted('consumer'),
  GATEWAY_CONSUMER_SECRET_PREVIOUS: planted('consumer_previous'),
  MERCHANT_API_KEY: planted('api'),
  MERCHANT_API_KEY_PREVIOUS: planted('api_previous'),
  MERCHANT_WEBHOOK_SECRET: `whsec_${BASE64}`,
  CALLBACK_SECRET: planted('callback'),
  CALLBACK_BASIC_AUTH: `gateway:${planted('basic')}`,
  STORE_URL: `postgres://user:${planted('store')}@db.example/payments?sslmode=require`,
}
const OTHERS: Environment = { ...LEAST, MERCHANT_WEBHOOK_URL: 'https://shop.example/events' }
const SIGNED = { ORDER_SIGNING_KEY: planted('signing'), ORDER_SIGNING_KEY_PREVIOUS: planted('old_signing') }
const REMOTE = { ORDERS_URL: 'https://shop.example/orders', ORDERS_TOKEN: planted('token') }

/** Every way in which a program usually turns a value into text. */
const PRINTED: Record<string, (value: object) => string> = {
  'JSON.stringify': (value) => JSON.stringify(value),
  'util.inspect': (value) => inspect(value, { depth: Infinity, showHidden: true, getters: true }),
  'console.log': (value) => format('%s %o %O %j', value, value, value, value),
  text: (value) => leavesOf(value).map(String).join(),
  'a template': (value) =>
    leavesOf(value)
      .map((leaf) => `${leaf as string}`)
      .join(),
  'a copy': (value) => JSON.stringify(leavesOf(value).map((leaf) => Object.entries(Object(leaf)))),
  'a log line': (value) => {
    const lines: string[] = []
    pino({}, { write: (line) => void lines.push(line) }).info({ config: value, leaves: leavesOf(value) }, 'x')
    return lines.join()
  },
  'an error': (value) => inspect(new Error('x', { cause: value }), { depth: Infinity }),
}

test.each(Object.keys(PRINTED))('a secret of the configuration is not shown by %s', (way) => {
  for (const source of [SIGNED, REMOTE]) {
    const config = readConfig({ ...OTHERS, ...SECRETS, ...source })
    const text = PRINTED[way]?.(config) ?? ''
    expect(text).toContain(way === 'a copy' ? '[]' : '[secret]')
    expect(text).not.toContain('planted')
    expect(text).not.toContain(BASE64)
  }
})

/** Returns the values inside an object that are no plain objects or lists, such as texts and secrets. */
function leavesOf(value: object): unknown[] {
  return Object.values(value).flatMap((part: unknown) => {
    const isPlain = Array.isArray(part) || Object.getPrototypeOf(Object(part)) === Object.prototype
    return isPlain ? leavesOf(Object(part)) : [part]
  })
}
