import { describe, expect, test } from 'vitest'

import { AIRTIME, airtime, airtimeEntry, manyRecipients } from '../support/spec/airtime.ts'
import { createApiWorld } from '../support/worlds/api-world.ts'
import { DAY, MINUTE } from '../support/worlds/observed.ts'
import { tokenOf, posted } from '../support/worlds/sandbox-line.ts'

import type { ListedAirtime, TrackedAirtime } from '../../server/api/airtime.ts'
import type { World, WorldOptions } from '../support/worlds/world.ts'

const SECOND = 1_000

// The last digits of the phone number may select a sandbox scenario.
const to = (digits: string, amount = '100') => ({ phone_number: `25470000${digits}`, amount })

async function openAirtimeShop(options: WorldOptions = {}) {
  const shop = await createApiWorld(options)
  return {
    ...shop,
    async buy(recipients: object[] = airtime.recipients, reference = 'A-1'): Promise<TrackedAirtime> {
      const { status, body } = await shop.post('/airtime', { reference, recipients })
      if (status > 201) {
        throw new Error(JSON.stringify(body))
      }
      return body
    },
    async airtime(reference = 'A-1'): Promise<TrackedAirtime> {
      return (await shop.get(`/airtime/${reference}`)).body
    },
    async sentElsewhere(recipients: object[], reference = 'A-1'): Promise<void> {
      const token = { 'x-access-token': await tokenOf(shop.sandbox) }
      await shop.sandbox.app.request(AIRTIME, posted({ reference, recipients }, token))
    },
    sends: () => shop.gatewayRequests().filter((request) => request === `POST ${AIRTIME}`),
    asks: () => shop.gatewayRequests().filter((request) => /^GET .*airtime/.test(request)),
  }
}

function reportDialled(url: string): Response | undefined {
  if (!/airtime\/A-1\/status/.test(url)) {
    return undefined
  }

  const numbers = [700000002, '0700 000 001']
  return Response.json(
    numbers.map((phone_number) => ({ ...airtimeEntry, external_reference: 'A-1', phone_number })),
  )
}

async function deliveredNumbers({ sandbox }: World): Promise<string[]> {
  const { entries } = await (await sandbox.app.request('/_sandbox/ledger')).json()
  return entries
    .filter(({ what }: { what: string }) => what === 'airtime paid')
    .map(({ reference }: { reference: string }) => reference.split('/')[1])
}

async function deliveredCallbacks({ sandbox }: World): Promise<number> {
  const { callbacks } = await (await sandbox.app.request('/_sandbox/callbacks')).json()
  return callbacks.filter(({ state }: { state: string }) => state === 'delivered').length
}

test('an event about one recipient that is refused holds back none about another', async () => {
  const isAbout = (data: object, digits: string) =>
    'phone_number' in data && data.phone_number === `25470000${digits}`
  const shop = await openAirtimeShop({
    backend: ({ data }) => new Response(null, { status: isAbout(data, '0001') ? 500 : 204 }),
  })
  await shop.buy([to('0001'), to('0002')])
  await shop.later(60 * SECOND)
  expect(shop.delivered.filter(({ data }) => isAbout(data, '0002'))).toHaveLength(1)
})

describe('airtime', () => {
  test('whose numbers the gateway reports as they are dialled in their country is followed', async () => {
    const shop = await openAirtimeShop({ gateway: reportDialled })
    await shop.buy([to('0001'), to('0002')])
    await shop.later(10 * MINUTE)
    const { outcome, recipients } = await shop.airtime()
    expect(recipients).toMatchObject([
      { ...to('0001'), outcome: 'succeeded' },
      { ...to('0002'), outcome: 'succeeded' },
    ])
    expect(outcome).toBe('succeeded')
    expect(shop.types()).toEqual(['airtime.succeeded', 'airtime.succeeded'])
  })

  test('is accepted and delivered, with one event for each recipient', async () => {
    const shop = await openAirtimeShop()
    const begun = await shop.buy()
    expect(begun).toMatchObject({ reference: 'A-1', outcome: 'pending', settled: false, requests: 1 })
    expect(begun.recipients.map(({ phone_number, amount }) => ({ phone_number, amount }))).toEqual(
      airtime.recipients.map((recipient) => ({ ...recipient, amount: String(Number(recipient.amount)) })),
    )
    await shop.later(10 * SECOND)
    expect(await shop.airtime()).toMatchObject({
      outcome: 'succeeded',
      settled: true,
      summary: {
        total: { count: 2, amount: '150' },
        succeeded: { count: 2, amount: '150' },
        pending: { count: 0, amount: '0' },
      },
    })
    expect(shop.types()).toEqual(['airtime.succeeded', 'airtime.succeeded'])
    const [first] = (await shop.airtime()).recipients
    expect(shop.delivered[0]?.data).toEqual(first)
    expect(first).toEqual({
      reference: 'A-1',
      phone_number: '254700000001',
      amount: '100',
      outcome: 'succeeded',
      settled: true,
      service_status: 602,
      message: 'The airtime was delivered.',
      provider_reference: expect.stringMatching(/^[0-9A-Z]{10}$/),
      correlation_id: expect.any(String),
      external_reference: 'A-1',
      attention: null,
    })
    const { transactions } = (await shop.get('/history/A-1')).body
    const whats = transactions[0].history.map(({ what }: { what: string }) => what)
    expect(whats).toEqual(['The gateway accepted it.', 'The gateway says: 2 succeeded.'])
  })

  test('the same list from another store finds the request that the first one sent', async () => {
    const shop = await openAirtimeShop()
    const recipients = [to('0001'), to('9101')]
    await shop.sentElsewhere(recipients)
    await shop.later(10 * SECOND)
    expect((await shop.buy(recipients)).recipients).toMatchObject([
      { outcome: 'succeeded' },
      { outcome: 'failed', service_status: 603 },
    ])
    expect(await deliveredNumbers(shop)).toEqual(['254700000001'])
  })
})

