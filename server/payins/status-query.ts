/** Queries the status of a pay-in that was sent as a charge, at a gateway that may find charges only by its own id. */

import type { ChargeStatus } from '../contract/charge.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type { Transaction } from '../store/store.ts'

/** The observation of a status query. */
export type StatusAnswer =
  | { kind: 'status'; payload: ChargeStatus }
  /** The gateway does not know the pay-in (status_code 120 in the response). [spec: Checkout errors] */
  | { kind: 'unknown' }
  /** The gateway finds charges only by its own id, which the server does not know. Nothing was queried. */
  | { kind: 'unfound' }

/** @param chargeRequestId The gateway's id of the charge; `null` if it is unknown. */
export async function queryCharge(
  client: GatewayClient,
  { reference, trace_id: traceId }: Pick<Transaction, 'reference' | 'trace_id'>,
  chargeRequestId: string | null,
): Promise<StatusAnswer> {
  if (client.chargeStatusKey === 'charge_request_id' && chargeRequestId === null) return { kind: 'unfound' }
  return answerOf(await client.getChargeStatus(reference, { traceId, chargeRequestId }))
}

/** Returns the observation of a response, which is `null` if the gateway does not know the pay-in. */
export function answerOf(payload: ChargeStatus | null): StatusAnswer {
  return payload ? { kind: 'status', payload } : { kind: 'unknown' }
}
