import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Store, Transaction } from '../../server/store.ts'
import before from './store-of-schema-3.sql?raw'
import schema1 from '../../server/store/sqlite/0001-transactions.sql?raw'
import schema2 from '../../server/store/sqlite/0002-due-by-account.sql?raw'
import schema3 from '../../server/store/sqlite/0003-events-about.sql?raw'
import { determineOutcome, summarise, outcomeOf } from '../../server/airtime/outcome.ts'
import { readAirtime } from '../../server/airtime/record.ts'
import { determineOutcome as determineCharge } from '../../server/charges/outcome.ts'
import { readCharge } from '../../server/charges/record.ts'
import { determineOutcome as determineCheckout } from '../../server/checkouts/outcome.ts'
import { readCheckout } from '../../server/checkouts/record.ts'
import { determineOutcome as determinePayout } from '../../server/payouts/outcome.ts'
import { readPayout } from '../../server/payouts/record.ts'
import { openStore } from '../../server/store/open.ts'
import { openDatabase } from '../../server/store/sqlite/database.ts'
import { isDueToSend } from '../../server/transactions/submission.ts'
import { createWorld } from '../support/world.ts'

const HOUR = 3_600_000
const ACCOUNT = {
  environment: 'sandbox',
  base_url: 'http://127.0.0.1:4010',
  account_number: 'ACC-001',
} as const

let folder: string

beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'gateway-checkout-'))))
afterAll(() => rm(folder, { recursive: true }))

/** A file as the version before left it. */
function fileBefore(name: string, more = ''): string {
  const path = join(folder, name)
  const database = openDatabase(path)
  database.exec(`${schema1};${schema2};${schema3};PRAGMA user_version = 3;${before};${more}`)
  database.close()
  return path
}

async function allRows(store: Store): Promise<Transaction[]> {
  const kinds = ['checkout', 'payout', 'charge', 'airtime'] as const
  const found = await Promise.all(kinds.map((kind) => store.search(ACCOUNT, kind, { limit: 100 })))
  return found.flat()
}

/** What the stored record means to this version. */
function outcomeNow(row: Transaction): string {
  switch (row.kind) {
    case 'checkout':
      return determineCheckout(readCheckout(row)).outcome
    case 'payout':
      return determinePayout(readPayout(row).record).outcome
    case 'charge':
      return determineCharge(readCharge(row)).outcome
    case 'airtime':
      return outcomeOf(summarise([readAirtime(row).record]))
  }
}

describe('a store of the version before', () => {
  test('is read row by row with the outcome that it had', async () => {
    const store = openStore(`sqlite:${fileBefore('read.sqlite')}`)
    const rows = await allRows(store)
    expect(rows).toHaveLength(19)
    for (const row of rows) expect([row.reference, outcomeNow(row)]).toEqual([row.reference, row.outcome])
    const airtime = rows.find(({ reference }) => reference === 'A-OK')!
    const { record } = readAirtime(airtime)
    expect(record.recipients.map((recipient) => determineOutcome(record, recipient).outcome)).toEqual([
      'succeeded',
      'succeeded',
    ])
    await store.close()
  })

  test('has no time of sending for what was never sent, and keeps all others', async () => {
    const store = openStore(`sqlite:${fileBefore('sent.sqlite')}`)
    const rows = await allRows(store)
    const unsent = rows.filter(({ sent_at }) => sent_at === null)
    expect(unsent.map(({ kind, version }) => [kind, version])).toEqual([
      ['checkout', 1],
      ['payout', 1],
      ['charge', 1],
      ['airtime', 1],
    ])
    await store.close()
  })

  test('keeps count of the queries that found nothing', async () => {
    const store = openStore(`sqlite:${fileBefore('count.sqlite')}`)
    const row = await store.findByReference(ACCOUNT, 'payout', 'P-LOST')
    const { record, ...payout } = readPayout(row!)
    expect(record).toMatchObject({ unknown: { times: 2, since: payout.sent_at } })
    const counted = { times: 3, since: payout.sent_at }
    const isDue =
      record.phase === 'intended' &&
      isDueToSend(payout, { ...record, unknown: counted }, payout.created_at + HOUR)
    expect(isDue).toBe(true)
    await store.close()
  })

  test('goes on: lost charges and airtime are not sent again, everything unsent is sent once', async () => {
    const store = openStore(`sqlite:${fileBefore('on.sqlite')}`)
    const shop = await createWorld({ store, seed: 2 })
    await shop.settle()
    await shop.later(HOUR)
    const outcomes = Object.fromEntries(
      (await allRows(store)).map(({ reference, outcome }) => [reference, outcome]),
    )
    expect(outcomes).toMatchObject({
      'P-LOST': 'succeeded',
      'P-UNSENT': 'succeeded',
      'C-LOST': 'needs_attention',
      // Its two minutes are not over on this clock.
      'C-UNSENT': 'succeeded',
      'A-LOST': 'needs_attention',
      'A-UNSENT': 'succeeded',
    })
    const sends = shop.gatewayExchanges().filter(({ method }) => method === 'POST')
    for (const reference of ['C-LOST', 'A-LOST'])
      expect(sends.filter(({ body }) => body.includes(`"${reference}"`))).toEqual([])
    for (const reference of ['P-LOST', 'P-UNSENT', 'C-UNSENT', 'A-UNSENT'])
      expect(sends.filter(({ body }) => body.includes(`"${reference}"`))).toHaveLength(1)
    await store.close()
  })

  test('leaves a damaged record as it is, and migrates the others', async () => {
    const damage = `UPDATE transactions SET record = '{"phase":' WHERE reference = 'P-OK'`
    const store = openStore(`sqlite:${fileBefore('damaged.sqlite', damage)}`)
    const damaged = await store.findByReference(ACCOUNT, 'payout', 'P-OK')
    expect(damaged?.record).toBe('{"phase":')
    expect(() => readPayout(damaged!)).toThrow('The record of payout')
    const rows = (await allRows(store)).filter(({ reference }) => reference !== 'P-OK')
    for (const row of rows) expect(outcomeNow(row)).toBe(row.outcome)
    await store.close()
  })
})
