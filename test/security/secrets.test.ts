import { format, inspect } from 'node:util'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { readConfig } from '../../server/config/config.ts'
import { isVariable } from '../../server/config/variables.ts'
import { exchange } from '../../server/http/exchange.ts'
import { createMaskedFetch } from '../../server/http/masked-fetch.ts'
import { createApp, openStore, signOrder } from '../../server/index.ts'
import { createPortalAddress } from '../../server/transactions/callback-address.ts'
import { systemClock } from '../../server/work/clock.ts'
import { LEAST } from '../support/least-config.ts'
import { localPayout } from '../support/spec/payouts.ts'
import { API_KEY, BFF, ENVIRONMENT, GATEWAY } from '../support/worlds/environment.ts'
import { PAYER, START, createWorld } from '../support/worlds/world.ts'

import type { Environment } from '../../server/config/variables.ts'

const Requested = z.looseObject({
  payout_reference: z.string().optional(),
  merchant_transaction_id: z.string().optional(),
  amount: z.number().optional(),
})

/** A strong secret for each variable, which contains the variable's name. */
const planted = (name: string) => `planted-${name.toLowerCase()}-9f3A1c70Be5d6482`
const BASE64 = Buffer.from(planted('webhook')).toString('base64')

const SECRETS: Environment = {
  GATEWAY_CONSUMER_SECRET: planted('consumer'),
  GATEWAY_CONSUMER_SECRET_PREVIOUS: planted('consumer_previous'),
  MERCHANT_API_KEY: planted('api'),
  MERCHANT_API_KEY_PREVIOUS: planted('api_previous'),
  MERCHANT_API_KEY_PREVIOUS_SINCE: '2026-11-30',
  MERCHANT_WEBHOOK_SECRET: `whsec_${BASE64}`,
  CALLBACK_SECRET: planted('callback'),
  CALLBACK_BASIC_AUTH: `gateway:${planted('basic')}`,
  STORE_URL: `postgres://user:${planted('store')}@db.example/payments?sslmode=require`,
}
const OTHERS: Environment = { ...LEAST, MERCHANT_WEBHOOK_URL: 'https://shop.example/events' }
const SIGNED = {
  ORDER_SIGNING_KEY: planted('signing'),
  ORDER_SIGNING_KEY_PREVIOUS: planted('old_signing'),
  ORDER_SIGNING_KEY_PREVIOUS_SINCE: '2026-11-30',
}
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

const OLD = 'the value before, 9f3a1c70be5d6482'
const NEW = 'the new value, 4e9Vb1n7oHcPqTzLw2'

/** The configurations during the rotation of a secret: before, while both values are accepted, and after. */
const stagesOf = (
  name: string,
  old: string,
  next: string,
): Record<'before' | 'during' | 'after', Environment> => ({
  before: { [name]: old },
  during: {
    [name]: next,
    [`${name}_PREVIOUS`]: old,
    ...(isVariable(`${name}_PREVIOUS_SINCE`) && {
      [`${name}_PREVIOUS_SINCE`]: new Date(START).toISOString(),
    }),
  },
  after: { [name]: next },
})

const STAGES = ['before', 'during', 'after'] as const
const BOTH = { before: [true, false], during: [true, true], after: [false, true] }

describe.each<[string, (env: Environment, value: string) => Promise<boolean>, old?: string, next?: string]>([
  [
    'MERCHANT_API_KEY, of requests of the backend,',
    async (env, value) => {
      const headers = { authorization: `Bearer ${value}` }
      return (await (await createWorld({ env })).ask('/api/payouts', { headers })).status === 200
    },
  ],
  [
    'ORDER_SIGNING_KEY, of orders in pages,',
    async (env, key) => {
      const order = { order: key, amount: '500', currency: 'KES', narration: 'Two kangas' }
      const jws = await signOrder(order, { key, audience: BFF, issuedAt: START / 1000, lifetime: 3600 })
      return (await (await createWorld({ ordersFromConfig: true, env })).initiate(jws)).status === 201
    },
  ],
  [
    'CALLBACK_SECRET, of addresses in the portal,',
    (env, value) => isCallbackAccepted(env, { CALLBACK_SECRET: value }),
  ],
  [
    'GATEWAY_CONSUMER_SECRET, of addresses derived from it,',
    (env, value) => isCallbackAccepted(env, { GATEWAY_CONSUMER_SECRET: value }),
  ],
  [
    'CALLBACK_BASIC_AUTH, of callbacks,',
    (env, value) => isCallbackAccepted(env, env, `Basic ${Buffer.from(value).toString('base64')}`),
    `gateway:${OLD}`,
    `gateway:${NEW}`,
  ],
])('%s while it is rotated', (named, isAccepted, old = OLD, next = NEW) => {
  test.each(STAGES)('the old value of a rotated secret is accepted beside the new one: %s', async (stage) => {
    const env = stagesOf(named.split(',')[0]!, old, next)[stage]
    expect([await isAccepted(env, old), await isAccepted(env, next)]).toEqual(BOTH[stage])
  })
})

