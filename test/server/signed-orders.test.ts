import { CompactSign, SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import type { OrderInput } from '../../server/orders/function.ts'
import { signedOrders, signOrder } from '../../server/orders/signed.ts'
import { createWorld, START } from '../support/world.ts'

const ORDER: OrderInput = { order: 'A-1', amount: '1500', currency: 'KES', narration: 'Two kangas' }
const KEY = 'a signing key of 32 bytes or more'
const OLD_KEY = 'the key that was used before this'
const AUDIENCE = 'http://127.0.0.1:4020'
const NOW = START / 1000

describe('signed orders', () => {
  const resolve = signedOrders({
    keys: [KEY, OLD_KEY],
    audience: AUDIENCE,
    clock: { now: () => START, sleep: never },
  })
  const options = { key: KEY, audience: AUDIENCE, issuedAt: NOW, lifetime: 600 }
  const bytes = (key: string) => new TextEncoder().encode(key)

  /** Signed by hand, with whatever claims. */
  function signed(claims: object, key = KEY, alg = 'HS256') {
    const payload = { ...ORDER, aud: AUDIENCE, iat: NOW, exp: NOW + 600, ...claims }
    return new CompactSign(bytes(JSON.stringify(payload))).setProtectedHeader({ alg }).sign(bytes(key))
  }

  test('have the terms that the merchant signed', async () => {
    const jws = await signOrder({ ...ORDER, amount: 1500 }, options)
    expect(await resolve(jws)).toEqual({ kind: 'order', order: ORDER })
  })

  test('may be signed with the previous key', async () => {
    expect(await resolve(await signOrder(ORDER, { ...options, key: OLD_KEY }))).toMatchObject({
      kind: 'order',
    })
  })

  test.each<[string, () => Promise<string> | string, string, RegExp]>([
    [
      'another key',
      () => signOrder(ORDER, { ...options, key: `another ${KEY}` }),
      'order_invalid',
      /signature/,
    ],
    [
      'a tampered payload',
      async () => tamper(await signOrder(ORDER, options), 1),
      'order_invalid',
      /signature/,
    ],
    [
      'a tampered signature',
      async () => tamper(await signOrder(ORDER, options), 2),
      'order_invalid',
      /signature/,
    ],
    ['no signature', () => new UnsecuredJWT({ ...ORDER }).encode(), 'order_invalid', /./],
    ['another algorithm', () => signed({}, KEY.repeat(2), 'HS512'), 'order_invalid', /signature/],
    [
      'an expiry in the past',
      () => signOrder(ORDER, { ...options, issuedAt: NOW - 601 }),
      'order_expired',
      /expired/,
    ],
    ['its end behind it, under the old key', () => signed({ exp: NOW }, OLD_KEY), 'order_expired', /expired/],
    [
      'another audience',
      () => signed({ aud: 'https://other.example' }),
      'order_invalid',
      /"aud" is not PUBLIC_URL, https?:/,
    ],
    ['its beginning ahead', () => signed({ nbf: NOW + 60 }), 'order_invalid', /"nbf"/],
    ['a wrong amount', () => signed({ amount: 'many' }), 'order_invalid', /amount/],
    ['a wrong currency', () => signed({ currency: 'kes' }), 'order_invalid', /currency/],
  ])('with %s are refused', async (_, make, code, detail) => {
    const resolution = await resolve(await make())
    expect(resolution).toMatchObject({ kind: 'refused', code, detail: expect.stringMatching(detail) })
  })

  test.each(['order', 'amount', 'currency', 'narration', 'aud', 'iat', 'exp'])(
    'require the claim %s',
    async (claim) => {
      const resolution = await resolve(await signed({ [claim]: undefined }))
      expect(resolution).toMatchObject({ kind: 'refused', code: 'order_invalid' })
      expect(resolution).toHaveProperty('detail', expect.stringContaining(`"${claim}" is missing`))
    },
  )

  test.each([
    'A-1',
    '..',
    'a.b.c',
    'a.b.c.d.e',
    'eyJ.eyJ.x',
    'ü.ü.ü',
    '\ud800.\ud800.\ud800',
    '{"alg":"HS256"}',
  ])('are not %j', async (text) => {
    expect(await resolve(text)).toMatchObject({ kind: 'refused', code: 'order_invalid' })
  })

  test('with an unknown critical header are refused', async () => {
    const jws = await new SignJWT({ ...ORDER })
      .setProtectedHeader({ alg: 'HS256', crit: ['exp-v2'], 'exp-v2': 1 })
      .sign(bytes(KEY), { crit: { 'exp-v2': true } })
    expect(await resolve(jws)).toMatchObject({ kind: 'refused', code: 'order_invalid' })
  })
})

test('a signed order can be paid at the server that it was signed for', async () => {
  const shop = await createWorld({ ordersFromConfig: true, env: { ORDER_SIGNING_KEY: KEY } })
  const jws = await signOrder(ORDER, { key: KEY, audience: AUDIENCE, issuedAt: NOW, lifetime: 600 })
  expect(await shop.start(jws)).toMatchObject({ order: 'A-1', amount: '1500' })
  await shop.later(601_000)
  const late = await shop.initiate(jws)
  expect(late.status).toBe(409)
  expect(await late.json()).toMatchObject({ code: 'order_expired', retryable: false })
})

/** Changes one character of a part of a JWS. */
function tamper(jws: string, part: number): string {
  const parts = jws.split('.')
  const text = parts[part] ?? ''
  parts[part] = `${text.slice(0, 5)}${text[5] === 'A' ? 'B' : 'A'}${text.slice(6)}`
  return parts.join('.')
}

function never(): Promise<never> {
  return new Promise(() => {})
}
