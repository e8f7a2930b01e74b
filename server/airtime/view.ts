/**
 * What the merchant sees of airtime in the API and in events. The merchant sends one list of recipients under one
 * reference; the server sends it to the gateway in one or more requests, and stores one row for each request.
 */

import { canonical } from '../contract/decimal.ts'
import { commonFieldsOf } from '../transactions/common-fields.ts'
import { determineOutcome, isSettled, outcomeOf, summarise } from './record.ts'

import type { ListedAirtime, TrackedAirtime, TrackedRecipient } from '../api/airtime.ts'
import type { Airtime, AirtimeRecord, Recipient } from './record.ts'

/** Shown in place of a phone number that was erased, or for a recipient whom the merchant did not name. */
const HIDDEN_PHONE_NUMBER = '***'

/** Returns the airtime of one reference of the merchant, with the recipients of all its requests to the gateway. */
export function airtimeOf(requests: readonly [Airtime, ...Airtime[]]): TrackedAirtime {
  const [firstRequest] = requests
  const lastUpdate = Math.max(...requests.map((request) => request.updated_at))
  const recipients = requests.flatMap((request) =>
    request.record.recipients.map((recipient) => trackedRecipientOf(request, recipient)),
  )

  return {
    ...trackedFieldsOf(requests),
    ...commonFieldsOf({ ...firstRequest, updated_at: lastUpdate }),
    requests: requests.length,
    recipients,
  }
}

/** Returns an item of the API's list of airtime: one request to the gateway, without its recipients. */
export function listedOf(request: Airtime): ListedAirtime {
  return {
    ...trackedFieldsOf([request]),
    ...commonFieldsOf(request),
    external_reference: request.reference,
    version: request.version,
  }
}

/** Returns a recipient as `/api/airtime` and the events `airtime.*` contain it. */
export function trackedRecipientOf(request: Airtime, recipient: Recipient): TrackedRecipient {
  const { amount, reported } = recipient

  return {
    reference: request.group,
    phone_number: recipient.phone_number ?? HIDDEN_PHONE_NUMBER,
    amount: amount === null ? null : canonical(amount),
    ...determineOutcome(request.record, recipient),
    service_status: reported?.service_status ?? null,
    message: rejectionTextOf(request.record) ?? reported?.message ?? null,
    provider_reference: reported?.provider_reference ?? null,
    correlation_id: reported?.correlation_id ?? null,
    external_reference: request.reference,
  }
}

/**
 * Returns the gateway's text about its rejection of the request; `null` if the gateway did not reject it, or gave no
 * text. The text is shown before the rejection counts, too: until then, status queries look for the request.
 */
function rejectionTextOf(record: AirtimeRecord): string | null {
  switch (record.phase) {
    case 'intended':
      return record.refused?.answer.response_description ?? null
    case 'rejected':
      return record.response_description
    case 'accepted':
      return null
  }
}

/** Returns the fields that a list of airtime and each of its requests have in common. */
function trackedFieldsOf(requests: readonly [Airtime, ...Airtime[]]) {
  const records = requests.map((request) => request.record)
  const summary = summarise(records)

  return {
    reference: requests[0].group,
    outcome: outcomeOf(summary),
    settled: records.every(isSettled),
    summary,
  }
}
