import { once } from 'node:events'
import type { CheckoutView } from '../../server/api/view.ts'
import type { CountingGateway } from './counting-gateway.ts'
import type { Env } from './command-line.ts'
import { MERCHANT, start } from './command-line.ts'
import { freePort } from './free-port.ts'
import { PAYER } from './world.ts'

export type Replica = Awaited<ReturnType<typeof startReplica>>

const LISTENS = /listens on port (\d+)/

interface ReplicaOptions {
  gateway: Pick<CountingGateway, 'url' | 'ordersUrl'>
  storeUrl: string
  env?: Env
}

export function startReplicas(count: number, options: ReplicaOptions): Promise<Replica[]> {
  return Promise.all(Array.from({ length: count }, () => startReplica(options)))
}

async function startReplica({ gateway, storeUrl, env = {} }: ReplicaOptions) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const environment = {
    ...MERCHANT,
    GATEWAY_BASE_URL: gateway.url,
    PUBLIC_URL: 'http://127.0.0.1:9',
    DEFAULT_COUNTRY: 'KE',
    ORDERS_URL: gateway.ordersUrl,
    ORDERS_TOKEN: 'the token of a merchant in a test',
    STORE_URL: storeUrl,
    HOST: '127.0.0.1',
    PORT: String(port),
    ...env,
  }
  const boot = () => start(['serve'], environment, LISTENS)
  let server = await boot()

  return {
    url,
    port,
    async initiate(order: string): Promise<CheckoutView> {
      const body = JSON.stringify({ order, ...PAYER })
      const headers = { 'content-type': 'application/json', accept: 'application/json' }
      const answer = await fetch(`${url}/checkout/initiate`, { method: 'POST', headers, body })
      if (!answer.ok) throw new Error(`initiate: ${answer.status} ${await answer.text()}`)
      return answer.json()
    },
    async callBack(path: string): Promise<void> {
      const answer = await fetch(url + path, { method: 'POST', body: '{}' })
      if (!answer.ok) throw new Error(`callback: ${answer.status} ${await answer.text()}`)
    },
    async kill(): Promise<void> {
      const ended = once(server.child, 'exit')
      server.child.kill('SIGKILL')
      await ended
    },
    async restart(): Promise<void> {
      server = await boot()
    },
    stop: () => server.stop(),
    isAlive: () => server.child.exitCode === null && server.child.signalCode === null,
  }
}
