import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { table } from '../../../server/cli/table.ts'
import { startPostgres } from '../../support/postgres.ts'
import type { Engine, Measurement, Setting } from './setting.ts'
import { measurements } from './measurements.ts'
import { startProcess } from './processes.ts'

const LOAD_CORE = 1
const ENGINES = ['SQLite', 'Postgres'] as const

interface Options {
  only?: string
  engine?: Engine
  profile?: string
}

export async function bench({ only, engine, profile }: Options): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-'))
  // Child processes inherit the core: Postgres does not compete with the measured server.
  spawnSync('taskset', ['-cp', String(LOAD_CORE), String(process.pid)])
  const engines = ENGINES.filter((one) => engine === undefined || one === engine)
  const postgres = engines.includes('Postgres') ? await startPostgres() : null
  const gateway = await startProcess('stub-gateway', LOAD_CORE)
  const load = await startProcess('load', LOAD_CORE)
  let stores = 0
  const newPath = () => join(directory, `${stores++}.sqlite`)
  const setting: Setting = {
    gateway,
    gatewayUrl: await gateway.call('start'),
    load,
    newPath,
    newStoreUrl: async (one) =>
      one === 'Postgres' && postgres ? postgres.newDatabase() : `sqlite:${newPath()}`,
    engines,
    profile,
  }
  try {
    const startedAllAt = performance.now()
    for (const [name, measure] of Object.entries(measurements)) {
      if (only !== undefined && name !== only) continue
      const startedAt = performance.now()
      const rows: Measurement[] = await measure(setting)
      const seconds = Math.round((performance.now() - startedAt) / 1_000)
      console.log(
        `\n${name}, in ${seconds} s\n${table(['engine', 'what', 'measured', 'floor', 'ratio', 'aim'], rows.map(format))}`,
      )
    }
    console.log(`\nAll in ${Math.round((performance.now() - startedAllAt) / 1_000)} s`)
  } finally {
    await Promise.all([gateway.end(), load.end()])
    await postgres?.stop()
    rmSync(directory, { recursive: true })
  }
}

function format({ what, engine = 'SQLite', measured, floor, aim, unit }: Measurement): (string | number)[] {
  const ratio = floor === undefined ? '' : (measured / floor).toFixed(3)
  return [engine, what, `${round(measured)} ${unit}`, floor === undefined ? '' : round(floor), ratio, aim]
}

function round(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toPrecision(3)
}
