import { describe, expect, test } from 'vitest'
import { createCallbackTokens } from '../../server/callbacks/token.ts'
import { DOWN } from '../support/network.ts'
import { createWorld } from '../support/world.ts'

const REFERENCE = '8d2f6a52-7f0d-4c5e-9b3a-2f1f6f1b7c11'
const BASIC_AUTH = 'gateway:pässwörd:with €'

describe("a callback's address", () => {
  const tokens = createCallbackTokens('checkout', ['the key', 'the key before'])

  test('contains the reference that it was created for', () => {
    expect(tokens.read(tokens.create(REFERENCE))).toBe(REFERENCE)
    expect(tokens.read(tokens.create('with.dots.in.it'))).toBe('with.dots.in.it')
  })

  test('is valid while its key is the current or the previous one', () => {
    const old = createCallbackTokens('checkout', ['the key before']).create(REFERENCE)
    expect(tokens.read(old)).toBe(REFERENCE)
    expect(createCallbackTokens('checkout', ['the key']).read(old)).toBeNull()
  })

  test('is valid for one kind of transaction', () => {
    expect(createCallbackTokens('payout', ['the key']).read(tokens.create(REFERENCE))).toBeNull()
  })

  test('cannot be created without the key', () => {
    const token = tokens.create(REFERENCE)
    const digest = token.slice(REFERENCE.length + 1)
    const forged = [
      '',
      '.',
      REFERENCE,
      `${REFERENCE}.`,
      `.${digest}`,
      `another.${digest}`,
      `${REFERENCE}.${digest.slice(0, -2)}`,
      `${REFERENCE}.${'A'.repeat(digest.length)}`,
      `${REFERENCE}.${digest}.${digest}`,
      `${REFERENCE}.\u0000${'é'.repeat(16)}`,
    ]
    for (const text of forged) expect(tokens.read(text), text).toBeNull()
  })
})

describe('a callback', () => {
  test.each([
    ['nothing', ''],
    ['broken JSON', '{"status":'],
    ['another checkout', JSON.stringify({ merchant_transaction_id: 'another', status: 801 })],
    ['a megabyte', 'x'.repeat(1_000_000)],
  ])('with %s for a body is a hint to look all the same', async (_, body) => {
    const shop = await createWorld()
    shop.order('A-1')
    const begun = await shop.start('A-1')
    const before = shop.gatewayRequests().length
    const answer = await shop.ask(shop.callbackPath(begun), { method: 'POST', body })
    expect(answer.status).toBe(200)
    await shop.later(2_000)
    expect(shop.gatewayRequests().slice(before)).toEqual([
      `GET /v2/checkout/status/${begun.merchant_transaction_id}`,
    ])
  })

  test('and a poll are synchronized at once after the system clock was set back', async () => {
    const shop = await createWorld()
    for (const order of ['A-1', 'A-2']) shop.order(order)
    shop.bffClock.aheadMs = 10 * 60_000
    const [called, watched] = [await shop.start('A-1'), await shop.start('A-2')]
    await shop.ask(shop.callbackPath(called), { method: 'POST' })
    await shop.ask(shop.callbackPath(called), { method: 'POST' })
    shop.bffClock.aheadMs = 0
    await shop.pay(called, 'approve')
    await shop.later(2_000)
    expect(shop.types()).toEqual(['checkout.paid'])
    shop.network.weather.callbacks = DOWN
    await shop.pay(watched, 'approve')
    await shop.later(2_000)
    expect(await shop.status(watched.checkout_id)).toMatchObject({ outcome: 'paid' })
  })

  test('that is repeated ten times a second causes one query a second', async () => {
    const shop = await createWorld()
    shop.order('A-1')
    const begun = await shop.start('A-1')
    const before = shop.gatewayRequests().length
    for (let tenths = 0; tenths < 100; tenths++) {
      await shop.ask(shop.callbackPath(begun), { method: 'POST', body: '{}' })
      await shop.status(begun.checkout_id)
      await shop.later(100)
    }
    const questions = shop.gatewayRequests().length - before
    expect(questions).toBeGreaterThanOrEqual(10)
    expect(questions).toBeLessThanOrEqual(11 + 5)
  })

  test('to an unknown address is refused without a reason', async () => {
    const shop = await createWorld()
    const unknown = createCallbackTokens('checkout', ['another key']).create(REFERENCE)
    const answer = await shop.ask(`/callbacks/checkout/${unknown}`, { method: 'POST' })
    expect([answer.status, (await answer.json()).code]).toEqual([404, 'unknown_callback'])
  })
})

describe('where credentials are registered for callbacks', () => {
  async function called(headers: Record<string, string>, token?: string): Promise<number> {
    const shop = await createWorld({ env: { CALLBACK_BASIC_AUTH: BASIC_AUTH } })
    shop.order('A-1')
    const begun = await shop.start('A-1')
    const path = token ? `/callbacks/checkout/${token}` : shop.callbackPath(begun)
    return (await shop.ask(path, { method: 'POST', headers, body: '{}' })).status
  }
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })

  test('a callback that carries them is accepted', async () => {
    expect(await called(basic(BASIC_AUTH))).toBe(200)
  })

  test('a callback that carries the previous ones is accepted', async () => {
    const env = { CALLBACK_BASIC_AUTH: 'gateway:new', CALLBACK_BASIC_AUTH_PREVIOUS: BASIC_AUTH }
    const shop = await createWorld({ env })
    shop.order('A-1')
    const path = shop.callbackPath(await shop.start('A-1'))
    for (const pair of ['gateway:new', BASIC_AUTH]) {
      const answer = await shop.ask(path, { method: 'POST', headers: basic(pair), body: '{}' })
      expect(answer.status).toBe(200)
    }
  })

  test.each<[string, Record<string, string>]>([
    ['none', {}],
    ['an empty header', { authorization: '' }],
    ['another password', basic('gateway:password')],
    ['a password that goes on', basic(`${BASIC_AUTH}!`)],
    ['the password as it is', { authorization: 'gateway:password' }],
    ['another scheme', { authorization: 'Bearer gateway:password' }],
  ])('a callback with %s is refused', async (_, headers) => {
    expect(await called(headers)).toBe(401)
  })

  test('they do not make an unknown address valid', async () => {
    expect(await called(basic(BASIC_AUTH), `${REFERENCE}.AAAA`)).toBe(404)
  })

  test('the outcome is found by queries when the gateway does not send them', async () => {
    const shop = await createWorld({ env: { CALLBACK_BASIC_AUTH: BASIC_AUTH } })
    shop.order('A-1')
    await shop.pay(await shop.start('A-1'), 'approve')
    await shop.later(60_000)
    expect(shop.types()).toEqual(['checkout.paid'])
  })
})
