/** Measures the server beside its floors in one run, and prints rates, latencies and their ratios. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProcess } from './processes.ts'

type Gateway = typeof import('./stub-gateway.ts')
type Loads = typeof import('./load.ts')
type Subjects = typeof import('./subjects.ts')

const SERVER_CORE = 0
const LOAD_CORE = 1
const WARM_UP_SECONDS = 2
const SECONDS = 4

const INITIATE = {
  method: 'POST',
  path: '/checkout/initiate',
  headers: { 'content-type': 'application/json' },
} as const
const PAYER = { payer_name: 'Asha Otieno', payer_email: 'asha@example.com', payer_msisdn: '254700000001' }

export async function bench(only: string, profile?: string): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-'))
  const gateway = await startProcess<Gateway>('stub-gateway', LOAD_CORE)
  const loads = await startProcess<Loads>('load', LOAD_CORE)
  const gatewayUrl = await gateway.call('start')
  let stores = 0
  const results: Record<string, unknown>[] = []

  try {
    const floors = only.includes('f')
    const fetched = floors ? await initiate('honoWithFetch', gatewayUrl) : null
    const pooled = floors ? await initiate('honoWithUndici', gatewayUrl) : null
    const durable = floors
      ? await initiate('durableLoop', gatewayUrl, join(directory, 'durable.sqlite'))
      : null
    const own = await initiate('ours', { gateway: gatewayUrl, storeUrl: storeUrl() })
    results.push({
      fetched: fetched?.perSecond,
      pooled: pooled?.perSecond,
      durable: durable?.perSecond,
      own: own.perSecond,
      p50: own.p50,
      p99: own.p99,
      statuses: own.statuses,
    })
    console.log(JSON.stringify(results, null, 1))
  } finally {
    gateway.end()
    loads.end()
    rmSync(directory, { recursive: true })
  }

  function storeUrl() {
    return `sqlite:${join(directory, `${stores++}.sqlite`)}`
  }

  async function initiate(
    name: 'ours' | 'honoWithFetch' | 'honoWithUndici' | 'durableLoop',
    ...args: unknown[]
  ) {
    const subject = await startProcess<Subjects>(
      'subjects',
      SERVER_CORE,
      name === 'ours' ? profile : undefined,
    )
    const url = await subject.call(name, ...(args as never))
    const load = { ...INITIATE, url, connections: 32, body: JSON.stringify({ order: 'order-%n', ...PAYER }) }
    await loads.call('run', { ...load, seconds: WARM_UP_SECONDS })
    const before = await subject.call('cpuMs')
    const answered = await loads.call('run', { ...load, seconds: SECONDS, from: 1_000_000 })
    const cpu = ((await subject.call('cpuMs')) - before) / answered.count
    console.log(
      name,
      Math.round(answered.perSecond),
      'per s',
      'cpu ms',
      cpu.toFixed(3),
      'p50',
      answered.p50.toFixed(1),
      'p99',
      answered.p99.toFixed(1),
    )
    if (!answered.statuses[201]) console.log(name, answered.statuses, answered.sample)
    subject.end()
    return answered
  }
}
