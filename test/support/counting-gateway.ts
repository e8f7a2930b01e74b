import type { IncomingMessage, ServerResponse } from 'node:http'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { freePort } from './free-port.ts'

export type CountingGateway = Awaited<ReturnType<typeof startCountingGateway>>

interface Session {
  amount: unknown
  callbackPath: string
  isPaid: boolean
  /**
   * The time of the first response with status 801 (paid) to a status query, in milliseconds of `performance.now()`;
   * `null` before this response.
   */
  confirmedAt: number | null
}

const ONE_DAY_MS = 86_400_000

export async function startCountingGateway() {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const sessions = new Map<string, Session>()
  const state = { confirmed: (_reference: string) => {} }
  const server = createServer((request, response) => void answer(request, response))
  server.keepAliveTimeout = 60_000
  await once(server.listen(port, '127.0.0.1'), 'listening')

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    const last = path.split('/').at(-1) ?? ''
    if (path.startsWith('/orders/')) return send(response, orderOf(last))
    if (path === '/v1/auth') return send(response, { access_token: 'a-token', expiresIn: 3_600 })
    if (request.method === 'GET') return send(response, statusOf(last))
    const {
      merchant_transaction_id: id,
      amount,
      callback_url,
    } = (await json(request)) as Record<string, string>
    const callbackPath = new URL(callback_url!).pathname
    sessions.set(id!, { amount, callbackPath, isPaid: false, confirmedAt: null })
    return send(response, {
      ...sessionOf(id!, amount),
      expires_at: new Date(Date.now() + ONE_DAY_MS).toISOString(),
      redirect_url: `${url}/pay/${id}`,
    })
  }

  function statusOf(reference: string): object {
    const session = sessions.get(reference)!
    const { isPaid, amount } = session
    if (isPaid && session.confirmedAt === null) {
      session.confirmedAt = performance.now()
      state.confirmed(reference)
    }
    return {
      ...sessionOf(reference, isPaid ? amount : 0),
      narration: 'Two kangas',
      payments: isPaid ? [{ amount, payment_status: 700, currency_code: 'KES' }] : [],
      status: isPaid ? 801 : 803,
      timestamp: new Date().toISOString(),
    }
  }

  return {
    url,
    ordersUrl: `${url}/orders`,
    session: (reference: string) => sessions.get(reference)!,
    pay: (reference: string) => void (sessions.get(reference)!.isPaid = true),
    onConfirmed: (confirmed: (reference: string) => void) => void (state.confirmed = confirmed),
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function orderOf(order: string): object {
  return { order, amount: '500', currency: 'KES', narration: 'Two kangas' }
}

function sessionOf(merchant_transaction_id: string, amount: unknown): object {
  return {
    merchant_transaction_id,
    checkout_reference: `CHK-${merchant_transaction_id}`,
    currency: 'KES',
    amount,
  }
}

function send(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
