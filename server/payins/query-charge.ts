import type { ChargeStatus } from '../contract/charge-status.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type { Transaction } from '../store/store.ts'

/**
 * Queries the status of a charge, or of a checkout that was sent as a charge. Resolves with `unknown` if the gateway does
 * not know it, and with `unfound` if the gateway finds charges only by its own id, and this id is unknown (`null`).
 */
export async function queryCharge(
  client: GatewayClient,
  { reference, trace_id: traceId }: Pick<Transaction, 'reference' | 'trace_id'>,
  chargeRequestId: string | null,
): Promise<ChargeStatus | 'unknown' | 'unfound'> {
  if (client.chargeStatusKey === 'charge_request_id' && chargeRequestId === null) return 'unfound'
  return (await client.getChargeStatus(reference, { traceId, chargeRequestId })) ?? 'unknown'
}
