import type { Load } from './load.ts'
import type { Remote } from './processes.ts'
import type { Ours } from './subjects.ts'
import { startProcess } from './processes.ts'

export interface Setting {
  gateway: Remote<'stub-gateway'>
  gatewayUrl: string
  load: Remote<'load'>
  newPath: () => string
  profile: string | undefined
}

export interface Measurement {
  what: string
  measured: number
  unit: string
  floor?: number
  aim: string
}

const SERVER_CORE = 0
const WARM_UP_SECONDS = 2
const SECONDS = 4
const CONNECTIONS = 32

const JSON_TYPE = { 'content-type': 'application/json' }
const INITIATE = {
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

type Server = Remote<'subjects'> & { url: string }

export const measurements = {
  async initiate(setting: Setting): Promise<Measurement[]> {
    const own = await withOurs(setting, {}, ({ url }) => rate(setting, { ...INITIATE, url }))
    const floor = async (name: 'honoWithUndici' | 'honoWithFetch') =>
      withServer(
        (server) => server.call(name, setting.gatewayUrl),
        ({ url }) => rate(setting, { ...INITIATE, url }),
      )
    const durable = await withServer(
      (server) => server.call('durableLoop', setting.gatewayUrl, setting.newPath()),
      ({ url }) => rate(setting, { ...INITIATE, url }),
    )
    const figure = { what: 'a new order each', measured: own, unit: '/s' }
    return [
      { ...figure, floor: await floor('honoWithUndici'), aim: '0.25 of bare Hono with undici' },
      { ...figure, floor: await floor('honoWithFetch'), aim: '1.2 of bare Hono with fetch' },
      { ...figure, floor: durable, aim: 'beside the bare durable loop' },
    ]
  },

  async 'one connection'(setting: Setting): Promise<Measurement[]> {
    const one = { ...INITIATE, connections: 1 }
    const gateway = await answered(setting, {
      ...one,
      url: setting.gatewayUrl,
      path: '/v2/checkout/initiate',
      body: JSON.stringify({ merchant_transaction_id: 'order-%n', amount: 1500 }),
    })
    const own = await withOurs(setting, {}, ({ url }) => answered(setting, { ...one, url }))
    return [{ what: "p50 over the gateway's own", measured: own.p50 - gateway.p50, unit: 'ms', aim: '3 ms' }]
  },

  async status(setting: Setting): Promise<Measurement[]> {
    // The default limit of status queries per second would slow down the 500 checkouts.
    return withOurs(setting, { maxRps: 1_000 }, async ({ url }) => {
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
          aim: '0.6',
        },
        {
          what: '500 checkouts',
          measured: await rate(setting, { ...status, values: ids }),
          unit: '/s',
          floor,
          aim: '0.4',
        },
      ]
    })
  },

  async 'payouts and callbacks'(setting: Setting): Promise<Measurement[]> {
    return withOurs(setting, {}, async (server) => {
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

  async 'webhook away'(setting: Setting): Promise<Measurement[]> {
    const webhookUrl = 'http://127.0.0.1:9/webhooks'
    const owed = (events: number) =>
      withOurs(setting, { webhookUrl }, async (server) => {
        await server.call('oweEvents', events, '{}')
        return rate(setting, { ...INITIATE, url: server.url })
      })
    const floor = await owed(100)
    return [
      {
        what: 'initiate with 10,000 events owed; floor: 100 owed',
        measured: await owed(10_000),
        unit: '/s',
        floor,
        aim: '0.9',
      },
    ]
  },

  async 'a webhook in ten hangs'(setting: Setting): Promise<Measurement[]> {
    const webhookUrl = `${setting.gatewayUrl}/webhooks`
    const p99 = await withOurs(setting, { webhookUrl }, async (server) => {
      for (let second = 0; second < 15; second++) {
        await server.call('oweEvents', 50, JSON.stringify({ at: Date.now() }))
        await sleep(1_000)
      }
      await sleep(3_000)
      return setting.gateway.call('takeDeliveryP99')
    })
    return [
      { what: 'p99 of the other deliveries, 50 events a second', measured: p99, unit: 'ms', aim: '2,000 ms' },
    ]
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
    return withOurs(setting, {}, async (server) => {
      const { url } = server
      const ids = await createCheckouts(setting, url, 500)
      const before = await server.call('memoryMb')
      await setting.load.call('openStreams', url, ids, 10_000)
      const memory = await server.call('memoryMb')
      await setting.gateway.call('takeQuestions')
      const busy = await answered(setting, { ...INITIATE, url, connections: 8, seconds: 10 })
      const questions = await setting.gateway.call('takeQuestions')
      const open = await setting.load.call('closeStreams')
      return [
        { what: 'open streams', measured: open, unit: '', aim: '10,000' },
        { what: 'memory before', measured: before, unit: 'MB', aim: '' },
        { what: 'memory; floor: bare Hono', measured: memory, unit: 'MB', floor, aim: '260 MB' },
        { what: 'gateway questions', measured: questions / 10, unit: '/s', aim: '50/s' },
        { what: 'initiate p99 meanwhile, 8 connections', measured: busy.p99, unit: 'ms', aim: '100 ms' },
      ]
    })
  },

  async lists(setting: Setting): Promise<Measurement[]> {
    return withOurs(setting, {}, async (server) => {
      await server.call('fillCheckouts', 1_000_000)
      const headers = { authorization: `Bearer ${await server.call('apiKey')}` }
      const list = {
        url: server.url,
        method: 'GET',
        path: '/api/checkouts?outcome=reversed',
        headers,
        connections: 1,
      } as const
      const { p50 } = await answered(setting, { ...list, seconds: 1 })
      return [{ what: 'a rare outcome among 1,000,000 checkouts', measured: p50, unit: 'ms', aim: '10 ms' }]
    })
  },

  async 'gateway outage'(setting: Setting): Promise<Measurement[]> {
    const webhookUrl = `${setting.gatewayUrl}/webhooks`
    return withOurs(setting, { webhookUrl }, async ({ url }) => {
      await createCheckouts(setting, url, 1_000)
      await setting.gateway.call('setAway', true)
      await setting.gateway.call('settle', 801)
      await sleep(OUTAGE_MS)
      await setting.gateway.call('setAway', false)
      const backAt = performance.now()
      while ((await setting.gateway.call('deliveries')) < 1_000 && performance.now() - backAt < 120_000)
        await sleep(250)
      await setting.gateway.call('settle', 851)
      const seconds = (performance.now() - backAt) / 1_000
      return [
        {
          what: `1,000 waiting for ${OUTAGE_MS / 60_000} minutes, all told`,
          measured: seconds,
          unit: 's',
          aim: '30 s',
        },
      ]
    })
  },
} satisfies Record<string, (setting: Setting) => Promise<Measurement[]>>

const OUTAGE_MS = 180_000

async function withServer<Result>(
  start: (server: Remote<'subjects'>) => Promise<string>,
  measure: (server: Server) => Promise<Result>,
  profile?: string,
): Promise<Result> {
  const server = await startProcess('subjects', SERVER_CORE, profile)
  try {
    return await measure({ ...server, url: await start(server) })
  } finally {
    server.end()
  }
}

async function withOurs<Result>(
  { gatewayUrl, newPath, profile }: Setting,
  options: Partial<Ours>,
  measure: (server: Server) => Promise<Result>,
): Promise<Result> {
  const ours = { gateway: gatewayUrl, storeUrl: `sqlite:${newPath()}`, ...options }
  return withServer((server) => server.call('ours', ours), measure, profile)
}

type Asked = Pick<Load, 'url' | 'method' | 'path'> & Partial<Load>

async function answered({ load }: Setting, asked: Asked) {
  const full = { connections: CONNECTIONS, seconds: SECONDS, ...asked }
  await load.call('run', { ...full, seconds: WARM_UP_SECONDS })
  const answers = await load.call('run', { ...full, from: 1_000_000 })
  const failed = Object.keys(answers.statuses).filter((status) => Number(status) >= 400)
  if (failed.length > 0) throw new Error(`${asked.path} answered ${failed.join(', ')}: ${answers.sample}`)
  return answers
}

async function rate(setting: Setting, asked: Asked): Promise<number> {
  return (await answered(setting, asked)).perSecond
}

async function createCheckouts({ load }: Setting, url: string, count: number): Promise<string[]> {
  const { bodies } = await load.call('run', {
    ...INITIATE,
    url,
    connections: CONNECTIONS,
    count,
    from: 9_000_000,
  })
  return bodies.map((body) => JSON.parse(body).checkout_id)
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
