import { Hono } from 'hono'
import type { Environment } from '../../server/config.ts'
import type { FetchInit } from '../../server/exchange.ts'
import { recordedAnswer, recordedPending } from './recorded-charges.ts'

/** The configuration of a server whose gateway reports a charge under the gateway's own id. */
export const RECORDED: Environment = {
  GATEWAY_CHARGE_PATH: '/v1/mobile-money/charge',
  GATEWAY_CHARGE_STATUS_PATH: '/v1/transaction/:charge_request_id/status',
  PARTNER_ACCOUNTS_DYNAMIC: '',
}

/**
 * Simulates a gateway with responses that were recorded at other gateways of this family. Does not use our sandbox or
 * the server's contract.
 */
export function createRecordedGateway() {
  const app = new Hono()
  const payments = new Map<string, object>()
  const charges: { path: string; id: string; body: Record<string, unknown> }[] = []
  const queried: string[] = []
  const confirmed: unknown[] = []
  const answer = { isLost: false, fields: {} }

  app.post('/v1/auth', (c) => c.json({ access_token: 'a-token', expiresIn: 6_000 }, 201))

  for (const path of ['/v1/mobile-money/charge', '/v1/cards/charge'])
    app.post(path, async (c) => {
      const body = await c.req.json()
      const id = String(22_406 + charges.length)
      charges.push({ path, id, body })
      const named = { external_reference: body.external_reference, charge_request_id: id }
      payments.set(id, { ...recordedPending, ...named })
      if (answer.isLost) throw new Error('The answer was lost.')
      return c.json({ ...recordedAnswer, ...named, ...answer.fields }, 201)
    })

  app.get('/v1/transaction/:id/status', (c) => {
    const id = c.req.param('id')
    queried.push(id)
    const payment = payments.get(id)
    if (payment) return c.json(payment)
    return c.json({ status_code: 120, status_description: 'Transaction not found', message: id }, 404)
  })

  app.post('/transactions/acknowledge', async (c) => {
    const { payment_id, status } = await c.req.json()
    confirmed.push([payment_id, status])
    return c.json({ payment_id, message: 'Acknowledged' })
  })

  app.onError(() => new Response('', { status: 502 }))

  return {
    charges,
    queried,
    confirmed,
    answer,
    fetch: (url: string, init: FetchInit) => app.request(url, init),
    /** Changes the state that the gateway reports for a charge. Returns the body of the callback. */
    report(body: object): object {
      const reported = { ...body, charge_request_id: '22406' }
      payments.set(reported.charge_request_id, reported)
      return reported
    },
  }
}