test.each(STAGES)('MERCHANT_WEBHOOK_SECRET signs for a backend that knows one value, %s', async (stage) => {
  const known = ENVIRONMENT['MERCHANT_WEBHOOK_SECRET'] ?? ''
  const other = `whsec_${Buffer.from(NEW).toString('base64')}`

  const isAccepted = async (old: string, next: string) => {
    const world = await createWorld({ env: stagesOf('MERCHANT_WEBHOOK_SECRET', old, next)[stage] })
    world.order('A-1')
    await world.pay(await world.start('A-1'), 'approve')
    await world.later(60_000)
    return world.types().includes('checkout.paid')
  }

  expect([await isAccepted(known, other), await isAccepted(other, known)]).toEqual(BOTH[stage])
})

/** Returns whether the server of `env` accepts a callback at the address that the settings `portal` give. */
async function isCallbackAccepted(env: Environment, portal: Environment, authorization?: string) {
  const { url } = createPortalAddress('payouts', readConfig({ ...ENVIRONMENT, ...portal }))
  const headers = authorization === undefined ? {} : { authorization }
  const world = await createWorld({ env })
  return (await world.ask(url.replace(BFF, ''), { method: 'POST', headers, body: '{}' })).status === 200
}

describe('a secret in the text of another server', () => {
  const HIDDEN = {
    ORDERS_TOKEN: 'orders/token+Zk93jx81Qm27Lp55==',
    GATEWAY_CONSUMER_SECRET: 'consumer-secret/Aa11Bb22Cc33&Dd',
    MERCHANT_API_KEY: 'api-key:9f3b1c772a6d4e0f8a5177b0',
    CALLBACK_BASIC_AUTH: 'gateway:a-password-of-callbacks',
    MERCHANT_WEBHOOK_SECRET: `whsec_${Buffer.from('a key of webhooks, 24 bytes+').toString('base64')}`,
    STORE_URL: 'postgres://checkout:word-of-pass-7731@127.0.0.1:1/checkout',
  }
  const ACCESS_TOKEN = 'access-token/Rr77Tt88Yy99Uu+'
  const SHOWN = [
    ...Object.values(HIDDEN),
    'a-password-of-callbacks',
    'word-of-pass-7731',
    HIDDEN.MERCHANT_WEBHOOK_SECRET.slice('whsec_'.length),
  ]
  const WRITTEN: Record<string, (secret: string) => string> = {
    'as it stands': (secret) => secret,
    'in JSON of PHP': (secret) => JSON.stringify(secret).replaceAll('/', String.raw`\/`),
    'in JSON with escapes': (secret) =>
      secret.replaceAll(/[^\w]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`),
    'in JSON that escapes every character': (secret) =>
      Array.from(secret)
        .map((each) => `\\u00${each.charCodeAt(0).toString(16)}`)
        .join(''),
    'in a URL': (secret) => encodeURIComponent(secret),
    'in a URL that escapes every character, twice': (secret) =>
      Array.from(secret)
        .map((each) => `%25${each.charCodeAt(0).toString(16)}`)
        .join(''),
    'in HTML that escapes every character': (secret) =>
      Array.from(secret)
        .map((each) => `&#${each.charCodeAt(0)};`)
        .join(''),
    'in full-width letters': (secret) =>
      secret.replaceAll(/[!-~]/g, (each) => String.fromCodePoint(each.charCodeAt(0) + 0xfee0)),
    'with what nobody sees between its characters': (secret) => Array.from(secret).join('\u200b'),
    'cut as programs show long values': (secret) =>
      secret === HIDDEN.STORE_URL ? secret : `${secret.slice(0, 15)}…`,
    'in HTML': (secret) => secret.replaceAll('&', '&amp;').replaceAll('/', '&#x2F;').replaceAll('+', '&#43;'),
  }

  async function textsOf(write: (secret: string) => string, isMoved = false) {
    const echo = [...SHOWN, ACCESS_TOKEN].map((secret) => `< ${write(secret)} >`).join(' ')

    const answer = (url: string) => {
      // The backend does not have the access token.
      if (url.includes('shop.example')) {
        const location = `/login/${encodeURI(write(HIDDEN.ORDERS_TOKEN))}`
        return new Response(`Error. ${echo}`, {
          status: isMoved ? 302 : 500,
          headers: isMoved ? { location } : {},
        })
      }
      if (url.endsWith('/v1/auth')) {
        return Response.json({ access_token: ACCESS_TOKEN, expiresIn: 3600 }, { status: 201 })
      }

      // Once as JSON writes what was written before, and once as JSON itself writes the secrets.
      const message = `${JSON.stringify(echo).slice(1, -1)} ${HIDDEN.GATEWAY_CONSUMER_SECRET.replaceAll(/[\w/]/g, (each) => `\\u00${each.charCodeAt(0).toString(16)}`)}`
      const text = `{"status_code":172,"status_description":"Bad request","message":"${message}"}`
      return new Response(text, { status: 400, headers: { 'content-type': 'application/json' } })
    }

    const lines: string[] = []
    const line = (facts: object, text: string) => void lines.push(text + inspect(facts, { depth: 9 }))
    const env = {
      ...HIDDEN,
      ORDERS_URL: 'https://shop.example/orders',
      MERCHANT_WEBHOOK_URL: 'https://shop.example/e',
    }
    const app = createApp({
      config: readConfig({ ...ENVIRONMENT, ...env, ORDER_SIGNING_KEY: undefined }),
      store: openStore('sqlite::memory:'),
      fetch: answer,
      log: { debug: line, info: line, warn: line, error: line },
    })
    const form = new URLSearchParams({ order: 'A-1', ...PAYER })
    const started = await app.request('/checkout/initiate', { method: 'POST', body: form })
    const authorization = `Bearer ${HIDDEN.MERCHANT_API_KEY}`
    const balance = await app.request('/api/accounts/ACC-001/balance', { headers: { authorization } })
    return { balance: await balance.text(), all: [...lines, await started.text()] }
  }

  test.each(Object.entries(WRITTEN))(
    'a secret in the text of another server is in no log and no answer, %s',
    async (_, write) => {
      for (const isMoved of [false, true]) {
        const { balance, all } = await textsOf(write, isMoved)
        expect(balance).toContain('Bad request')
        expect(balance).toContain('[secret]')
        expect(all.join()).toContain(
          isMoved ? 'ORDERS_URL redirects with HTTP 302 to' : 'HTTP 500: look at its log.',
        )
        for (const text of [balance, ...all]) {
          for (const secret of [...SHOWN, ACCESS_TOKEN]) {
            const plain = decodeURIComponent(text.replaceAll(/%(?![\da-fA-F]{2})/g, '%25'))
            for (const shown of [text, plain, text.replaceAll('\\', '')]) {
              expect(shown.includes(secret) || shown.includes(write(secret))).toBe(false)
            }
          }
        }
      }
    },
  )

  test.each([
    ['base64', (secret: string) => Buffer.from(secret).toString('base64')],
    ['hexadecimal', (secret: string) => Buffer.from(secret).toString('hex')],
    ['reverse', (secret: string) => Array.from(secret).toReversed().join('')],
  ])(
    'a secret in the text of another server is in no log when a page of the backend shows it in %s',
    async (_, write) => {
      const { all } = await textsOf(write)
      expect(all.join()).not.toContain(write(HIDDEN.ORDERS_TOKEN))
    },
  )
})

test.each([
  ['4,000 signs', '.-+/'.repeat(1_000)],
  ['100,000 characters', 'tok-9f3A1c70Be5d6482'.padEnd(100_000, 'x')],
])('an access token of %s loses no answer, and stands in no log', async (_, token) => {
  const lines: string[] = []
  const line = (facts: object, text: string) => void lines.push(text + inspect(facts, { depth: 9 }))
  const sent: string[] = []
  const app = createApp({
    config: readConfig(ENVIRONMENT),
    store: openStore('sqlite::memory:'),
    orders: () => null,
    fetch(url, { body = '{}' }) {
      sent.push(url)
      if (url.endsWith('/v1/auth')) {
        return Response.json({ access_token: token, expiresIn: 3600 }, { status: 201 })
      }

      const { payout_reference } = Requested.parse(JSON.parse(body))
      return Response.json({
        response_code: 720,
        response_description: token,
        payout_reference,
        transaction_id: '1',
      })
    },
    log: { debug: line, info: line, warn: line, error: line },
  })
  const answer = await app.request('/api/payouts', {
    method: 'POST',
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(localPayout),
  })
  const payout = await answer.text()
  expect(sent).toHaveLength(2)
  expect(JSON.parse(payout)).toMatchObject({ outcome: 'pending' })
  for (const text of [payout, ...lines]) {
    expect(text).not.toContain(token.slice(0, 12))
  }
})

test('a secret that is the host of a redirect is not told, not even in lower case', async () => {
  const token = 'orders-token-Zk93jx81Qm27Lp55'
  const location = `http://${token}.example/`
  const fetch = createMaskedFetch(() => new Response(null, { status: 302, headers: { location } }), [token])
  const request = { method: 'GET', url: BFF, headers: {}, deadlineMs: 1_000, maxAnswerBytes: 1_000 }
  const { summary } = await exchange(fetch, systemClock, request)
  expect(summary).toContain('redirects with HTTP 302')
  expect(summary.toLowerCase()).not.toContain('zk93jx81')
})

test('a secret in the address of the page of the gateway is left there, so that the page opens', async () => {
  const redirect_url = `${GATEWAY}/pay?key=${encodeURIComponent(API_KEY)}`
  const world = await createWorld({
    gateway(url, { body = '{}' }) {
      const { merchant_transaction_id, amount } = Requested.parse(JSON.parse(body))
      return url.endsWith('/initiate')
        ? Response.json({
            merchant_transaction_id,
            checkout_reference: 'CR-1',
            currency: 'KES',
            amount,
            expires_at: new Date(START + 3_600_000).toISOString(),
            redirect_url,
          })
        : undefined
    },
  })
  world.order('A-1')
  expect(await (await world.initiate('A-1')).json()).toMatchObject({ redirect_url })
})
