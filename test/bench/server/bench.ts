import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { startPostgres } from '../../support/postgres.ts'
import { table } from '../table.ts'
import { benchDay } from './day.ts'
import { ENGINES } from './engine.ts'
import { benchFind } from './find.ts'
import { benchGrowth } from './growth.ts'
import { INITIATE, rate, run, STATUS } from './load.ts'
import { startGateway } from './stub-gateway.ts'
import { LOAD_CORE, withSubject } from './subject.ts'

import type { Engine } from './engine.ts'

const HEADS = ['engine', 'what', 'measured', 'floor', 'ratio', 'aim']

type Row = [engine: Engine, what: string, measured: number, floor: number, aim: string]

export async function bench({ only, engine }: { only?: string; engine?: Engine }): Promise<void> {
  const engines = ENGINES.filter((one) => engine === undefined || one === engine)
  if (only === 'find') {
    for (const one of engines) {
      const { rows, megabytes } = await benchFind(one)
      console.log(table([`find among 1,000,000 (${megabytes} MB)`, one], rows))
    }

    return
  }
  if (only === 'day') {
    console.log(table(['the table of a day', 'measured', 'aim'], await benchDay()))
    return
  }

  if (only === 'growth') {
    for (const one of engines) {
      await benchGrowth(one)
    }

    return
  }

  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  // Child processes inherit the core: Postgres does not compete with the measured server.
  spawnSync('taskset', ['-cp', String(LOAD_CORE), String(process.pid)])
  const postgres = engines.includes('Postgres') ? await startPostgres() : null
  const gateway = await startGateway()
  let files = 0

  /** Measures a subject that stores, with a new store. */
  const withStore = async <Result>(name: string, one: Engine, measure: (url: string) => Promise<Result>) => {
    const isPostgres = one === 'Postgres' && postgres
    const storeUrl = isPostgres ? await postgres.newDatabase() : `sqlite:${join(folder, `${files++}.sqlite`)}`
    // The default limit of status queries would slow down the 500 checkouts.
    const env = { GATEWAY_MAX_RPS: '1000' }
    return withSubject(name, { gatewayUrl: gateway.url, storeUrl, env }, ({ url }) => measure(url))
  }

  const onEach = async (measure: (engine: Engine) => Promise<Row[]>): Promise<Row[]> => {
    const rows: Row[] = []
    for (const one of engines) {
      rows.push(...(await measure(one)))
    }

    return rows
  }

  const measurements: Record<string, () => Promise<Row[]>> = {
    initiate: () =>
      onEach(async (one) => {
        const order = (url: string) => rate({ ...INITIATE, url })
        const floor = await withStore('durable', one, order)
        return [[one, 'a new order each', await withStore('ours', one, order), floor, '0.6']]
      }),

    status: () =>
      onEach((one) =>
        withStore('ours', one, async (url) => {
          const { bodies } = await run({ ...INITIATE, url, count: 500, from: 9_000_000 })
          const values = bodies.map((body): string => JSON.parse(body).checkout_id)
          const [text] = (await run({ ...STATUS, url, values, count: 500 })).bodies
          const floor = await withSubject('constant', { text }, (bare) =>
            rate({ ...STATUS, url: bare.url, values }),
          )
          const aim = (least: string) => (one === 'SQLite' ? least : '')
          const first = values.slice(0, 1)
          return [
            [one, 'one checkout', await rate({ ...STATUS, url, values: first }), floor, aim('0.6')],
            [one, '500 checkouts', await rate({ ...STATUS, url, values }), floor, aim('0.4')],
          ]
        }),
      ),
  }

  try {
    for (const [name, measure] of Object.entries(measurements)) {
      if (only === undefined || name === only) {
        console.log(`\n${name}\n${table(HEADS, (await measure()).map(format))}`)
      }
    }
  } finally {
    gateway.close()
    await postgres?.stop()
    rmSync(folder, { recursive: true })
  }
}

function format([engine, what, measured, floor, aim]: Row): (string | number)[] {
  const [own, bare] = [measured, floor].map((rate) => `${Math.round(rate)} /s`)
  return [engine, what, own ?? '', bare ?? '', (measured / floor).toFixed(3), aim]
}
