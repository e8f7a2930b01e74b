import type { Load } from './load.ts'
import type { Remote } from './processes.ts'
import type { Ours } from './subjects.ts'
import { startProcess } from './processes.ts'

export interface Setting {
  gateway: Remote<'stub-gateway'>
  gatewayUrl: string
  load: Remote<'load'>
  newPath: () => string
  newStoreUrl: (engine: Engine) => Promise<string>
  engines: readonly Engine[]
  profile: string | undefined
}

export type Engine = 'SQLite' | 'Postgres'

export interface Measurement {
  what: string
  engine?: Engine
  measured: number
  unit: string
  floor?: number
  aim: string
}

export const SERVER_CORE = 0
const WARM_UP_SECONDS = 2
const SECONDS = 4
const CONNECTIONS = 32

export const JSON_TYPE = { 'content-type': 'application/json' }
export const INITIATE = {
  method: 'POST',
  path: '/checkout/initiate',
  headers: JSON_TYPE,
  body: JSON.stringify({
    order: 'order-%n',
    payer_name: 'Asha Otieno',
    payer_email: 'asha@example.com',
    payer_msisdn: '254700000001',
  }),
} as const

export type Server = Remote<'subjects'> & { url: string }

export async function withServer<Result>(
  start: (server: Remote<'subjects'>) => Promise<string>,
  measure: (server: Server) => Promise<Result>,
  profile?: string,
): Promise<Result> {
  const server = await startProcess('subjects', SERVER_CORE, profile)
  try {
    return await measure({ ...server, url: await start(server) })
  } finally {
    await server.end()
  }
}

async function withOurs<Result>(
  { gatewayUrl, newStoreUrl, profile }: Setting,
  engine: Engine,
  options: Partial<Ours>,
  measure: (server: Server) => Promise<Result>,
): Promise<Result> {
  const ours = { gateway: gatewayUrl, storeUrl: await newStoreUrl(engine), ...options }
  return withServer((server) => server.call('ours', ours), measure, profile)
}

export async function onEachEngine(
  setting: Setting,
  options: Partial<Ours>,
  measure: (server: Server, engine: Engine) => Promise<Measurement[]>,
): Promise<Measurement[]> {
  const rows: Measurement[] = []
  for (const engine of setting.engines) {
    const measured = await withOurs(setting, engine, options, (server) => measure(server, engine))
    rows.push(...measured.map((row) => ({ ...row, engine })))
  }
  return rows
}

type Asked = Pick<Load, 'url' | 'method' | 'path'> & Partial<Load>

export async function answered({ load }: Setting, asked: Asked) {
  const full = { connections: CONNECTIONS, seconds: SECONDS, ...asked }
  await load.call('run', { ...full, seconds: WARM_UP_SECONDS })
  const answers = await load.call('run', { ...full, from: 1_000_000 })
  const failed = Object.keys(answers.statuses).filter((status) => Number(status) >= 400)
  if (failed.length > 0) throw new Error(`${asked.path} answered ${failed.join(', ')}: ${answers.sample}`)
  return answers
}

export async function rate(setting: Setting, asked: Asked): Promise<number> {
  return (await answered(setting, asked)).perSecond
}

export async function createCheckouts(
  { load }: Setting,
  url: string,
  count: number,
  from = 9_000_000,
): Promise<string[]> {
  const { bodies } = await load.call('run', {
    ...INITIATE,
    url,
    connections: CONNECTIONS,
    count,
    from,
  })
  return bodies.map((body) => JSON.parse(body).checkout_id)
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
