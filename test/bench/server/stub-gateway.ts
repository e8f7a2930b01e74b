import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

import { listen } from '../../support/free-port.ts'

import type { IncomingMessage } from 'node:http'

const ONE_DAY_MS = 86_400_000

/** Starts a gateway that takes every checkout, which then waits for its payer. */
export async function startGateway() {
  /** The paths of the callbacks that were asked for. */
  const callbacks: string[] = []
  const server = createServer((request, response) => {
    void answer(request, callbacks).then((body) => {
      const written = JSON.stringify(body)
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(written) }
      response.writeHead(200, headers).end(written)
    })
  })
  server.keepAliveTimeout = 60_000
  return { url: await listen(server), callbacks, close: () => server.close() }
}

async function answer(request: IncomingMessage, callbacks: string[]): Promise<object> {
  const sent = await text(request)
  if (request.url === '/v1/auth') {
    return { access_token: 'a-token', expiresIn: 3_600 }
  }
  if (request.method === 'GET') {
    const reference = request.url?.split('/').at(-1)
    return { ...named(reference), amount: 0, payments: [], status: 851, timestamp: new Date().toISOString() }
  }

  const { merchant_transaction_id, amount, callback_url } = JSON.parse(sent)
  callbacks.push(new URL(callback_url).pathname)
  const expires_at = new Date(Date.now() + ONE_DAY_MS).toISOString()
  return { ...named(merchant_transaction_id), amount, expires_at, redirect_url: 'http://127.0.0.1/pay/1' }
}

function named(merchant_transaction_id: string | undefined): object {
  return {
    merchant_transaction_id,
    checkout_reference: `CHK-${merchant_transaction_id}`,
    currency: 'KES',
    narration: 'Two kangas',
  }
}
