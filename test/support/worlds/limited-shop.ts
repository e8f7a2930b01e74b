import { createTimeline } from '../../../demo/sandbox/index.ts'
import { readConfig } from '../../../server/config/config.ts'
import { createApp } from '../../../server/every-feature.ts'
import { createMetrics } from '../../../server/metrics/prometheus.ts'
import { openStore } from '../../../server/store/open.ts'
import { quiet } from '../quiet.ts'
import { authAnswer, checkoutPayload, initiateAnswer } from '../spec/shapes.ts'
import { ENVIRONMENT } from './environment.ts'
import { json } from './scripted-gateway.ts'
import { START } from './world.ts'

import type { AppOptions } from '../../../server/app.ts'
import type { Environment } from '../../../server/config/variables.ts'

const ORDERS_URL = 'http://127.0.0.1:4030/orders'

export const PRODUCTION: Environment = {
  GATEWAY_ENVIRONMENT: 'production',
  GATEWAY_BASE_URL: 'https://gateway.example',
  GATEWAY_CONSUMER_KEY: 'a-consumer-key-of-a-test',
  GATEWAY_CONSUMER_SECRET: 'Zq7-vN2x_kT9w.bL4m3RfY8s',
  PUBLIC_URL: 'https://pay.shop.example',
  ORDERS_URL: 'https://backend.shop.example/orders',
  STORE_URL: 'sqlite:/data/checkout.sqlite',
}

const UNPAID = { ...checkoutPayload, amount: '500', status: 803, payments: [] }

/**
 * Creates a BFF with a clock that only the test advances. The simulated gateway accepts every checkout. The simulated
 * merchant has every order whose reference begins with "A-", and orders that are no longer payable ("PAID-").
 */
export function createLimitedShop(env: Environment = {}, options: Partial<AppOptions> = {}) {
  const clock = createTimeline({ wall: null, start: START, settle: () => quiet(() => 0) })
  const logged: { level: string; facts: object; message: string }[] = []
  const lookups: string[] = []
  const logAt = (level: string) => (facts: object, message: string) =>
    void logged.push({ level, facts, message })
  const config = readConfig({
    ...ENVIRONMENT,
    ORDERS_URL,
    ORDERS_TOKEN: 'the token of the backend',
    MERCHANT_WEBHOOK_URL: undefined,
    MERCHANT_WEBHOOK_SECRET: undefined,
    ...env,
  })
  const store = options.store ?? openStore('sqlite::memory:')
  const metrics = createMetrics({ config, store })
  const log = { debug: logAt('debug'), info: logAt('info'), warn: logAt('warn'), error: logAt('error') }
  const app = createApp({
    config,
    store,
    clock,
    metrics,
    log,
    fetch: async (url, { body }) => {
      const [, order] = /\/orders\/([^/]+)$/.exec(url) ?? []
      if (order !== undefined) {
        return findOrder(decodeURIComponent(order))
      }
      if (url.endsWith('/v1/auth')) {
        return json(authAnswer)
      }
      if (url.includes('/status/')) {
        return json({ ...UNPAID, merchant_transaction_id: url.split('/').at(-1) })
      }

      const { merchant_transaction_id, amount } = JSON.parse(body ?? '{}')
      const expires_at = new Date(clock.now() + 3_600_000).toISOString()
      const redirect_url = `${config.gateway.baseUrl}/pay`
      return json({ ...initiateAnswer, merchant_transaction_id, amount, expires_at, redirect_url })
    },
    ...options,
  })
  return { app, clock, log, logged, lookups, metricsText, store }

  function findOrder(order: string) {
    lookups.push(order)
    const found = { order, amount: '500', currency: 'KES', narration: 'Two kangas' }
    if (order.startsWith('PAID-')) {
      return json({}, 409)
    }
    return order.startsWith('A-') ? json(found) : json({}, 404)
  }

  async function metricsText(): Promise<string> {
    return (await metrics.fetch(new Request('http://127.0.0.1/metrics'))).text()
  }
}
