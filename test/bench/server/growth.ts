/**
 * Measures what grows with a shop, on each store: initiate and status among many settled checkouts, callbacks among many
 * open ones, and the memory of many open event streams.
 */

import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'undici'

import { openStore } from '../../../server/store/open.ts'
import { openDatabase } from '../../../server/store/sqlite/database.ts'
import { startPostgres } from '../../support/postgres.ts'
import { createApiWorld } from '../../support/worlds/api-world.ts'
import { table } from '../table.ts'
import { PADDED } from './engine.ts'
import { INITIATE, rate, run, STATUS } from './load.ts'
import { startGateway } from './stub-gateway.ts'
import { withSubject } from './subject.ts'

import type { Postgres } from '../../support/postgres.ts'
import type { Engine } from './engine.ts'
import type { Subject } from './subject.ts'

const SIZES = [10_000, 100_000, 1_000_000]
/** How many checkouts of the past are asked about, so that few are asked about twice. */
const ASKED = 20_000
const OPEN = [100, 10_000]
const CALLBACKS = 300
/** A network may open 1,000 streams. */
const STREAMS_OF_NETWORK = 1_000
const MEGABYTE = 1_000_000

export async function benchGrowth(engine: Engine): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-growth-'))
  const postgres = engine === 'Postgres' ? await startPostgres() : null
  const gateway = await startGateway()
  let files = 0
  const newStore = async () =>
    postgres ? await postgres.newDatabase() : `sqlite:${join(folder, `${files++}.sqlite`)}`

  try {
    const rows: string[][] = []
    for (const size of SIZES) {
      const storeUrl = await newStore()
      const megabytes = await fill(engine, storeUrl, size, postgres)
      const measured = await withSubject('ours', { gatewayUrl: gateway.url, storeUrl }, ({ url }) =>
        amongMany(url, size),
      )
      rows.push([size.toLocaleString('en'), String(megabytes), ...measured])
    }

    console.log(
      table([`${engine}: settled checkouts`, 'MB', 'initiate, /s', 'status, each of another, /s'], rows),
    )

    const opened: string[][] = []
    for (const count of OPEN) {
      const storeUrl = await newStore()
      gateway.callbacks.length = 0
      const measured = await withSubject('ours', { gatewayUrl: gateway.url, storeUrl }, (subject) =>
        amongOpen(subject, count, gateway.callbacks),
      )
      opened.push([count.toLocaleString('en'), ...measured])
    }

    console.log(
      table(
        [
          `${engine}: open checkouts`,
          'a callback, ms',
          'with a stream each, ms',
          'a stream, kB',
          'opening a stream, ms',
        ],
        opened,
      ),
    )
  } finally {
    gateway.close()
    await postgres?.stop()
    rmSync(folder, { recursive: true })
  }
}

/** Fills a new store with copies of a paid checkout. Resolves with its size in MB. */
async function fill(engine: Engine, url: string, size: number, postgres: Postgres | null): Promise<number> {
  const world = await createApiWorld({ store: openStore(url) })
  world.order('A-1', '1500')
  await world.pay(await world.start('A-1'), 'approve')
  await world.later(60_000)
  await world.store.close()
  if (postgres) {
    for (const statement of [...copies(engine, size), 'ANALYZE']) {
      await postgres.run(url, statement)
    }

    const [sized] = await postgres.run(url, 'SELECT pg_database_size(current_database()) AS bytes')
    return Math.round(Number(sized?.bytes) / MEGABYTE)
  }

  const path = url.slice('sqlite:'.length)
  const database = openDatabase(path)
  for (const statement of copies(engine, size)) {
    database.exec(statement)
  }

  database.close()
  return Math.round(statSync(path).size / MEGABYTE)
}

/**
 * Copies one paid order, with its movement, under other names, which lie as far apart as random ones. The gateway is not
 * queried about the copies.
 */
