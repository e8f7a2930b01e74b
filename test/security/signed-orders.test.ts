import { CompactSign, exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, test } from 'vitest'

import { signOrder } from '../../server/index.ts'
import { BFF } from '../support/worlds/environment.ts'
import { createWorld, START } from '../support/worlds/world.ts'

import type { World } from '../support/worlds/world.ts'
import type { JWK } from 'jose'

const KEY = 'a signing key of 32 bytes or more'
const NOW = START / 1000
const HOUR = 3600
const DAY = 24 * HOUR
const TERMS = { order: 'A-1', amount: '1500', currency: 'KES', narration: 'Two kangas' }

const signed = (claims: object, key: string | CryptoKey = KEY, header: object = {}) =>
  new SignJWT({ ...TERMS, aud: BFF, iat: NOW, exp: NOW + 20 * HOUR, ...claims })
    .setProtectedHeader({ alg: 'HS256', ...header })
    .sign(typeof key === 'string' ? new TextEncoder().encode(key) : key, { crit: { 'exp-v2': true } })

/** Signs a payload that no serializer writes: its fields come before the others. */
function signedText(fields: string) {
  const { amount: _, ...terms } = TERMS
  const others = { ...terms, aud: BFF, iat: NOW, exp: NOW + 20 * HOUR }
  const payload = fields.replace('}', `,${JSON.stringify(others).slice(1)}`)
  return new CompactSign(Buffer.from(payload))
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(KEY))
}

const open = (env = {}, options = {}) =>
  createWorld({ ordersFromConfig: true, env: { ORDER_SIGNING_KEY: KEY, ...env }, ...options })

async function answerOf(world: World, order: string): Promise<string> {
  const answer = await world.initiate(order)
  const { amount, code } = await answer.json()
  return `${answer.status} ${answer.ok ? amount : code}`
}

test.each<[string, () => Promise<string> | string, detail: RegExp, code?: string]>([
  ['another key', () => signed({}, `another ${KEY}`), /signature/],
  ['a changed amount', async () => forge(await signed({})), /signature/],
  ['a changed signature', async () => (await signed({})).replace(/.{8}$/, 'AAAAAAAA'), /signature/],
  ['no signature', () => new UnsecuredJWT(TERMS).encode(), /./],
  ['another algorithm', () => signed({}, KEY.repeat(2), { alg: 'HS512' }), /signature/],
  ['an unknown critical header', () => signed({}, KEY, { crit: ['exp-v2'], 'exp-v2': 1 }), /./],
  ['an expiry in the past', () => signed({ iat: NOW - 9, exp: NOW - 1 }), /expired/, 'order_expired'],
  ['another audience', () => signed({ aud: 'https://other.example' }), /"aud" is not PUBLIC_URL, https?:/],
  ['its beginning ahead', () => signed({ nbf: NOW + 60 }), /"nbf"/],
  ['an iat of ten minutes ahead', () => signed({ iat: NOW + 600 }), /"iat" is more than 60 seconds/],
  ['an expiry before its iat', () => signed({ iat: NOW + 50, exp: NOW + 40 }), /"exp" is not after "iat"/],
  ['a wrong amount', () => signed({ amount: 'many' }), /amount/],
  ['an amount twice', () => signedText(`{"amount":"1","amount":"1500"}`), /names a field twice/],
  ['a misspelt field', () => signed({ split: [] }), /: split is not known here: did you mean splits/],
  ...['order', 'amount', 'currency', 'narration', 'aud', 'iat', 'exp'].map(
    (claim): [string, () => Promise<string>, RegExp] => [
      `no ${claim}`,
      () => signed({ [claim]: undefined }),
      new RegExp(`"${claim}" is missing`),
    ],
  ),
])('a signed order with %s is refused', async (_, make, detail, code = 'order_invalid') => {
  const problem = await (await (await open()).initiate(await make())).json()
  expect(problem).toMatchObject({ code, detail: expect.stringMatching(detail) })
})

