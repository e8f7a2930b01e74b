/** Network checks of `check`: credentials, account, service codes, and the server's public URL. */

import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Fetch } from '../exchange.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type { Randomness } from '../randomness.ts'
import { exchange } from '../exchange.ts'
import { GatewayError } from '../gateway/errors.ts'

/** One line of the result of `check`. */
export interface Finding {
  /** The name of the check. */
  what: string
  /** Only a `problem` makes the check fail. A `note` needs a decision by a person. */
  kind: 'fine' | 'note' | 'problem'
  detail: string
}

const DEADLINE_MS = 8_000
const MAX_RESPONSE_BYTES = 10_000

export function fine(what: string, detail: string): Finding {
  return { what, kind: 'fine', detail }
}

export function note(what: string, detail: string): Finding {
  return { what, kind: 'note', detail }
}

export function problem(what: string, detail: string): Finding {
  return { what, kind: 'problem', detail }
}

/** Queries the balance, which requires valid credentials and a valid account, and changes nothing. */
export async function checkAccount(client: GatewayClient, accountNumber: string): Promise<Finding> {
  return orProblem('account', async () => {
    const { balance, currency } = await client.getBalance(accountNumber)
    return `Authenticated; the balance of ${accountNumber} is ${balance} ${currency}.`
  })
}

/**
 * Initiates a checkout of one currency unit per service code, which expires after one minute and is never shown.
 * [assumed] Only initiate validates a service code and its currency.
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
    services.map(([currency, service_code]) =>
      orProblem(`service ${service_code}`, async () => {
        const request = {
          merchant_transaction_id: randomness.uuid(),
          amount: 1,
          payer_name: 'Check before production',
          payer_email: 'check@example.com',
          payer_msisdn: '254700000000',
          service_code,
          account_number: accountNumber,
          expires_in: 1,
          narration: 'Check before production',
          callback_url: `${publicUrl}/callbacks/checkout/check`,
          redirect_url: `${publicUrl}/health/live`,
        }
        const initiated = await client.initiateCheckout(request, { currency })
        return `Active; its currency is ${initiated.currency}.`
      }),
    ),
  )
}

/** Checks whether this server responds at its public URL. */
export async function checkAddress(fetch: Fetch, clock: Clock, publicUrl: string): Promise<Finding> {
  const url = `${publicUrl}/health/live`
  const response = await exchange(fetch, clock, {
    method: 'GET',
    url,
    headers: {},
    deadlineMs: DEADLINE_MS,
    maxAnswerBytes: MAX_RESPONSE_BYTES,
  })
  switch (response.kind) {
    case 'timeout':
      return problem('address', `${url} did not respond within ${DEADLINE_MS / 1000} seconds.`)
    case 'unreachable':
      return problem('address', `${url} cannot be reached from this machine. Is the server running?`)
    case 'too_large':
      return problem('address', `${url} responds, but not as this server.`)
    case 'answer':
      return response.status === 200 && /"status":\s*"live"/.test(response.text)
        ? fine('address', `${url} is served by this server, as seen from this machine.`)
        : problem('address', `${url} responds with HTTP ${response.status}, but not as this server.`)
  }
}

/**
 * Runs a check and converts its failure to a finding.
 *
 * @param work Resolves with the detail of a passed check.
 */
async function orProblem(what: string, work: () => Promise<string>): Promise<Finding> {
  try {
    return fine(what, await work())
  } catch (error) {
    if (error instanceof GatewayError) return problem(what, error.message)
    throw error
  }
}
