import { ConfigError, readConfig } from '../../server/config.ts'
import { CheckoutPayload } from '../../server/contract/checkout.ts'
import { endpoints } from '../../server/contract/endpoints.ts'
import { GatewayError } from '../../server/gateway/errors.ts'
import { readAnswer } from '../../server/gateway/answer.ts'
import { parseJson } from '../../server/json.ts'
import { toReportedState } from '../../server/payins/reported-state.ts'
import { initiateRequest } from '../support/spec-shapes.ts'
import { ENVIRONMENT, START } from '../support/world.ts'
import { localPayout } from '../support/spec-payouts.ts'
import { ANSWERS, ORDER, REFUSALS, VALUES, reply } from './gateway-answers.ts'
import { attackParser } from './parser.ts'
import { shapeOf } from './shape.ts'
import { Secret } from '../../server/config/secret.ts'
import { add, compare, isDecimal, isWhole, multiply, round, subtract } from '../../server/contract/decimal.ts'
import { createHmac } from 'node:crypto'
import { isPrivateHost } from '../../server/config/targets.ts'
import { ordersByUrl } from '../../server/orders/remote.ts'
import { identifySigned, signedOrders } from '../../server/orders/signed.ts'
import { LEAST } from '../support/least-config.ts'
import { jsonNear } from './json.ts'
import { textNear } from './text.ts'
import { parseUrl } from '../../server/contract/parse-url.ts'
import { verified } from '../../demo/shop/notification.ts'
import { readAirtime } from '../../server/airtime/record.ts'
import { trackedOf as trackedAirtime } from '../../server/airtime/kind.ts'
import { readCharge } from '../../server/charges/record.ts'
import { trackedOf as trackedCharge } from '../../server/charges/kind.ts'
import { readCheckout } from '../../server/checkouts/record.ts'
import { createSealer } from '../../server/payins/payer.ts'
import { viewOf } from '../../server/checkouts/view.ts'
import { printable, printableJson } from '../../server/printable.ts'
import { readPayout } from '../../server/payouts/record.ts'
import { trackedOf as trackedPayout } from '../../server/payouts/kind.ts'
import { RecordError } from '../../server/transactions/record.ts'
import { createSeededRandom } from '../support/seeded-random.ts'
import { openStockedServer, rowsOf } from './instant-server.ts'

/** How often each answer is among the examples, of which seven are refusals. */
const MOSTLY = 10

for (const name of Object.keys(ANSWERS) as (keyof typeof ANSWERS)[]) {
  const examples = ANSWERS[name]
  const [first] = [examples[0]].flat()
  const requested = Object.fromEntries(
    Object.entries(endpoints[name].echoes).map(([field, from]) => [from, Object(first)[field]]),
  )
  attackParser({
    name: `answer of ${name}`,
    near: {
      examples: [...Array(MOSTLY).fill(examples).flat(), ...REFUSALS],
      values: VALUES,
      shape: shapeOf(endpoints[name].response),
    },
    parse(text, luck) {
      const status = luck.happens(0.8) ? 200 : luck.pick([201, 302, 400, 401, 404, 500])
      const answer: unknown = readAnswer<unknown>(endpoints[name], requested, {
        kind: 'answer',
        status,
        text,
      })
      const { data } = name === 'getCheckoutStatus' ? CheckoutPayload.safeParse(answer) : {}
      return data ? toReportedState(data, START, 'KES') : answer
    },
    refusals: [GatewayError],
  })
}

const AMOUNTS = ['1500', '1500.00', '0.5', '-3', '0', '999999999999999999', '0.000000000001', '1e3']
attackParser({
  name: 'decimal amounts',
  near: AMOUNTS,
  parse(text, luck) {
    if (!isDecimal(text)) return null
    const other = luck.pick(AMOUNTS.filter(isDecimal))
    const same = subtract(add(text, other), other)
    if (compare(same, text) !== 0 || isWhole(round(text, 0, 'down')) === false)
      throw new Error(`${same} is not ${text}`)
    return [multiply(text, other), round(text, luck.between(0, 12), luck.pick(['down', 'up']))]
  },
})

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

attackParser({
  name: 'text for a terminal',
  near: { examples: [localPayout] },
  parse(text) {
    const shown = printableJson(text)
    if (/[\p{Cc}\p{Cf}]/u.test(printable(text) + shown.replaceAll('\n', '')))
      throw new Error('has control characters')
    return JSON.stringify(parseJson(shown)) === JSON.stringify(parseJson(text)) ? shown : null
  },
})

attackParser({
  name: 'signed webhook',
  near: {
    examples: [
      {
        type: 'checkout.paid',
        timestamp: '2026-11-21T09:00:00Z',
        data: { order: 'A-1', amount_paid: '500', currency: 'KES' },
      },
    ],
  },
  parse(text, luck) {
    const key = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const [id, time] = ['evt_1', String(START / 1_000)]
    const signature = `v1,${createHmac('sha256', Buffer.from(key, 'base64')).update(`${id}.${time}.${text}`).digest('base64')}`
    const hostile = (value: string) =>
      luck.happens(0.9) ? value : textNear(luck, [value]).replaceAll(/[^\u0020-\u007e]/g, '')
    const headers = new Headers({
      'webhook-id': hostile(id),
      'webhook-timestamp': hostile(time),
      'webhook-signature': hostile(signature),
    })
    return verified(key, headers, text, START)
  },
})

const { server } = await openStockedServer()
const rows = await rowsOf(server)
await server.close()
const SHOW = {
  checkout: (row: (typeof rows)[number]) => viewOf(readCheckout(row), START),
  payout: (row: (typeof rows)[number]) => trackedPayout(readPayout(row)),
  charge: (row: (typeof rows)[number]) => trackedCharge(readCharge(row)),
  airtime: (row: (typeof rows)[number]) => trackedAirtime([readAirtime(row)]),
}
for (const kind of ['checkout', 'payout', 'charge', 'airtime'] as const) {
  const stored = rows.filter((row) => row.kind === kind)
  attackParser({
    name: `stored record of kind ${kind}`,
    near: { examples: stored.map(({ record }) => record), values: VALUES, most: 20_000 },
    parse: (text) => stored[0] && SHOW[kind]({ ...stored[0], record: parseJson(text) }),
    refusals: [RecordError],
  })
}

const sealer = createSealer([new Secret('a secret')], createSeededRandom(1))
attackParser({
  name: 'sealed payer details',
  near: [sealer.seal({ variant: 'standard', request: initiateRequest })],
  parse: (text) => sealer.open(text),
})
