/** What the gateway says: of the credentials and the account, and of each service code. */

import type { Config } from '../../config.ts'
import type { GatewayClient } from '../../gateway/client.ts'
import type { Randomness } from '../../randomness.ts'
import type { Finding } from './finding.ts'
import { GatewayError } from '../../gateway/errors.ts'
import { fine, problem } from './finding.ts'

/** The balance is asked because it needs credentials and account, and changes nothing. */
export async function checkAccount(client: GatewayClient, accountNumber: string): Promise<Finding> {
  const found = await orReason(client.getBalance(accountNumber))
  if ('reason' in found) return problem('account', found.reason)
  const { balance, currency } = found.answer
  return fine('account', `Authenticated; ${accountNumber} holds ${balance} ${currency}.`)
}

/**
 * [assumed] Only initiate tells whether a service code is good, and its currency: one unit for a minute, in a
 * session that is shown to nobody and ends by itself.
 */
export async function checkServices(
  client: GatewayClient,
  { gateway, publicUrl }: Config,
  randomness: Pick<Randomness, 'uuid'>,
): Promise<Finding[]> {
  const { serviceCodes, accountNumber } = gateway
  const services: [string | null, string][] =
    'any' in serviceCodes ? [[null, serviceCodes.any]] : Object.entries(serviceCodes.byCurrency)

  return Promise.all(
    services.map(async ([currency, service_code]) => {
      const what = `service ${service_code}`
      const request = {
        merchant_transaction_id: randomness.uuid(),
        amount: 1,
        payer_name: 'Check before going live',
        payer_email: 'check@example.com',
        payer_msisdn: '254700000000',
        service_code,
        account_number: accountNumber,
        expires_in: 1,
        narration: 'Check before going live',
        callback_url: `${publicUrl}/callbacks/checkout/check`,
        redirect_url: `${publicUrl}/health/live`,
      }
      const found = await orReason(client.initiateCheckout(request, { currency }))
      if ('reason' in found) return problem(what, found.reason)
      return fine(what, `It is active and takes ${found.answer.currency}.`)
    }),
  )
}

async function orReason<Answer>(asked: Promise<Answer>): Promise<{ answer: Answer } | { reason: string }> {
  try {
    return { answer: await asked }
  } catch (error) {
    if (error instanceof GatewayError) return { reason: error.message }
    throw error
  }
}
