import { describe, expect, test } from 'vitest'
import { createPortalAddress } from '../../server/callbacks/portal-address.ts'
import { readConfig } from '../../server/config.ts'
import { DOWN } from '../support/network.ts'
import { createApiWorld } from '../support/api-world.ts'
import { b2bPayout, localPayout } from '../support/spec-payouts.ts'
import { ENVIRONMENT } from '../support/world.ts'

const MINUTE = 60_000

async function shopThatWasPaid() {
  const shop = await createApiWorld()
  shop.order('A-1')
  const begun = await shop.start('A-1')
  await shop.pay(begun, 'approve')
  await shop.post('/payouts', localPayout)
  await shop.later(5 * MINUTE)
  return { shop, begun }
}

describe('a checkout', () => {
  test('is found by its order and by its id', async () => {
    const { shop, begun } = await shopThatWasPaid()
    for (const key of ['A-1', begun.checkout_id]) {
      const { status, body } = await shop.get(`/checkouts/${key}`)
      expect([status, body.outcome, body.checkout_id]).toEqual([200, 'paid', begun.checkout_id])
    }
  })

  test('of another order, and a payout, are not found', async () => {
    const { shop } = await shopThatWasPaid()
    for (const key of ['A-2', 'WAGES-1', '%00', 'x'.repeat(5_000)]) {
      expect(await shop.get(`/checkouts/${key}`)).toMatchObject({
        status: 404,
        body: { code: 'unknown_checkout' },
      })
    }
  })
})

describe('history', () => {
  test('is told of an order, a checkout and a payout, by any name of theirs', async () => {
    const { shop, begun } = await shopThatWasPaid()
    for (const reference of ['A-1', begun.checkout_id, begun.merchant_transaction_id]) {
      const { body } = await shop.get(`/history/${reference}`)
      expect(body.transactions).toMatchObject([
        { kind: 'checkout', reference: begun.merchant_transaction_id, outcome: 'paid' },
      ])
      expect(body.transactions[0].history.length).toBeGreaterThanOrEqual(2)
    }
    const { body } = await shop.get('/history/WAGES-1')
    expect(body.transactions).toMatchObject([{ kind: 'payout', reference: 'WAGES-1', outcome: 'succeeded' }])
  })

  test('of nothing is not found', async () => {
    const { shop } = await shopThatWasPaid()
    expect(await shop.get('/history/NOBODY')).toMatchObject({
      status: 404,
      body: { code: 'unknown_reference' },
    })
  })
})

describe('events', () => {
  test('are listed as they were told, and told once more under the same id', async () => {
    const { shop } = await shopThatWasPaid()
    const { body } = await shop.get('/events')
    expect(body.items.map(({ id, type }: { id: string; type: string }) => ({ id, type }))).toEqual(
      shop.heard.map(({ id, type }) => ({ id, type })),
    )
    expect(body.items.every(({ delivery }: { delivery: string }) => delivery === 'delivered')).toBe(true)

    const [event] = shop.heard
    expect((await shop.post(`/events/${event?.id}/replay`)).status).toBe(202)
    await shop.later(MINUTE)
    expect(shop.heard.filter(({ id }) => id === event?.id)).toHaveLength(2)
    expect(shop.heard.at(-1)).toMatchObject({ id: event?.id, type: event?.type, data: event?.data })
  })

  test('that nobody takes say how often that was', async () => {
    const shop = await createApiWorld({ backend: () => new Response('no', { status: 500 }) })
    await shop.post('/payouts', localPayout)
    await shop.later(5 * MINUTE)
    const { body } = await shop.get('/events')
    expect(body.items[0]).toMatchObject({ type: 'payout.succeeded', delivery: 'waiting' })
    expect(body.items[0].failures).toBeGreaterThan(1)
  })

  test('come in pages of a hundred, the oldest first, and go on behind the last cursor', async () => {
    const shop = await createApiWorld()
    for (let index = 0; index < 130; index++) {
      await shop.post('/payouts', {
        ...localPayout,
        payout_reference: `P-${index}`,
        sender_amount: '1.00',
        recipient_amount: '1.00',
      })
    }
    await shop.later(5 * MINUTE)
    const first = (await shop.get('/events')).body
    const rest = (await shop.get(`/events?cursor=${first.next_cursor}`)).body
    expect([first.items.length, rest.items.length, rest.next_cursor]).toEqual([100, 30, null])
    const ids = [...first.items, ...rest.items].map(({ id }: { id: string }) => id)
    expect(new Set(ids).size).toBe(130)

    await shop.post('/payouts', { ...localPayout, payout_reference: 'LATER' })
    await shop.later(5 * MINUTE)
    const again = (await shop.get(`/events?cursor=${first.next_cursor}`)).body
    expect(again.items.at(-1).data.payout_reference).toBe('LATER')
  })

  test('that do not exist cannot be told again', async () => {
    const shop = await createApiWorld()
    expect(await shop.post('/events/evt_nobody/replay')).toMatchObject({
      status: 404,
      body: { code: 'unknown_event' },
    })
  })
})

