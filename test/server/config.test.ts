import { describe, expect, test } from 'vitest'
import type { Environment } from '../../server/config.ts'
import { readConfig } from '../../server/config.ts'
import { LEAST, problemsOf } from '../support/least-config.ts'

const KEY = 'a signing key of 32 bytes or more'
const WEBHOOK_SECRET = `whsec_${Buffer.from(KEY).toString('base64')}`

/** Reads from files that are only names and contents. */
const files = (contents: Record<string, string>) => (path: string) => {
  const text = contents[path]
  if (text === undefined) throw new Error(`There is no ${path}.`)
  return text
}

describe('the least configuration', () => {
  test('is enough; the rest has defaults', () => {
    expect(readConfig(LEAST)).toMatchObject({
      environment: 'production',
      gateway: { pageHosts: ['gateway.example'], serviceCodes: { any: 'CHECKOUT-KES' } },
      allowedOrigins: [],
      returnUrls: [],
      expiresInMinutes: 30,
      country: null,
      storeUrl: 'sqlite:gateway-checkout.sqlite',
      orders: null,
      webhook: null,
      callbackBasicAuth: null,
      logLevel: 'info',
      host: '0.0.0.0',
      port: 8080,
    })
  })

  test('is deeply frozen', () => {
    const config = readConfig({ ...LEAST, ALLOWED_ORIGINS: 'https://shop.example' })
    expect(Object.isFrozen(config) && Object.isFrozen(config.gateway)).toBe(true)
    expect(Object.isFrozen(config.allowedOrigins)).toBe(true)
  })

  test.each(Object.keys(LEAST))('requires %s', (name) => {
    for (const value of [undefined, '', '  ']) {
      const [problem, ...others] = problemsOf({ [name]: value })
      expect(problem).toContain(name)
      expect(others).toEqual([])
    }
  })
})

test('every problem is reported at once, by the name of its variable', () => {
  const wrong: Environment = {
    GATEWAY_ENVIRONMENT: 'staging',
    GATEWAY_BASE_URL: 'gateway.example',
    GATEWAY_PAGE_HOSTS: 'https://gateway.example',
    GATEWAY_CONSUMER_KEY: '',
    GATEWAY_CONSUMER_SECRET: '',
    GATEWAY_SERVICE_CODE: 'KES=',
    GATEWAY_ACCOUNT_NUMBER: '',
    PUBLIC_URL: 'ftp://pay.shop.example',
    ALLOWED_ORIGINS: 'https://shop.example/basket',
    RETURN_URLS: '/basket',
    CHECKOUT_EXPIRES_MINUTES: '0',
    DEFAULT_COUNTRY: 'XX',
    STORE_URL: 'mysql://',
    ORDERS_URL: 'shop.example',
    ORDER_SIGNING_KEY: 'short',
    MERCHANT_WEBHOOK_URL: 'shop.example',
    MERCHANT_WEBHOOK_SECRET: 'short',
    CALLBACK_BASIC_AUTH: 'no colon',
    LOG_LEVEL: 'loud',
    PORT: '70000',
  }
  const problems = problemsOf(wrong)
  for (const name of Object.keys(wrong)) {
    expect(
      problems.some((problem) => problem.startsWith(name)),
      name,
    ).toBe(true)
  }
  expect(() => readConfig(wrong)).toThrow(/The configuration cannot be used:\n( {2}- .+\n?)+$/)
})

test('MERCHANT_WEBHOOK_URL is used as it is written', () => {
  const MERCHANT_WEBHOOK_URL = 'https://shop.example/events/?from=pay/'
  const env = { MERCHANT_WEBHOOK_URL, MERCHANT_WEBHOOK_SECRET: WEBHOOK_SECRET }
  expect(readConfig({ ...LEAST, ...env }).webhook?.url).toBe(MERCHANT_WEBHOOK_URL)
  const slashed = 'https://shop.example/events/'
  expect(readConfig({ ...LEAST, ...env, MERCHANT_WEBHOOK_URL: slashed }).webhook?.url).toBe(slashed)
})

