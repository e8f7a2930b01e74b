import { describe, expect, test } from 'vitest'
import type { PayoutType } from '../support/payable.ts'
import type { World } from '../support/world.ts'
import { foundIn, keepInSqlite } from '../support/kept-store.ts'
import { PAYOUT_PATHS, PAYOUTS } from '../support/payable.ts'
import { createWorld } from '../support/world.ts'

const DAY = 24 * 3_600_000
const PEOPLE = {
  recipient_first_name: 'Wambui',
  recipient_middle_name: 'Nyaguthii',
  recipient_last_name: 'Plantedi',
  recipient_account_name: 'W N Plantedi',
  recipient_phone_number: '254700000123',
  recipient_account_number: '254700000123',
  sender_first_name: 'Kamau',
  sender_last_name: 'Plantedo',
  sender_document_number: 'PLANTED-77',
  sender_phone_number: '254700000345',
  recipient_document_number: 'PLANTED-88',
}
const BUSINESS = {
  recipient_name: 'Planted Textiles',
  recipient_account_number: '400234',
  payment_account_reference: 'INV-PLANTED',
}
const DESCRIPTION = { payment_description: 'School fees of Plantedi, call 0700 000 123' }
const PHONES = ['254700000456', '254700000567']
const AIRTIME = {
  reference: 'A-1',
  recipients: PHONES.map((phone_number) => ({ phone_number, amount: '10' })),
}
const PLANTED = [...Object.values(PEOPLE), ...Object.values(BUSINESS), ...PHONES, '0700 000 123']

const bodyOf = (type: PayoutType) => ({
  ...PAYOUTS[type],
  ...(type === 'b2b' ? BUSINESS : PEOPLE),
  ...DESCRIPTION,
  payout_reference: `P-${type}`,
})

async function payEverybody(world: World): Promise<void> {
  for (const type of ['local', 'transfer', 'b2b'] as const)
    expect((await world.api(PAYOUT_PATHS[type], bodyOf(type))).status).toBe(201)
  expect((await world.api('/airtime', AIRTIME)).status).toBe(201)
  await world.later(DAY)
}

// The tests share one world, in which the last one is told of a change.
describe('a transaction whose personal data were erased', async () => {
  const world = await createWorld()
  await payEverybody(world)
  await world.later(28 * DAY)
  const before = await world.payout('P-transfer')
  await world.later(3 * DAY)

  // What the store keeps is searched in `search`.
  test('is shown without them, 30 days after it has ended', async () => {
    expect(before.result).toMatchObject({ data: { recipient_phone_number: PEOPLE.recipient_phone_number } })
    const payout = {
      outcome: 'succeeded',
      amount: '1000',
      attention: null,
      payment_status: 700,
      result: null,
    }
    expect(await (await world.api('/payouts/P-transfer')).json()).toMatchObject(payout)
    const airtime = await (await world.api('/airtime/A-1')).json()
    const phones = airtime.recipients.map(({ phone_number }: { phone_number: string }) => phone_number)
    expect([airtime.outcome, phones]).toEqual(['succeeded', ['***', '***']])
    expect((await (await world.api('/events')).json()).items).toEqual([])
  })

  test('is found by a repetition of the request, and refuses another request', async () => {
    const sent = world.gatewayRequests().filter((request) => request.startsWith('POST /')).length
    for (const type of ['local', 'transfer', 'b2b'] as const) {
      const path = PAYOUT_PATHS[type]
      expect((await world.api(path, bodyOf(type))).status).toBe(200)
      const other = await world.api(path, { ...bodyOf(type), payment_description: 'Another' })
      expect([other.status, (await other.json()).code]).toEqual([409, 'reference_reused'])
    }
    expect((await world.api('/airtime', AIRTIME)).status).toBe(200)
    const recipients = [...AIRTIME.recipients, { phone_number: '254700000678', amount: '10' }]
    expect((await world.api('/airtime', { ...AIRTIME, recipients })).status).toBe(409)
    expect(world.gatewayRequests().filter((request) => request.startsWith('POST /'))).toHaveLength(sent)
  })

  test('takes over the status that the gateway reports later, and not the recipient', async () => {
    const count = world.delivered.length
    await world.control('/payouts/P-local/play', { scenario: 'reverse' })
    await world.control('/payouts/P-b2b/play', { scenario: 'refund' })
    await world.control(`/airtime/A-1/${PHONES[1]}/play`, { scenario: 'reverse' })
    await world.later(DAY)
    expect(await world.payout('P-local')).toMatchObject({ outcome: 'reversed', attention: null })
    expect(await world.payout('P-b2b')).toMatchObject({ outcome: 'refunded', attention: null })
    const { summary } = await (await world.api('/airtime/A-1')).json()
    expect(summary).toMatchObject({ succeeded: { count: 1 }, reversed: { count: 1 } })

    const news = world.delivered.slice(count)
    expect(news.map(({ type }) => type).toSorted()).toEqual([
      'airtime.reversed',
      'b2b.refunded',
      'payout.reversed',
    ])
    const rows = await world.rows()
    const events = await Promise.all(rows.map(({ id }) => world.store.listEventsOf(id)))
    expect(foundIn(Buffer.from(JSON.stringify([rows, events, news])), PLANTED)).toEqual([])
  })

  test('is recognized with the previous consumer secret', async () => {
    const kept = keepInSqlite()
    const world = await createWorld({ store: kept.open() })
    await payEverybody(world)
    await world.later(31 * DAY)
    await world.store.close()
    const GATEWAY_CONSUMER_SECRET = 'a new secret from the portal'
    const previous = { GATEWAY_CONSUMER_SECRET_PREVIOUS: 'sandbox-secret' }
    for (const [env, status] of [[previous, 200] as const, [{}, 409] as const]) {
      const rotated = await createWorld({ store: kept.open(), env: { GATEWAY_CONSUMER_SECRET, ...env } })
      for (const [path, body] of [
        [PAYOUT_PATHS.local, bodyOf('local')],
        ['/airtime', AIRTIME],
      ] as const)
        expect((await rotated.api(path, body)).status).toBe(status)
      await rotated.store.close()
    }
  })
})

test('a recipient is not erased while money, a person or an event is waited for', async () => {
  const world = await createWorld({
    backend: ({ type }) => new Response(null, { status: STATUS[type] ?? 204 }),
  })
  await world.api('/payouts', { ...bodyOf('local'), recipient_phone_number: '254700009008' })
  await world.api('/payouts/imt', bodyOf('transfer'))
  await world.later(4 * DAY)
  await world.later(40 * DAY)
  const rows = await world.rows()
  expect(rows.map(({ outcome }) => outcome)).toEqual(['needs_attention', 'succeeded'])
  // An event that was given up no longer keeps the recipient.
  expect(rows.map(({ personal }) => personal === null)).toEqual([false, true])
})

const STATUS: Record<string, number> = { 'payout.succeeded': 500 }
