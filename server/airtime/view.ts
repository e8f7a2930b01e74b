/** What the merchant sees of airtime: of a list, of each request to the gateway, and of each recipient. */

import { canonical } from '../contract/decimal.ts'
import { commonFieldsOf } from '../transactions/record.ts'
import { determineOutcome, isSettled, outcomeOf, summarise } from './record.ts'

import type { ListedAirtime, TrackedAirtime, TrackedRecipient } from '../api/airtime.ts'
import type { Airtime, AirtimeRecord, Recipient } from './record.ts'

/**
 * Returns the API's representation of the airtime that the merchant sent under one reference. The result contains the
 * recipients of all `requests`.
 */
export function airtimeOf(requests: readonly [Airtime, ...Airtime[]]): TrackedAirtime {
  const updated_at = Math.max(...requests.map((request) => request.updated_at))
  const records = requests.map(({ record }) => record)
  return {
    ...trackedFieldsOf({ ...requests[0], updated_at }, records),
    requests: requests.length,
    recipients: requests.flatMap((request) =>
      request.record.recipients.map((recipient) => trackedRecipientOf(request, recipient)),
    ),
  }
}

/** Returns an item of the API's list of airtime: one request to the gateway, without its recipients. */
export function listedOf(request: Airtime): ListedAirtime {
  const { reference: external_reference, version } = request
  return { ...trackedFieldsOf(request, [request.record]), external_reference, version }
}

/** Returns a recipient as `/api/airtime` and the events `airtime.*` contain it. */
export function trackedRecipientOf(
  { group, reference, record }: Airtime,
  recipient: Recipient,
): TrackedRecipient {
  const { phone_number, amount, reported } = recipient
  return {
    reference: group,
    phone_number: phone_number ?? '***', // erased, or not requested
    amount: amount && canonical(amount),
    ...determineOutcome(record, recipient),
    service_status: reported?.service_status ?? null,
    message: rejectionOf(record)?.response_description ?? reported?.message ?? null,
    provider_reference: reported?.provider_reference ?? null,
    correlation_id: reported?.correlation_id ?? null,
    external_reference: reference,
  }
}

/** Returns the gateway's rejection, also one that does not count yet; `null` without one. */
function rejectionOf(record: AirtimeRecord) {
  if (record.phase === 'intended') {
    return record.refused?.answer ?? null
  }
  return record.phase === 'rejected' ? record : null
}

function trackedFieldsOf(row: Airtime, records: readonly AirtimeRecord[]) {
  const summary = summarise(records)
  return {
    reference: row.group,
    outcome: outcomeOf(summary),
    settled: records.every(isSettled),
    summary,
    ...commonFieldsOf(row),
  }
}
