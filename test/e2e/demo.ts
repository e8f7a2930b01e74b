import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { afterAll } from 'vitest'

import { freePort } from '../support/free-port.ts'
import { control, posted, tokenOf } from '../support/worlds/sandbox-line.ts'

import type { CheckoutView } from '../../server/api/view.ts'
import type { CheckoutPayload } from '../../server/contract/checkout.ts'

export type Demo = Awaited<ReturnType<typeof openDemo>>

const ENTRY = 'demo/dist/dev.js'
const START_TIMEOUT_MS = 20_000
const INITIATE = '/v2/checkout/initiate'
const PAYER = { payer_name: 'Asha Mwangi', payer_email: 'asha@example.com', payer_msisdn: '+254700000001' }

type Begun = Pick<CheckoutView, 'merchant_transaction_id'>
type Checkout = Pick<CheckoutView, 'merchant_transaction_id' | 'checkout_id'>

interface LoggedRequest {
  path: string
  body: { merchant_transaction_id: string; redirect_url: string }
}

export interface Closable {
  close(): Promise<unknown>
}

export async function openAll<T extends Closable[]>(
  ...opening: { [K in keyof T]: Promise<T[K]> }
): Promise<T> {
  // The hooks of a file that cannot be loaded do not run.
  const opened = await Promise.all(opening).catch(async (error: unknown) => {
    await closeAll(opening)
    throw error
  })
  afterAll(() => closeAll(opening))
  return opened
}

/** Closes what has opened, the last one first. */
export async function closeAll(opening: readonly Promise<Closable>[]): Promise<void> {
  for (const each of (await Promise.allSettled(opening)).toReversed()) {
    if (each.status === 'fulfilled') {
      await each.value.close()
    }
  }
}

export async function openDemo(settings: Record<string, string> = {}) {
  if (!existsSync(ENTRY)) {
    throw new Error(`${ENTRY} is missing: run npm run build first.`)
  }

  const [first, second, third] = await Promise.all([freePort(), freePort(), freePort()])
  const variables = { SANDBOX_PORT: `${first}`, BFF_PORT: `${second}`, SHOP_PORT: `${third}`, ...settings }
  const demo = spawn(process.execPath, [ENTRY], {
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(demo, 'exit')
  await Promise.race([
    once(demo.stdout, 'data', { signal: AbortSignal.timeout(START_TIMEOUT_MS) }),
    ended.then(([code]) => Promise.reject(new Error(`${ENTRY} ended with ${code} before it had started.`))),
  ]).catch((error: unknown) => {
    demo.kill()
    throw error
  })

  const sandbox = settings.GATEWAY_BASE_URL ?? `http://127.0.0.1:${variables.SANDBOX_PORT}`
  const bff = `http://127.0.0.1:${variables.BFF_PORT}`
  const shop = `http://127.0.0.1:${variables.SHOP_PORT}`

  const initiations = async () => {
    const { requests }: { requests: LoggedRequest[] } = await control(sandbox, '/requests')
    return requests.flatMap(({ path, body }) => (path === INITIATE ? [body] : []))
  }

  return {
    shop,
    sandbox,
    bff,
    async later(minutes: number) {
      await control(sandbox, '/clock/advance', { seconds: minutes * 60 })
    },
    async fulfilment(order: string) {
      const orders: { order: string; standing: string; heard: string[] }[] = await json(`${shop}/fulfilled`)
      const found = orders.find((each) => each.order === order)
      return { standing: found?.standing ?? 'open', heard: found?.heard ?? [] }
    },
    begin: (order: string, fields: object = {}) =>
      json<CheckoutView>(
        `${bff}/checkout/initiate`,
        posted({ ...PAYER, order, launch: 'popup', ...fields }, { accept: 'application/json' }),
      ),
    async act({ merchant_transaction_id }: Begun, scenario: string, amount?: number) {
      await control(sandbox, `/checkouts/${merchant_transaction_id}/pay`, { scenario, amount })
    },
    view: ({ checkout_id }: Pick<CheckoutView, 'checkout_id'>) =>
      json<CheckoutView>(`${bff}/checkout/status/${checkout_id}`),
    initiated: async () => (await initiations()).map(({ merchant_transaction_id: id }) => id),
    /** The checkouts that the gateway was asked to open, in order. */
    checkouts: async (): Promise<Checkout[]> =>
      (await initiations()).map(({ merchant_transaction_id, redirect_url }) => ({
        merchant_transaction_id,
        checkout_id: decodeURIComponent(redirect_url.split('/').at(-1) ?? ''),
      })),
    async gatewayStatus(merchantTransactionId: string) {
      const headers = { 'x-access-token': await tokenOf(sandbox) }
      const path = `/v2/checkout/status/${merchantTransactionId}`
      return json<CheckoutPayload>(`${sandbox}${path}`, { headers })
    },
    async close() {
      demo.kill('SIGINT')
      await ended
    },
  }
}

async function json<T>(url: string, init?: RequestInit): Promise<T> {
  const answer = await fetch(url, init)
  if (!answer.ok) {
    throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
  }
  return answer.json()
}
