import { createHmac } from 'node:crypto'

import { readAirtime } from '../../server/airtime/record.ts'
import { airtimeOf as trackedAirtime } from '../../server/airtime/view.ts'
import { readCharge } from '../../server/charges/record.ts'
import { chargeOf as trackedCharge } from '../../server/charges/view.ts'
import { readCheckout } from '../../server/checkouts/record.ts'
import { viewOf } from '../../server/checkouts/view.ts'
import { Secret } from '../../server/config/secret.ts'
import { CheckoutPayload } from '../../server/contract/checkout.ts'
import { endpoints } from '../../server/contract/endpoints.ts'
import { parseJson } from '../../server/contract/parse.ts'
import { readAnswer } from '../../server/gateway/answer.ts'
import { GatewayError } from '../../server/gateway/errors.ts'
import { identifySigned, signedOrders } from '../../server/orders/signed.ts'
import { ordersByUrl } from '../../server/orders/sources.ts'
import { toReportedState } from '../../server/payins/status-answer.ts'
import { readPayout } from '../../server/payouts/record.ts'
import { payoutOf as trackedPayout } from '../../server/payouts/view.ts'
import { createFingerprints, createSealer } from '../../server/privacy/personal.ts'
import { RecordError } from '../../server/transactions/record.ts'
import { createSeededRandom } from '../support/seeded-random.ts'
import { initiateRequest } from '../support/spec/shapes.ts'
import { START } from '../support/worlds/world.ts'
import { ANSWERS, ORDER, REFUSALS, VALUES, reply } from './gateway-answers.ts'
import { openStockedServer, rowsOf } from './instant-server.ts'
import { jsonNear } from './json.ts'
import { attackParser } from './parser.ts'
import { shapeOf } from './shape.ts'
import { textNear } from './text.ts'

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
        mask: (told) => told,
        summary: `responds with HTTP ${status}`,
      })
      const { data } = name === 'getCheckoutStatus' ? CheckoutPayload.safeParse(answer) : {}
      return data ? toReportedState(data, START, 'KES') : answer
    },
    refusals: [GatewayError],
  })
}

const CLOCK = { now: () => START, sleep: () => new Promise<never>(() => {}) }
const KEY = 'a signing key of 32 bytes or more'
const SIGNING = {
  keys: { secrets: [new Secret(KEY)] as const, previousSince: null, previousForMs: 0 },
  publicKeys: [],
  audience: 'https://pay.shop.example',
  clock: CLOCK,
}
const CLAIMS = { ...ORDER, aud: SIGNING.audience, iat: START / 1_000, exp: START / 1_000 + 60 }
const resolveSigned = signedOrders({
  ...SIGNING,
  maxLifetime: 3_600,
  markOrder: (_, mark) => Promise.resolve(mark),
  fingerprints: createFingerprints([new Secret('sandbox-secret')]),
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

/** Returns `null`, after a check of the size of the refusal. */
function refused(refusal: { detail: string; reason?: string }): null {
  if (refusal.detail.length + (refusal.reason?.length ?? 0) > 10_000) {
    throw new Error('The refusal is too long.')
  }
  return null
}

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
