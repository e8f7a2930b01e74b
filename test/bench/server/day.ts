/** Measures how much memory the table of a day of 100,000 payments takes while it is streamed, on SQLite. */

import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { openStore } from '../../../server/store/open.ts'
import { openDatabase } from '../../../server/store/sqlite/database.ts'
import { SCRATCH } from '../../support/scratch.ts'
import { createApiWorld } from '../../support/worlds/api-world.ts'

const COUNT = 100_000
const DAY = '2026-11-21'
const MEGABYTE = 1_000_000

const NUMBERS = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${COUNT - 1})`

/** Copies one paid order, with its movement, under other names. */
const COPIES = [
  `CREATE TABLE copied AS SELECT * FROM transactions;
    ${NUMBERS} INSERT INTO transactions SELECT 'copy-' || i, kind, account, 'copy-' || i, 'copy-' || i, 'copy-' || i,
      'copy-' || i, attempt, version, revision, outcome, record, history, created_at, updated_at, due_at, sent_at,
      recovered_at, asked_at,
      requested_at, requested_revision, failures, lease_until, trace_id, personal, amount, digest FROM copied, n`,
  `CREATE TABLE moved AS SELECT * FROM movements;
    ${NUMBERS} INSERT INTO movements SELECT 'copy-' || i, part, moved, account, kind, at + i, amount, booked,
      booked_at + i, corrects, currency, service, operator, receipt || i, 'copy-' || i, phone, ends, key FROM moved, n`,
]

export async function benchDay(): Promise<(readonly string[])[]> {
  const folder = mkdtempSync(join(SCRATCH, 'bench-day-'))
  const path = join(folder, 'store.sqlite')
  try {
    const env = { TIME_ZONE: 'Africa/Nairobi' }
    const world = await createApiWorld({ store: openStore(`sqlite:${path}`), env })
    world.order('A-1', '500')
    await world.pay(await world.start('A-1'), 'approve')
    await world.later(60_000)
    const database = openDatabase(path)
    for (const copies of COPIES) {
      database.exec(copies)
    }

    database.close()
    const measured = await stream(() => world.api(`/payments.csv?day=${DAY}`))
    await world.store.close()
    return [
      ['lines', String(measured.lines), String(COUNT + 1)],
      ['seconds', measured.seconds.toFixed(1), '-'],
      ['growth of what is in use, at most, MB', measured.grown.toFixed(1), '64'],
      ['growth of the process, MB', measured.resident.toFixed(1), '64'],
    ]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function stream(request: () => Promise<Response>) {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  // What the first request loads is not counted.
  await (await request()).body?.cancel()
  collect()
  const before = process.memoryUsage()
  const begun = performance.now()
  let grown = 0
  let lines = 0
  let chunks = 0
  const { body } = await request()
  for await (const chunk of body ?? []) {
    lines += Buffer.from(chunk).toString().split('\r\n').length - 1
    chunks += 1
    if (chunks % 50 === 0) {
      collect()
      const { heapUsed, external } = process.memoryUsage()
      grown = Math.max(grown, heapUsed + external - before.heapUsed - before.external)
    }
  }

  const seconds = (performance.now() - begun) / 1000
  const resident = process.memoryUsage().rss - before.rss
  return { lines, seconds, grown: grown / MEGABYTE, resident: resident / MEGABYTE }
}
