import { describe, expect, test } from 'vitest'

import { sharedPostgres } from '../support/postgres.ts'
import { CHARGE } from '../support/worlds/chargeable.ts'
import { ENVIRONMENT, SHOP } from '../support/worlds/environment.ts'
import { foundIn, keepInPostgres, keepInSqlite } from '../support/worlds/kept-store.ts'
import { DOWN, RELIABLE } from '../support/worlds/network.ts'
import { PAYOUTS } from '../support/worlds/payable.ts'
import { runHere } from '../support/worlds/terminal.ts'
import { createWorld } from '../support/worlds/world.ts'

import type { KeptStore } from '../support/worlds/kept-store.ts'
import type { World, WorldOptions } from '../support/worlds/world.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const PHONE = '254700000123'
const OTHER = '254700000456'
const PAYOUT = {
  ...PAYOUTS.local,
  recipient_first_name: 'Wambui',
  recipient_last_name: 'Plantedi',
  recipient_account_name: 'Wambui Plantedi',
  recipient_phone_number: PHONE,
  recipient_account_number: PHONE,
}
const AIRTIME = {
  reference: 'A-1',
  recipients: [PHONE, OTHER].map((phone_number) => ({ phone_number, amount: '10' })),
}
const PAYER = { payer_name: 'Wambui Plantedi', payer_email: 'Planted@example.com', payer_msisdn: PHONE }
const PLANTED = ['Wambui', 'Plantedi', PHONE]

/** Runs the command `erase` in this process, while the server uses the same store. */
const erase = (kept: KeptStore, ...args: string[]) => eraseWith({}, kept, ...args)
const eraseWith = (env: object, kept: KeptStore, ...args: string[]) =>
  runHere(['erase', ...args], { ...ENVIRONMENT, STORE_URL: kept.url, ...env })

const open = async (kept: KeptStore, options: WorldOptions = {}) =>
  createWorld({ store: kept.open(), ...options })

const settled = async (world: World) => {
  for (let hours = 0; hours < 6; hours++) {
    await world.later(HOUR)
  }
}

