import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Worker } from 'node:worker_threads'
import { freePort } from '../support/free-port.ts'
import { ENVIRONMENT, PAYER } from '../support/world.ts'

export type IsolationWorld = Awaited<ReturnType<typeof openIsolationWorld>>

/**
 * Starts the built server in a process of its own. The merchant's backend, or the functions `orders` and `onEvent`, treat
 * orders as the beginning of their reference says: "refused", "endless", "dripping", "hanging" or "slow".
 */
export async function openIsolationWorld(merchant: {
  orders: 'url' | 'function'
  events: 'webhook' | 'handler'
}) {
  const shop = new Worker(new URL('isolation-shop.mjs', import.meta.url))
  const [ports] = await once(shop, 'message')
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const backend = `http://127.0.0.1:${ports.backend}`
  const { MERCHANT_WEBHOOK_URL: _, MERCHANT_WEBHOOK_SECRET, ...environment } = ENVIRONMENT
  const webhook = { MERCHANT_WEBHOOK_URL: `${backend}/webhooks`, MERCHANT_WEBHOOK_SECRET }
  const orders = { ORDERS_URL: `${backend}/orders`, ORDERS_TOKEN: 'the token of a merchant in a test' }
  const bff = spawn(process.execPath, ['test/faults/isolation-bff.mjs'], {
    env: {
      ...process.env,
      ...environment,
      ...(merchant.orders === 'url' ? orders : { ORDERS: merchant.orders }),
      ...(merchant.events === 'webhook' ? webhook : { EVENTS: merchant.events }),
      GATEWAY_BASE_URL: `http://127.0.0.1:${ports.gateway}`,
      GATEWAY_MAX_RPS: '1000',
      PUBLIC_URL: url,
      PORT: String(port),
      TRUSTED_PROXIES: 'none',
      STORE_URL: 'sqlite::memory:',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })

  /** The time from the commit of an event to its acceptance, by order, in milliseconds. */
  const delays = new Map<string, number>()
  shop.on('message', ({ order, ms }) => delays.set(order, ms))
  const listening = new Promise<void>((resolve) => {
    createInterface(bff.stdout).on('line', (line) => {
      const { isListening, order, ms } = line.startsWith('{') ? JSON.parse(line) : {}
      if (isListening) resolve()
      if (order) delays.set(order, ms)
    })
  })
  await listening

  return {
    delays,
    setBackend: (isOpen: boolean) => shop.postMessage(isOpen),

    /** Starts the checkout of an order, which is then paid. Resolves with the duration of the start in milliseconds. */
    async start(order: string): Promise<number> {
      const startedAt = Date.now()
      const answer = await fetch(`${url}/checkout/initiate`, {
        method: 'POST',
        headers: { accept: 'application/json' },
        body: new URLSearchParams({ order, ...PAYER }),
      })
      if (answer.status !== 201) throw new Error(`${order}: ${answer.status} ${await answer.text()}`)
      return Date.now() - startedAt
    },

    async close() {
      bff.kill('SIGKILL')
      await Promise.all([once(bff, 'exit'), shop.terminate()])
    },
  }
}
