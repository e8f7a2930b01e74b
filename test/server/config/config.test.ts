import { describe, expect, test } from 'vitest'

import { readConfig } from '../../../server/config/config.ts'
import { LEAST, problemsOf } from '../../support/least-config.ts'

import type { Secret } from '../../../server/config/secret.ts'
import type { Environment } from '../../../server/config/variables.ts'

const read = (env: Environment, readFile?: (path: string) => string) =>
  readConfig({ ...LEAST, ...env }, readFile && { readFile })

const KEY = 'a signing key of 32 bytes or more'
const TOKEN = 'a token of the backend of the shop'
const WEBHOOK_SECRET = `whsec_${Buffer.from(KEY).toString('base64')}`

const valuesOf = (secrets: readonly Secret[]) => secrets.map((secret) => secret.reveal())

const filesInMemory = (contents: Record<string, string>) => (path: string) => {
  const text = contents[path]
  if (text === undefined) {
    throw new Error(`There is no ${path}.`)
  }
  return text
}

describe('the least configuration', () => {
  test('the least configuration is enough; the rest has defaults', () => {
    expect(readConfig(LEAST)).toMatchObject({
      environment: 'production',
      gateway: { pageHosts: ['gateway.example'], serviceCodes: [[null, 'CHECKOUT-KES']] },
      allowedOrigins: [],
      returnUrls: ['https://pay.shop.example'],
      expiresInMinutes: 30,
      country: null,
      orders: null,
      webhook: null,
      callbackBasicAuth: null,
      logLevel: 'info',
      host: '0.0.0.0',
      port: 8080,
    })
  })

  test('the least configuration has a store in the working directory, in the sandbox only', () => {
    const env = { ...LEAST, GATEWAY_ENVIRONMENT: 'sandbox', STORE_URL: '' }
    expect(readConfig(env).storeUrl.reveal()).toBe('sqlite:gateway-checkout.sqlite')
  })

  test('the least configuration is deeply frozen', () => {
    const config = readConfig({ ...LEAST, ALLOWED_ORIGINS: 'https://shop.example' })
    expect(Object.isFrozen(config) && Object.isFrozen(config.gateway)).toBe(true)
    expect(Object.isFrozen(config.allowedOrigins)).toBe(true)
  })

  test.each(Object.keys(LEAST))('the least configuration requires %s', (name) => {
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
    METRICS_PORT: 'on',
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

test.each([
  'https://shop.example/events',
  'https://shop.example/events/',
  'https://shop.example/events/?from=pay/',
])('MERCHANT_WEBHOOK_URL is used as it is written: %s, with a Standard Webhooks secret', (url) => {
  const env = { MERCHANT_WEBHOOK_URL: url, MERCHANT_WEBHOOK_SECRET: WEBHOOK_SECRET }
  const { webhook } = read(env)
  expect([webhook?.url, webhook && valuesOf(webhook.secrets)]).toEqual([url, [WEBHOOK_SECRET]])
  expect(problemsOf({ MERCHANT_WEBHOOK_URL: url })[0]).toContain('MERCHANT_WEBHOOK_SECRET')
})

test('a secret that nothing uses is validated, too', () => {
  expect(problemsOf({ MERCHANT_WEBHOOK_SECRET: 'short' })).toHaveLength(1)
  expect(problemsOf({ ORDERS_TOKEN_FILE: '/run/token' }, { readFile: filesInMemory({}) })).toHaveLength(1)
})

test.each([
  'GATEWAY_CONSUMER_KEY',
  'GATEWAY_ACCOUNT_NUMBER',
  'MERCHANT_NAME',
  'PUBLIC_URL',
  'CALLBACK_SECRET',
])('%s in quotes is refused by its name, and nothing else is said of it', (name) => {
  expect(problemsOf({ [name]: '"a value in quotes of 32 characters"' })).toEqual([
    expect.stringContaining(`${name} is in quotes, which count as a part of it: remove them.`),
  ])
})

test('METRICS_PORT is off by default, and never the public port', () => {
  expect(read({}).metricsPort).toBeNull()
  expect(read({ METRICS_PORT: '9464' }).metricsPort).toBe(9464)
  expect(problemsOf({ PORT: '9464', METRICS_PORT: '9464' })[0]).toContain(
    'METRICS_PORT must differ from PORT',
  )
})

test.each(['tcp://10.96.12.7:9090', 'udp://10.96.12.7:9090'])(
  'an address that Kubernetes gives the name of a port counts as not set, and is named: %s',
  (address) => {
    const { port, metricsPort, warnings } = read({ PORT: address, METRICS_PORT: address })
    expect({ port, metricsPort }).toEqual({ port: 8080, metricsPort: null })
    expect(warnings.map(({ text }) => text)).toEqual(
      ['PORT', 'METRICS_PORT'].map(
        (name) =>
          `${name} is ${address}, which Kubernetes sets for a Service, and counts as not set: enableServiceLinks: false in the Pod keeps such variables away.`,
      ),
    )
  },
)

test.each(['ключ-ключ-ключ-ключ-ключ-абвгд', `${KEY}\n${KEY}`, `${KEY}\u007f`])(
  'a key that no header can carry is refused, and not printed: %j',
  (key) => {
    for (const name of ['MERCHANT_API_KEY', 'MERCHANT_READ_KEY', 'ORDERS_TOKEN']) {
      const problems = problemsOf({
        ORDERS_URL: 'https://shop.example/orders',
        ORDERS_TOKEN: KEY,
        [name]: key,
      })
      expect(problems).toEqual([
        expect.stringMatching(
          new RegExp(`^${name} must be (one line|of printable ASCII characters, which a header can carry)`),
        ),
      ])
      expect(problems.join()).not.toContain(key)
    }
  },
)

test.each(['GATEWAY_ACCOUNT_NUMBER', 'GATEWAY_SERVICE_CODE'])(
  '%s has no character that nobody sees',
  (name) => {
    for (const text of ['ACC\u00ad-001', 'KES=ACC\u200b001', 'ACC\u00a0001']) {
      expect(problemsOf({ [name]: text })).toEqual([
        expect.stringMatching(new RegExp(`^${name} must be one `)),
      ])
    }
  },
)

test.each(['Etc/GMT+3', 'GMT+3', 'EST', 'CET', '+03:00', 'localtime', 'Etc/Unknown'])(
  'TIME_ZONE is the zone of a place, and of no offset, whose sign people mistake: %s',
  (TIME_ZONE) => {
    expect(problemsOf({ TIME_ZONE })).toEqual([
      'TIME_ZONE must be UTC or the IANA name of a place, such as Africa/Nairobi: Etc/GMT+3 is three hours behind UTC, not ahead.',
    ])
  },
)

test.each(['Africa/Nairobi', 'America/Argentina/Buenos_Aires', 'UTC', 'Etc/UTC', 'africa/lagos'])(
  'TIME_ZONE is the zone of a place, or UTC: %s',
  (TIME_ZONE) => {
    expect(read({ TIME_ZONE }).timeZone).toBe(TIME_ZONE)
  },
)

test('no problem contains a secret', () => {
  const secret = 'a-secret-that-must-not-be-seen'
  const problems = problemsOf({
    GATEWAY_CONSUMER_KEY: secret,
    GATEWAY_CONSUMER_SECRET: secret,
    ORDERS_TOKEN: secret,
    CALLBACK_SECRET: secret,
    CALLBACK_BASIC_AUTH: secret,
    MERCHANT_WEBHOOK_SECRET: secret,
    ORDER_SIGNING_KEY: secret.slice(0, 12),
    MERCHANT_WEBHOOK_URL: 'https://shop.example',
    STORE_URL: `postgres://user:${secret}@host/db`,
    PUBLIC_URL: '',
  })
  expect(problems.length).toBeGreaterThan(3)
  expect(problems.join()).not.toContain(secret.slice(0, 12))
})

describe('a secret', () => {
  test('a secret has a previous value during rotation, which may be in a file', () => {
    const { orders } = read({
      ORDER_SIGNING_KEY: KEY,
      ORDER_SIGNING_KEY_PREVIOUS: `old ${KEY}`,
      ORDER_SIGNING_KEY_PREVIOUS_SINCE: '2026-11-30',
    })
    expect(orders).toMatchObject({ kind: 'signed', publicKeys: [], maxLifetime: 86_400 })
    expect(orders?.kind === 'signed' && valuesOf(orders.keys?.secrets ?? [])).toEqual([KEY, `old ${KEY}`])
    const current = `new ${KEY}`
    const old = `old ${KEY}`
    const env = { CALLBACK_SECRET: current, CALLBACK_SECRET_PREVIOUS_FILE: '/run/old' }
    expect(valuesOf(read(env, filesInMemory({ '/run/old': old })).callbackSecrets)).toEqual([current, old])
    const alone = 'CALLBACK_SECRET_PREVIOUS is set without CALLBACK_SECRET.'
    expect(problemsOf({ CALLBACK_SECRET_PREVIOUS: old })).toEqual([alone])
  })

  test.each(['ORDER_SIGNING_KEY', 'MERCHANT_API_KEY'])(
    'a secret that can name a price or move money, %s, has a previous value only since a stated time',
    (name) => {
      const env = { [name]: KEY, [`${name}_PREVIOUS`]: `old ${KEY}` }
      const since = `${name}_PREVIOUS_SINCE`
      expect(problemsOf(env)).toEqual([
        `${since} is required with ${name}_PREVIOUS: the day on which it was replaced, such as 2026-11-30.`,
      ])
      for (const time of ['yesterday', '1764460800', '2026-13-01', '2026-11-30T08:00:00']) {
        expect(problemsOf({ ...env, [since]: time })).toEqual([
          `${since} must be a date or a time such as 2026-11-30 or 2026-11-30T08:00:00Z.`,
        ])
      }

      for (const time of ['2026-11-30', '2026-11-30T08:00:00Z', '2026-11-30T08:00:00+03:00']) {
        expect(problemsOf({ ...env, [since]: time })).toEqual([])
      }
    },
  )

  test('the secret of callbacks is derived from the consumer secret, and differs from it', () => {
    const derivedFrom = (env: Environment) => valuesOf(read(env).callbackSecrets)
    const [derived] = derivedFrom({})
    expect(derived).toHaveLength(43)
    expect(derivedFrom({})).toEqual([derived])
    expect(derivedFrom({ GATEWAY_CONSUMER_SECRET: 'another' })).not.toEqual([derived])
  })
})

test.each(['KES=', '=A', 'kes=A', 'KES=A,', 'KES=A,UGX', 'KES=A=B', '__proto__=A'])(
  'service codes are not %j',
  (codes) => {
    expect(problemsOf({ GATEWAY_SERVICE_CODE: 'KES' })).toEqual([])
    expect(problemsOf({ GATEWAY_SERVICE_CODE: codes })).toHaveLength(1)
  },
)

test('account numbers cover the currencies of the services', () => {
  const GATEWAY_SERVICE_CODE = 'KES=A,UGX=B,TZS=C'
  expect(problemsOf({ GATEWAY_SERVICE_CODE, GATEWAY_ACCOUNT_NUMBER: 'KES=ACC-001' })).toEqual([
    'GATEWAY_ACCOUNT_NUMBER has no account for UGX, TZS, which GATEWAY_SERVICE_CODE has services for.',
  ])
  expect(problemsOf({ GATEWAY_SERVICE_CODE, GATEWAY_ACCOUNT_NUMBER: 'ACC-001' })).toEqual([])
})

test.each(['GATEWAY_ACCOUNT_NUMBER', 'GATEWAY_SERVICE_CODE'])('%s names each currency once', (name) => {
  const both = { GATEWAY_SERVICE_CODE: 'KES=K,UGX=U', GATEWAY_ACCOUNT_NUMBER: 'KES=1,UGX=2' }
  expect(problemsOf({ ...both, [name]: 'KES=A,KES=B,UGX=C' })).toEqual([`${name} names KES more than once.`])
})

// A server has one name, and nobody can connect to port 0.
test.each<[string, Environment]>([
  ...['*.shop.example', '{shop}.example', 'a,b.example', 'shop.example:0'].flatMap(
    (host): [string, Environment][] => [
      ['GATEWAY_BASE_URL', { GATEWAY_BASE_URL: `https://${host}` }],
      ['PUBLIC_URL', { PUBLIC_URL: `https://${host}/pay` }],
      ['ORDERS_URL', { ORDERS_URL: `https://${host}`, ORDERS_TOKEN: TOKEN }],
      ['HTTPS_PROXY', { HTTPS_PROXY: `http://${host}` }],
    ],
  ),
  ...['*.shop.example', '{shop}.example', 'shop.example:0'].flatMap((host): [string, Environment][] => [
    ['ALLOWED_ORIGINS', { ALLOWED_ORIGINS: `https://${host}` }],
    ['RETURN_URLS', { RETURN_URLS: `https://${host}/thanks` }],
    ['PRIVATE_HOSTS', { PRIVATE_HOSTS: host }],
    ['GATEWAY_PAGE_HOSTS', { GATEWAY_PAGE_HOSTS: host }],
  ]),
  ['STORE_URL', { STORE_URL: 'postgres://shop:pw@db.lan:0/shop?sslmode=verify-full' }],
  ['NOTIFY_SMTP_URL', { NOTIFY_SMTP_URL: 'smtps://a:b@smtp.example:0', NOTIFY_TO: 'me@shop.example' }],
  ['NOTIFY_SMTP_URL', { NOTIFY_SMTP_URL: 'smtps://a:b@*.example', NOTIFY_TO: 'me@shop.example' }],
])('%s names one host, to which one can connect: %j', (name, env) => {
  expect(problemsOf(env)).toEqual([expect.stringContaining(name)])
})

test.each([
  'http://my_service:8080',
  'https://[2001:db8::1]:8443',
  'https://xn--caf-dma.example',
  'https://10.0.0.1',
])('a host is a name of letters, digits, dots, dashes and underscores, or an address: %s', (origin) => {
  expect(problemsOf({ RETURN_URLS: origin })).toEqual([])
})

test.each<[string, string]>([
  ...[
    'MERCHANT_NAME',
    'MERCHANT_METHODS',
    'GATEWAY_CONSUMER_KEY',
    'GATEWAY_CONSUMER_SECRET',
    'GATEWAY_CLIENT_CODE',
    'CALLBACK_SECRET',
    'HOST',
    'NO_PROXY',
  ].map((name): [string, string] => [name, 'a value that is long enough,\nand its second line']),
  ['CALLBACK_BASIC_AUTH', 'gateway:a password, which is long enough\u0000'],
  ['STORE_URL', 'sqlite:/var/lib/shop\r.sqlite'],
  ['PARTNER_ACCOUNTS_DYNAMIC', 'PARTNER-FEES=25:Platform\nfee'],
  ['GATEWAY_CHARGE_METHODS', 'MOMO_KEN=Mo\nMo:25470'],
  ['MERCHANT_NAME', 'Pwani\u2028Goods'],
])('%s is one line: %j', (name, text) => {
  const env = { GATEWAY_CHARGE_PATH: '/v1/charges', [name]: text }
  expect(problemsOf(env)).toEqual([expect.stringMatching(new RegExp(`^${name} [^]*one line`))])
})

test('a list may have a line for each entry', () => {
  expect(read({ ALLOWED_ORIGINS: 'https://a.example,\n  https://b.example\n' })).toMatchObject({
    allowedOrigins: ['https://a.example', 'https://b.example'],
  })
})

test.each(['ALLOWED_ORIGINS', 'RETURN_URLS', 'PRIVATE_HOSTS', 'GATEWAY_PAGE_HOSTS', 'TRUSTED_PROXIES'])(
  '%s that has only commas is refused by its name',
  (name) => {
    expect(problemsOf({ [name]: ', ,' })).toEqual([`${name} has no entry.`])
  },
)

test.each(['GATEWAY_CHARGE_METHODS', 'PARTNER_ACCOUNTS_DYNAMIC'])(
  '%s that has only commas is refused by its name, too',
  (name) => {
    expect(problemsOf({ GATEWAY_CHARGE_PATH: '/v1/charges', [name]: ',' })).toEqual([`${name} has no entry.`])
  },
)

test('orders come from one source: a URL with a token, or a key', () => {
  const env = { ORDERS_URL: 'https://shop.example/orders/', ORDERS_TOKEN: TOKEN }
  const { orders } = read(env)
  expect(orders).toMatchObject({ kind: 'url', url: 'https://shop.example/orders' })
  expect(orders?.kind === 'url' && orders.token.reveal()).toBe(TOKEN)
  expect(problemsOf({ ORDERS_URL: 'https://shop.example' })[0]).toContain('ORDERS_TOKEN')
  expect(problemsOf({ ...env, ORDER_SIGNING_KEY: KEY })).toEqual([
    'ORDERS_URL and ORDER_SIGNING_KEY are both set, and orders come from one source. Remove one of them.',
  ])
})

test.each(['GATEWAY_BASE_URL', 'PUBLIC_URL', 'ORDERS_URL'])(
  '%s loses its trailing slash, and has no query, fragment or placeholder',
  (name) => {
    const base = 'https://pay.shop.example/checkout'
    const stored = (value: string) => JSON.stringify(read({ ORDERS_TOKEN: TOKEN, [name]: value }))
    expect(stored(`${base}/`)).toBe(stored(base))
    expect(stored('HTTPS://Pay.Shop.Example:443/checkout')).toBe(stored(base))
    for (const rest of ['?shop=1', '#orders', '/{order}']) {
      expect(problemsOf({ ORDERS_TOKEN: TOKEN, [name]: base + rest })).toEqual([
        `${name} must have no "?", "#" or "{": paths are put after it.`,
      ])
    }
  },
)

test.each([
  ['http://127.0.0.1:4010', true],
  ['http://localhost:4010', true],
  ['http://[::1]:4010', true],
  ['http://127.0.0.1.evil.example', false],
  ['http://localhost.evil.example', false],
  ['http://gateway.example', false],
  ['https://gateway.example', false],
])('PUBLIC_URL has to be https, but beside a gateway on this machine: %s', (GATEWAY_BASE_URL, mayBeHttp) => {
  const GATEWAY_ENVIRONMENT = 'sandbox'
  const PUBLIC_URL = 'http://127.0.0.1:4020'
  const problems = problemsOf({ GATEWAY_ENVIRONMENT, GATEWAY_BASE_URL, PUBLIC_URL })
  expect(problems).toEqual(mayBeHttp ? [] : [expect.stringMatching(/^PUBLIC_URL must be https/)])
})

test.each([
  ['ALLOWED_ORIGINS', ['https://a.example', 'https://b.example:8443'], true],
  ...['*', 'null', 'https://a.example/', 'https://user@a.example'].map(
    (origin) => ['ALLOWED_ORIGINS', [origin], false] as const,
  ),
  ['GATEWAY_PAGE_HOSTS', ['pay.example', 'pay.example:8443', '127.0.0.1:4010'], true],
  // The host of a parsed URL is never written like these.
  ...['https://pay.example', 'pay.example/', '*.pay.example/x', 'pay.example:443', 'Pay.Example'].map(
    (host) => ['GATEWAY_PAGE_HOSTS', [host], false] as const,
  ),
  ['RETURN_URLS', ['https://shop.example/thanks/', 'capacitor://localhost'], true],
  ['RETURN_URLS', ['javascript://localhost'], false],
] as const)('the list %s may be %j: %s', (name, list, isValid) => {
  const env = { [name]: list.join(', ') }
  expect(problemsOf(env)).toHaveLength(isValid ? 0 : 1)
  if (!isValid) {
    return
  }

  const { allowedOrigins, returnUrls, gateway } = read(env)
  const lists = {
    ALLOWED_ORIGINS: allowedOrigins,
    GATEWAY_PAGE_HOSTS: gateway.pageHosts,
    RETURN_URLS: returnUrls.filter((url) => url !== 'https://pay.shop.example/pay'),
  }
  expect(lists[name]).toEqual(list)
  // RETURN_URLS defaults to ALLOWED_ORIGINS and the origin of PUBLIC_URL.
  if (name !== 'RETURN_URLS') {
    expect(returnUrls).toEqual([...allowedOrigins, 'https://pay.shop.example'])
  }
})

describe('charges', () => {
  const ON = { GATEWAY_CHARGE_PATH: '/v1/charges' }
  const FEES = { account: 'PARTNER-FEES', amount: 25, reason: 'Platform fee' }

  test('charges are off until their path is set', () => {
    expect(read({}).charges).toBeNull()
    const statusPath = '/v1/charges/:external_reference/status'
    expect(read(ON).charges).toEqual({
      path: '/v1/charges',
      statusPath,
      clientCode: null,
      methods: [],
      partners: [],
    })
  })

  test.each(['KES/PARTNER-FEES=0.005:Fee', 'UGX/PARTNER-FEES=0.5:Fee', 'PARTNER-FEES=0.125:Fee'])(
    'charges carry no share that is not exact in its currency: %s',
    (PARTNER_ACCOUNTS_DYNAMIC) => {
      expect(problemsOf({ ...ON, PARTNER_ACCOUNTS_DYNAMIC })).toEqual([
        expect.stringMatching(/^PARTNER_ACCOUNTS_DYNAMIC has "/),
      ])
    },
  )

  test('charges carry the client code and the dynamic partner accounts', () => {
    const PARTNER_ACCOUNTS_DYNAMIC = 'PARTNER-FEES=25:Platform fee, PARTNER-TAX = 1.50 : Tax: the county'
    const env = { GATEWAY_CHARGE_PATH: '/charges/', GATEWAY_CLIENT_CODE: 'SHOP', PARTNER_ACCOUNTS_DYNAMIC }
    const tax = { account: 'PARTNER-TAX', amount: 1.5, reason: 'Tax: the county' }
    const statusPath = '/charges/:external_reference/status'
    const partners = [FEES, tax].map((share) => ({ currency: null, share }))
    expect(read(env).charges).toEqual({
      path: '/charges',
      statusPath,
      clientCode: 'SHOP',
      methods: [],
      partners,
    })
  })

  test.each([
    ['/v1/transaction/:charge_request_id/status/', '/v1/transaction/:charge_request_id/status'],
    ['/charges/:external_reference', '/charges/:external_reference'],
  ])('charges are queried at %s', (path, statusPath) => {
    expect(read({ ...ON, GATEWAY_CHARGE_STATUS_PATH: path }).charges).toMatchObject({ statusPath })
    expect(problemsOf({ GATEWAY_CHARGE_STATUS_PATH: path })).toEqual([
      'GATEWAY_CHARGE_STATUS_PATH needs GATEWAY_CHARGE_PATH: charges are off without it.',
    ])
  })

  test('charges take operators with names, prefixes, dial codes, bounds, and those that are away', () => {
    const GATEWAY_CHARGE_METHODS =
      'MOMO_KEN=MoMo:25470 25471 dial=*334# least=10 greatest=150000.50, WAVELET_KEN=Wave let ,MPESA=M:least=1 away'
    expect(read({ ...ON, GATEWAY_CHARGE_METHODS }).charges?.methods).toEqual([
      {
        code: 'MOMO_KEN',
        name: 'MoMo',
        prefixes: ['25470', '25471'],
        dial: '*334#',
        least: '10',
        greatest: '150000.50',
        isAway: false,
      },
      { code: 'WAVELET_KEN', name: 'Wave let', prefixes: [], isAway: false },
      { code: 'MPESA', name: 'M', prefixes: [], least: '1', isAway: true },
    ])
    expect(problemsOf({ GATEWAY_CHARGE_METHODS })).toEqual([
      'GATEWAY_CHARGE_METHODS needs GATEWAY_CHARGE_PATH: charges are off without it.',
    ])
  })

  test('charges are confirmed at GATEWAY_BASE_URL by default', () => {
    const { gateway } = read({ GATEWAY_ACKNOWLEDGE_BASE_URL: 'https://ack.gateway.example/' })
    expect(gateway.acknowledgeBaseUrl).toBe('https://ack.gateway.example')
    expect(read({}).gateway.acknowledgeBaseUrl).toBe('https://gateway.example')
  })

  test.each([
    ['GATEWAY_CHARGE_PATH', 'v1/charges', 'must be a path'],
    ['GATEWAY_CHARGE_PATH', '/v1/:charges?x', 'must be a path'],
    ['GATEWAY_CHARGE_STATUS_PATH', '/v1/status', 'must be a path with either :external_reference or'],
    ['GATEWAY_CHARGE_STATUS_PATH', '/:external_reference/:charge_request_id', 'must be a path with either'],
    ['GATEWAY_CHARGE_METHODS', 'MOMO KEN', 'has "MOMO KEN", whose code must be 1 to 32 letters'],
    ['GATEWAY_CHARGE_METHODS', 'M=o:25470 greatest=150,000', 'has "000", whose code must be 1 to 32 letters'],
    ['GATEWAY_CHARGE_METHODS', 'M=o:least=1,000.00', 'has "000.00", whose code must be 1 to 32 letters'],
    ['GATEWAY_CHARGE_METHODS', 'M=o:25470,25471', 'has "25471", whose code must be 1 to 32 letters'],
    ['GATEWAY_CHARGE_METHODS', 'M=o:1:2', 'whose prefixes must be digits'],
    ['GATEWAY_CHARGE_METHODS', 'MOMO_KEN=MoMo:0712', 'whose prefixes must be digits, with the country code'],
    [
      'GATEWAY_CHARGE_METHODS',
      'MOMO_KEN=MoMo:+254',
      'whose prefixes must be digits, with the country code; dial=.334#, least=10',
    ],
    ['GATEWAY_CHARGE_METHODS', 'M=o:25470 greatest=250 500', 'whose greatest must be an amount, such as 10'],
    ['GATEWAY_CHARGE_METHODS', 'M=o:25470 dial=*334# 25471', 'whose dial must be a code such as .334#'],
    ['GATEWAY_CHARGE_METHODS', 'MOMO_KEN=MoMo:away lest=1', 'whose prefixes must be digits'],
    ['GATEWAY_CHARGE_METHODS', `MOMO_KEN=${'x'.repeat(51)}`, 'whose name must be at most 50 characters'],
    ['GATEWAY_CHARGE_METHODS', 'MOMO_KEN=MoMo:dial=334', 'whose dial must be a code such as .334#'],
    ['GATEWAY_CHARGE_METHODS', 'MOMO_KEN=MoMo:least=10 least=20', 'whose least must be'],
    ['GATEWAY_CHARGE_METHODS', 'MOMO_KEN=MoMo:least=-1', 'whose least must be an amount, such as 10'],
    ['GATEWAY_CHARGE_METHODS', 'MOMO_KEN=MoMo:greatest=1e9', 'whose greatest must be an amount, such as 10'],
    ['GATEWAY_CHARGE_METHODS', 'MOMO_CIV=M:greatest=150.000', 'whose greatest must be an amount, such as 10'],
    ['GATEWAY_CHARGE_METHODS', 'MOMO_CIV=M:least=1.000', 'whose least must be an amount, such as 10'],
    ['GATEWAY_CHARGE_METHODS', 'M=o:least=10.5 greatest=10.49', 'whose greatest must not be less than least'],
    ['GATEWAY_CHARGE_METHODS', 'MOMO_KEN,MOMO_KEN=MoMo', 'names MOMO_KEN more than once'],
    ['GATEWAY_CLIENT_CODE', 'x'.repeat(33), 'must be at most 32'],
    ['PARTNER_ACCOUNTS_DYNAMIC', 'PARTNER-FEES', 'which is not ACCOUNT=AMOUNT:REASON or CURRENCY/ACCOUNT=A'],
    ['PARTNER_ACCOUNTS_DYNAMIC', 'PARTNER-FEES=0:Fee', 'which is not'],
    ['PARTNER_ACCOUNTS_DYNAMIC', 'PARTNER-FEES=ten:Fee', 'which is not'],
    ['PARTNER_ACCOUNTS_DYNAMIC', ' =1:Fee', 'which is not'],
    ['PARTNER_ACCOUNTS_DYNAMIC', 'A=1:Fee,A=2:Fee', 'names A more than once'],
    ['PARTNER_ACCOUNTS_DYNAMIC', 'A=1:Fee,a=2:Fee', 'names a more than once'],
  ])('charges with %s as %j are refused by name and rule', (name, value, rule) => {
    const [problem, ...others] = problemsOf({ ...ON, [name]: value })
    expect({ problem, others }).toEqual({
      problem: expect.stringMatching(new RegExp(`^${name} .*${rule}`)),
      others: [],
    })
  })
})

test.each([
  ['MERCHANT_METHODS', 'M-Pesa, Airtel Money, card', true],
  ['MERCHANT_METHODS', 'M-Pesa'.repeat(40), false],
  ['MERCHANT_METHODS', 'M-Pesa" onfocus="pay()', false],
  ['MERCHANT_METHODS', 'M-Pesa & card', false],
  ['MERCHANT_HELP', 'tel:123 | https://wa.me/254700000001', true],
  ['MERCHANT_HELP', 'tel:123 | javascript:alert(1)', false],
  ['MERCHANT_LOGO', 'https://cdn.pwani.example/logo.png', true],
  ['MERCHANT_LOGO', 'http://cdn.pwani.example/logo.png', false],
  ['MERCHANT_ACCENT', '#0F6e5c', true],
  ['MERCHANT_ACCENT', '#707070', true],
  ['MERCHANT_ACCENT', '#8a8a8a', false],
  ['MERCHANT_ACCENT', 'red;}', false],
])('%s may be %s: %s', (name, text, isValid) => {
  const said = problemsOf({ [name]: text }).filter((problem) => problem.startsWith(name))
  expect(said).toHaveLength(isValid ? 0 : 1)
})
