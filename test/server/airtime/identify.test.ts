import { describe, expect, test } from 'vitest'

import { identify } from '../../../server/airtime/identify.ts'
import { readConfig } from '../../../server/config/config.ts'
import { Secret } from '../../../server/config/secret.ts'
import { AirtimeEntry } from '../../../server/contract/airtime.ts'
import { createFingerprints } from '../../../server/privacy/personal.ts'
import { openStore } from '../../../server/store/open.ts'
import { createPortalAddress } from '../../../server/transactions/callback-address.ts'
import { DAY, MINUTE } from '../../../server/transactions/schedule.ts'
import { airtimeEntry } from '../../support/spec/airtime.ts'
import { ENVIRONMENT } from '../../support/worlds/environment.ts'
import { createWorld } from '../../support/worlds/world.ts'

import type { Recipient } from '../../../server/airtime/record.ts'
import type { TrackedAirtime } from '../../../server/api/airtime.ts'

const [A, B, C, X] = ['254700000001', '254700000002', '254700000003', '254700000009'] as const
/** The number of A as it is dialled in Kenya, and the number of another country that is dialled so there. */
const A_DIALLED = '0700000001'
const A_IN_UGANDA = '256700000001'

const old = new Secret('the value before')
const young = new Secret('the new value')
const BEFORE = createFingerprints([old])
const BOTH = createFingerprints([young, old])
const LOST = createFingerprints([young])

interface Kept {
  amount?: string | null
  correlation_id?: string
  isStored?: boolean
}
/** A recipient whose number was erased or cannot be decrypted, unless it is stored. */
const to = (
  phone_number: string,
  { amount = '10', correlation_id, isStored = false }: Kept = {},
): Recipient => ({
  phone_number: isStored ? phone_number : null,
  fingerprint: BEFORE.of('phone', phone_number),
  amount,
  reported: correlation_id
    ? {
        since: 0,
        service_status: 601,
        provider_reference: null,
        correlation_id,
        message: null,
        difference: null,
        paid: '0',
        returned: '0',
      }
    : null,
  missing_since: null,
  alarm: null,
  resolution: null,
  told: [],
})
const entry = (phone_number: string, fields: object = {}) =>
  AirtimeEntry.parse({ ...airtimeEntry, phone_number, amount: 10, correlation_id: null, ...fields })

const NAMES = new Map([A, B, C, X, A_IN_UGANDA].map((number) => [BEFORE.of('phone', number), number]))
/** Returns whose each entry is; `null` for an entry of nobody. */
const whose = (...given: Parameters<typeof identify>) =>
  identify(...given).map(({ fingerprint }) => NAMES.get(fingerprint) ?? null)

test.each<[string, Recipient[], AirtimeEntry[], typeof LOST, (string | null)[]]>([
  [
    'with its number',
    [to(A, { isStored: true }), to(B, { isStored: true })],
    [entry(B), entry(A)],
    LOST,
    [B, A],
  ],
  ['with its fingerprint', [to(A), to(B)], [entry(B), entry(A)], BOTH, [B, A]],
  [
    'with its number as it is dialled in its country',
    [to(A, { isStored: true }), to(B, { isStored: true })],
    [entry('0700 000 002'), entry(A_DIALLED)],
    LOST,
    [B, A],
  ],
  ['with its number without the country code', [to(A, { isStored: true })], [entry('700000001')], LOST, [A]],
  [
    'with the fingerprint of its number as it is dialled',
    [to(A), to(B)],
    [entry(A_DIALLED), entry(B)],
    BOTH,
    [A, B],
  ],
  [
    'whose number is given in full, beside one that is dialled alike',
    [to(A, { isStored: true }), to(A_IN_UGANDA, { isStored: true })],
    [entry(`+${A_IN_UGANDA}`), entry(A)],
    LOST,
    [A_IN_UGANDA, A],
  ],
  [
    'with its correlation_id',
    [to(A, { correlation_id: 'a' }), to(B, { correlation_id: 'b' }), to(C, { correlation_id: 'c' })],
    [entry(B, { correlation_id: 'b' }), entry(A, { correlation_id: 'a' })],
    LOST,
    [B, A],
  ],
  [
    'at its place with its amount',
    [to(A), to(B, { amount: '20' })],
    [entry(A), entry(B, { amount: 20 })],
    LOST,
    [A, B],
  ],
  [
    'at its place, whose correlation_id is that of all',
    [to(A, { correlation_id: 'all' }), to(B, { correlation_id: 'all' })],
    [entry(A, { correlation_id: 'all' }), entry(B, { correlation_id: 'all' })],
    LOST,
    [A, B],
  ],
])('an entry is about the recipient %s', (_, recipients, entries, fingerprints, expected) => {
  expect(whose(entries, recipients, fingerprints)).toEqual(expected)
})