describe('erase, beside a running server', () => {
  test.each([
    ['SQLite', async () => keepInSqlite()],
    ['Postgres', async () => keepInPostgres(await sharedPostgres())],
  ])(
    'erase, beside a running server, erases a person by phone number at once, and leaves the others, in %s',
    async (_, keep) => {
      const kept = await keep()
      const world = await open(kept)
      await world.api('/payouts', PAYOUT)
      await world.api('/payouts', {
        ...PAYOUTS.local,
        payout_reference: 'P-2',
        recipient_phone_number: OTHER,
      })
      await world.api('/airtime', AIRTIME)
      await settled(world)
      expect(foundIn(await kept.read(), [...PLANTED, OTHER])).toEqual([...PLANTED, OTHER])

      const { code, out } = await erase(kept, '--phone', '\u202a+254 (0)700 000 123\u202c')
      expect({ code, out }).toEqual({
        code: 0,
        out: expect.stringMatching(/^Erased: 2\n  (payout|airtime) [^]*Backups that were/),
      })
      expect(out).not.toContain(PHONE)
      expect(foundIn(await kept.read(), [...PLANTED, OTHER])).toEqual([OTHER])
      expect(await erase(kept, '--phone', PHONE)).toMatchObject({
        code: 0,
        out: 'The store has nothing of this person.\n',
      })

      // Retrieving a payout queries the gateway, which reports the recipient again.
      expect(await world.payout(PAYOUT.payout_reference)).toMatchObject({ outcome: 'succeeded' })
      expect((await world.api('/payouts', PAYOUT)).status).toBe(200)
      expect((await world.api('/airtime', AIRTIME)).status).toBe(200)
      await world.later(3 * DAY)
      const { recipients } = await (await world.api('/airtime/A-1')).json()
      expect(recipients).toMatchObject([
        { phone_number: '***', outcome: 'succeeded' },
        { phone_number: OTHER, outcome: 'succeeded' },
      ])
      expect(foundIn(await kept.read(), [...PLANTED, OTHER])).toEqual([OTHER])
      expect(world.delivered.map(({ type }) => type)).not.toContain('payout.needs_attention')
      await world.store.close()
    },
  )

  test('erase, beside a running server, lists what has to wait, with the reason, and erases it later', async () => {
    const kept = keepInSqlite()
    let isRefused = true
    const backend = () => new Response(null, { status: isRefused ? 500 : 204 })
    const world = await open(kept, { backend })
    world.order('O-1')
    world.network.reliability.gateway = DOWN
    await world.initiate('O-1', PAYER)
    world.network.reliability.gateway = RELIABLE
    for (const [payout_reference, scenario] of [
      ['JAM', 'jam'],
      ['SLOW', 'slow'],
    ] as const) {
      await world.control(`/payouts/${payout_reference}/play`, { scenario })
      await world.api('/payouts', { ...PAYOUT, payout_reference })
    }

    await world.later(4_000)
    await world.api('/payouts', { ...PAYOUT, payout_reference: 'SENT' })
    await world.later(6_000)

    const { code, out } = await erase(kept, '--phone', PHONE, '--json')
    const waiting = ({ reference, why }: { reference: string; why: string }) => `${reference}: ${why}`
    const result = JSON.parse(out)
    expect({ code, erased: result.erased }).toEqual({ code: 1, erased: [] })
    const texts = result.waiting.map(waiting)
    expect(texts).toHaveLength(4)
    expect(texts).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^[\da-f-]{36}: the gateway has not accepted or refused it yet$/),
        'JAM: it is under way (needs_attention)',
        'SENT: an event about it is not delivered yet',
        'SLOW: it is under way (pending)',
      ]),
    )

    isRefused = false
    await world.later(DAY)
    const later = JSON.parse((await erase(kept, '--phone', PHONE, '--json')).out)
    expect(later.erased.map(({ reference }: { reference: string }) => reference)).toEqual(
      expect.arrayContaining(['SENT', 'SLOW']),
    )
    expect(later.waiting.map(({ reference }: { reference: string }) => reference)).toEqual(['JAM'])
    await world.store.close()
  })

  test('erase, beside a running server, keeps an event that was given up, without the person', async () => {
    const kept = keepInSqlite()
    const world = await open(kept, { backend: () => new Response(null, { status: 500 }) })
    await world.api('/payouts', PAYOUT)
    await world.api('/airtime', AIRTIME)
    await settled(world)
    // As after five days of failed deliveries.
    const told = await world.store.listEvents('sandbox', 0, 10)
    for (const { id } of told) {
      await world.store.finishEvent(id, { kind: 'given_up' }, 0)
    }

    expect((await erase(kept, '--phone', PHONE)).out).toMatch(/^Erased: 2\n/)
    expect(foundIn(await kept.read(), [...PLANTED, OTHER])).toEqual([OTHER])
    const { items } = await (await world.api('/events')).json()
    const given = (type: string, data: object) =>
      expect.objectContaining({ type, delivery: 'given_up', data: expect.objectContaining(data) })
    expect(items).toHaveLength(3)
    expect(items).toEqual(
      expect.arrayContaining([
        given('payout.succeeded', { payout_reference: 'P-1', result: null }),
        given('airtime.succeeded', { phone_number: '***' }),
        given('airtime.succeeded', { phone_number: OTHER }),
      ]),
    )
    await world.store.close()
  })

  test('erase, beside a running server, finds payers by phone number and e-mail address, and deletes their fingerprints', async () => {
    const kept = keepInSqlite()
    const world = await open(kept)
    world.order('O-1')
    await world.pay(await world.start('O-1', PAYER), 'approve')
    await world.api('/charges', { ...CHARGE, ...PAYER })
    await settled(world)
    const peopleIn = async () =>
      (await world.rows()).map(({ record }) => Object(record).people?.length as number | undefined)
    expect(await peopleIn()).toEqual([2, 2])
    expect(
      JSON.parse((await erase(kept, '--email', 'planted@EXAMPLE.com\u200b', '--json')).out).erased,
    ).toHaveLength(2)
    expect(await peopleIn()).toEqual([undefined, undefined])
    expect((await erase(kept, '--phone', PHONE)).out).toMatch(/^The store has nothing/)
    await world.store.close()
  })

  test('deletes by what a payment is found, also where somebody else has paid, and a later report brings none back', async () => {
    const kept = keepInSqlite()
    const world = await open(kept)
    world.order('O-1')
    const checkout = await world.start('O-1', PAYER)
    await world.pay(checkout, 'approve', { msisdn: OTHER })
    await settled(world)
    const found = async () => {
      const rows = await world.store.searchMovements('sandbox', { order: 'O-1', limit: 10 })
      return rows.map(({ receipt }) => receipt)
    }
    const [receipt = ''] = await found()
    expect(receipt).toMatch(/^\w{10}$/)
    expect(foundIn(await kept.read(), [OTHER, 'Two kangas'])).toEqual([])

    expect((await erase(kept, '--phone', OTHER)).code).toBe(0)
    expect(await found()).toEqual([])
    expect(JSON.stringify(await world.rows())).not.toContain(receipt)
    await world.pay(checkout, 'refund')
    await settled(world)
    expect((await world.rows())[0]).toMatchObject({ outcome: 'refunded' })
    expect(await found()).toEqual([])
    expect(JSON.stringify(await world.rows())).not.toContain(receipt)
    const day = await world.store.listMovements('sandbox', { from: 0, until: 1e15 }, null, 10)
    expect(day).toMatchObject([
      { moved: 'paid', amount: '500', receipt: null },
      { moved: 'refunded', amount: '500', receipt: null },
    ])
    await world.store.close()
  })

  test.each([
    ['SQLite', async () => keepInSqlite()],
    ['Postgres', async () => keepInPostgres(await sharedPostgres())],
  ])(
    'erase, beside a running server, deletes the addresses to which a payer returns, which nobody reads in %s before',
    async (_, keep) => {
      const kept = await keep()
      const world = await open(kept)
      world.order('O-1')
      const pages = ['basket', 'account'].map(
        (page) => `${SHOP}/${page}?email=${PAYER.payer_email}&phone=${PHONE}`,
      )
      const checkout = await world.start('O-1', { ...PAYER, return_url: pages[0]! })

      const comeBack = async () => {
        const answer = await world.ask(`/checkout/return/${checkout.checkout_id}`)
        return (answer.headers.get('location') ?? (await answer.text())).replaceAll('&amp;', '&')
      }

      expect(await comeBack()).toContain(pages[0])
      for (const return_url of pages) {
        await world.start('O-1', { ...PAYER, return_url })
      }

      for (const page of pages) {
        expect(await comeBack()).toContain(page)
      }

      await world.pay(checkout, 'approve')
      await settled(world)
      expect(foundIn(await kept.read(), [PAYER.payer_email, PHONE])).toEqual([])

      expect((await erase(kept, '--phone', PHONE)).out).toMatch(/^Erased: 1\n/)
      const after = await comeBack()
      for (const page of pages) {
        expect(after).not.toContain(page)
      }

      expect(await world.rows()).toMatchObject([{ outcome: 'paid', personal: null }])
      expect((await erase(kept, '--reference', 'O-1')).out).toMatch(/^The store has nothing/)
      await world.store.close()
    },
  )

  test('erase, beside a running server, erases everybody in the transactions with a reference', async () => {
    const kept = keepInSqlite()
    const world = await open(kept)
    await world.api('/airtime', AIRTIME)
    await settled(world)
    expect((await erase(kept, '--reference', 'A-1')).out).toMatch(/^Erased: 1\n/)
    expect(foundIn(await kept.read(), [PHONE, OTHER])).toEqual([])
    expect((await erase(kept, '--reference', 'unknown')).out).toMatch(/^The store has nothing/)
    await world.store.close()
  })
})

test('the previous consumer secret finds what it has sealed', async () => {
  const kept = keepInSqlite()
  const world = await open(kept)
  world.order('O-1')
  await world.start('O-1', PAYER)
  await world.store.close()
  const rotated = { GATEWAY_CONSUMER_SECRET: 'a new secret of the merchant' }
  expect((await eraseWith(rotated, kept, '--phone', PHONE)).out).toMatch(/^The store has nothing/)
  const previous = { GATEWAY_CONSUMER_SECRET_PREVIOUS: ENVIRONMENT['GATEWAY_CONSUMER_SECRET'] }
  const { out } = await eraseWith({ ...rotated, ...previous }, kept, '--phone', PHONE)
  expect(out).toMatch(/^Erased: 1\n/)
})

test.each([
  [[], 'Give one of --phone, --email and --reference.'],
  [['--phone', PHONE, '--reference', 'A-1'], 'Give one of --phone, --email and --reference.'],
  [['--phone', 'nobody'], '--phone must be a phone number with its country code.'],
  [['--email', 'nobody'], '--email must be an e-mail address.'],
])('erase refuses %j', async (args, message) => {
  const kept = keepInSqlite()
  expect(await erase(kept, ...args)).toMatchObject({ code: 2, err: `${message}\n` })
})
