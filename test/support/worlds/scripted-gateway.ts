import { createTimeline } from '../../../demo/sandbox/index.ts'
import { createGatewayClient } from '../../../server/gateway/client.ts'
import { GatewayError } from '../../../server/gateway/errors.ts'
import { createSeededRandom } from '../seeded-random.ts'
import { authAnswer, authRequest, initiateRequest } from '../spec/shapes.ts'

import type { GatewayExchange } from '../../../server/gateway/transport.ts'
import type { FetchAnswer, FetchInit } from '../../../server/http/exchange.ts'

export interface Arrival {
  method: string
  path: string
  token: string | undefined
  signal: AbortSignal
}
export type Answer = (arrival: Arrival) => FetchAnswer | Promise<FetchAnswer>

export const ID = initiateRequest.merchant_transaction_id
export const STATUS = `/v2/checkout/status/${ID}`

export function createScriptedGateway(answer: Answer) {
  const arrivals: Arrival[] = []
  const timeline = createTimeline({ wall: null, start: Date.UTC(2026, 10, 21, 9) })
  const script: { auth: Answer; answer: Answer } = { auth: () => json(authAnswer), answer }

  async function fetch(url: string, { method, headers, signal }: FetchInit): Promise<FetchAnswer> {
    const path = new URL(url).pathname
    const arrival = { method, path, token: headers['x-access-token'], signal }
    arrivals.push(arrival)
    return path === '/v1/auth' ? script.auth(arrival) : script.answer(arrival)
  }

  const exchanges: GatewayExchange[] = []
  const another = (seed: number) =>
    createGatewayClient({
      baseUrl: 'https://gateway.example',
      credentials: authRequest,
      fetch,
      clock: timeline,
      randomness: createSeededRandom(seed),
      onExchange: (facts) => void exchanges.push(facts),
    })

  return {
    client: another(1),
    /** Creates the client of another process, with a token of its own. */
    another,
    script,
    timeline,
    arrivals,
    exchanges,
    count: (path: string) => arrivals.filter((arrival) => arrival.path === path).length,

    /**
     * Advances the virtual clock until the promise `call` resolves or rejects. Throws an error after two virtual
     * minutes.
     */
    async outcome<T>(call: Promise<T>): Promise<T> {
      let isOver = false
      const over = () => void (isOver = true)
      call.then(over, over)
      for (let waited = 0; waited < 240; waited++) {
        // Reading a body takes several turns of the event loop, and more turns on a busy machine.
        for (let turn = 0; turn < 40 && !isOver; turn++) {
          await timeline.advance(0)
          await new Promise((resolve) => setImmediate(resolve))
        }

        if (isOver) {
          return call
        }

        await timeline.advance(500)
      }

      throw new Error('The call was not over after two minutes.')
    },
  }
}

export async function failureOf(call: Promise<unknown>): Promise<GatewayError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (error instanceof GatewayError) {
    return error
  }
  throw new Error(`Expected a GatewayError, not ${String(error)}.`)
}

export async function asked(answer: Answer) {
  const gateway = createScriptedGateway(answer)
  const error = await failureOf(gateway.outcome(gateway.client.getCheckoutStatus(ID)))
  return { gateway, error, tries: gateway.count(STATUS) }
}

export function json(body: unknown, status = 200): FetchAnswer {
  return new Response(JSON.stringify(body), { status })
}

export function endless(): FetchAnswer {
  const piece = new Uint8Array(64_000).fill(0x20)
  const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(piece) })
  return new Response(body, { status: 200 })
}

export function silence({ signal }: Arrival): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
