/** Starts checkouts for the checks, and pays them where the gateway is a sandbox, which can act as the customer. */

import { randomUUID } from 'node:crypto'

import { expect } from './expect.ts'
import { initiateRequest } from './requests.ts'

import type { Check, Sample, TestedRequest } from './check.ts'
import type { Json } from './connection.ts'
import type { Answer, Gateway } from './gateway.ts'

export const INITIATE = '/v2/checkout/initiate'

/** Hosts that nobody can reach over the internet. */
export const PRIVATE_HOSTS = '10.0.0.1 192.168.1.1 169.254.169.254 [fd00::1] shop.internal intranet'.split(
  ' ',
)

/**
 * [spec: Standard checkout request]
 *
 * @param changes Fields that replace those of the same name.
 */
export function checkoutRequest(gateway: Gateway, changes: object = {}): Json {
  const { credentials } = gateway
  return {
    ...initiateRequest,
    merchant_transaction_id: randomUUID(),
    payer_msisdn: credentials.msisdn,
    service_code: credentials.services.checkout,
    account_number: credentials.account_number,
    callback_url: gateway.mailbox().url,
    ...changes,
  }
}

export const testedCheckout: TestedRequest = {
  section: 'Standard checkout request',
  send: (gateway, changes) => gateway.post(INITIATE, checkoutRequest(gateway, changes)),
  assertAccepted: ({ status, text }) => expect(status, text).toBe(200),
  assertRefused: expectCheckoutError,
}

export function expectCheckoutError({ status, body, text }: Answer): void {
  expect([4, 5], text).toContain(Math.floor(status / 100))
  expect(Number.isInteger(body?.status_code), text).toBe(true)
  expect(body).toMatchObject({
    status_description: expect.matching(/\S/),
    message: expect.matching(/\S/),
  })
}

export async function startCheckout(gateway: Gateway, changes: object = {}): Promise<Sample> {
  const sent = checkoutRequest(gateway, changes)
  const answer = await gateway.post(INITIATE, sent)
  testedCheckout.assertAccepted(answer)
  return { sent, got: answer.body }
}

export function retrieveCheckout(gateway: Gateway, { merchant_transaction_id }: Json): Promise<Json> {
  return gateway.read(`/v2/checkout/status/${merchant_transaction_id}`)
}

/** Makes the customer of a sandbox pay the checkout, by a scenario such as `approve` or `wrong_pin`. */
export function pay(
  gateway: Gateway,
  { merchant_transaction_id }: Json,
  payment: { scenario: string; method?: string | undefined; amount?: string },
): Promise<void> {
  return gateway.simulate(`/checkouts/${merchant_transaction_id}/pay`, payment)
}

/** Resolves with a paid checkout, the same one for all checks of a run. */
export function paidCheckout(gateway: Gateway): Promise<Sample> {
  return gateway.remember('a paid checkout', async () => {
    const { sent } = await startCheckout(gateway)
    await pay(gateway, sent, { scenario: 'approve' })
    return { sent, got: await retrieveCheckout(gateway, sent) }
  })
}

export const needsControl = { needs: ['control'] } satisfies Partial<Check>
export const needsCallbacks = { needs: ['control', 'callbacks'] } satisfies Partial<Check>
