import type { Remote } from './processes.ts'
import type { Engine, Measurement, Setting } from './setting.ts'
import { startProcess } from './processes.ts'
import {
  answered,
  createCheckouts,
  INITIATE,
  JSON_TYPE,
  onEachEngine,
  rate,
  SERVER_CORE,
  sleep,
  withServer,
} from './setting.ts'

export const measurements = {
  async initiate(setting: Setting): Promise<Measurement[]> {
    const order = (url: string) => rate(setting, { ...INITIATE, url })
    const floor = (start: (server: Remote<'subjects'>) => Promise<string>) =>
      withServer(start, ({ url }) => order(url))
    const undici = await floor((server) => server.call('honoWithUndici', setting.gatewayUrl))
    const durable = await floor((server) => server.call('durableLoop', setting.gatewayUrl, setting.newPath()))
    return onEachEngine(setting, {}, async ({ url }, engine) => {
      const figure = { what: 'a new order each', measured: await order(url), unit: '/s' }
      const aim = engine === 'SQLite' ? '0.25' : '0.08'
      return [
        { ...figure, floor: undici, aim: `${aim} of bare Hono with undici` },
        { ...figure, floor: durable, aim: 'beside the bare durable loop' },
      ]
    })
  },

  async status(setting: Setting): Promise<Measurement[]> {
    // The default limit of status queries per second would slow down the 500 checkouts.
    return onEachEngine(setting, { maxRps: 1_000 }, async ({ url }, engine) => {
      const ids = await createCheckouts(setting, url, 500)
      const status = { url, method: 'GET', path: '/checkout/status/%v' } as const
      const { sample } = await answered(setting, { ...status, values: ids, seconds: 1 })
      const floor = await withServer(
        (server) => server.call('honoWithBytes', sample),
        (bare) => rate(setting, { ...status, url: bare.url, values: ids }),
      )
      return [
        {
          what: 'one checkout',
          measured: await rate(setting, { ...status, values: ids.slice(0, 1) }),
          unit: '/s',
          floor,
          aim: engine === 'SQLite' ? '0.6' : '',
        },
        {
          what: '500 checkouts',
          measured: await rate(setting, { ...status, values: ids }),
          unit: '/s',
          floor,
          aim: engine === 'SQLite' ? '0.4' : '',
        },
      ]
    })
  },

  async 'payouts and callbacks'(setting: Setting): Promise<Measurement[]> {
    return onEachEngine(setting, {}, async (server) => {
      const { url } = server
      await createCheckouts(setting, url, 5_000)
      const callbacks = await setting.gateway.call('callbackPaths', 5_000)
      const body = await server.call('payoutBody')
      const headers = { ...JSON_TYPE, authorization: `Bearer ${await server.call('apiKey')}` }
      return [
        {
          what: 'payouts',
          measured: await rate(setting, { url, method: 'POST', path: '/api/payouts', headers, body }),
          unit: '/s',
          aim: '1,000/s',
        },
        {
          what: 'callbacks of 5,000 checkouts, durably noted',
          measured: await rate(setting, {
            url,
            method: 'POST',
            path: '%v',
            headers: JSON_TYPE,
            body: '{}',
            values: callbacks,
          }),
          unit: '/s',
          aim: '5,000/s',
        },
      ]
    })
  },

  async streams(setting: Setting): Promise<Measurement[]> {
    const floor = await withServer(
      (server) => server.call('honoWithStreams'),
      async (server) => {
        await setting.load.call('openStreams', server.url, ['any'], 10_000)
        const memory = await server.call('memoryMb')
        await setting.load.call('closeStreams')
        return memory
      },
    )
    return onEachEngine(setting, {}, async (server) => {
      const { url } = server
      const ids = await createCheckouts(setting, url, 500)
      const before = await server.call('memoryMb')
      await setting.load.call('openStreams', url, ids, 10_000)
      const memory = await server.call('memoryMb')
      await setting.gateway.call('takeQuestions')
      const busy = await answered(setting, { ...INITIATE, url, connections: 8, seconds: STREAMS_SECONDS })
      const questions = await setting.gateway.call('takeQuestions')
      const open = await setting.load.call('closeStreams')
      return [
        { what: 'open streams', measured: open, unit: '', aim: '10,000' },
        { what: 'memory before', measured: before, unit: 'MB', aim: '' },
        { what: 'memory; floor: bare Hono', measured: memory, unit: 'MB', floor, aim: '260 MB' },
        { what: 'gateway questions', measured: questions / STREAMS_SECONDS, unit: '/s', aim: '50/s' },
        { what: 'initiate p99 meanwhile, 8 connections', measured: busy.p99, unit: 'ms', aim: '100 ms' },
      ]
    })
  },

  'gateway outage': measureOutage,
} satisfies Record<string, (setting: Setting) => Promise<Measurement[]>>

async function measureOutage(setting: Setting): Promise<Measurement[]> {
  const { gateway } = setting
  const servers = await Promise.all(setting.engines.map((engine) => startWithWebhook(setting, engine)))
  try {
    for (const { url } of servers) await createCheckouts(setting, url, 1_000)
    await gateway.call('setAway', true)
    await gateway.call('settle', 801)
    await sleep(OUTAGE_MS)
    await gateway.call('setAway', false)
    const what = `1,000 checkouts after ${OUTAGE_MS / 60_000} minutes, until all events are delivered`
    return await Promise.all(
      servers.map(async ({ engine, path }) => {
        const seconds = await secondsUntilDelivered(gateway, path, 1_000)
        return { what, engine, measured: seconds, unit: 's', aim: '30 s' }
      }),
    )
  } finally {
    await gateway.call('settle', 851)
    await Promise.all(servers.map(({ server }) => server.end()))
  }
}

const OUTAGE_MS = 180_000
const STREAMS_SECONDS = 5

async function startWithWebhook({ gatewayUrl, newStoreUrl }: Setting, engine: Engine) {
  const server = await startProcess('subjects', SERVER_CORE)
  const path = `/webhooks/${engine}`
  const ours = {
    gateway: gatewayUrl,
    storeUrl: await newStoreUrl(engine),
    webhookUrl: `${gatewayUrl}${path}`,
  }
  return { engine, path, server, url: await server.call('ours', ours) }
}

async function secondsUntilDelivered(
  gateway: Setting['gateway'],
  path: string,
  count: number,
): Promise<number> {
  const start = performance.now()
  const elapsedMs = () => performance.now() - start
  while ((await gateway.call('deliveries', path)) < count && elapsedMs() < 120_000) await sleep(250)
  return elapsedMs() / 1_000
}