describe('an older signed order', () => {
  test('an older signed order cannot undercut a newer one, also after a restart', async () => {
    const world = await open()
    expect(await answerOf(world, await signed({ iat: NOW }))).toBe('201 1500')
    await world.later(HOUR * 1000)
    for (const iat of [NOW - 60, NOW - 1, NOW]) {
      expect(await answerOf(world, await signed({ amount: '1', iat }))).toBe('409 order_expired')
    }

    await world.restart()
    expect(await answerOf(world, await signed({ amount: '1', iat: NOW - 60 }))).toBe('409 order_expired')
    expect(await answerOf(world, await signed({ amount: '1400', iat: NOW + 1 }))).toBe('201 1400')
  })

  test.each<[string, object]>([
    ['another amount', { amount: '1499' }],
    ['another currency', { currency: 'UGX' }],
    ['another service', { service: 'CHECKOUT-UGX' }],
    ['another account', { account: 'ACC-002' }],
    ['other shares', { splits: [{ account: 'PARTNER-001', amount: '1', reason: 'x' }] }],
  ])('an older signed order with %s is refused', async (_, other) => {
    const world = await open()
    await world.start(await signed({}))
    await world.later(HOUR * 1000)
    expect(await answerOf(world, await signed({ ...other, iat: NOW - 1 }))).toBe('409 order_expired')
  })

  test('an older signed order with the terms of the newest one is accepted, however it writes them', async () => {
    const world = await open()
    const begun = await world.start(await signed({}))
    for (const claims of [{ iat: NOW - 1 }, { iat: NOW - 2, amount: '1500.00', narration: 'kangas, two' }]) {
      expect(await world.start(await signed(claims))).toMatchObject({ checkout_id: begun.checkout_id })
    }

    // After an older order was accepted, the newest `iat` still counts.
    await world.later(HOUR * 1000)
    expect(await answerOf(world, await signed({ amount: '1', iat: NOW - 1 }))).toBe('409 order_expired')
  })

  test('an older signed order is refused after the checkouts of the order have been deleted', async () => {
    const days = 40
    const world = await open({ RETENTION_DAYS: '31', ORDER_MAX_LIFETIME: String(100 * DAY) })
    const exp = NOW + 90 * DAY
    const begun = await world.start(await signed({ exp }))
    await world.later(days * DAY * 1000)
    expect((await world.ask(`/checkout/status/${begun.checkout_id}`)).status).toBe(404)
    const older = await signed({ amount: '1', iat: NOW - 1, exp })
    expect(await answerOf(world, older)).toBe('409 order_expired')
  })

  test('an older signed order is refused when both are started at the same moment, or is the one that was first', async () => {
    for (const round of [0, 1]) {
      const world = await open({}, { seed: round })
      const older = await signed({ amount: '1', iat: NOW - 1 })
      const answers = await Promise.all([answerOf(world, await signed({})), answerOf(world, older)])
      expect(answers.filter((answer) => answer.startsWith('201'))).toHaveLength(1)
      await world.later(HOUR * 1000)
      expect(await answerOf(world, older)).toBe('409 order_expired')
    }
  })
})

describe('an older signed order with the terms of the newest one', () => {
  const [OLD, NEW] = ['old', 'new'].map((name) => `https://shop.example/${name}`)

  async function startBoth(newest: object) {
    const world = await open()
    const begun = await world.start(await signed({ iat: NOW, ...newest }))
    const older = await signed({
      iat: NOW - 25 * 60,
      return_url: OLD,
      narration: 'An older text',
      payer: { name: 'Somebody Else', msisdn: '254700000999', email: 'else@example.com' },
    })
    return { world, begun, older }
  }

  test.each<[string, object]>([
    ['by the address of the order', { return_url: NEW }],
    ['by the address of the page', {}],
  ])(
    'an older signed order with the terms of the newest one resumes, and changes no return address: %s',
    async (_, newest) => {
      const { world, begun, older } = await startBoth(newest)
      const comeBack = async () =>
        (await world.ask(`/checkout/return/${begun.checkout_id}`)).headers.get('location')
      const before = await comeBack()
      expect(before).not.toBeNull()
      expect(await world.start(older)).toMatchObject({ checkout_id: begun.checkout_id })
      expect(await comeBack()).toBe(before)
    },
  )

  test('an older signed order with the newest terms starts no checkout with its payer, narration and return address', async () => {
    const { world, begun, older } = await startBoth({ return_url: NEW })
    await world.pay(begun, 'cancel')
    await world.later(HOUR * 1000)
    expect(await answerOf(world, older)).toBe('409 order_expired')
    expect((await world.ask(`/pay/${older}`)).status).toBe(409)
    expect(world.gatewayBodies().join()).not.toContain('An older text')
    expect(await answerOf(world, await signed({ iat: NOW, return_url: NEW }))).toBe('201 1500')
  })
})

