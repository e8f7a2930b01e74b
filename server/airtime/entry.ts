/** Decides what an entry of the gateway's list says of its recipient. Pure. */

import { findAmountDifference, reportStatus } from '../transactions/transition.ts'
import { STATUS_RULES } from './record.ts'

import type { AirtimeEntry } from '../contract/airtime.ts'
import type { Recipient, ReportedRecipient } from './record.ts'

/** An entry of the gateway's list (`identify.ts`). `phone_number` is `null` if the record does not have it. */
export type ReportedEntry = Omit<AirtimeEntry, 'phone_number'> &
  Pick<Recipient, 'phone_number' | 'fingerprint'>

/**
 * Returns the recipient with the state that `entry` reports, or with an alarm if the entry contradicts the request or
 * cannot be read. Returns `recipient` itself if nothing changed.
 *
 * @param entry The recipient's entry in the gateway's list.
 * @param repeats The number of further entries in the list for the same phone number.
 * @param askedAt When the gateway was queried, in milliseconds since the Unix epoch.
 */
export function reportRecipient(
  recipient: Recipient,
  entry: ReportedEntry,
  repeats: number,
  askedAt: number,
): Recipient {
  return reportStatus(STATUS_RULES, recipient, readEntry(recipient.amount, entry, repeats, askedAt)).record
}

/** Returns the reported state, or a sentence that states how the entry contradicts the request or cannot be read. */
function readEntry(requested: string | null, entry: ReportedEntry, repeats: number, askedAt: number) {
  const reported = reportedIn(entry, askedAt)
  if (requested !== null && repeats > 0) {
    return 'The gateway has it more than once.'
  }
  if (reported === null) {
    return 'What the gateway has of it cannot be read.'
  }
  if (requested === null) {
    return reported
  }

  const { outcome } = STATUS_RULES.statuses[reported.service_status]
  return findAmountDifference(outcome, entry.amount, requested) ?? reported
}

/**
 * Creates a recipient for an entry that is about no recipient of the request, as far as can be told. A person has to
 * check this recipient, whose number is not stored: the merchant did not name it.
 */
export function createUnrequested(entry: ReportedEntry, askedAt: number): Recipient {
  const { fingerprint, amount } = entry
  const has = `the gateway has ${amount ?? 'an amount that cannot be read'}`
  const why = `No recipient of the request is known to have this number, and ${has}.`
  return {
    phone_number: null,
    fingerprint,
    amount: null,
    reported: reportedIn(entry, askedAt),
    missing_since: null,
    alarm: { why, until: 'returned' },
    resolution: null,
    told: [],
  }
}

function reportedIn(entry: ReportedEntry, since: number): ReportedRecipient | null {
  const { service_status, provider_reference, correlation_id, message } = entry
  return service_status === null
    ? null
    : { since, service_status, provider_reference, correlation_id, message }
}
