/**
 * Implements the transaction kind `airtime`: sends airtime requests to the gateway, queries their status, computes when
 * the next status query is due, and converts requests to responses and event data. Each transaction is one request to
 * the gateway, with all its recipients.
 */

import type { AirtimeEntry } from '../contract/airtime.ts'
import type { GatewayDeps, Kind } from '../transactions/kind.ts'
import type { AirtimeEvent, Observation, ReportedEntry } from './transition.ts'
import type { Airtime, AirtimeRecord, Recipient } from './record.ts'
import type { ListedAirtime, TrackedAirtime, TrackedRecipient } from '../api/airtime.ts'
import type { Fingerprints } from '../privacy/fingerprints.ts'
import {
  announceRecipients,
  transition,
  determineOutcome,
  isSettled,
  outcomeOf,
  summarise,
} from './transition.ts'
import { readAirtime, requestedOf } from './record.ts'
import { CANNOT_OPEN } from '../privacy/personal.ts'
import { canonical } from '../contract/decimal.ts'
import { ACKNOWLEDGEMENT_CODE } from '../contract/status.ts'
import { GatewayError } from '../gateway/errors.ts'
import { progressSince } from '../transactions/schedule.ts'
import { submissionProgress, unacknowledgedProgress } from '../transactions/submission.ts'
import { commonFieldsOf } from '../transactions/record.ts'

export const airtimeKind: Kind<Airtime, Observation, AirtimeEvent> = {
  read: readAirtime,
  transition,
  announce: ({ record: before }, { record }) => announceRecipients(before, record),
  outcomeOf: ({ record }) => outcomeOf(summarise([record])),
  progressOf({ record, ...row }) {
    switch (record.phase) {
      case 'intended':
        return submissionProgress(record, row)
      case 'rejected':
        return record.is_unknown ? { stage: 'ended' } : unacknowledgedProgress(row)
      case 'accepted':
        return progressSince(row, record.settled_at)
    }
  },
  // The sum has no currency, because each amount is in the recipient's local currency.
  requestOf(record) {
    const { count, amount } = summarise([record]).total
    return { amount: `${amount} for ${count} recipients`, fingerprint: record.request_fingerprint }
  },
  describeEvent: ({ recipient, outcome }, airtime) => ({
    type: `airtime.${outcome}`,
    about: recipient.fingerprint,
    data: trackedRecipient(airtime, recipient),
  }),
  familyOf: () => 'airtime',

  async send(airtime, deps) {
    const { reference, record, trace_id: traceId, sent_at: sentAt } = airtime
    const request = { reference, recipients: record.recipients.flatMap(requestedOf) }
    if (request.recipients.length < record.recipients.length)
      throw new GatewayError('gateway_contradiction', CANNOT_OPEN)
    const answer = await deps.client.sendAirtime(request, { traceId, sentAt })
    if (answer.response_code === ACKNOWLEDGEMENT_CODE.accepted) return { kind: 'accepted' }
    return settleRejection(airtime, answer.response_description, deps)
  },
  queryStatus,

  erase({ record, outcome }, concerns) {
    const concerned = record.recipients.filter(
      ({ phone_number, fingerprint }) => phone_number !== null && concerns([fingerprint]),
    )
    if (concerned.length === 0) return null
    if (record.phase === 'intended' || !concerned.every((each) => determineOutcome(record, each).settled))
      return `it is under way (${outcome})`
    const recipients = record.recipients.map((recipient) => {
      if (!concerned.includes(recipient)) return recipient
      const reported = recipient.reported && { ...recipient.reported, message: null }
      return { ...recipient, phone_number: null, reported }
    })
    return { record: { ...record, recipients }, parts: concerned.map(({ fingerprint }) => fingerprint) }
  },
}

async function queryStatus(
  { record, reference, trace_id: traceId }: Airtime,
  { client, fingerprints }: GatewayDeps,
): Promise<Observation> {
  const entries = await client.getAirtimeStatus(reference, { traceId })
  return entries ? { kind: 'status', entries: identify(entries, record, fingerprints) } : { kind: 'unknown' }
}

/** Adds the fingerprints to the entries. What was erased from the record is left out. */
function identify(
  entries: readonly AirtimeEntry[],
  { recipients }: AirtimeRecord,
  fingerprints: Fingerprints,
): ReportedEntry[] {
  const byNumber = new Map(recipients.map((each) => [each.phone_number, each.fingerprint]))
  const erased = new Set(
    recipients.flatMap(({ phone_number, fingerprint }) => (phone_number === null ? [fingerprint] : [])),
  )
  return entries.map((entry) => {
    const fingerprint = byNumber.get(entry.phone_number)
    if (fingerprint !== undefined) return { ...entry, fingerprint }
    const known = fingerprints.all('phone', entry.phone_number).find((each) => erased.has(each))
    return known === undefined
      ? { ...entry, fingerprint: fingerprints.of('phone', entry.phone_number) }
      : { ...entry, fingerprint: known, phone_number: null, message: null }
  })
}

/**
 * Queries the status of a request that the gateway rejected with 721. If the gateway knows the reference, resolves with
 * the reported status. The rejection counts if the gateway does not know the reference. If the query fails, this
 * stays open.
 *
 * [assumed] A 721 may also mean that the gateway has already accepted this reference from another server, which has its
 * own database. The status of the accepted request then counts, not the rejection.
 */
async function settleRejection(airtime: Airtime, why: string, deps: GatewayDeps): Promise<Observation> {
  try {
    const status = await queryStatus(airtime, deps)
    return status.kind === 'status' ? status : { kind: 'rejected', why, isUnknown: true }
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return { kind: 'rejected', why, isUnknown: false }
  }
}

/**
 * Returns the API's representation of the airtime that the merchant sent under one reference. The result contains the
 * recipients of all `requests`.
 */
export function airtimeOf(requests: readonly [Airtime, ...Airtime[]]): TrackedAirtime {
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

/** What stands in place of a phone number that was erased. */
const ERASED = '***'

/** Returns a recipient as `/api/airtime` and the events `airtime.*` contain it. */
function trackedRecipient(
  { group, reference, record }: Pick<Airtime, 'group' | 'reference' | 'record'>,
  recipient: Recipient,
): TrackedRecipient {
  const { phone_number, amount, reported } = recipient
  return {
    reference: group,
    phone_number: phone_number ?? ERASED,
    amount: amount && canonical(amount),
    ...determineOutcome(record, recipient),
    service_status: reported?.service_status ?? null,
    message: record.phase === 'rejected' ? record.response_description : (reported?.message ?? null),
    provider_reference: reported?.provider_reference ?? null,
    correlation_id: reported?.correlation_id ?? null,
    external_reference: reference,
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
