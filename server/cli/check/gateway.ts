/** The checks of the gateway: its clock, the credentials with the accounts, and the services. No money moves. */

import { valueFor } from '../../config/gateway.ts'
import { GatewayError } from '../../gateway/errors.ts'
import { describeSkew, MAX_SKEW_MS, SKEW_DOES } from '../../gateway/gateway-clock.ts'
import { systemRandomness } from '../../work/randomness.ts'

import type { Context } from './context.ts'

/** Compares this machine's clock with the gateway's. The clock of a sandbox may have been moved on purpose. */
export async function checkClock({ client, skewMs, fine, note, later }: Context): Promise<void> {
  // The checks of the accounts report that nobody can authenticate.
  if (typeof (await client.authenticate().catch(messageOf)) === 'string') {
    return
  }

  const skew = skewMs()
  if (skew === null) {
    return note(
      'The answers of the gateway have no header Date, so this machine decides when a session is over: keep its clock set by NTP.',
    )
  }
  if (Math.abs(skew) <= MAX_SKEW_MS) {
    return fine("This machine's clock agrees with the gateway's.")
  }

  later(`This machine's clock is ${describeSkew(skew)} the gateway's. ${SKEW_DOES}`)
}

/** Checks the credentials and the account numbers by querying each account's balance. The queries change nothing. */
export function checkAccounts({ client, config: { gateway }, fine, problem }: Context): Promise<unknown> {
  const checks = gateway.accountNumbers.map(async ([wanted, number]) => {
    const what = wanted === null ? 'account' : `account ${wanted}`
    const answer = await client.getBalance(number).catch(messageOf)
    if (typeof answer === 'string') {
      return problem(answer, what)
    }

    const { balance, currency } = answer
    if (wanted === null || currency === wanted) {
      fine(`Authenticated; the balance of ${number} is ${balance} ${currency}.`, what)
    } else {
      problem(`GATEWAY_ACCOUNT_NUMBER has ${number} for ${wanted}, but this account is in ${currency}.`, what)
    }
  })
  return Promise.all(checks)
}

/**
 * Checks each service code, which is the gateway's code for one of the merchant's services, by initiating a checkout
 * with the amount 1. No shopper sees this checkout, and its session expires after one minute.
 *
 * [assumed] The gateway validates a service code and its currency only when a checkout is initiated.
 */
export function checkServices({
  client,
  config: { gateway, publicUrl },
  fine,
  problem,
}: Context): Promise<unknown> {
  const { serviceCodes, accountNumbers } = gateway
  const checks = serviceCodes.map(async ([currency, service_code]) => {
    const request = {
      merchant_transaction_id: systemRandomness.uuid(),
      amount: 1,
      payer_name: 'Check before production',
      payer_email: 'check@example.com',
      payer_msisdn: '254700000000',
      service_code,
      // A service code without a currency may have accounts by currency, of which any will do.
      account_number: valueFor(accountNumbers, currency) ?? accountNumbers[0]?.[1] ?? '',
      expires_in: 1,
      narration: 'Check before production',
      callback_url: `${publicUrl}/callbacks/checkout/check`,
      redirect_url: `${publicUrl}/health/live`,
    }
    const initiated = await client.initiateCheckout(request, { currency }).catch(messageOf)
    if (typeof initiated === 'string') {
      problem(initiated, `service ${service_code}`)
    } else {
      fine(`Active; its currency is ${initiated.currency}.`, `service ${service_code}`)
    }
  })
  return Promise.all(checks)
}

function messageOf(error: unknown): string {
  if (error instanceof GatewayError) {
    return error.message
  }
  throw error
}
