import type { AddressInfo } from 'node:net'
import type * as Published from '../../../server/index.ts'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const API_KEY = 'the API key of the benchmark, long enough'
const PUBLIC_URL = 'http://127.0.0.1:4020'

type Subject = { app: { fetch: (request: Request) => Response | Promise<Response> }; close?: () => void }

let stop = () => {}

async function listen({ app, close = () => {} }: Subject): Promise<string> {
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
  await new Promise<void>((resolve) => server.once('listening', resolve))
  stop = () => {
    server.close()
    close()
  }
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export function close(): void {
  stop()
}

export async function honoWithUndici(gateway: string): Promise<string> {
  const { Pool } = await import('undici')
  const pool = new Pool(gateway, { connections: 64 })
  const app = new Hono().post('/checkout/initiate', async (c) => {
    const { order } = await c.req.json<{ order: string }>()
    const { body } = await pool.request({
      method: 'POST',
      path: '/v2/checkout/initiate',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(initiateBody(order)),
    })
    return c.json((await body.json()) as object, 201)
  })
  return listen({ app })
}

export async function honoWithBytes(text: string): Promise<string> {
  const app = new Hono().get('*', (c) => c.body(text, 200, { 'content-type': 'application/json' }))
  return listen({ app })
}

export async function honoWithStreams(): Promise<string> {
  const app = new Hono().get('*', (c) => {
    const stream = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array([10])) })
    return c.body(stream, 200, { 'content-type': 'text/event-stream' })
  })
  return listen({ app })
}

export async function durableLoop(gateway: string, path: string): Promise<string> {
  const { DatabaseSync } = await import('@photostructure/sqlite')
  const database = new DatabaseSync(path)
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE rows (id TEXT PRIMARY KEY, record TEXT NOT NULL, sent INTEGER NOT NULL)`)
  const insert = database.prepare('INSERT INTO rows VALUES (?, ?, 0)')
  const update = database.prepare('UPDATE rows SET record = ?, sent = 1 WHERE id = ?')
  const { Pool } = await import('undici')
  const pool = new Pool(gateway, { connections: 64 })
  const app = new Hono().post('/checkout/initiate', async (c) => {
    const { order } = await c.req.json<{ order: string }>()
    const asked = initiateBody(order)
    insert.run(asked.merchant_transaction_id, JSON.stringify(asked))
    const { body } = await pool.request({
      method: 'POST',
      path: '/v2/checkout/initiate',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(asked),
    })
    const answer = (await body.json()) as object
    update.run(JSON.stringify({ ...asked, answer }), asked.merchant_transaction_id)
    return c.json(answer, 201)
  })
  // The driver would close a database without references.
  return listen({ app, close: () => database.close() })
}

export interface Ours {
  gateway: string
  storeUrl: string
  webhookUrl?: string
  maxRps?: number
}

function environmentOf({ gateway, storeUrl, webhookUrl, maxRps }: Ours): Record<string, string> {
  return {
    GATEWAY_ENVIRONMENT: 'sandbox',
    GATEWAY_BASE_URL: gateway,
    GATEWAY_CONSUMER_KEY: 'key',
    GATEWAY_CONSUMER_SECRET: 'secret',
    GATEWAY_SERVICE_CODE: 'CHECKOUT-KES',
    GATEWAY_ACCOUNT_NUMBER: 'ACC-001',
    GATEWAY_PAGE_HOSTS: '127.0.0.1',
    PUBLIC_URL,
    CALLBACK_SECRET: 'the callback secret of the benchmark',
    MERCHANT_API_KEY: API_KEY,
    STORE_URL: storeUrl,
    TRUSTED_PROXIES: '127.0.0.1',
    ...(maxRps !== undefined && { GATEWAY_MAX_RPS: String(maxRps) }),
    ...(webhookUrl && {
      MERCHANT_WEBHOOK_URL: webhookUrl,
      MERCHANT_WEBHOOK_SECRET: `whsec_${Buffer.from('the secret of the benchmark server').toString('base64')}`,
    }),
  }
}

export async function ours(options: Ours): Promise<string> {
  const { createApp, openStore, readConfig } = (await import(
    pathToFileURL(resolve('server/dist/index.js')).href
  )) as typeof Published
  const config = readConfig(environmentOf(options))
  const opened = openStore(options.storeUrl)
  const orders = (order: string) => ({ order, amount: '1500', currency: 'KES', narration: 'Two kangas' })
  const app = createApp({ config, store: opened, orders })
  void app.work(new AbortController().signal)
  return listen({ app, close: () => void opened.close() })
}

export function apiKey(): string {
  return API_KEY
}

export function payoutBody(): string {
  return JSON.stringify({
    payout_reference: 'PAYOUT-%n',
    service_code: 'PAYOUT-KES',
    recipient_first_name: 'Asha',
    recipient_last_name: 'Otieno',
    destination_type: 'MOBILE',
    destination_name: 'MOMO_KEN',
    recipient_phone_number: '254700000001',
    recipient_account_number: '254700000001',
    recipient_account_name: 'Asha Otieno',
    source_currency: 'KES',
    destination_currency: 'KES',
    exchange_rate: '1',
    sender_amount: '1500.00',
    recipient_amount: '1500.00',
    sender_country_code: 'KEN',
    payment_description: 'Wages',
  })
}

export function memoryMb(): number {
  return process.memoryUsage.rss() / 1e6
}

function initiateBody(order: string) {
  return {
    merchant_transaction_id: randomUUID(),
    amount: 1500,
    payer_name: 'Asha Otieno',
    payer_email: 'asha@example.com',
    payer_msisdn: '254700000001',
    service_code: 'CHECKOUT-KES',
    account_number: 'ACC-001',
    expires_in: 30,
    narration: order,
    callback_url: 'http://127.0.0.1:4020/callbacks/checkout/token',
    redirect_url: 'http://127.0.0.1:4020/checkout/return/id',
  }
}