test('no problem contains a secret', () => {
  const secret = 'a-secret-that-must-not-be-seen'
  const names = [
    'GATEWAY_CONSUMER_KEY',
    'GATEWAY_CONSUMER_SECRET',
    'ORDERS_TOKEN',
    'CALLBACK_SECRET',
    'CALLBACK_BASIC_AUTH',
    'MERCHANT_WEBHOOK_SECRET',
  ]
  const secrets = Object.fromEntries(names.map((name) => [name, secret]))
  const problems = problemsOf({
    ...secrets,
    ORDER_SIGNING_KEY: secret.slice(0, 12),
    MERCHANT_WEBHOOK_URL: 'https://shop.example',
    STORE_URL: `postgres://user:${secret}@host/db`,
    PUBLIC_URL: '',
  })
  expect(problems.length).toBeGreaterThan(3)
  expect(problems.join()).not.toContain(secret.slice(0, 12))
})

describe('a secret', () => {
  test('is read from a file without the line end', () => {
    const env = { GATEWAY_CONSUMER_SECRET: undefined, GATEWAY_CONSUMER_SECRET_FILE: '/run/secret' }
    const config = readConfig({ ...LEAST, ...env }, files({ '/run/secret': 'from a file\n' }))
    expect(config.gateway.consumerSecret).toBe('from a file')
  })

  test.each([
    ['that is not there', files({})],
    ['that is empty', files({ '/run/secret': '\n' })],
  ])('cannot come from a file %s', (_, read) => {
    const env = { GATEWAY_CONSUMER_SECRET: undefined, GATEWAY_CONSUMER_SECRET_FILE: '/run/secret' }
    const problems = problemsOf(env, read)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain('GATEWAY_CONSUMER_SECRET_FILE')
  })

  test('has a previous value during rotation', () => {
    const { orders } = readConfig({
      ...LEAST,
      ORDER_SIGNING_KEY: KEY,
      ORDER_SIGNING_KEY_PREVIOUS: `old ${KEY}`,
    })
    expect(orders).toEqual({ kind: 'signed', keys: [KEY, `old ${KEY}`] })
  })

  test('may have its previous value in a file', () => {
    const env = { CALLBACK_SECRET: 'new', CALLBACK_SECRET_PREVIOUS_FILE: '/run/old' }
    const config = readConfig({ ...LEAST, ...env }, files({ '/run/old': 'old' }))
    expect(config.callbackSecrets).toEqual(['new', 'old'])
  })

  test('of callbacks is derived from the consumer secret, and differs from it', () => {
    const [derived] = readConfig(LEAST).callbackSecrets
    expect(derived).toHaveLength(43)
    expect(readConfig(LEAST).callbackSecrets).toEqual([derived])
    expect(readConfig({ ...LEAST, GATEWAY_CONSUMER_SECRET: 'another' }).callbackSecrets).not.toEqual([
      derived,
    ])
  })
})

describe('service codes', () => {
  test('may differ by currency', () => {
    const { gateway } = readConfig({ ...LEAST, GATEWAY_SERVICE_CODE: 'KES=CHECKOUT-KES, UGX=CHECKOUT-UGX' })
    expect(gateway.serviceCodes).toEqual({ byCurrency: { KES: 'CHECKOUT-KES', UGX: 'CHECKOUT-UGX' } })
  })

  test.each([['KES'], ['KES='], ['=A'], ['kes=A'], ['KES=A,'], ['KES=A,UGX'], ['KES=A=B'], ['__proto__=A']])(
    'are not %j',
    (codes) => {
      // A code without a currency is one code for all, so only what has an equals sign can be wrong.
      expect(problemsOf({ GATEWAY_SERVICE_CODE: codes })).toHaveLength(codes.includes('=') ? 1 : 0)
    },
  )
})

describe('the source of orders', () => {
  test('is a URL with a token', () => {
    const env = { ORDERS_URL: 'https://shop.example/orders/', ORDERS_TOKEN: 'a token' }
    expect(readConfig({ ...LEAST, ...env }).orders).toEqual({
      kind: 'url',
      url: 'https://shop.example/orders',
      token: 'a token',
    })
    expect(problemsOf({ ORDERS_URL: 'https://shop.example' })[0]).toContain('ORDERS_TOKEN')
  })

  test('is one source only', () => {
    const env = { ORDERS_URL: 'https://shop.example', ORDERS_TOKEN: 'a token', ORDER_SIGNING_KEY: KEY }
    expect(problemsOf(env)).toHaveLength(1)
  })
})

