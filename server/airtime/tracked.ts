/** Converts stored airtime to the responses of `/api/airtime` and the data of `airtime.*` events. Pure. */

import type { ListedAirtime, TrackedAirtime, TrackedRecipient } from '../api/airtime.ts'
import type { Airtime, AirtimeRecord, Recipient } from './record.ts'
import { commonFieldsOf } from '../transactions/record.ts'
import { isSettled, determineOutcome, outcomeOf, summarise } from './outcome.ts'

/**
 * Returns the API's representation of the airtime that the merchant sent under one reference. The result contains the
 * recipients of all `requests`.
 */
export function trackedOf(requests: readonly [Airtime, ...Airtime[]]): TrackedAirtime {
  const updated_at = Math.max(...requests.map((request) => request.updated_at))
  const records = requests.map(({ record }) => record)
  return {
    ...summed({ ...requests[0], updated_at }, records),
    requests: requests.length,
    recipients: requests.flatMap((request) =>
      request.record.recipients.map((recipient) => trackedRecipient(request, recipient)),
    ),
  }
}

/** Returns an item of the API's list of airtime: one request to the gateway, without its recipients. */
export function listedOf(request: Airtime): ListedAirtime {
  const { reference: external_reference, version } = request
  return { ...summed(request, [request.record]), external_reference, version }
}

export function trackedRecipient(
  { group, reference, record }: Pick<Airtime, 'group' | 'reference' | 'record'>,
  recipient: Recipient,
): TrackedRecipient {
  const { phone_number, amount, reported } = recipient
  return {
    reference: group,
    phone_number,
    amount,
    ...determineOutcome(record, recipient),
    service_status: reported?.service_status ?? null,
    message: record.phase === 'rejected' ? record.response_description : (reported?.message ?? null),
    provider_reference: reported?.provider_reference ?? null,
    correlation_id: reported?.correlation_id ?? null,
    external_reference: reference,
    attention: record.phase === 'intended' ? record.stuck : recipient.attention,
  }
}

function summed(
  row: Pick<Airtime, 'group' | 'account' | 'created_at' | 'updated_at'>,
  records: readonly AirtimeRecord[],
) {
  const summary = summarise(records)
  return {
    reference: row.group,
    outcome: outcomeOf(summary),
    settled: records.every(isSettled),
    summary,
    ...commonFieldsOf(row),
  }
}