test.each<
  [string, string, long: number, accepted: (world: World) => Promise<string>, before: string, after: string]
>([
  [
    'ORDER_SIGNING_KEY, for ORDER_MAX_LIFETIME',
    'ORDER_SIGNING_KEY',
    2 * HOUR,
    async (world) => {
      const iat = Math.floor(world.timeline.now() / 1000)
      return answerOf(world, await signed({ order: `A-${iat}`, iat, exp: iat + HOUR }, `old ${KEY}`))
    },
    '201 1500',
    '422 order_invalid',
  ],
  [
    'MERCHANT_API_KEY, for 30 days',
    'MERCHANT_API_KEY',
    30 * DAY,
    async (world) => {
      const headers = { authorization: `Bearer old ${KEY}` }
      return String((await world.ask('/api/checkouts', { headers })).status)
    },
    '200',
    '401',
  ],
])(
  'the previous value of %s is accepted since a stated time, then ignored with a warning',
  async (_, name, long, accepted, before, after) => {
    const env = (since: number) => ({
      ORDER_MAX_LIFETIME: String(2 * HOUR),
      [name]: KEY,
      [`${name}_PREVIOUS`]: `old ${KEY}`,
      [`${name}_PREVIOUS_SINCE`]: new Date(since).toISOString(),
    })
    const warnings = ({ logged }: World) =>
      logged.filter(({ message }) => message.startsWith(`${name}_PREVIOUS is ignored`))
    const world = await open(env(START))
    expect(await accepted(world)).toBe(before)
    await world.later(long * 1000 - 60_000)
    expect(await accepted(world)).toBe(before)
    expect(warnings(world)).toEqual([])
    await world.later(60_000)
    expect(await accepted(world)).toBe(after)
    await world.restart()
    expect(warnings(world)).toHaveLength(1)
    // A day that is mistyped would open the old key later. That of another time zone may be tomorrow.
    await expect(open(env(START + 30 * DAY * 1000))).rejects.toThrow(
      `${name}_PREVIOUS_SINCE lies ahead: it is the day on which the value was replaced.`,
    )
    expect(await accepted(await open(env(START + DAY * 1000)))).toBe(before)
  },
)

describe('a signed order with times that cannot be', () => {
  test.each<[string, object, code?: string]>([
    ['an expiry of 1e300', { exp: 1e300 }],
    ['an expiry with a fraction', { exp: NOW + 60.5 }],
    ['an expiry in milliseconds', { exp: START + 3_600_000 }],
    ['an expiry as text', { exp: String(NOW + 60) }],
    ['a lifetime of more than a day', { exp: NOW + DAY + 1 }],
    ['an iat of -1e300', { iat: -1e300 }],
    ['an iat with a fraction', { iat: NOW - 0.5 }],
    ['an iat as text', { iat: String(NOW) }],
    ['an nbf as text', { nbf: String(NOW) }],
    ['an nbf of 1e300', { nbf: -1e300 }],
  ])('a signed order with times that cannot be is refused: %s', async (_, claims) => {
    expect(await answerOf(await open(), await signed(claims))).toBe('422 order_invalid')
  })

  test.each<[string, object]>([
    ['a lifetime of a day', { exp: NOW + DAY }],
    ['an iat of 60 seconds ahead', { iat: NOW + 60 }],
    ['an nbf of now', { nbf: NOW }],
  ])('a signed order is accepted with %s', async (_, claims) => {
    expect(await answerOf(await open(), await signed(claims))).toBe('201 1500')
  })

  test('a signed order is refused beyond ORDER_MAX_LIFETIME', async () => {
    const world = await open({ ORDER_MAX_LIFETIME: '600' })
    expect(await answerOf(world, await signed({ exp: NOW + 601 }))).toBe('422 order_invalid')
    expect(await answerOf(world, await signed({ exp: NOW + 600 }))).toBe('201 1500')
  })
})