function copies(engine: Engine, size: number): string[] {
  const schema = engine === 'SQLite' ? '' : 'gateway_checkout.'
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${size})`
  const name = PADDED[engine]('copy-', `CAST(i AS bigint) * 7919 % ${size}`, 17)
  return [
    `CREATE TABLE copied AS SELECT * FROM ${schema}transactions`,
    `INSERT INTO ${schema}transactions (id, kind, account, reference, reference_key, "group", group_key, attempt, version,
      revision, outcome, record, history, created_at, updated_at, sent_at, asked_at)
      ${numbers} SELECT ${name}, kind, account, ${name}, ${name}, ${name}, ${name}, attempt, version, revision, outcome,
      record, history, created_at - i, updated_at - i, sent_at, asked_at FROM copied, n`,
    `CREATE TABLE moved AS SELECT * FROM ${schema}movements`,
    `INSERT INTO ${schema}movements (transaction_id, part, moved, account, kind, at, amount, booked, booked_at, currency,
      service, operator, receipt, order_key, phone, ends, key)
      ${numbers} SELECT ${name}, part, moved, account, kind, at - i, amount, booked, booked_at - i, currency, service,
      operator, ${name}, ${name}, phone, ends, key FROM moved, n`,
  ]
}

async function amongMany(url: string, size: number): Promise<string[]> {
  const values: string[] = []
  for (let asked = 0; asked < ASKED; asked++) {
    const number = Math.floor((asked / ASKED) * size)
    values.push(`copy-${String((number * 7919) % size).padStart(17, '0')}`)
  }

  const status = await rate({ ...STATUS, url, values })
  const initiate = await rate({ ...INITIATE, url })
  return [initiate.toFixed(0), status.toFixed(0)]
}

async function amongOpen({ url, pid }: Subject, count: number, callbacks: string[]): Promise<string[]> {
  const { bodies } = await run({ ...INITIATE, url, count })
  const ids = bodies.map((body): string => JSON.parse(body).checkout_id)
  const alone = await callBack(url, callbacks)
  const before = residentOf(pid)
  const begun = performance.now()
  const streams = await openStreams(url, ids)
  const openingMs = (performance.now() - begun) / count
  const perStream = (residentOf(pid) - before) / count
  const withStreams = await callBack(url, callbacks)
  for (const close of streams) {
    close()
  }

  return [alone, withStreams, (perStream / 1000).toFixed(1), openingMs.toFixed(2)]
}

/** Sends callbacks, one after the other, and resolves with the median and the slowest of a hundred. */
async function callBack(url: string, callbacks: string[]): Promise<string> {
  const client = new Client(url)
  const times: number[] = []
  for (let sent = 0; sent < CALLBACKS; sent++) {
    const path = callbacks[Math.floor((sent / CALLBACKS) * callbacks.length)] ?? ''
    const begun = performance.now()
    const { statusCode, body } = await client.request({ method: 'POST', path, body: '{}' })
    await body.dump()
    times.push(performance.now() - begun)
    if (statusCode !== 200) {
      throw new Error(`A callback was answered with ${statusCode}.`)
    }
  }

  await client.close()
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(share * CALLBACKS)]?.toFixed(1)
  return `${at(0.5)}, at most ${at(0.99)}`
}

/** Opens the event stream of each checkout, and resolves once each has sent its first event. */
async function openStreams(url: string, ids: string[]): Promise<(() => void)[]> {
  const { port, host } = new URL(url)
  const closes: (() => void)[] = []
  for (const [index, id] of ids.entries()) {
    const network = Math.floor(index / STREAMS_OF_NETWORK)
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(
      `GET /checkout/status/${id}/stream HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-For: 203.0.113.${network}\r\n\r\n`,
    )
    await once(socket, 'data')
    socket.resume()
    closes.push(() => socket.destroy())
  }

  return closes
}

/** Returns the bytes of memory that a process has. */
function residentOf(pid: number): number {
  const [, kilobytes] = readFileSync(`/proc/${pid}/status`, 'utf8').match(/^VmRSS:\s+(\d+) kB$/m) ?? []
  return Number(kilobytes) * 1024
}
