/** Prints each figure beside the figure of a minimal server (the floor), measured in the same run. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { table } from '../../../server/cli/table.ts'
import type { Measurement, Setting } from './measurements.ts'
import { measurements } from './measurements.ts'
import { startProcess } from './processes.ts'

const LOAD_CORE = 1

interface Options {
  only?: string
  profile?: string
}

export async function bench({ only, profile }: Options): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-'))
  const gateway = await startProcess('stub-gateway', LOAD_CORE)
  const load = await startProcess('load', LOAD_CORE)
  let stores = 0
  const setting: Setting = {
    gateway,
    gatewayUrl: await gateway.call('start'),
    load,
    newPath: () => join(directory, `${stores++}.sqlite`),
    profile,
  }
  try {
    const chosen = Object.entries(measurements).filter(([name]) => only === undefined || name === only)
    for (const [name, measure] of chosen) {
      const rows: Measurement[] = await measure(setting)
      console.log(`\n${name}\n${table(['what', 'measured', 'floor', 'ratio', 'aim'], rows.map(format))}`)
    }
  } finally {
    gateway.end()
    load.end()
    rmSync(directory, { recursive: true })
  }
}

function format({ what, measured, floor, aim, unit }: Measurement): (string | number)[] {
  const ratio = floor === undefined ? '' : (measured / floor).toFixed(3)
  return [what, `${round(measured)} ${unit}`, floor === undefined ? '' : round(floor), ratio, aim]
}

function round(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toPrecision(3)
}
