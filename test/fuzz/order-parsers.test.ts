import { createHmac } from 'node:crypto'
import { Secret } from '../../server/config/secret.ts'
import { ConfigError, readConfig } from '../../server/config.ts'
import { isPrivateHost } from '../../server/config/targets.ts'
import { parseJson } from '../../server/json.ts'
import { readOrder } from '../../server/orders/order.ts'
import { ordersByUrl } from '../../server/orders/remote.ts'
import { identifySigned, signedOrders } from '../../server/orders/signed.ts'
import { LEAST } from '../support/least-config.ts'
import { ENVIRONMENT, START } from '../support/world.ts'
import { ORDER, reply } from './gateway-answers.ts'
import { jsonNear } from './json.ts'
import { attackParser } from './parser.ts'
import { textNear } from './text.ts'
import { parseUrl } from '../../server/contract/parse-url.ts'

const CLOCK = { now: () => START, sleep: () => new Promise<never>(() => {}) }
const KEY = 'a signing key of 32 bytes or more'
const SIGNING = {
  keys: [new Secret(KEY)],
  publicKeys: [],
  audience: 'https://pay.shop.example',
  clock: CLOCK,
}
const CLAIMS = { ...ORDER, aud: SIGNING.audience, iat: START / 1_000, exp: START / 1_000 + 60 }
const resolveSigned = signedOrders({
  ...SIGNING,
  maxLifetime: 3_600,
  markOrder: (_, mark) => Promise.resolve(mark),
})
const identify = identifySigned(SIGNING)
const HEADER = { alg: 'HS256', kid: 'a', typ: 'JWT', crit: ['b64'], b64: false }
attackParser({
  name: 'signed order',
  near: {
    examples: [
      CLAIMS,
      { ...CLAIMS, splits: [{ account: 'P', amount: '5', reason: 'Fee' }], payer: { name: 'Asha' } },
    ],
  },
  async parse(text, luck) {
    const header = luck.happens(0.8)
      ? '{"alg":"HS256"}'
      : jsonNear(luck, { examples: [HEADER, { alg: 'none' }] })
    const signed = [header, text].map((part) => Buffer.from(part).toString('base64url')).join('.')
    const jws = `${signed}.${createHmac('sha256', KEY).update(signed).digest('base64url')}`
    const order = luck.happens(0.8) ? jws : textNear(luck, [jws, 'A-1'])
    return (
      [await resolveSigned(order), await identify(order)].find((each) => typeof each === 'string') ?? null
    )
  },
})

attackParser({
  name: 'answer of ORDERS_URL',
  near: {
    examples: [
      ORDER,
      {
        ...ORDER,
        amount: 500,
        account: null,
        splits: [{ account: 'P', amount: '5', reason: 'Fee' }],
        return_url: 'https://shop.example/',
      },
    ],
  },
  async parse(text, luck) {
    const fetch = () => reply(luck.happens(0.9) ? 200 : luck.pick([404, 409, 500]), text)
    const resolve = ordersByUrl({
      url: 'https://shop.example',
      token: new Secret('secret'),
      fetch,
      clock: CLOCK,
    })
    const resolution = await resolve(luck.happens(0.9) ? 'A-1' : textNear(luck, ['A-1', '..', '%2e%2e']))
    return resolution.kind === 'order' ? resolution : refused(resolution)
  },
})

attackParser({
  name: 'order of the function',
  near: { examples: [ORDER] },
  parse(text) {
    const resolution = readOrder(parseJson(text))
    return resolution.kind === 'order' ? resolution : refused(resolution)
  },
})

const SECRETS = {
  ORDERS_URL: 'https://shop.example/orders',
  ORDERS_TOKEN: 'x',
  CALLBACK_BASIC_AUTH: 'user:password',
  TRUSTED_PROXIES: '10.0.0.0/8, ::1',
}
const KEY_SET = JSON.stringify({
  keys: [{ kty: 'OKP', crv: 'Ed25519', kid: 'a', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }],
})
attackParser({
  name: 'environment variables',
  near: {
    examples: [
      ENVIRONMENT,
      { ...LEAST, ...SECRETS },
      {
        ...LEAST,
        ORDER_PUBLIC_KEYS: KEY_SET,
        GATEWAY_SERVICE_CODE: 'KES=A,UGX=B',
        STORE_URL: 'postgres://u:p@h/d',
        RETENTION_DAYS: '31',
        DEFAULT_COUNTRY: 'ke',
        PRIVATE_HOSTS: 'orders.lan',
        MERCHANT_API_KEY_FILE: '/run/key',
        PORT: '80',
      },
    ],
    most: 20_000,
  },
  parse(text, luck) {
    const entries = Object.entries(Object(parseJson(text))).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    )
    const { port, gateway } = readConfig(Object.fromEntries(entries), () =>
      textNear(luck, ['the key of a merchant in a test']),
    )
    return { port, gateway }
  },
  refusals: [ConfigError],
})

attackParser({
  name: 'ORDER_PUBLIC_KEYS',
  near: { examples: [JSON.parse(KEY_SET)] },
  parse: (text) => readConfig({ ...LEAST, ORDER_PUBLIC_KEYS: text }).orders,
  refusals: [ConfigError],
})

attackParser({
  name: 'host of a private address',
  near: [
    'shop.example',
    '10.0.0.1',
    '[::ffff:10.0.0.1]',
    '64:ff9b::a00:1',
    'fe80::1%eth0',
    'orders.lan.',
    'localhost',
  ],
  parse(text) {
    const url = parseUrl(`http://${text}`)
    return url ? isPrivateHost(url.hostname) : null
  },
})

/** Returns `null`, after a check of the size of the refusal. */
function refused(refusal: { detail: string; reason?: string }): null {
  if (refusal.detail.length + (refusal.reason?.length ?? 0) > 10_000)
    throw new Error('The refusal is too long.')
  return null
}
