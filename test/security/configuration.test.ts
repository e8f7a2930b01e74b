import { execFileSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  lchownSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

import { readConfig } from '../../server/config/config.ts'
import { newFolder } from '../support/folder.ts'
import { LEAST, problemsOf } from '../support/least-config.ts'
import { createTerminal } from '../support/worlds/terminal.ts'

import type { Environment } from '../../server/config/variables.ts'

const KEY = 'qLr2M9zXw7Yt0KpVb5Nc3Hd8'
const WEBHOOK = { MERCHANT_WEBHOOK_SECRET: `whsec_${Buffer.from(KEY).toString('base64')}` }
const ORDERS = { ORDERS_TOKEN: 'the token of the backend of the shop' }

/** The secrets that a merchant makes, with what each of them needs. */
const LEAST_SECRETS = {
  ORDERS_TOKEN: { ORDERS_URL: 'https://shop.example/orders' },
  ORDER_SIGNING_KEY: {},
  MERCHANT_API_KEY: {},
  MERCHANT_WEBHOOK_SECRET: { MERCHANT_WEBHOOK_URL: 'https://shop.example/events' },
  CALLBACK_SECRET: {},
  CALLBACK_BASIC_AUTH: {},
} satisfies Record<string, Environment>

const PRIVATE = [
  ...'localhost localhost. gateway.localhost gateway gateway.local gateway.internal 127.0.0.1'.split(' '),
  ...'127.8.8.8 2130706433 0x7f.1 0177.0.0.1 0.0.0.0 10.0.0.1 100.64.0.1 169.254.169.254'.split(' '),
  ...'172.16.0.1 172.31.255.255 192.168.1.1 198.18.0.1 224.0.0.1 255.255.255.255 [::] [::1]'.split(' '),
  ...'[::ffff:127.0.0.1] [::ffff:a00:1] [::7f00:1] [::ffff:0:7f00:1] [64:ff9b:1::7f00:1]'.split(' '),
  ...'[100::1] [2001:db8::1] [4000::1] [64:ff9b::10.0.0.1] [2002:7f00:1::] [fc00::1]'.split(' '),
  ...'[fd12:3456::1] [fe80::1] [fec0::1] [ff02::1]'.split(' '),
]
const PUBLIC = [
  ...'gateway.example 172.32.0.1 100.128.0.1 9.9.9.9 [2620:fe::fe] [::ffff:9.9.9.9]'.split(' '),
  ...'[64:ff9b::9.9.9.9]'.split(' '),
]

describe('in production, the gateway', () => {
  test.each(['GATEWAY_BASE_URL', 'GATEWAY_FX_BASE_URL', 'GATEWAY_ACKNOWLEDGE_BASE_URL'])(
    'in production, the gateway is not reached without TLS: %s',
    (name) => {
      const [problem, ...others] = problemsOf({ [name]: 'http://gateway.example' })
      expect({ problem, others }).toEqual({
        problem: expect.stringMatching(new RegExp(`^${name} must be https`)),
        others: [],
      })
    },
  )

  test.each(PRIVATE)('in production, the gateway is not on a private address: %s', (host) => {
    for (const name of ['GATEWAY_BASE_URL', 'GATEWAY_FX_BASE_URL', 'GATEWAY_ACKNOWLEDGE_BASE_URL']) {
      for (const env of [{}, { PRIVATE_HOSTS: new URL(`https://${host}`).hostname }]) {
        const problems = problemsOf({ [name]: `https://${host}`, ...env })
        expect(problems).toContainEqual(expect.stringMatching(new RegExp(`^${name} .*private`)))
      }
    }
  })

  test.each(PUBLIC)('in production, the gateway may be on a public address: %s', (host) => {
    expect(problemsOf({ GATEWAY_BASE_URL: `https://${host}` })).toEqual([])
  })

  test('in production, the gateway is not named in PRIVATE_HOSTS', () => {
    const [problem] = problemsOf({ PRIVATE_HOSTS: 'orders.lan, gateway.example' })
    expect(problem).toMatch(/^PRIVATE_HOSTS names gateway\.example, the gateway/)
  })

  test.each<[string, Environment]>([
    ['GATEWAY_CONSUMER_KEY', { GATEWAY_CONSUMER_KEY: 'sandbox-key' }],
    ['GATEWAY_CONSUMER_SECRET', { GATEWAY_CONSUMER_SECRET: 'sandbox-secret' }],
    ['GATEWAY_CONSUMER_SECRET', { GATEWAY_CONSUMER_SECRET_FILE: '/run/secret', GATEWAY_CONSUMER_SECRET: '' }],
  ])('in production, the gateway does not get the credentials of the sandbox: %s', (name, env) => {
    const [problem, ...others] = problemsOf(env, { readFile: () => 'sandbox-secret\n' })
    expect({ problem, others }).toEqual({
      problem: expect.stringMatching(new RegExp(`^${name} .*sandbox`)),
      others: [],
    })
  })

  test('in production, the gateway may be a look-alike in a rehearsal, which is no other environment', () => {
    const env = {
      GATEWAY_BASE_URL: 'http://127.0.0.1:4010',
      GATEWAY_CONSUMER_KEY: 'sandbox-key',
      GATEWAY_CONSUMER_SECRET: 'sandbox-secret',
    }
    expect(problemsOf(env)).toHaveLength(4)
    expect(readConfig({ ...LEAST, ...env, GATEWAY_REHEARSAL: '1' })).toMatchObject({
      environment: 'production',
      isRehearsal: true,
    })
    expect(problemsOf({ ...env, GATEWAY_REHEARSAL: 'yes' })).toContain('GATEWAY_REHEARSAL must be 1.')
  })

  test.each<[string, Environment]>([
    ['GATEWAY_BASE_URL', { GATEWAY_BASE_URL: 'http://gateway.example' }],
    ['GATEWAY_BASE_URL', { GATEWAY_BASE_URL: 'https://10.0.0.5' }],
    ['GATEWAY_FX_BASE_URL', { GATEWAY_FX_BASE_URL: 'http://rates.example' }],
    ['STORE_URL', { STORE_URL: 'postgres://checkout:word@db.example/checkout' }],
    ['STORE_URL', { STORE_URL: 'sqlite:checkout.sqlite' }],
    ['MERCHANT_API_KEY', { MERCHANT_API_KEY: 'a'.repeat(32) }],
  ])(
    'in production, the gateway is the look-alike of a rehearsal only on this machine: %s=%j',
    (name, env) => {
      const [problem, ...others] = problemsOf({ ...env, GATEWAY_REHEARSAL: '1' })
      expect({ problem, others }).toEqual({
        problem: expect.stringMatching(new RegExp(`^${name} `)),
        others: [],
      })
    },
  )
})

describe("in production, the merchant's backend", () => {
  const TARGETS = [
    ['ORDERS_URL', ORDERS],
    ['MERCHANT_WEBHOOK_URL', WEBHOOK],
  ] as const

  test.each(TARGETS)("in production, the merchant's backend is not reached without TLS: %s", (name, env) => {
    const [problem, ...others] = problemsOf({ ...env, [name]: 'http://shop.example/x' })
    expect({ problem, others }).toEqual({
      problem: expect.stringMatching(new RegExp(`^${name} must be https`)),
      others: [],
    })
  })

  test.each(TARGETS)(
    "in production, the merchant's backend is not on a private address, unless PRIVATE_HOSTS names it: %s",
    (name, env) => {
      for (const host of PRIVATE) {
        const { hostname } = new URL(`http://${host}`)
        for (const protocol of ['http', 'https']) {
          const url = { ...env, [name]: `${protocol}://${host}:8080/x` }
          const problems = problemsOf({ ...url, PRIVATE_HOSTS: 'other.lan' })
          expect(problems).toContainEqual(expect.stringMatching(new RegExp(`^${name} .*PRIVATE_HOSTS`)))
          expect(problemsOf({ ...url, PRIVATE_HOSTS: `other.lan,${hostname}` })).toEqual([])
        }
      }

      for (const host of PUBLIC) {
        expect(problemsOf({ ...env, [name]: `https://${host}/x` })).toEqual([])
      }
    },
  )

  test.each('https://orders.lan orders.lan/ orders.lan:8080 * *.lan 10.0.0.0/8 Orders.lan'.split(' '))(
    "in production, the merchant's backend is named by its host: PRIVATE_HOSTS does not take %s",
    (host) => {
      expect(problemsOf({ PRIVATE_HOSTS: host })).toEqual([
        expect.stringMatching(/^PRIVATE_HOSTS has .*host/),
      ])
    },
  )
})

describe('in production, the database', () => {
  const BARE = 'postgres://checkout:word-of-pass@db.example/checkout'

  test.each([
    BARE,
    `${BARE}?sslmode=disable`,
    `${BARE}?sslmode=no-verify`,
    `${BARE}?ssl=no-verify`,
    // The driver takes the last of two, and another meaning of a mode where it imitates libpq.
    `${BARE}?sslmode=verify-full&sslmode=disable`,
    `${BARE}?sslmode=verify-full&sslmode=no-verify`,
    `${BARE}?ssl=true&sslmode=disable`,
    `${BARE}?sslmode=require&uselibpqcompat=true`,
    `${BARE}?sslmode=prefer&uselibpqcompat=true`,
    `${BARE}?ssl=1&uselibpqcompat=true&sslmode=require`,
    'postgres://checkout:word-of-pass@10.0.0.5/checkout?host=10.0.0.6&host=db.example',
  ])('in production, the database is not reached without TLS: %s', (STORE_URL) => {
    const [problem, ...others] = problemsOf({ STORE_URL })
    expect({ problem, others }).toEqual({
      problem: expect.stringMatching(/^STORE_URL must use TLS .*sslmode=/),
      others: [],
    })
    expect(problem).not.toContain('word-of-pass')
    expect(problemsOf({ STORE_URL, PRIVATE_HOSTS: 'db.example' })).toEqual([])
    expect(problemsOf({ STORE_URL, GATEWAY_ENVIRONMENT: 'sandbox' })).toEqual([])
  })

  // What is missing would come from the environment of the process: another environment would have another store.
  test.each([
    'postgres:///checkout',
    'postgres:///checkout?user=checkout',
    'postgres:///checkout?host=/run/postgresql',
    'postgres://db.internal:5432/checkout',
    'postgres://checkout@db.internal:5432',
    'postgres://checkout@db.internal:5432/',
  ])('names its user, its host and its name: %s', (STORE_URL) => {
    for (const GATEWAY_ENVIRONMENT of ['production', 'sandbox']) {
      const problems = problemsOf({ STORE_URL, GATEWAY_ENVIRONMENT })
      expect(problems).toEqual([expect.stringMatching(/^STORE_URL must be .*a user, a host and a database/)])
    }
  })

  test.each([
    `${BARE}?sslmode=verify-full`,
    // The driver verifies as strictly for these.
    `${BARE}?sslmode=require`,
    `${BARE}?ssl=true`,
    'postgres://checkout@db.internal/checkout',
    'postgres://checkout@db:5432/checkout',
    'postgres://checkout@10.0.0.5/checkout',
    'postgres://checkout@[fd12::1]/checkout',
    'postgres:///checkout?user=checkout&host=/run/postgresql',
    'postgres://checkout@%2Frun%2Fpostgresql/checkout',
    'sqlite:/data/checkout.sqlite',
  ])('in production, the database may be %s', (STORE_URL) => {
    expect(problemsOf({ STORE_URL })).toEqual([])
  })
})

test('a secret in a file that everybody may read is named', async () => {
  const folder = newFolder()
  const path = join(folder, 'key')
  const env = { MERCHANT_API_KEY: '', MERCHANT_API_KEY_FILE: path }
  for (const [mode, kind] of [
    [0o644, 'note'],
    [0o640, undefined],
  ] as const) {
    writeFileSync(path, KEY)
    chmodSync(path, mode)
    const { warnings } = readConfig({ ...LEAST, ...env })
    expect(warnings.map(({ text }) => text)).toEqual(
      kind
        ? [
            `MERCHANT_API_KEY_FILE names the file ${path}, which may be read by every user of this machine: chmod 600.`,
          ]
        : [],
    )
    const { findings } = JSON.parse((await createTerminal().run('check --json', { env })).out)
    expect(findings.find(({ what }: { what: string }) => what === 'files')?.kind).toBe(kind)
  }
})

test.each([0o602, 0o622, 0o646])('a secret in a file that others may change is refused: mode %o', (mode) => {
  const path = join(newFolder(), 'key')
  writeFileSync(path, KEY)
  chmodSync(path, mode)
  expect(problemsOf({ MERCHANT_API_KEY: '', MERCHANT_API_KEY_FILE: path })).toEqual([
    `MERCHANT_API_KEY_FILE names the file ${path}, which may be changed by every user of this machine: chmod 600.`,
  ])
})

describe.runIf(process.geteuid?.() === 0)('a secret in a file that a neighbour can change', () => {
  const NEIGHBOUR = 1234
  const US = 4321

  function problemsWith(prepare: (path: string, folder: string) => void) {
    const folder = newFolder()
    const path = join(folder, 'key')
    writeFileSync(path, KEY)
    chmodSync(path, 0o644)
    chmodSync(folder, 0o755)
    prepare(path, folder)
    process.seteuid?.(US)
    try {
      return problemsOf({ MERCHANT_API_KEY: '', MERCHANT_API_KEY_FILE: path }).join().replaceAll(folder, '')
    } finally {
      process.seteuid?.(0)
    }
  }

  test.each<[string, (path: string, folder: string) => void, string]>([
    ['its owner', (path) => chownSync(path, NEIGHBOUR, NEIGHBOUR), '/key, which belongs to user 1234'],
    [
      'its group',
      (path) => {
        chownSync(path, US, NEIGHBOUR)
        chmodSync(path, 0o620)
      },
      '/key, which may be changed by its group (1234): chmod 600.',
    ],
    [
      'the owner of its folder',
      (_, folder) => chownSync(folder, NEIGHBOUR, NEIGHBOUR),
      '/key, which is reached by , which belongs to user 1234, who can replace what is in it',
    ],
    [
      'the owner of a link to it',
      (path) => {
        renameSync(path, `${path}-real`)
        symlinkSync(`${path}-real`, path)
        lchownSync(path, NEIGHBOUR, NEIGHBOUR)
      },
      '/key, which belongs to user 1234',
    ],
    [
      'the owner of what a link leads to',
      (path) => {
        renameSync(path, `${path}-real`)
        symlinkSync(`${path}-real`, path)
        chownSync(`${path}-real`, NEIGHBOUR, NEIGHBOUR)
      },
      '/key, which is reached by /key-real, which belongs to user 1234',
    ],
  ])('a secret in a file that a neighbour can change is refused by %s', (_, prepare, problem) => {
    expect(problemsWith(prepare)).toContain(problem)
  })

  test('a secret in a file is read where only root can change it', () => {
    expect(problemsWith(() => {})).toBe('')
  })
})

test('a secret in a file is named if every user may write to a folder above its own', () => {
  const folder = newFolder()
  const own = join(folder, 'own')
  const path = join(own, 'key')
  mkdirSync(own, { mode: 0o700 })
  writeFileSync(path, KEY, { mode: 0o600 })
  const warningsOf = (mode: number) => {
    chmodSync(folder, mode)
    return readConfig({ ...LEAST, MERCHANT_API_KEY_FILE: path }).warnings.map(({ text }) => text)
  }
  expect(warningsOf(0o777)).toEqual([
    `MERCHANT_API_KEY_FILE names the file ${path}, which may be replaced by every user of this machine, who may write to ${folder}: chmod 755 the folder.`,
  ])
  // There, only the owner of a file or folder may put another one in its place.
  expect(warningsOf(0o1777)).toEqual([])
})

describe('one secret for two doors', () => {
  const ONE = 'kQ9x2LmV7wTzR4bN8yUaE1cG6hJ0pS3d'
  const WHSEC = `whsec_${Buffer.from(ONE).toString('base64')}`
  const EVENTS = { MERCHANT_WEBHOOK_URL: 'https://shop.example/events', MERCHANT_WEBHOOK_SECRET: WHSEC }
  const SERVICE = { NOTIFY_URL: 'https://sms.example/send', NOTIFY_BODY: '{"text":"{text}"}' }
  const MAILBOX = { NOTIFY_TO: 'owner@shop.example' }
  const basic = Buffer.from(`shop:${ONE}`).toString('base64')

  const ALIKE: [Environment, string][] = [
    [
      { GATEWAY_CONSUMER_SECRET: ONE, MERCHANT_READ_KEY: ONE },
      'MERCHANT_READ_KEY must share no secret with GATEWAY_CONSUMER_SECRET',
    ],
    [
      {
        GATEWAY_CONSUMER_SECRET: KEY,
        GATEWAY_CONSUMER_SECRET_PREVIOUS: ONE,
        ORDERS_URL: 'https://shop.example/orders',
        ORDERS_TOKEN: ONE,
      },
      'ORDERS_TOKEN must share no secret with GATEWAY_CONSUMER_SECRET',
    ],
    [
      { ...EVENTS, MERCHANT_API_KEY: WHSEC },
      'MERCHANT_WEBHOOK_SECRET must share no secret with MERCHANT_API_KEY',
    ],
    [
      { ...EVENTS, ORDER_SIGNING_KEY: WHSEC.slice('whsec_'.length) },
      'MERCHANT_WEBHOOK_SECRET must share no secret with ORDER_SIGNING_KEY',
    ],
    [
      { ...EVENTS, ORDER_SIGNING_KEY: ONE },
      'MERCHANT_WEBHOOK_SECRET must share no secret with ORDER_SIGNING_KEY',
    ],
    [
      { ...MAILBOX, MERCHANT_API_KEY: ONE, NOTIFY_SMTP_URL: `smtps://shop:${ONE}@smtp.example` },
      'NOTIFY_SMTP_URL must share no secret with MERCHANT_API_KEY',
    ],
    [
      { ...SERVICE, MERCHANT_API_KEY: ONE, NOTIFY_HEADERS: `{"Authorization":"Bearer ${ONE}"}` },
      'NOTIFY_HEADERS must share no secret with MERCHANT_API_KEY',
    ],
    [
      { ...SERVICE, MERCHANT_API_KEY: ONE, NOTIFY_HEADERS: `{"Authorization":"Basic ${basic}"}` },
      'NOTIFY_HEADERS must share no secret with MERCHANT_API_KEY',
    ],
    [
      { ...SERVICE, MERCHANT_API_KEY: ONE, NOTIFY_URL: `https://sms.example/send?key=${ONE}` },
      'NOTIFY_URL must share no secret with MERCHANT_API_KEY',
    ],
    [
      { MERCHANT_API_KEY: ONE, STORE_URL: `postgres://shop:${ONE}@db.example/shop?sslmode=verify-full` },
      'STORE_URL must share no secret with MERCHANT_API_KEY',
    ],
  ]

  const percent = (text: string) =>
    Array.from(text)
      .map((each) => `%${each.charCodeAt(0).toString(16)}`)
      .join('')
  const hex = Buffer.from(ONE).toString('hex')
  const base64 = Buffer.from(ONE).toString('base64')
  const BYTES = Buffer.from(Array.from({ length: 32 }, (_, index) => (index * 73 + 200) % 256))

  test.each<[string, Environment]>([
    ['NOTIFY_HEADERS', { ...SERVICE, NOTIFY_HEADERS: `{"Authorization":"Api-Key ${ONE}"}` }],
    ['NOTIFY_HEADERS', { ...SERVICE, NOTIFY_HEADERS: `{"Authorization":"Token token=\\"${ONE}\\""}` }],
    ['NOTIFY_HEADERS', { ...SERVICE, NOTIFY_HEADERS: `{"x-auth":"user;${ONE}"}` }],
    ['NOTIFY_HEADERS', { ...SERVICE, NOTIFY_HEADERS: `{"x-key":"${hex.toUpperCase()}"}` }],
    ['NOTIFY_URL', { ...SERVICE, NOTIFY_URL: `https://sms.example/bot${ONE}/send` }],
    ['NOTIFY_URL', { ...SERVICE, NOTIFY_URL: `https://sms.example/send;key=${ONE}` }],
    ['NOTIFY_URL', { ...SERVICE, NOTIFY_URL: `https://sms.example/send?key=user:${percent(ONE)}` }],
    ['NOTIFY_BODY', { ...SERVICE, NOTIFY_BODY: `{"key":"${ONE}","text":"{text}"}` }],
    ['NOTIFY_SMTP_URL', { ...MAILBOX, NOTIFY_SMTP_URL: `smtps://${ONE}:another-password@smtp.example` }],
    ['STORE_URL', { STORE_URL: `postgres://${ONE}:word@db.example/shop?sslmode=verify-full` }],
    ['HTTPS_PROXY', { HTTPS_PROXY: `http://${ONE}:word@proxy.example:3128` }],
    ['HTTPS_PROXY', { HTTPS_PROXY: `http://user:${ONE}@proxy.example:3128` }],
    ['MERCHANT_WEBHOOK_URL', { MERCHANT_WEBHOOK_URL: `https://shop.example/events?key=${ONE}` }],
    ['CALLBACK_BASIC_AUTH', { CALLBACK_BASIC_AUTH: `${ONE}:another password of callbacks` }],
    ['CALLBACK_BASIC_AUTH', { CALLBACK_BASIC_AUTH: `gateway:${hex}` }],
    ['CALLBACK_SECRET', { CALLBACK_SECRET: base64 }],
    ['CALLBACK_SECRET', { CALLBACK_SECRET: Buffer.from(`a:${ONE}.`).toString('base64url') }],
    ['CALLBACK_SECRET', { CALLBACK_SECRET: Buffer.from(`ab:${ONE}`).toString('base64') }],
    ['CALLBACK_SECRET', { CALLBACK_SECRET: `${ONE}-of-callbacks` }],
    ['CALLBACK_SECRET', { CALLBACK_SECRET: ONE.slice(2, 28) }],
    ['MERCHANT_API_KEY', { ORDERS_URL: 'https://shop.example/orders', ORDERS_TOKEN: `${ONE}-2` }],
  ])('the key of /api is in no other variable, in whatever writing: %s %j', (name, env) => {
    const MERCHANT_WEBHOOK_SECRET = env['MERCHANT_WEBHOOK_URL'] && `whsec_${BYTES.toString('base64')}`
    const other = name === 'MERCHANT_API_KEY' ? 'ORDERS_TOKEN' : 'MERCHANT_API_KEY'
    expect(problemsOf({ MERCHANT_API_KEY: ONE, MERCHANT_WEBHOOK_SECRET, ...env })).toEqual([
      `${name} must share no secret with ${other}: each secret opens one door.`,
    ])
  })

  test.each([
    ['base64url', BYTES.toString('base64url')],
    ['base64 without padding', BYTES.toString('base64').replace(/=+$/, '')],
    ['hex', BYTES.toString('hex')],
  ])('the key of webhooks is not the key of /api in another alphabet: %s', (_, MERCHANT_API_KEY) => {
    const MERCHANT_WEBHOOK_SECRET = `whsec_${BYTES.toString('base64')}`
    expect(problemsOf({ ...EVENTS, MERCHANT_WEBHOOK_SECRET, MERCHANT_API_KEY })).toEqual([
      'MERCHANT_WEBHOOK_SECRET must share no secret with MERCHANT_API_KEY: each secret opens one door.',
    ])
  })

  test('one provider of e-mail and SMS may have one key', () => {
    const env = { ...SERVICE, ...MAILBOX, NOTIFY_SMTP_URL: `smtps://apikey:${ONE}@smtp.example` }
    expect(problemsOf({ ...env, NOTIFY_HEADERS: `{"Authorization":"Bearer ${ONE}"}` })).toEqual([])
  })

  test.each<[Environment, string]>([
    [
      { ORDER_SIGNING_KEY: ONE, MERCHANT_API_KEY: ONE },
      'MERCHANT_API_KEY must share no secret with ORDER_SIGNING_KEY',
    ],
    [
      { MERCHANT_API_KEY: ONE, CALLBACK_SECRET: ONE },
      'CALLBACK_SECRET must share no secret with MERCHANT_API_KEY',
    ],
    [
      { MERCHANT_API_KEY: ONE, CALLBACK_BASIC_AUTH: `gateway:${ONE}` },
      'CALLBACK_BASIC_AUTH must share no secret with MERCHANT_API_KEY',
    ],
    [
      {
        MERCHANT_API_KEY: KEY,
        MERCHANT_API_KEY_PREVIOUS: ONE,
        MERCHANT_API_KEY_PREVIOUS_SINCE: '2026-11-30',
        CALLBACK_SECRET: ONE,
      },
      'CALLBACK_SECRET must share no secret with MERCHANT_API_KEY',
    ],
    ...ALIKE,
  ])('one secret for two settings is refused in production, and not printed: %j', (env, problem) => {
    expect(problemsOf(env)).toEqual([`${problem}: each secret opens one door.`])
    const SANDBOX = { GATEWAY_ENVIRONMENT: 'sandbox' }
    expect(problemsOf({ ...SANDBOX, ...env })).toEqual([])
  })
})

test.each([
  ['RETURN_URL', 'RETURN_URLS'],
  ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
  ['callback_basic_auth', 'CALLBACK_BASIC_AUTH'],
  ['ALLOWED_ORIGIN', 'ALLOWED_ORIGINS'],
  ['merchant_api_key_file', 'MERCHANT_API_KEY'],
  ['ALOWED_ORIGINS', 'ALLOWED_ORIGINS'],
  ['ALLOWED_ORIGNIS', 'ALLOWED_ORIGINS'],
  ['TIMEZONE', 'TIME_ZONE'],
  ['STORE_URI', 'STORE_URL'],
  ['NOTIFI_URL', 'NOTIFY_URL'],
  ['MERCHANT_WEBOOK_URL', 'MERCHANT_WEBHOOK_URL'],
])('a name that is almost one of a variable is named, with the variable: %s', (name, meant) => {
  const { warnings } = readConfig({ ...LEAST, [name]: 'x' })
  expect(warnings.map(({ text }) => text)).toEqual([
    `${name} is set, but is not read: this server has no such variable. Is it ${meant}?`,
  ])
})

test('a name that is like none, with a beginning of ours, is named alone', () => {
  const { warnings } = readConfig({ ...LEAST, MERCHANT_TELEPHONE: 'x' })
  expect(warnings.map(({ text }) => text)).toEqual([
    'MERCHANT_TELEPHONE is set, but is not read: this server has no such variable.',
  ])
})

test('what two variables lack is said once', () => {
  const problems = problemsOf({ NOTIFY_BODY: '{"text":"{text}"}', NOTIFY_HEADERS: 'x-key: 1' })
  expect(problems.filter((text) => text.startsWith('NOTIFY_URL is required'))).toHaveLength(1)
})

test('names of other programs are not named', () => {
  const others = {
    NO_COLOR: '1',
    HOSTNAME: 'x',
    LOG_FORMAT: 'x',
    PATH: '/bin',
    https_proxy: '',
    DATABASE_URL: 'x',
    HOME: '/home/shop',
    SUPPORT: 'x',
    TZ: 'UTC',
    PUBLIC_KEY: 'x',
    REDIS_URL: 'x',
    STORE_DIR: 'x',
    NPM_CONFIG_LOGLEVEL: 'x',
  }
  expect(readConfig({ ...LEAST, ...others }).warnings).toEqual([])
})

describe('a short secret', () => {
  const NAMES = ['CALLBACK_SECRET', 'MERCHANT_API_KEY', 'ORDER_SIGNING_KEY'] as const
  const SHORT = 'short-but-v4ried-secret'

  test.each(NAMES)('a short secret is refused, in any environment, and not printed: %s', (name) => {
    for (const environment of ['sandbox', 'production']) {
      const [problem, ...others] = problemsOf({ GATEWAY_ENVIRONMENT: environment, [name]: SHORT })
      expect({ problem, others }).toEqual({
        problem: expect.stringMatching(new RegExp(`^${name} must be .*"openssl rand -base64 32"`)),
        others: [],
      })
      expect(problem).not.toContain(SHORT)
    }
  })

  test.each(NAMES)('a short secret is refused as the previous value, too: %s', (name) => {
    const problems = problemsOf({ [name]: `${KEY}+${KEY}`, [`${name}_PREVIOUS`]: SHORT })
    expect(problems).toEqual([expect.stringMatching(new RegExp(`^${name}_PREVIOUS must be `))])
  })

  test.each<[string, string, Environment]>([
    ['ORDERS_TOKEN', 'a token', { ORDERS_URL: 'https://shop.example/orders' }],
    ['CALLBACK_BASIC_AUTH', 'gateway:', {}],
    ['CALLBACK_BASIC_AUTH', 'gateway:password', {}],
  ])('a short secret is refused in production: %s=%s', (name, value, env) => {
    const problem = expect.stringMatching(new RegExp(`^${name} must be`))
    expect(problemsOf({ ...env, [name]: value })).toEqual([problem])
    expect(problemsOf({ ...env, GATEWAY_ENVIRONMENT: 'sandbox', [name]: value })).toEqual([])
  })

  // Python, Go and openssl decode no base64 without its padding, so a backend could not verify with such a secret.
  test.each([
    `whsec_${'A'.repeat(31)}`,
    `whsec_${'A'.repeat(30)}==`,
    `whsec_${'A'.repeat(33)}`,
    `whsec_${'A'.repeat(34)}`,
    `whsec_${'A'.repeat(34)}=`,
    `whsec_${'A'.repeat(35)}`,
    `whsec_${'A'.repeat(36)}=`,
    `whsec_${'A'.repeat(31)}-`,
    'A'.repeat(32),
  ])(
    'a short secret is refused as a webhook secret, as one without its padding is: %s',
    (MERCHANT_WEBHOOK_SECRET) => {
      const MERCHANT_WEBHOOK_URL = 'https://shop.example/events'
      const problems = problemsOf({ MERCHANT_WEBHOOK_URL, MERCHANT_WEBHOOK_SECRET })
      expect(problems).toEqual([expect.stringMatching(/^MERCHANT_WEBHOOK_SECRET must be /)])
    },
  )

  test.each([24, 25, 26, 32, 64])('a webhook secret of %i bytes is taken, and verifies', (length) => {
    const MERCHANT_WEBHOOK_SECRET = `whsec_${Buffer.from(Array.from({ length }, (_, index) => 0xf0 + (index % 16))).toString('base64')}`
    const MERCHANT_WEBHOOK_URL = 'https://shop.example/events'
    expect(problemsOf({ MERCHANT_WEBHOOK_URL, MERCHANT_WEBHOOK_SECRET })).toEqual([])
  })
})

test('check is never ready in a rehearsal', async () => {
  const env = { GATEWAY_ENVIRONMENT: 'production', GATEWAY_REHEARSAL: '1' }
  const { code, out } = await createTerminal().run('check', { env })
  expect({ code, out }).toEqual({
    code: 1,
    out: expect.stringContaining('✗ rehearsal: GATEWAY_REHEARSAL is set'),
  })
  expect(out).toContain('Not ready for production')
})

test.each([
  ...'PUBLIC_URL GATEWAY_BASE_URL GATEWAY_FX_BASE_URL ORDERS_URL MERCHANT_WEBHOOK_URL'.split(' '),
  ...'RETURN_URLS'.split(' '),
])('a user or a password in an address is refused, and not dropped silently: %s', (name) => {
  for (const credentials of ['user:word-of-pass', 'user', ':word-of-pass']) {
    const problems = problemsOf({ ...ORDERS, ...WEBHOOK, [name]: `https://${credentials}@host.example/a` })
    expect(problems).toEqual([expect.stringMatching(new RegExp(`^${name} .*user`))])
    expect(problems.join()).not.toContain('word-of-pass')
  }
})

test('in production, TLS without certificates is refused, also by the environment that Node reads', () => {
  const processEnv = { NODE_TLS_REJECT_UNAUTHORIZED: '0' }
  for (const env of [{}, { GATEWAY_REHEARSAL: '1' }]) {
    expect(problemsOf(env, { processEnv })).toEqual([expect.stringMatching(/^NODE_TLS_REJECT_UNAUTHORIZED/)])
  }

  expect(problemsOf({}, { processEnv: { NODE_TLS_REJECT_UNAUTHORIZED: '1' } })).toEqual([])
})

describe('a secret that the merchant makes', () => {
  const written = (name: string, key: Uint8Array) => {
    if (name === 'MERCHANT_WEBHOOK_SECRET') {
      return `whsec_${Buffer.from(key).toString('base64')}`
    }

    return name === 'CALLBACK_BASIC_AUTH'
      ? `gateway:${Buffer.from(key).toString()}`
      : Buffer.from(key).toString()
  }

  const DULL = ['a'.repeat(32), '0'.repeat(64), 'abcdefg'.repeat(6), 'change-change-change-change-change']

  test.each(Object.entries(LEAST_SECRETS))(
    'a secret that the merchant makes is varied in production: %s',
    (name, env) => {
      for (const dull of DULL) {
        const value = written(name, Buffer.from(dull))
        const [problem, ...others] = problemsOf({ ...env, [name]: value })
        expect({ problem, others }).toEqual({
          problem: expect.stringMatching(new RegExp(`^${name} must be .*random`)),
          others: [],
        })
        expect(problem).not.toContain(dull)
        expect(problemsOf({ ...env, [name]: value, GATEWAY_ENVIRONMENT: 'sandbox' })).toEqual([])
      }

      for (const random of RANDOM) {
        expect(problemsOf({ ...env, [name]: written(name, random) })).toEqual([])
      }
    },
  )

  test('a replaced secret that the merchant makes is varied, too', () => {
    const env = { CALLBACK_SECRET: KEY, CALLBACK_SECRET_PREVIOUS: 'a'.repeat(32) }
    expect(problemsOf(env)).toEqual([expect.stringMatching(/^CALLBACK_SECRET_PREVIOUS must be random/)])
  })

  test('a secret that the gateway issues need not be varied', () => {
    expect(problemsOf({ GATEWAY_CONSUMER_SECRET: '11112222' })).toEqual([])
  })

  test('a secret that the merchant makes is named by check in the sandbox', async () => {
    const env = { CALLBACK_SECRET: 'a'.repeat(32) }
    const { findings } = JSON.parse((await createTerminal().run('check --json', { env })).out)
    expect(findings).toContainEqual({
      kind: 'later',
      what: 'configuration',
      detail: expect.stringMatching(/^CALLBACK_SECRET must be random/),
    })
  })
})

test.each<[string, RegExp, Environment]>([
  ['an origin without TLS', /^ALLOWED_ORIGINS has http:\/\/shop/, { ALLOWED_ORIGINS: 'http://shop.example' }],
  [
    'an origin of this machine',
    /^ALLOWED_ORIGINS has https:\/\/localhost/,
    { ALLOWED_ORIGINS: 'https://localhost:3000' },
  ],
  ['a page of this machine', /^GATEWAY_PAGE_HOSTS has localhost/, { GATEWAY_PAGE_HOSTS: 'localhost:4010' }],
  ['a store that the system deletes', /^STORE_URL is in a temporary/, { STORE_URL: 'sqlite:/tmp/a.sqlite' }],
  ['proxies everywhere', /^TRUSTED_PROXIES has 0\.0\.0\.0\/0/, { TRUSTED_PROXIES: '10.0.0.1,0.0.0.0/0' }],
  ['proxies everywhere', /^TRUSTED_PROXIES has ::\/0/, { TRUSTED_PROXIES: '::/0' }],
  ...['::ffff:0:0/96', '::ffff:0.0.0.0/97', '0:0::ffff:0:0/80', '::/80', '64:ff9b::/96', '64:ff9b::/32'].map(
    (network): [string, RegExp, Environment] => [
      `proxies everywhere in IPv4, written as ${network}`,
      /^TRUSTED_PROXIES has \S+, which trusts the clients/,
      { TRUSTED_PROXIES: network },
    ],
  ),
])(
  'what is probably a mistake in production is named at the start, and by check: %s',
  async (_, text, env) => {
    const { warnings } = readConfig({ ...LEAST, ...env })
    expect(warnings.map((warning) => warning.text)).toEqual([expect.stringMatching(text)])
    const { findings } = JSON.parse((await createTerminal().run('check --json', { env })).out)
    expect(findings).toContainEqual(expect.objectContaining({ detail: expect.stringMatching(text) }))
  },
)

test('the networks of proxies are no mistake', () => {
  const TRUSTED_PROXIES =
    '10.0.0.0/8,fc00::/7,173.245.48.0/20,127.0.0.1,::1,::ffff:10.0.0.0/104,::ffff:127.0.0.1,2001:db8::/32'
  const env = { TRUSTED_PROXIES, ALLOWED_ORIGINS: 'https://shop.example,capacitor://localhost' }
  expect(readConfig({ ...LEAST, ...env }).warnings).toEqual([])
})

test('a server that listens itself says in production whose headers it trusts', () => {
  const required = [expect.stringMatching(/^TRUSTED_PROXIES is required.*"none"/)]
  expect(problemsOf({}, { listens: true })).toEqual(required)
  for (const TRUSTED_PROXIES of ['none', '10.0.0.1']) {
    expect(problemsOf({ TRUSTED_PROXIES }, { listens: true })).toEqual([])
  }

  // A framework names the address of each client.
  expect(problemsOf({})).toEqual([])
  expect(problemsOf({ GATEWAY_ENVIRONMENT: 'sandbox' }, { listens: true })).toEqual([])
})

test.each(['sqlite:checkout.sqlite', 'sqlite:./data/checkout.sqlite', 'sqlite:../checkout.sqlite'])(
  'the file of the store has an absolute path in production: %s',
  (STORE_URL) => {
    expect(problemsOf({ STORE_URL })).toEqual([expect.stringMatching(/^STORE_URL must be an absolute path/)])
    expect(problemsOf({ STORE_URL, GATEWAY_ENVIRONMENT: 'sandbox' })).toEqual([])
  },
)

test('the file of the store has no default in production', () => {
  expect(problemsOf({ STORE_URL: '' })).toEqual([
    expect.stringMatching(/^STORE_URL must be an absolute path/),
  ])
})

test('no document has a key that production would accept: each has a command that makes one', () => {
  const named = Object.keys(LEAST_SECRETS).join('|')
  const assignment = new RegExp(`(?:${named})(?:_PREVIOUS)?['"]?\\s*[=:]\\s*['"]?([^'"\\n]*)`, 'g')
  const found = [...readDocuments()].flatMap(([path, text]) =>
    [...text.matchAll(assignment), ...text.matchAll(/(whsec_[\w+/=]{32,})/g)].flatMap(([line, value = '']) =>
      // What a shell, compose or a program puts there is not in the document.
      /[$({]|process\.env/.test(value) || value.trim().length < 24 ? [] : [`${path}: ${line}`],
    ),
  )
  expect(found).toEqual([])
})

/** Keys of every format that documents name, and 100 random ones. */
const RANDOM = [
  ...Array.from({ length: 100 }, () => Buffer.from(randomBytes(24).toString('base64'))),
  Buffer.from(randomBytes(32).toString('hex')),
  Buffer.from(randomUUID()),
]

/** What a merchant reads or copies, by its path. */
function* readDocuments(): Iterable<[path: string, text: string]> {
  const files = execFileSync('git', ['ls-files', '*.md', 'server', 'widget', 'demo'], { encoding: 'utf8' })
  for (const path of files.split('\n')) {
    if (/\.(md|txt|ya?ml|service|conf|sh|php|py|go|mjs|jsx)$|(^|\/)(env|Dockerfile|Caddyfile)$/.test(path)) {
      yield [path, readFileSync(path, 'utf8')]
    }
  }
}
