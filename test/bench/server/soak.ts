import { table } from '../../../server/cli/table.ts'
import type { Engine, Setting } from './setting.ts'
import { startProcess } from './processes.ts'
import { createCheckouts, JSON_TYPE, SERVER_CORE } from './setting.ts'

const REQUESTS_PER_ROUND = 100
const ROUND_MS = 5_000
/**
 * The first part of the run, as a fraction of its duration. Samples from this part are ignored, because caches are
 * still filling.
 */
const WARM_UP = 1 / 6

export async function soak(setting: Setting, minutes: number): Promise<void> {
  const servers = await Promise.all(setting.engines.map((engine) => start(setting, engine)))
  await setting.gateway.call('settle', 801)
  const startedAt = performance.now()
  const elapsed = () => (performance.now() - startedAt) / 60_000
  const samples = servers.map(({ engine }) => ({ engine, megabytes: [] as { at: number; heap: number }[] }))
  let sampledAt = -Infinity
  for (let round = 0; elapsed() < minutes; round++) {
    const endsAt = performance.now() + ROUND_MS
    for (const { server, url } of servers) await sendRound(setting, server, url, round)
    if (elapsed() - sampledAt >= minutes / 30) {
      sampledAt = elapsed()
      for (const [index, { server }] of servers.entries())
        samples[index]?.megabytes.push({ at: elapsed(), heap: await server.call('heapMb') })
    }
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, endsAt - performance.now())))
  }
  await Promise.all(servers.map(({ server }) => server.end()))
  const rows = samples.map(({ engine, megabytes }) => {
    const warm = megabytes.filter(({ at }) => at >= minutes * WARM_UP).map(({ heap }) => heap)
    const third = Math.ceil(warm.length / 3)
    const [first, last] = [median(warm.slice(0, third)), median(warm.slice(-third))]
    const growth = `${(((last - first) / first) * 100).toFixed(1)} %`
    return [engine, String(minutes), first.toFixed(1), last.toFixed(1), growth]
  })
  const heads = ['engine', 'minutes', 'heap in the first third, MB', 'in the last third, MB', 'growth']
  console.log(`\n${table(heads, rows)}`)
}

async function start({ gatewayUrl, newStoreUrl }: Setting, engine: Engine) {
  const server = await startProcess('subjects', SERVER_CORE)
  const ours = {
    gateway: gatewayUrl,
    storeUrl: await newStoreUrl(engine),
    webhookUrl: `${gatewayUrl}/webhooks`,
  }
  return { engine, server, url: await server.call('ours', ours) }
}

type Server = Awaited<ReturnType<typeof start>>['server']

async function sendRound(setting: Setting, server: Server, url: string, round: number): Promise<void> {
  const { load } = setting
  const from = round * REQUESTS_PER_ROUND
  const ids = await createCheckouts(setting, url, REQUESTS_PER_ROUND, 10_000_000 + from)
  const some = { connections: 4, count: REQUESTS_PER_ROUND, from }
  await load.call('openStreams', url, ids, 100)
  await load.call('run', { ...some, url, method: 'GET', path: '/checkout/status/%v', values: ids })
  const headers = { ...JSON_TYPE, authorization: `Bearer ${await server.call('apiKey')}` }
  const body = await server.call('payoutBody')
  await load.call('run', { ...some, url, method: 'POST', path: '/api/payouts', headers, body })
  await load.call('closeStreams')
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN
}
