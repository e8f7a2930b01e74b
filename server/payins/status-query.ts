/**
 * Queries the status of a pay-in. A standard checkout is found by its reference. A charge is found by its reference or,
 * at some gateways, only by the gateway's own id.
 */

import { contradicts } from '../gateway/echo.ts'
import { GatewayError } from '../gateway/errors.ts'
import { dated } from '../gateway/gateway-clock.ts'
import { printsOf } from './payer-prints.ts'

import type { ChargeStatus } from '../contract/charge.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type { Fingerprints } from '../privacy/personal.ts'
import type { Transaction } from '../store/transactions.ts'
import type { StatusAnswer } from './status-answer.ts'

interface QueriedCharge extends Pick<Transaction, 'reference' | 'trace_id'> {
  /** The gateway's id of the charge; `null` if the response that contains it is missing. */
  charge_request_id: string | null
  /** The id by which a callback named the charge; `null` if none did. */
  named_id: string | null
  /** Returns whether a payment of this amount (decimal text in major units) is that of the request. */
  isTotal: (amount: string) => boolean
}

export async function queryCharge(client: GatewayClient, charge: QueriedCharge): Promise<StatusAnswer> {
  const { reference, trace_id: traceId, charge_request_id: chargeRequestId, named_id } = charge
  const isFindable = client.chargeStatusKey === 'external_reference' || chargeRequestId !== null
  if (isFindable) {
    return observeStatus((options) =>
      client.getChargeStatus(reference, { ...options, traceId, chargeRequestId }),
    )
  }
  return named_id === null ? { kind: 'unfound' } : queryNamed(client, charge, named_id)
}

/**
 * Queries a charge by the id in a callback, which anybody may have sent. The answer counts only if it names our
 * reference and the requested amount.
 */
async function queryNamed(
  client: GatewayClient,
  { reference, trace_id: traceId, isTotal }: QueriedCharge,
  named_id: string,
): Promise<StatusAnswer> {
  try {
    const { answer: payload, at } = await dated((options) =>
      client.getChargeStatus(reference, { ...options, traceId, chargeRequestId: named_id }),
    )
    const isOurs =
      payload !== null &&
      !contradicts(payload.merchant_transaction_id, reference) &&
      payload.payments.some((payment) => payment !== null && isTotal(payment.amount))
    return isOurs ? { kind: 'status', payload, at, found_as: named_id } : { kind: 'unfound' }
  } catch (error) {
    const isAnother = error instanceof GatewayError && error.code === 'gateway_contradiction'
    if (!isAnother) {
      throw error
    }
    return { kind: 'unfound' }
  }
}

/** Resolves with the observation of a status query, which resolves with `null` if the gateway does not know the pay-in. */
export async function observeStatus(
  query: Parameters<typeof dated<ChargeStatus | null>>[0],
): Promise<StatusAnswer> {
  const { answer: payload, at } = await dated(query)
  return payload ? { kind: 'status', payload, at } : { kind: 'unknown', at }
}

/** Returns the answer with the fingerprints of each payment's payer, in the order of the payments. */
export function identifyPayers(answer: StatusAnswer, fingerprints: Fingerprints): StatusAnswer {
  if (answer.kind !== 'status') {
    return answer
  }

  const payers = answer.payload.payments.map(
    (payment) => payment && printsOf(payment.payer_msisdn, fingerprints),
  )
  return { ...answer, payers }
}