test.each<[string, Recipient[], AirtimeEntry[], typeof LOST, (string | null)[]]>([
  ['if its number is another', [to(A, { isStored: true })], [entry(X)], LOST, [null]],
  [
    'if its fingerprint is another, and the key is known',
    [to(A), to(B)],
    [entry(A), entry(X)],
    BOTH,
    [A, null],
  ],
  [
    'if its number is dialled alike by two recipients',
    [to(A, { isStored: true }), to(A_IN_UGANDA)],
    [entry(A_DIALLED)],
    BOTH,
    [null],
  ],
  ['if the list is shorter', [to(A), to(B)], [entry(A)], LOST, [null]],
  ['if the list is longer', [to(A)], [entry(A), entry(X)], LOST, [null, null]],
  [
    'if an amount is not that of its place',
    [to(A, { amount: '20' }), to(B)],
    [entry(B), entry(A, { amount: 20 })],
    LOST,
    [null, null],
  ],
  ['if its amount cannot be read', [to(A)], [entry(A, { amount: '?' })], LOST, [null]],
  [
    'if the list has another order',
    [to(A), to(B, { correlation_id: 'b' }), to(C)],
    [entry(B, { correlation_id: 'b' }), entry(A), entry(C)],
    LOST,
    [B, null, null],
  ],
])('an entry is about nobody who was asked for %s', (_, recipients, entries, fingerprints, expected) => {
  expect(whose(entries, recipients, fingerprints)).toEqual(expected)
})

test('an entry about nobody asked for has no number, no text, and one identity in each report, whatever the secret', () => {
  const { amount } = to(X, { amount: null })
  const request = [to(A), to(B)]
  const reports = [entry(B), entry(X), entry(A)]
  const first = identify(reports, request, LOST)
  for (const { phone_number, message } of first) {
    expect({ phone_number, message }).toEqual({ phone_number: null, message: null })
  }

  expect(JSON.stringify(first)).not.toMatch(/2547/)
  expect(new Set(first.map(({ fingerprint }) => fingerprint)).size).toBe(3)
  const kept = first.map(({ fingerprint }) => ({ ...to(X), fingerprint, amount }))
  const third = createFingerprints([new Secret('a third')])
  for (const fingerprints of [LOST, third]) {
    expect(identify(reports, [...request, ...kept], fingerprints).map((each) => each.fingerprint)).toEqual(
      kept.map(({ fingerprint }) => fingerprint),
    )
  }
})

