/** What `npm start` starts, as a process of its own on free ports: a shop, a payment server and a sandbox. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import type { CheckoutPayload } from '../../server/contract/checkout.ts'
import { freePort } from '../support/free-port.ts'

export interface Market {
  shop: string
  bff: string
  sandbox: string
  /** Moves the time of sandbox and payment server. */
  later(minutes: number): Promise<void>
  /** What the merchant's backend made of an order, and every event type it heard for it. */
  heard(order: string): Promise<{ standing: string; heard: string[] }>
  /** The gateway's own word, asked past everything of ours. */
  gatewayStatus(merchantTransactionId: string): Promise<CheckoutPayload>
  close(): Promise<void>
}

const ENTRY = 'demo/dist/dev.js'
const START_TIMEOUT_MS = 20_000

/** @param settings variables of the environment that it starts in: ports, and the payment server's configuration */
export async function openMarket(settings: Record<string, string> = {}): Promise<Market> {
  if (!existsSync(ENTRY)) throw new Error(`${ENTRY} is missing: run npm run build first.`)
  const [first, second, third] = await Promise.all([freePort(), freePort(), freePort()])
  const variables = { SANDBOX_PORT: `${first}`, BFF_PORT: `${second}`, SHOP_PORT: `${third}`, ...settings }
  const market = spawn(process.execPath, [ENTRY], {
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(market, 'exit')
  await Promise.race([
    once(market.stdout, 'data', { signal: AbortSignal.timeout(START_TIMEOUT_MS) }),
    ended.then(([code]) => Promise.reject(new Error(`${ENTRY} ended with ${code} before it had started.`))),
  ])

  const sandbox = settings.GATEWAY_BASE_URL ?? `http://127.0.0.1:${variables.SANDBOX_PORT}`
  const shop = `http://127.0.0.1:${variables.SHOP_PORT}`
  return {
    shop,
    sandbox,
    bff: `http://127.0.0.1:${variables.BFF_PORT}`,
    async later(minutes) {
      await post(`${sandbox}/_sandbox/clock/advance`, { seconds: minutes * 60 })
    },
    async heard(order) {
      const orders: { order: string; standing: string; heard: string[] }[] = await json(`${shop}/fulfilled`)
      const found = orders.find((each) => each.order === order)
      return { standing: found?.standing ?? 'open', heard: found?.heard ?? [] }
    },
    async gatewayStatus(merchantTransactionId) {
      const credentials = { consumer_key: 'sandbox-key', consumer_secret: 'sandbox-secret' }
      const { access_token } = await post<{ access_token: string }>(`${sandbox}/v1/auth`, credentials)
      const path = `/v2/checkout/status/${merchantTransactionId}`
      return json(`${sandbox}${path}`, { headers: { 'x-access-token': access_token } })
    },
    async close() {
      market.kill('SIGINT')
      await ended
    },
  }
}

async function json<T>(url: string, init?: RequestInit): Promise<T> {
  const answer = await fetch(url, init)
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
  return answer.json()
}

async function post<T>(url: string, body: unknown): Promise<T> {
  return json(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}