describe('a signed order under ORDER_PUBLIC_KEYS', async () => {
  const pair = async (alg: string, kid: string) => {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
    const jwk = { ...(await exportJWK(publicKey)), kid }
    return { alg, kid, jwk, privateKey, privateJwk: { ...(await exportJWK(privateKey)), kid } }
  }

  const ed = await pair('EdDSA', 'ed')
  const es = await pair('ES256', 'es')
  const next = await pair('EdDSA', 'next')
  const world = (keys: JWK[], env = {}) =>
    open({ ORDER_SIGNING_KEY: undefined, ORDER_PUBLIC_KEYS: JSON.stringify({ keys }), ...env })

  test.each([ed, es])(
    'a signed order under ORDER_PUBLIC_KEYS is accepted by $alg',
    async ({ alg, kid, jwk, privateKey, privateJwk }) => {
      const shop = await world([next.jwk, jwk])
      expect(await answerOf(shop, await signed({}, privateKey, { alg, kid }))).toBe('201 1500')
      const options = { key: privateJwk, audience: BFF, issuedAt: NOW, lifetime: 600 }
      expect(await answerOf(shop, await signOrder({ ...TERMS, order: 'A-2' }, options))).toBe('201 1500')
    },
  )

  test('a signed order is accepted from the old and the new public key while both are named, and no longer', async () => {
    const old = await signed({}, ed.privateKey, ed)
    const both = await world([ed.jwk, next.jwk])
    expect(await answerOf(both, old)).toBe('201 1500')
    expect(await answerOf(both, await signed({ order: 'A-2' }, next.privateKey, next))).toBe('201 1500')
    expect(await answerOf(await world([next.jwk]), old)).toBe('422 order_invalid')
  })

  test('a signed order under ORDER_PUBLIC_KEYS is accepted beside ORDER_SIGNING_KEY, each with its own algorithm', async () => {
    const shop = await world([ed.jwk], { ORDER_SIGNING_KEY: KEY })
    expect(await answerOf(shop, await signed({}))).toBe('201 1500')
    expect(await answerOf(shop, await signed({ order: 'A-2' }, ed.privateKey, ed))).toBe('201 1500')
  })

  const hmac = (secret: string, header: object) => signed({}, secret, header)
  test.each<[string, () => Promise<string>]>([
    ['the key of another kid', () => signed({}, next.privateKey, { alg: 'EdDSA', kid: 'ed' })],
    ['a kid that nobody named', () => signed({}, ed.privateKey, { alg: 'EdDSA', kid: 'evil' })],
    ['no kid', () => signed({}, ed.privateKey, { alg: 'EdDSA' })],
    [
      'a kid that is a property of every object',
      () => signed({}, ed.privateKey, { alg: 'EdDSA', kid: '__proto__' }),
    ],
    ['its own key in the header', () => signed({}, next.privateKey, { alg: 'EdDSA', jwk: next.jwk })],
    ['the public key as an HMAC secret', () => hmac(JSON.stringify(ed.jwk), { kid: 'ed' })],
    ['x of the public key as an HMAC secret', () => hmac(ed.jwk.x ?? '', { kid: 'ed' })],
    ['the algorithm of another key', () => signed({}, es.privateKey, { alg: 'ES256', kid: 'ed' })],
    ['a changed amount', async () => forge(await signed({}, ed.privateKey, ed))],
  ])('a signed order under ORDER_PUBLIC_KEYS is refused with %s', async (_, make) => {
    expect(await answerOf(await world([ed.jwk, es.jwk]), await make())).toBe('422 order_invalid')
  })

  test.each<[string, string, RegExp]>([
    ['text that is not JSON', 'ed25519', /JSON Web Key Set/],
    ['no key', '{"keys":[]}', /JSON Web Key Set/],
    ['a key without a kid', JSON.stringify({ keys: [{ ...ed.jwk, kid: undefined }] }), /kid/],
    ['one kid twice', JSON.stringify({ keys: [ed.jwk, { ...es.jwk, kid: 'ed' }] }), /kid/],
    ['a private key', JSON.stringify({ keys: [ed.privateJwk] }), /private/],
    ['a symmetric key', JSON.stringify({ keys: [{ kty: 'oct', k: 'AAAA', kid: 'a' }] }), /Ed25519 or P-256/],
    ['a key off the curve', JSON.stringify({ keys: [{ ...es.jwk, x: es.jwk.y }] }), /Ed25519 or P-256/],
  ])('a server is never started with ORDER_PUBLIC_KEYS that have %s', async (_, keys, problem) => {
    await expect(open({ ORDER_PUBLIC_KEYS: keys })).rejects.toThrow(problem)
  })
})

function forge(jws: string): string {
  const [header, payload = '', signature] = jws.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const forged = Buffer.from(JSON.stringify({ ...claims, amount: '1' })).toString('base64url')
  return [header, forged, signature].join('.')
}
