/** Starts and pays checkouts as the checks need them, with the control of a sandbox where it takes a customer. */

import { randomUUID } from 'node:crypto'

import { expect } from './expect.ts'
import { initiateRequest } from './requests.ts'

import type { Check, RequestTable, Sample } from './check.ts'
import type { Json } from './connection.ts'
import type { Answer, Gateway } from './gateway.ts'

export const INITIATE = '/v2/checkout/initiate'

/** Hosts that nobody can reach over the internet. */
export const PRIVATE_HOSTS = '10.0.0.1 192.168.1.1 169.254.169.254 [fd00::1] shop.internal intranet'.split(
  ' ',
)

// [spec: Standard checkout request]
export function checkoutRequest(gateway: Gateway, fields: object = {}): Json {
  const { credentials } = gateway
  return {
    ...initiateRequest,
    merchant_transaction_id: randomUUID(),
    payer_msisdn: credentials.msisdn,
    service_code: credentials.services.checkout,
    account_number: credentials.account_number,
    callback_url: gateway.mailbox().url,
    ...fields,
  }
}

export const checkoutTable: RequestTable = {
  section: 'Standard checkout request',
  send: (gateway, fields) => gateway.post(INITIATE, checkoutRequest(gateway, fields)),
  accepts: ({ status, text }) => expect(status, text).toBe(200),
  refuses: expectCheckoutError,
}

export function expectCheckoutError({ status, body, text }: Answer): void {
  expect([4, 5], text).toContain(Math.floor(status / 100))
  expect(Number.isInteger(body?.status_code), text).toBe(true)
  expect(body).toMatchObject({
    status_description: expect.matching(/\S/),
    message: expect.matching(/\S/),
  })
}

export async function begin(gateway: Gateway, fields: object = {}): Promise<Sample> {
  const sent = checkoutRequest(gateway, fields)
  const answer = await gateway.post(INITIATE, sent)
  checkoutTable.accepts(answer)
  return { sent, got: answer.body }
}

export const statusOf = (gateway: Gateway, { merchant_transaction_id }: Json): Promise<Json> =>
  gateway.read(`/v2/checkout/status/${merchant_transaction_id}`)

// Only the sandbox supports simulated payments.
export async function pay(
  gateway: Gateway,
  { merchant_transaction_id }: Json,
  fields: object,
): Promise<void> {
  await gateway.control(`/checkouts/${merchant_transaction_id}/pay`, fields)
  await gateway.later(1_000)
}

export function paidCheckout(gateway: Gateway): Promise<Sample> {
  return gateway.remember('a paid checkout', async () => {
    const { sent } = await begin(gateway)
    await pay(gateway, sent, { scenario: 'approve' })
    return { sent, got: await statusOf(gateway, sent) }
  })
}

export const needsControl = { needs: ['control'] } satisfies Partial<Check>
export const needsCallbacks = { needs: ['control', 'callbacks'] } satisfies Partial<Check>
