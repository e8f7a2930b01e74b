/** Compares our server on a database with 1,000,000 settled checkouts and on an empty database. */

import type { Engine, Measurement, Setting } from './setting.ts'
import { startProcess, startServe } from './processes.ts'
import { copyCheckout } from './settled-checkouts.ts'
import { answered, createCheckouts, INITIATE, rate, SERVER_CORE, sleep, withServer } from './setting.ts'

const COUNT = 1_000_000
const RARE = 10

export interface FullDatabase {
  engine: Engine
  storeUrl: string
}

/** Creates a database for each engine, with a single settled checkout. `fill` then copies this checkout. */
export async function createFullDatabases(setting: Setting): Promise<FullDatabase[]> {
  const databases: FullDatabase[] = []
  for (const engine of setting.engines) {
    const storeUrl = await setting.newStoreUrl(engine)
    await settleCheckout(setting, engine, storeUrl)
    databases.push({ engine, storeUrl })
  }
  return databases
}

export async function fill(databases: readonly FullDatabase[]): Promise<void> {
  for (const { storeUrl } of databases) await copyCheckout(storeUrl, COUNT, RARE)
}

export async function measureFullDatabase(
  setting: Setting,
  databases: readonly FullDatabase[],
): Promise<Measurement[]> {
  const rows: Measurement[] = []
  for (const { engine, storeUrl } of databases) rows.push(...(await compare(setting, engine, storeUrl)))
  return rows
}

async function compare(setting: Setting, engine: Engine, full: string): Promise<Measurement[]> {
  const empty = await setting.newStoreUrl(engine)
  await startMs(setting, empty)
  const initiate = (storeUrl: string) =>
    withStore(setting, storeUrl, ({ url }) => rate(setting, { ...INITIATE, url }))
  const list = await withStore(setting, full, async (server) => {
    const headers = { authorization: `Bearer ${await server.call('apiKey')}` }
    const path = '/api/checkouts?outcome=reversed'
    const { p50 } = await answered(setting, {
      url: server.url,
      method: 'GET',
      path,
      headers,
      connections: 1,
      seconds: 1,
    })
    return p50
  })
  const among = `1,000,000 settled checkouts`
  const beside = 'floor: on an empty database'
  return [
    { what: `a list by a rare outcome among ${among}`, engine, measured: list, unit: 'ms', aim: '10 ms' },
    {
      what: `start of \`serve\` on ${among}; ${beside}`,
      engine,
      measured: await startMs(setting, full),
      floor: await startMs(setting, empty),
      unit: 'ms',
      aim: '1,000 ms',
    },
    {
      what: `initiate on ${among}; ${beside}`,
      engine,
      measured: await initiate(full),
      floor: await initiate(empty),
      unit: '/s',
      aim: '1',
    },
  ]
}

/** Creates a checkout in the store, and lets the server settle the checkout and deliver its event. */
async function settleCheckout(setting: Setting, engine: Engine, storeUrl: string): Promise<void> {
  const { gateway, gatewayUrl, load } = setting
  const path = `/webhooks/million/${engine}`
  const server = await startProcess('subjects', SERVER_CORE)
  const url = await server.call('ours', { gateway: gatewayUrl, storeUrl, webhookUrl: `${gatewayUrl}${path}` })
  await createCheckouts(setting, url, 1)
  await gateway.call('settle', 801)
  const [callback = ''] = await gateway.call('callbackPaths', 1)
  await load.call('run', { url, method: 'POST', path: callback, body: '{}', connections: 1, count: 1 })
  while ((await gateway.call('deliveries', path)) < 1) await sleep(50)
  await gateway.call('settle', 851)
  // The server notes the delivery after its response.
  await sleep(500)
  await server.end()
}

function withStore<Result>(
  { gatewayUrl }: Setting,
  storeUrl: string,
  measure: Parameters<typeof withServer<Result>>[1],
): Promise<Result> {
  return withServer((server) => server.call('ours', { gateway: gatewayUrl, storeUrl }), measure)
}

/** Returns the time from the start of the process until the server is ready, in milliseconds. */
async function startMs({ gatewayUrl, load }: Setting, storeUrl: string): Promise<number> {
  const subjects = await startProcess('subjects', SERVER_CORE)
  const env = await subjects.call('environmentOf', { gateway: gatewayUrl, storeUrl })
  await subjects.end()
  const startedAt = performance.now()
  const { url, stop } = await startServe(
    { ...env, ORDER_SIGNING_KEY: 'the key of the benchmark, at least 32 bytes' },
    SERVER_CORE,
  )
  const { statuses } = await load.call('run', {
    url,
    method: 'GET',
    path: '/health/ready',
    connections: 1,
    count: 1,
  })
  const ms = performance.now() - startedAt
  await stop()
  if (statuses[200] !== 1) throw new Error(`/health/ready answered ${Object.keys(statuses).join()}.`)
  return ms
}