describe('airtime whose secret was replaced', () => {
  const reply = (body: unknown) => new Response(JSON.stringify(body))

  async function open() {
    const store = openStore('sqlite::memory:')
    let list = [A, B].map((number) => entry(number, { service_status: 601 }))

    const gateway = (url: string) => {
      if (url.endsWith('/v1/auth')) {
        return reply({ access_token: 'a token', expiresIn: 3_600 })
      }
      if (/airtime\/send/.test(url)) {
        return reply({ response_code: 720 })
      }

      return /airtime\/AT\/status/.test(url)
        ? reply(list.map((each) => ({ ...each, external_reference: 'AT' })))
        : undefined
    }

    const start = (env = {}) => createWorld({ store, gateway, env })
    const one = await start()
    const recipients = [A, B].map((phone_number) => ({ phone_number, amount: '10' }))
    await one.api('/airtime', { reference: 'AT', recipients })
    const read = async (world: typeof one): Promise<TrackedAirtime> => (await world.api('/airtime/AT')).json()
    const shown = async (world: typeof one) =>
      (await read(world)).recipients.map(({ phone_number, amount, outcome }) => [
        phone_number,
        amount,
        outcome,
      ])
    const say = (service_status: number, ...numbers: string[]) =>
      void (list = numbers.map((number) => entry(number, { service_status })))
    return { one, store, start, say, read, shown, stored: async () => JSON.stringify(await one.rows()) }
  }

  const REPLACED = { GATEWAY_CONSUMER_SECRET: 'a new secret' }
  const unreadable = (world: Awaited<ReturnType<typeof createWorld>>) =>
    world.logged.filter(({ message }) => /cannot be decrypted/.test(message))

  test('airtime whose secret was replaced without its old value keeps its recipients, and the log says once what to do', async () => {
    const { one, start, say, shown, stored } = await open()
    await one.later(MINUTE)
    const two = await start(REPLACED)
    say(602, A, B)
    await two.later(10 * MINUTE)
    expect(await shown(two)).toEqual([
      ['***', '10', 'succeeded'],
      ['***', '10', 'succeeded'],
    ])
    expect(two.types()).toEqual(['airtime.succeeded', 'airtime.succeeded'])
    expect(unreadable(two)).toEqual([
      {
        level: 'error',
        facts: { kind: 'airtime', reference: 'AT', trace_id: expect.any(String) },
        message: expect.stringMatching(
          /GATEWAY_CONSUMER_SECRET_PREVIOUS .* Set it to that value and restart/,
        ),
      },
    ])
    expect(await stored()).not.toMatch(/2547/)
    const three = await start({ ...REPLACED, GATEWAY_CONSUMER_SECRET_PREVIOUS: 'sandbox-secret' })
    await three.later(10 * MINUTE)
    expect(await shown(three)).toEqual([
      [A, '10', 'succeeded'],
      [B, '10', 'succeeded'],
    ])
    expect(unreadable(three)).toEqual([])
  })

  test('after a new secret, an entry that nothing identifies is a recipient without a number, and a person is told once', async () => {
    const { one, start, say, read, stored } = await open()
    await one.later(MINUTE)
    const two = await start(REPLACED)
    say(602, B)
    for (let report = 0; report < 3; report++) {
      await two.later(10 * MINUTE)
    }

    const { recipients } = await read(two)
    expect(recipients).toMatchObject([
      { phone_number: '***', amount: '10', outcome: 'needs_attention' },
      { phone_number: '***', amount: '10', outcome: 'needs_attention' },
      { phone_number: '***', amount: null, outcome: 'needs_attention', message: null },
    ])
    expect(two.types()).toEqual(Array(3).fill('airtime.needs_attention'))
    expect(JSON.stringify(two.delivered) + (await stored())).not.toMatch(/2547/)
  })

  test('airtime whose secret was replaced by the book, and whose numbers were erased, is still the same airtime', async () => {
    const { one, start, say, shown, stored } = await open()
    say(602, A, B)
    await one.later(62 * DAY)
    say(605, A, B)
    const two = await start(REPLACED)
    await two.later(63 * DAY)
    const { pathname } = new URL(
      createPortalAddress('airtime', readConfig({ ...ENVIRONMENT, ...REPLACED })).url,
    )
    const body = JSON.stringify({ external_reference: 'AT', phone_number: A, service_status: 605 })
    expect((await two.ask(pathname, { method: 'POST', body })).status).toBe(200)
    await two.later(5 * MINUTE)
    expect(await shown(two)).toEqual([
      ['***', '10', 'reversed'],
      ['***', '10', 'reversed'],
    ])
    expect(await stored()).not.toMatch(/2547/)
  })
})
