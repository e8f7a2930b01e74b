/** A merchant's client of a sandbox, with a callback address that records what it receives. */

import { createSandbox, createTimeline } from '../../demo/sandbox/index.ts'
import type { Payload } from '../../demo/sandbox/sessions/session.ts'
import type { SandboxFetch, SandboxOptions } from '../../demo/sandbox/index.ts'

export const START = Date.UTC(2026, 10, 21, 9)
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE

export interface Callback {
  url: string
  /** When it arrived, in milliseconds after {@link START}. */
  at: number
  /** `null` when the text is no JSON. */
  body: Payload | null
  text: string
}

/** `reply` answers the callbacks; the default acknowledges each. */
export async function openMerchant(options: SandboxOptions & { reply?: SandboxFetch } = {}) {
  const timeline = options.timeline ?? createTimeline({ wall: null, start: START })
  const callbacks: Callback[] = []
  const reply = options.reply ?? (() => new Response('OK'))
  const sandbox = createSandbox({
    seed: 1,
    ...options,
    timeline,
    fetch: (url, init) => {
      callbacks.push({ url, at: timeline.now() - START, body: parsed(init.body), text: init.body })
      return reply(url, init)
    },
  })
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    sandbox.app.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const get = (path: string, headers: Record<string, string> = {}) => sandbox.app.request(path, { headers })
  const authenticate = async (): Promise<string> => {
    const answer = await post('/v1/auth', { consumer_key: 'sandbox-key', consumer_secret: 'sandbox-secret' })
    return (await answer.json()).access_token
  }
  let token = await authenticate()

  return {
    sandbox,
    timeline,
    callbacks,
    post,
    get,
    token: () => token,
    async renewToken() {
      token = await authenticate()
    },
    later: (ms: number) => timeline.advance(ms),
    initiate: (body: unknown) => post('/v2/checkout/initiate', body, { 'x-access-token': token }),
    async begin(fields: object = {}) {
      const answer = await this.initiate(request(fields))
      if (!answer.ok) throw new Error(await answer.text())
      return answer.json()
    },
    async status(id = 'order-1') {
      return (await get(`/v2/checkout/status/${id}`, { 'x-access-token': token })).json()
    },
    async deliveries(id = 'order-1') {
      const { callbacks: all } = await (await get(`/_sandbox/callbacks?reference=${id}`)).json()
      return all
    },
    async pay(scenario: string | undefined, fields: object = {}, id = 'order-1') {
      return (await post(`/_sandbox/checkouts/${id}/pay`, { scenario, ...fields })).json()
    },
  }
}

/** A request that the gateway accepts, written by hand from the spec's table. */
export function request(fields: object = {}) {
  return {
    merchant_transaction_id: 'order-1',
    amount: 500,
    payer_name: 'Asha Otieno',
    payer_email: 'asha@example.com',
    payer_msisdn: '254700000001',
    service_code: 'CHECKOUT-KES',
    account_number: 'ACC-001',
    expires_in: 30,
    narration: 'Two kangas',
    callback_url: 'http://127.0.0.1:9/callbacks/abc',
    redirect_url: 'https://shop.example/return/1',
    ...fields,
  }
}

function parsed(text: string): Payload | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
