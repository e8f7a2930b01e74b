import { expect, test } from 'vitest'

import { readConfig } from '../../../../server/config/config.ts'
import { openStore } from '../../../../server/store/open.ts'
import { createPortalAddress } from '../../../../server/transactions/callback-address.ts'
import { b2bPayout, localPayout } from '../../../support/spec/payouts.ts'
import { createApiWorld } from '../../../support/worlds/api-world.ts'
import { ENVIRONMENT } from '../../../support/worlds/environment.ts'
import { DOWN } from '../../../support/worlds/network.ts'

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

test('a checkout is found by its order and its id, and its history by its reference, too', async () => {
  const { shop, begun } = await shopThatWasPaid()
  const { checkout_id, merchant_transaction_id: reference } = begun
  for (const key of ['A-1', checkout_id]) {
    const { status, body } = await shop.get(`/checkouts/${key}`)
    expect({ status, outcome: body.outcome, checkout_id: body.checkout_id }).toEqual({
      status: 200,
      outcome: 'paid',
      checkout_id,
    })
  }

  for (const key of ['A-1', checkout_id, reference]) {
    const { transactions } = (await shop.get(`/history/${key}`)).body
    expect(transactions).toMatchObject([{ kind: 'checkout', reference, outcome: 'paid' }])
    expect(transactions[0].history.length).toBeGreaterThanOrEqual(2)
    expect(transactions[0]).toMatchObject({
      trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      events: [
        {
          id: expect.stringMatching(/^evt_/),
          type: 'checkout.paid',
          delivery: 'delivered',
          last_status: 204,
        },
      ],
    })
    const [{ id }] = transactions[0].events
    expect((await shop.get(`/events/${id}`)).body).toMatchObject({ trace_id: transactions[0].trace_id })
  }
})

test('unknown records are not found', async () => {
  const { shop } = await shopThatWasPaid()

  const code = async (path: string) => {
    const { status, body } = await shop.get(path)
    return [status, body.code]
  }

  for (const key of ['A-2', 'WAGES-1', '%00', 'x'.repeat(5_000)]) {
    expect(await code(`/checkouts/${key}`)).toEqual([404, 'unknown_checkout'])
  }

  expect(await code('/history/NOBODY')).toEqual([404, 'unknown_reference'])
  expect(await shop.post('/events/evt_nobody/replay')).toMatchObject({
    status: 404,
    body: { code: 'unknown_event' },
  })
})

test('events are listed as they were delivered, and delivered once more under the same id', async () => {
  const { shop } = await shopThatWasPaid()
  const { items } = (await shop.get('/events')).body
  const delivered = shop.delivered.map(({ id, type }) => ({ id, type, delivery: 'delivered' }))
  expect(items).toMatchObject(delivered)

  const [event] = shop.delivered
  expect((await shop.post(`/events/${event?.id}/replay`)).status).toBe(202)
  await shop.later(MINUTE)
  expect(shop.delivered.filter(({ id }) => id === event?.id)).toHaveLength(2)
  expect(shop.delivered.at(-1)).toMatchObject({ id: event?.id, type: event?.type, data: event?.data })
})

test('events that nobody was there to receive are not delivered, until they are replayed to a receiver', async () => {
  const store = openStore('sqlite::memory:')
  const env = { MERCHANT_WEBHOOK_URL: undefined, MERCHANT_WEBHOOK_SECRET: undefined }
  const unheard = await createApiWorld({ store, env })
  unheard.order('A-1')
  await unheard.pay(await unheard.start('A-1'), 'approve')
  await unheard.later(5 * MINUTE)
  const [event] = (await unheard.get('/events')).body.items
  expect(event).toMatchObject({ type: 'checkout.paid', delivery: 'no_receiver', next_try_at: null })

  // The first server leaves the store to one with a receiver.
  await unheard.restart(() => openStore('sqlite::memory:'))
  const heard = await createApiWorld({ store })
  expect((await heard.post(`/events/${event.id}/replay`)).status).toBe(202)
  await heard.later(MINUTE)
  expect(heard.delivered).toMatchObject([{ id: event.id, type: 'checkout.paid' }])
  expect((await heard.get(`/events/${event.id}`)).body).toMatchObject({ delivery: 'delivered' })
})

