/** Queries the status of a pay-in that was sent as a charge, at a gateway that may find charges only by its own id. */

import type { ChargeStatus } from '../contract/charge.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type { Transaction } from '../store/store.ts'
import { dated } from '../gateway/gateway-clock.ts'

/**
 * The observation of a status query. `at` is when the gateway answered, by its own clock, in milliseconds since the Unix
 * epoch; `null` if the answer does not say so.
 */
export type StatusAnswer =
  | { kind: 'status'; payload: ChargeStatus; at: number | null }
  /** The gateway does not know the pay-in (status_code 120 in the response). [spec: Checkout errors] */
  | { kind: 'unknown'; at: number | null }
  /** The gateway finds charges only by its own id, which the server does not know. Nothing was queried. */
  | { kind: 'unfound' }

/** @param chargeRequestId The gateway's id of the charge; `null` if it is unknown. */
export async function queryCharge(
  client: GatewayClient,
  { reference, trace_id: traceId }: Pick<Transaction, 'reference' | 'trace_id'>,
  chargeRequestId: string | null,
): Promise<StatusAnswer> {
  if (client.chargeStatusKey === 'charge_request_id' && chargeRequestId === null) return { kind: 'unfound' }
  return observeStatus((options) =>
    client.getChargeStatus(reference, { ...options, traceId, chargeRequestId }),
  )
}

/** Resolves with the observation of a status query, which resolves with `null` if the gateway does not know the pay-in. */
export async function observeStatus(
  query: Parameters<typeof dated<ChargeStatus | null>>[0],
): Promise<StatusAnswer> {
  const { answer: payload, at } = await dated(query)
  return payload ? { kind: 'status', payload, at } : { kind: 'unknown', at }
}
