/** Measures how long a payment is looked for among a million, on SQLite. */

import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { openStore } from '../../../server/store/open.ts'
import { openDatabase } from '../../../server/store/sqlite/database.ts'
import { SCRATCH } from '../../support/scratch.ts'

import type { MovementQuery } from '../../../server/store/store.ts'

const COUNT = 1_000_000
const TIMES = 21
const START = Date.UTC(2026, 0, 1)
/** A payment every 20 seconds or so: the million spans most of a year. */
const EVERY_MS = 20_000

/** Transactions have no part in a search, so only their movements are filled in. */
const FILL = `
  WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${COUNT - 1})
  INSERT INTO movements
  SELECT printf('t%022d', i * 7919 % ${COUNT}), 'TX-' || i, 'paid', 'sandbox', 'checkout', ${START} + i * ${EVERY_MS},
    CAST(100 + i % 50 * 100 AS text), 'KES', 'CHECKOUT-KES', 'MOMO_KEN', printf('R%09d', i), 'order-' || i,
    printf('phone%017d', i % 300000), printf('ends%018d', i * 7919 % 10000), printf('key%05d', i / 500000) FROM n`

export async function benchFind() {
  const folder = mkdtempSync(join(SCRATCH, 'bench-find-'))
  const path = join(folder, 'store.sqlite')
  try {
    await openStore(`sqlite:${path}`).close()
    const database = openDatabase(path)
    database.exec(FILL)
    database.close()
    const store = openStore(`sqlite:${path}`)
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
    return { rows, megabytes: Math.round(statSync(path).size / 1e6) }
  } finally {
    rmSync(folder, { recursive: true })
  }
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