// Each recipient causes a callback, for which the server reads the whole request. Without FULL, most of them are lost.
const LOST_CALLBACKS = process.env.FULL ? 0 : 950

describe('more than a thousand recipients', { timeout: 120_000 }, () => {
  test('are not sent on once an answer is lost', async () => {
    const shop = await openAirtimeShop({
      gateway: (url) => (url.endsWith(AIRTIME) ? new Response('busy', { status: 502 }) : undefined),
    })
    await shop.post('/airtime', { reference: 'A-1', recipients: manyRecipients(6_001) })
    // Four are sent at once.
    expect(shop.sends().length).toBeLessThanOrEqual(4)
  })

  test('become several requests, each sent once and queried a few times, and one response with totals', async () => {
    const shop = await openAirtimeShop()
    const recipients = manyRecipients(1010)
    if (LOST_CALLBACKS > 0) {
      await shop.control('/faults', { fault: 'callback_drop', next: LOST_CALLBACKS })
    }

    const begun = await shop.buy(recipients)
    expect(begun).toMatchObject({ requests: 2, outcome: 'pending' })
    expect(begun.recipients.map(({ phone_number }) => phone_number)).toEqual(
      recipients.map(({ phone_number }) => phone_number),
    )
    expect(begun.recipients[1000]).toMatchObject({ reference: 'A-1', external_reference: 'A-1-2' })
    expect(shop.sends()).toHaveLength(2)
    await shop.later(30 * SECOND)
    const { summary } = await shop.airtime()
    expect(summary.total).toEqual({ count: 1010, amount: '10100' })
    expect(summary.succeeded).toEqual(summary.total)
    expect(new Set(await deliveredNumbers(shop)).size).toBe(1010)
    expect(await deliveredCallbacks(shop)).toBeGreaterThanOrEqual(60)
    expect(shop.asks().length).toBeLessThanOrEqual(6)
    const { items } = (await shop.get('/airtime')).body
    const counts = items.map((item: ListedAirtime) => [item.external_reference, item.summary.succeeded.count])
    expect(counts.toSorted()).toEqual([
      ['A-1-1', 1000],
      ['A-1-2', 10],
    ])
  })

  test('are all refused when the reference of one request is already used', async () => {
    const shop = await openAirtimeShop()
    await shop.buy(airtime.recipients, 'A-1-2')
    const order = { reference: 'A-1', recipients: manyRecipients(1001) }
    const { status, body } = await shop.post('/airtime', order)
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'reference_reused' })
    expect((await shop.get('/airtime/A-1')).status).toBe(404)
    expect(shop.sends()).toHaveLength(1)
  })
})

test('an entry about another request says nothing about this one', async () => {
  const failed = { ...to('0001'), service_status: 603, external_reference: 'A-1' }
  const stray = { ...to('0009'), service_status: 602, external_reference: 'A-0' }
  let entries = [failed, stray]
  const shop = await openAirtimeShop({
    gateway: (url) => (url.endsWith('/airtime/A-1/status') ? Response.json(entries) : undefined),
  })
  await shop.buy([to('0001')])
  await shop.later(2 * MINUTE)
  expect(shop.types()).toEqual(['airtime.failed'])
  entries = [stray]
  await shop.later(DAY)
  expect(shop.types()).toEqual(['airtime.failed'])
})