describe('rates and balance', () => {
  test('are what the gateway says', async () => {
    const shop = await createApiWorld()
    expect((await shop.get('/fx?base_currency=KES')).body).toMatchObject({ base_currency: 'KES' })
    expect((await shop.get('/accounts/ACC-001/balance')).body).toEqual({
      balance: '1000000.00',
      currency: 'KES',
      status: 'ACTIVE',
    })
  })

  test.each([
    ['/fx?base_currency=XXX', 'base_currency'],
    ['/fx/quote?from=XXX&to=KES&amount=1', 'from'],
  ])('%s, a currency that the gateway does not know, is an error of the caller', async (path, field) => {
    const shop = await createApiWorld()
    const { status, body } = await shop.get(path)
    expect([status, body.code, body.retryable]).toEqual([422, 'invalid_request', false])
    expect(body.errors).toEqual([{ path: field, message: expect.stringContaining('has no rates') }])
    expect(body.gateway).toMatchObject({ status_code: 115 })
  })

  test('of an account that the gateway does not know are not found', async () => {
    const shop = await createApiWorld()
    expect(await shop.get('/accounts/NOBODY/balance')).toMatchObject({
      status: 404,
      body: { code: 'not_found', retryable: false, gateway: { status_description: 'Not found' } },
    })
  })

  test('of a gateway that is away may be asked again', async () => {
    const shop = await createApiWorld()
    shop.network.weather.gateway = DOWN
    const { status, headers, body } = await shop.get('/fx?base_currency=KES')
    expect([status, body.code, body.retryable]).toEqual([503, 'gateway_unavailable', true])
    expect(headers.get('retry-after')).toBe('5')
  })

  test('with credentials that the gateway does not take say so', async () => {
    const shop = await createApiWorld({ env: { GATEWAY_CONSUMER_SECRET: 'wrong' } })
    expect(await shop.get('/accounts/ACC-001/balance')).toMatchObject({
      status: 502,
      body: { code: 'gateway_unauthorized', retryable: false },
    })
  })
})

describe('a quote', () => {
  test.each([
    ['KES', '1500.00', 'UGX'],
    ['KES', '99.99', 'USD'],
    ['KES', '20000', 'XOF'],
    ['KES', '100.05', 'TZS'],
    ['KES', '100', 'KES'],
  ])('of %s %s in %s is accepted as a payout', async (from, amount, to) => {
    const shop = await createApiWorld()
    const quoted = (await shop.get(`/fx/quote?from=${from}&to=${to}&amount=${amount}`)).body
    expect(quoted).toMatchObject({ direction: 'buying', source_currency: from, destination_currency: to })
    const wallets: Record<string, string> = {
      UGX: 'MOMO_UGA',
      USD: 'MOMO_ZWE',
      XOF: 'MOMO_SEN',
      TZS: 'MOMO_TZA',
      KES: 'MOMO_KEN',
    }
    const { direction: _direction, rate: _rate, ...terms } = quoted
    const { body } = await shop.post('/payouts', {
      ...localPayout,
      ...terms,
      destination_name: wallets[to],
    })
    expect(body).toMatchObject({ response_code: 720, amount: quoted.recipient_amount, currency: to })
  })

  test('in a currency without rates is refused by name', async () => {
    const shop = await createApiWorld()
    const { status, body } = await shop.get('/fx/quote?from=KES&to=JPY&amount=1')
    expect([status, body.errors]).toEqual([
      422,
      [{ path: 'to', message: expect.stringContaining('no rate') }],
    ])
  })
})

describe("the portal's callback address", () => {
  test('leads to the payout that the body names, and any body is taken', async () => {
    const shop = await createApiWorld()
    shop.network.weather.callbacks = DOWN
    await shop.post('/payouts', localPayout)
    await shop.post('/payouts/b2b', b2bPayout)
    await shop.timeline.advance(4_000)
    const url = new URL(createPortalAddress('payouts', readConfig(ENVIRONMENT)).url).pathname
    const asked = () => shop.gatewayRequests().filter((each) => each.endsWith('/WAGES-1/status')).length
    const before = asked()
    for (const body of ['', '{', '[]', '{"payout_reference":7}', '{"payout_reference":"NOBODY"}']) {
      expect((await shop.ask(url, { method: 'POST', body })).status).toBe(200)
    }
    await shop.settle()
    expect(asked()).toBe(before)

    await shop.ask(url, { method: 'POST', body: JSON.stringify({ payout_reference: 'WAGES-1' }) })
    await shop.settle()
    expect(asked()).toBe(before + 1)
    expect(shop.types()).toContain('payout.succeeded')
  })

  test('of another environment, or forged, is unknown', async () => {
    const shop = await createApiWorld()
    for (const token of ['sandbox.AAAAAAAAAAAAAAAAAAAAAA', 'production.x', 'sandbox.', 'sandbox']) {
      expect((await shop.ask(`/callbacks/payouts/${token}`, { method: 'POST', body: '{}' })).status).toBe(404)
    }
  })
})
