import { once } from 'node:events'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { expect, onTestFinished } from 'vitest'
import { freePort } from './free-port.ts'

export async function openPayoutGateway() {
  const sent = new Map<string, { times: number; request: Record<string, string> }>()
  const app = new Hono()
  app.post('/v1/auth', (c) => c.json({ access_token: 'a-token', expiresIn: 3_600 }))
  app.post('/v1/payouts/initiate', async (c) => {
    const request = await c.req.json()
    const { payout_reference } = request
    sent.set(payout_reference, { times: (sent.get(payout_reference)?.times ?? 0) + 1, request })
    return c.json({ payout_reference, response_code: 720, response_description: 'Accepted' })
  })
  app.get('/v1/payouts/:payout_reference/status', (c) => {
    const payout_reference = c.req.param('payout_reference')
    const known = sent.get(payout_reference)?.request
    if (!known) return c.json({ payout_reference, response_code: 723, response_description: 'Not found' })
    const {
      recipient_amount: amount,
      destination_currency: currency,
      recipient_account_number: account_number,
    } = known
    const data = { payment_status: 700, amount, currency, account_number }
    return c.json({ payout_reference, destination: account_number, data })
  })
  const port = await freePort()
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port })
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    if ('closeAllConnections' in server) server.closeAllConnections()
  })
  return {
    url: `http://127.0.0.1:${port}`,
    sent,
    expectSentOnce() {
      const sentTwice = [...sent].filter(([, { times }]) => times > 1).map(([reference]) => reference)
      expect(sentTwice).toEqual([])
    },
  }
}