test('events show the last answer of the backend without personal data, as the log does', async () => {
  const page = '<b>Parse error</b>:  syntax error for asha@example.com in /shop/events.php'
  const shop = await createApiWorld({ backend: () => new Response(page) })
  shop.order('A-1')
  await shop.pay(await shop.start('A-1'), 'approve')
  await shop.later(MINUTE)
  const [event] = (await shop.get('/events')).body.items
  const last_answer = '<b>Parse error</b>: syntax error for *** in /shop/events.php'
  expect(event).toMatchObject({ delivery: 'waiting', last_status: 200, last_answer })
  const line = shop.logged.find(({ message }) => message.startsWith('An event could not be delivered'))
  expect(line).toMatchObject({ level: 'warn', facts: { id: event.id, order: 'A-1' } })
  expect(JSON.stringify(line)).toMatch(/^(?!.*asha@example\.com).*display_errors=Off/)
})

test('rates and balance are returned as the gateway reports them', async () => {
  const shop = await createApiWorld()
  expect((await shop.get('/fx?base_currency=KES')).body).toMatchObject({ base_currency: 'KES' })
  const { body } = await shop.get('/accounts/ACC-001/balance')
  expect(body).toEqual({ balance: '1000000.00', currency: 'KES', status: 'ACTIVE' })
})

test.each([
  ['/fx?base_currency=XXX', 'base_currency', 'has no rates'],
  ['/fx/quote?from=XXX&to=KES&amount=1', 'from', 'has no rates'],
  ['/fx/quote?from=KES&to=JPY&amount=1', 'to', 'no rate'],
])('%s, a currency without rates, is an error of the caller', async (path, field, rule) => {
  const { status, body } = await (await createApiWorld()).get(path)
  expect({ status, code: body.code, retryable: body.retryable }).toEqual({
    status: 422,
    code: 'invalid_request',
    retryable: false,
  })
  expect(body.errors).toEqual([{ path: field, message: expect.stringContaining(rule) }])
})

test('rates and balance of an account that the gateway does not know are not found', async () => {
  const { status, body } = await (await createApiWorld()).get('/accounts/NOBODY/balance')
  const gateway = { status_description: 'Not found' }
  expect({ status, body }).toMatchObject({
    status: 404,
    body: { code: 'not_found', retryable: false, gateway },
  })
})

test("the portal's callback address leads to the payout that the body names; a body that names none is taken", async () => {
  const shop = await createApiWorld()
  shop.network.reliability.callbacks = DOWN
  await shop.post('/payouts', localPayout)
  await shop.post('/payouts/b2b', b2bPayout)
  await shop.timeline.advance(4_000)
  const { pathname } = new URL(createPortalAddress('payouts', readConfig(ENVIRONMENT)).url)
  const asked = () => shop.gatewayRequests().filter((each) => each.endsWith('/WAGES-1/status')).length
  const before = asked()
  for (const body of ['', '{', '[]', '{"payout_reference":{}}']) {
    expect((await shop.ask(pathname, { method: 'POST', body })).status).toBe(200)
  }

  for (const body of ['{"payout_reference":7}', '{"payout_reference":"NOBODY"}']) {
    expect((await shop.ask(pathname, { method: 'POST', body })).status).toBe(404)
  }

  await shop.settle()
  expect(asked()).toBe(before)

  await shop.ask(pathname, { method: 'POST', body: JSON.stringify({ payout_reference: 'WAGES-1' }) })
  await shop.settle()
  expect(asked()).toBe(before + 1)
  expect(shop.types()).toContain('payout.succeeded')
})