test('MERCHANT_WEBHOOK_SECRET is a Standard Webhooks secret', () => {
  const MERCHANT_WEBHOOK_URL = 'https://shop.example/events'
  const env = { MERCHANT_WEBHOOK_URL, MERCHANT_WEBHOOK_SECRET: WEBHOOK_SECRET }
  expect(readConfig({ ...LEAST, ...env }).webhook).toEqual({
    url: MERCHANT_WEBHOOK_URL,
    secrets: [WEBHOOK_SECRET],
  })
  expect(problemsOf({ MERCHANT_WEBHOOK_URL })[0]).toContain('MERCHANT_WEBHOOK_SECRET')
})

describe('charges', () => {
  const ON = { GATEWAY_CHARGE_PATH: '/v1/charges' }
  const FEES = { account: 'PARTNER-FEES', amount: 25, reason: 'Platform fee' }

  test('are off until their path is set', () => {
    expect(readConfig(LEAST).charges).toBeNull()
    expect(readConfig({ ...LEAST, ...ON }).charges).toEqual({
      path: '/v1/charges',
      clientCode: null,
      partners: [],
    })
  })

  test('carry the client code and the dynamic partner accounts', () => {
    const env = {
      GATEWAY_CHARGE_PATH: '/charges/',
      GATEWAY_CLIENT_CODE: 'SHOP',
      PARTNER_ACCOUNTS_DYNAMIC: 'PARTNER-FEES=25:Platform fee, PARTNER-TAX = 1.50 : Tax: the county',
    }
    expect(readConfig({ ...LEAST, ...env }).charges).toEqual({
      path: '/charges',
      clientCode: 'SHOP',
      partners: [FEES, { account: 'PARTNER-TAX', amount: 1.5, reason: 'Tax: the county' }],
    })
  })

  test('are confirmed at GATEWAY_BASE_URL by default', () => {
    const elsewhere = { GATEWAY_ACKNOWLEDGE_BASE_URL: 'https://ack.gateway.example/' }
    expect(readConfig(LEAST).gateway.acknowledgeBaseUrl).toBe('https://gateway.example')
    expect(readConfig({ ...LEAST, ...elsewhere }).gateway.acknowledgeBaseUrl).toBe(
      'https://ack.gateway.example',
    )
  })

  test.each([
    ['GATEWAY_CHARGE_PATH', 'v1/charges', 'must be a path'],
    ['GATEWAY_CHARGE_PATH', 'https://gateway.example/v1/charges', 'must be a path'],
    ['GATEWAY_CHARGE_PATH', '/v1/:charges?x', 'must be a path'],
    ['GATEWAY_CLIENT_CODE', 'x'.repeat(33), 'must be at most 32'],
    ['GATEWAY_ACKNOWLEDGE_BASE_URL', 'gateway', 'must be an absolute'],
    ['PARTNER_ACCOUNTS_DYNAMIC', 'PARTNER-FEES', 'which is not ACCOUNT=AMOUNT:REASON'],
    ['PARTNER_ACCOUNTS_DYNAMIC', 'PARTNER-FEES=0:Fee', 'which is not'],
    ['PARTNER_ACCOUNTS_DYNAMIC', 'PARTNER-FEES=-1:Fee', 'which is not'],
    ['PARTNER_ACCOUNTS_DYNAMIC', 'PARTNER-FEES=ten:Fee', 'which is not'],
    ['PARTNER_ACCOUNTS_DYNAMIC', ' =1:Fee', 'which is not'],
    ['PARTNER_ACCOUNTS_DYNAMIC', 'A=1:Fee,A=2:Fee', 'names A more than once'],
  ])('with %s as %j are refused by name and rule', (name, value, rule) => {
    const [problem, ...others] = problemsOf({ ...ON, [name]: value })
    expect([problem, others]).toEqual([expect.stringMatching(new RegExp(`^${name} .*${rule}`)), []])
  })
})
