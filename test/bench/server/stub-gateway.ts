import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

const ONE_DAY_MS = 86_400_000
const Body = z.looseObject({
  merchant_transaction_id: z.string().optional(),
  payout_reference: z.string().optional(),
  amount: z.unknown().optional(),
  callback_url: z.string().optional(),
})

const amounts = new Map<string, unknown>()
const callbackUrls: string[] = []
const state = { status: 851, isAway: false, questions: 0 }
const deliveriesByPath = new Map<string, number>()

export async function start(): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => answer(request, Buffer.concat(chunks).toString(), response))
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export function settle(status: number): void {
  state.status = status
}

export function callbackPaths(count: number): string[] {
  return callbackUrls.slice(-count).map((url) => new URL(url).pathname)
}

export function setAway(isAway: boolean): void {
  state.isAway = isAway
}

export function takeQuestions(): number {
  const { questions } = state
  state.questions = 0
  return questions
}

export function deliveries(path: string): number {
  return deliveriesByPath.get(path) ?? 0
}

function answer(request: IncomingMessage, text: string, response: ServerResponse): void {
  const url = request.url ?? ''
  if (url.startsWith('/webhooks')) {
    deliveriesByPath.set(url, deliveries(url) + 1)
    return send(response, 200, {})
  }
  if (state.isAway) return send(response, 503, { message: 'Away' })
  if (url === '/v1/auth') return send(response, 200, { access_token: 'a-token', expiresIn: 3_600 })
  if (request.method === 'GET') {
    state.questions += 1
    const [, payout_reference] = /^\/v1\/payouts\/(.+)\/status$/.exec(url) ?? []
    if (payout_reference !== undefined)
      return send(response, 200, {
        payout_reference,
        data: { payment_status: state.status === 801 ? 700 : 703, amount: '1500.00', currency: 'KES' },
      })
    const reference = url.split('/').at(-1) ?? ''
    return send(response, 200, {
      merchant_transaction_id: reference,
      checkout_reference: `CHK-${reference}`,
      currency: 'KES',
      amount: state.status === 801 ? amounts.get(reference) : 0,
      narration: 'Two kangas',
      payments: state.status === 801 ? [payment(reference)] : [],
      status: state.status,
      timestamp: new Date().toISOString(),
    })
  }
  const { merchant_transaction_id, payout_reference, amount, callback_url } = Body.parse(JSON.parse(text))
  if (payout_reference !== undefined)
    return send(response, 200, { payout_reference, response_code: 720, response_description: 'Accepted' })
  if (callback_url !== undefined) callbackUrls.push(callback_url)
  amounts.set(merchant_transaction_id ?? '', amount)
  return send(response, 200, {
    merchant_transaction_id,
    checkout_reference: `CHK-${merchant_transaction_id}`,
    currency: 'KES',
    amount,
    expires_at: new Date(Date.now() + ONE_DAY_MS).toISOString(),
    redirect_url: `http://127.0.0.1/pay/${merchant_transaction_id}`,
  })
}

function payment(reference: string) {
  return {
    amount: amounts.get(reference),
    payment_status: 700,
    currency_code: 'KES',
    transaction_id: `P-${reference}`,
    payment_method_code: 'MOMO_KEN',
    payment_date: new Date().toISOString(),
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}
