/**
 * Airtime as a transaction kind: one request for up to 1,000 recipients, each with an outcome, events and personal data of
 * its own.
 *
 * Each request is sent at most once: delivered airtime cannot be taken back, and the spec does not say that the gateway
 * refuses a duplicate request.
 */

import { ACKNOWLEDGEMENT_CODE } from '../contract/status.ts'
import { GatewayError } from '../gateway/errors.ts'
import { CANNOT_OPEN } from '../privacy/personal.ts'
import { RecordError } from '../transactions/record.ts'
import { progressSince } from '../transactions/schedule.ts'
import { submissionProgress } from '../transactions/submission.ts'
import { identify } from './identify.ts'
import { movementsOfAirtime } from './movements.ts'
import { determineOutcome, isSettled, outcomeOf, readAirtime, summarise } from './record.ts'
import { announceRecipients, transition } from './transition.ts'
import { trackedRecipientOf } from './view.ts'

import type { GatewayDeps, Kind } from '../transactions/kind.ts'
import type { Airtime } from './record.ts'
import type { AirtimeEvent, Observation } from './transition.ts'

export const airtimeKind: Kind<Airtime, Observation, AirtimeEvent> = {
  read: readAirtime,
  transition,
  announce: ({ record: before }, { record }) => announceRecipients(before, record),
  outcomeOf: ({ record }) => outcomeOf(summarise([record])),
  progressOf({ record, ...row }) {
    switch (record.phase) {
      case 'intended': {
        // Without an answer of the gateway, only a person can have settled every recipient.
        const resolvedAt = isSettled(record) ? record.recipients[0]?.resolution?.at : undefined
        return resolvedAt === undefined
          ? submissionProgress(record, row)
          : { stage: 'settled', at: resolvedAt }
      }
      case 'rejected':
        return { stage: 'settled', at: record.rejected_at }
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
    data: trackedRecipientOf(airtime, recipient),
  }),
  eventDataOf(airtime, about) {
    const recipient = airtime.record.recipients.find(({ fingerprint }) => fingerprint === about)
    if (!recipient) {
      throw new RecordError(`Airtime ${airtime.reference} lacks a recipient of its events.`)
    }
    return trackedRecipientOf(airtime, recipient)
  },
  movementsOf: movementsOfAirtime,
  familyOf: () => 'airtime',
  sendRule: () => 'once',

  async send(airtime, deps) {
    const { reference, record, trace_id: traceId, sent_at: sentAt } = airtime
    const recipients = record.recipients.flatMap(({ phone_number, amount }) =>
      phone_number === null || amount === null ? [] : [{ phone_number, amount }],
    )
    // Some personal data cannot be decrypted. Nothing was sent, and it is tried again, because the missing key
    // (GATEWAY_CONSUMER_SECRET_PREVIOUS) may be configured later.
    if (recipients.length < record.recipients.length) {
      throw new GatewayError('gateway_contradiction', CANNOT_OPEN, { isUnsent: true })
    }

    const answer = await deps.client.sendAirtime({ reference, recipients }, { traceId, sentAt })
    const { response_code, response_description } = answer
    const isAccepted = response_code === ACKNOWLEDGEMENT_CODE.accepted
    return isAccepted ? { kind: 'accepted' } : { kind: 'rejected', response_description }
  },
  queryStatus,

  erase({ record, outcome }, concerns) {
    const concerned = record.recipients.filter(
      ({ phone_number, fingerprint }) => phone_number !== null && concerns([fingerprint]),
    )
    if (concerned.length === 0) {
      return null
    }
    if (!concerned.every((recipient) => determineOutcome(record, recipient).settled)) {
      return `it is under way (${outcome})`
    }

    const recipients = record.recipients.map((recipient) => {
      if (!concerned.includes(recipient)) {
        return recipient
      }

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
  if (!entries) {
    return { kind: 'unknown' }
  }
  return { kind: 'status', entries: identify(entries, record.recipients, fingerprints) }
}
