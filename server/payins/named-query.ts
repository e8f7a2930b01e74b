/**
 * Queries the status of a charge whose response was lost, if the gateway finds charges only by its own id. The ids to
 * try come from callbacks, which are not signed.
 */

import type { ChargeStatus } from '../contract/charge-status.ts'
import type { GatewayClient } from '../gateway/client.ts'
import { GatewayError, GatewayRefusal } from '../gateway/errors.ts'

/** The first answer that is about the charge, or the ids that belong to other charges or to none. */
export type NamedAnswer =
  | { kind: 'status'; payload: ChargeStatus; named_id: string }
  | { kind: 'unfound'; wrong: readonly string[] }

interface NamedCharge {
  reference: string
  trace_id: string | null
  /** The ids that callbacks have named, the newest first. */
  named_ids: readonly string[]
}

/**
 * Queries the status under each id that a callback has named. Resolves with the first answer for which `read` returns
 * a payload. If there is no such answer and a query failed, throws the error of this query.
 *
 * @param read Returns the payload if the answer is about the charge, otherwise `null`.
 */
export async function queryNamedIds(
  client: Pick<GatewayClient, 'getChargeStatus'>,
  { reference, trace_id: traceId, named_ids }: NamedCharge,
  read: (answer: ChargeStatus) => ChargeStatus | null,
): Promise<NamedAnswer> {
  const queries = named_ids.map((chargeRequestId) =>
    client.getChargeStatus(reference, { traceId, chargeRequestId }),
  )
  const answers = await Promise.allSettled(queries)
  const wrong: string[] = []
  let failure: unknown = null
  for (const [index, named_id] of named_ids.entries()) {
    const answer = answers[index]
    if (answer?.status === 'rejected') {
      if (isWrongId(answer.reason)) wrong.push(named_id)
      else failure ??= answer.reason
    } else if (answer?.value) {
      const payload = read(answer.value)
      if (payload) return { kind: 'status', payload, named_id }
      wrong.push(named_id)
    }
  }
  if (failure !== null) throw failure
  return { kind: 'unfound', wrong }
}

/** Returns whether the error of a status query means that the id belongs to another charge, or to none. */
function isWrongId(error: unknown): boolean {
  return (
    error instanceof GatewayRefusal ||
    (error instanceof GatewayError && error.code === 'gateway_contradiction')
  )
}
