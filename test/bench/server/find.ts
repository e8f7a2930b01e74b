/** Measures how long a payment is looked for among a million, on each store. */

import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { openStore } from '../../../server/store/open.ts'
import { openDatabase } from '../../../server/store/sqlite/database.ts'
import { startPostgres } from '../../support/postgres.ts'
import { SCRATCH } from '../../support/scratch.ts'
import { PADDED } from './engine.ts'

import type { MovementQuery } from '../../../server/store/movements.ts'
import type { Engine } from './engine.ts'

const COUNT = 1_000_000
const TIMES = 21
const START = Date.UTC(2026, 0, 1)
/** A payment every 20 seconds or so: the million spans most of a year. */
const EVERY_MS = 20_000

/** Transactions have no part in a search, so only their movements are filled in. */
function fill(engine: Engine): string {
  const padded = PADDED[engine]
  const movements = engine === 'SQLite' ? 'movements' : 'gateway_checkout.movements'
  const scattered = `CAST(i AS bigint) * 7919 %`
  const at = `${START} + CAST(i AS bigint) * ${EVERY_MS}`
  const amount = 'CAST(100 + i % 50 * 100 AS text)'
  return `
    INSERT INTO ${movements} (transaction_id, part, moved, account, kind, at, amount, booked, booked_at, currency,
      service, operator, receipt, order_key, phone, ends, key)
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${COUNT - 1})
    SELECT ${padded('t', `${scattered} ${COUNT}`, 22)}, 'TX-' || i, 'paid', 'sandbox', 'checkout', ${at}, ${amount},
      ${amount}, ${at}, 'KES', 'CHECKOUT-KES', 'MOMO_KEN', ${padded('R', 'i', 9)}, 'order-' || i,
      ${padded('phone', 'i % 300000', 17)}, ${padded('ends', `${scattered} 10000`, 18)},
      ${padded('key', 'i / 500000', 5)} FROM n`
}

export async function benchFind(engine: Engine) {
  return engine === 'SQLite' ? onSqlite() : onPostgres()
}

async function onSqlite() {
  const folder = mkdtempSync(join(SCRATCH, 'bench-find-'))
  const path = join(folder, 'store.sqlite')
  try {
    await openStore(`sqlite:${path}`).close()
    const database = openDatabase(path)
    database.exec(fill('SQLite'))
    database.close()
    const rows = await searchAll(`sqlite:${path}`)
    return { rows, megabytes: Math.round(statSync(path).size / 1e6) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function onPostgres() {
  const postgres = await startPostgres()
  try {
    const url = await postgres.newDatabase()
    const store = openStore(url)
    await store.listMovementKeys('sandbox')
    await store.close()
    await postgres.run(url, fill('Postgres'))
    await postgres.run(url, 'ANALYZE gateway_checkout.movements')
    const rows = await searchAll(url)
    const size = "SELECT pg_total_relation_size('gateway_checkout.movements') / 1000000 AS megabytes"
    const [sized] = await postgres.run(url, size)
    return { rows, megabytes: Number(sized?.megabytes) }
  } finally {
    await postgres.stop()
  }
}

async function searchAll(url: string): Promise<[string, string][]> {
  const store = openStore(url)
  const noon = START + 300_000 * EVERY_MS
  const queries: Record<string, Partial<MovementQuery>> = {
    receipt: { receipt: 'R000654321' },
    order: { order: 'order-654321' },
    phone: { phone: ['none', 'phone00000000000012345'] },
    phone_ends: { ends: ['ends000000000000001234'] },
    amount: { amount: '1500' },
    day: { from: noon, until: noon + 24 * 3_600_000 },
    'phone_ends, amount, day': {
      ends: ['ends000000000000001234'],
      amount: '1500',
      from: noon,
      until: noon + 92 * 24 * 3_600_000,
    },
    'a receipt that is not there': { receipt: 'SKL4XR7M2P' },
  }
  const rows: [string, string][] = []
  for (const [name, query] of Object.entries(queries)) {
    rows.push([name, await median(() => store.searchMovements('sandbox', { limit: 50, ...query }))])
  }

  rows.push(['keys of fingerprints', await median(() => store.listMovementKeys('sandbox'))])
  await store.close()
  return rows
}

/** Resolves with the median and the slowest time in milliseconds. */
async function median(work: () => Promise<unknown>): Promise<string> {
  const times: number[] = []
  for (let time = 0; time < TIMES; time++) {
    const begun = performance.now()
    await work()
    times.push(performance.now() - begun)
  }

  const sorted = times.toSorted((a, b) => a - b)
  return `${sorted[Math.floor(TIMES / 2)]!.toFixed(2)} ms, at most ${sorted.at(-1)!.toFixed(2)} ms`
}
