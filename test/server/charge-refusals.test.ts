import { describe, expect, test } from 'vitest'
import type { FetchInit } from '../../server/http/exchange.ts'
import { createChargeWorld } from '../support/charge-world.ts'
import { authAnswer, checkoutPayload, paymentRecord } from '../support/spec-shapes.ts'

const MINUTE = 60_000
const ALONE = { MERCHANT_WEBHOOK_URL: '' }
const json = (body: object, status = 200) => Response.json(body, { status })
const unknown = () => json({ status_code: 120, status_description: 'Transaction not found' }, 404)
const PAYMENT = { ...paymentRecord, amount: '1000', external_reference: 'C-1' }
const POSTED = {
  status_code: 176,
  charge_request_id: 'CR-1',
  external_reference: 'C-1',
  total_amount: '1000',
  currency_code: 'KES',
}

/** The gateway's responses, which a test may replace. */
interface Answers {
  post: () => Response
  status: () => Response
}

async function openGateway() {
  const answers: Answers = {
    post: () => json(POSTED),
    status: unknown,
  }
  const shop = await createChargeWorld({
    env: ALONE,
    gateway(url: string, { method }: FetchInit) {
      if (url.endsWith('/v1/auth')) return json(authAnswer)
      return method === 'POST' ? answers.post() : answers.status()
    },
  })
  return {
    ...shop,
    answers,
    reports(status: number, payments: object[] = []) {
      const amount = status === 801 ? '1000' : '0'
      const payload = { ...checkoutPayload, merchant_transaction_id: 'C-1', status, amount, payments }
      answers.status = () => json(payload)
    },
    async events(): Promise<string[]> {
      const { items } = await (await shop.api('/events')).json()
      return items.map(({ type }: { type: string }) => type)
    },
  }
}

describe('a charge', () => {
  test.each([
    [504, { status_code: 504, message: 'upstream timed out' }],
    [500, { status_code: 500, message: 'Internal error' }],
    [502, { status_code: 172, message: 'Bad gateway' }],
    [500, { status_code: 176, message: 'Charge posted successfully' }],
    [409, { status_code: 176, message: 'Charge posted successfully' }],
    [400, { status_code: 173, message: 'Generic success' }],
    [409, { status_code: 999, message: 'Conflict' }],
  ])('that is answered with HTTP %i and %j is queried, and never sent again', async (http, body) => {
    const gateway = await openGateway()
    gateway.answers.post = () => json(body, http)
    expect(await gateway.charge()).toMatchObject({ outcome: 'sending', settled: false })
    gateway.reports(801, [PAYMENT])
    await gateway.later(MINUTE)
    expect(await gateway.read()).toMatchObject({ outcome: 'succeeded' })
    expect([gateway.posts(), await gateway.events()]).toEqual([1, ['charge.succeeded']])
  })
})

test.each([
  'Payer authentication failed: wrong PIN',
  '3-D Secure authentication pending',
  'Recipient could not be authenticated',
])('charges and airtime are sent once if the gateway answers %j', async (message) => {
  const gateway = await openGateway()
  gateway.answers.post = () => json({ statusCode: 400, message, error: 'Bad Request' }, 400)
  expect(await gateway.charge()).toMatchObject({ outcome: 'sending' })
  await gateway.api('/airtime', {
    reference: 'A',
    recipients: [{ phone_number: '254700000001', amount: '10' }],
  })
  const sent = gateway.gatewayRequests().filter((request) => request.startsWith('POST'))
  expect(sent).toEqual(['POST /v1/auth', 'POST /v1/charges', 'POST /v1/gw/airtime/send'])
})
