/** Computes a recipient's state from its entry in the gateway's list. Pure. */

import { findAmountDifference, movedAfter } from '../money-out/moved-money.ts'
import { applyReport } from '../money-out/reported-status.ts'
import { raise } from '../transactions/alarm.ts'
import { STATUS_RULES } from './record.ts'

import type { TrackedOutcome } from '../api/tracked.ts'
import type { AirtimeEntry } from '../contract/airtime.ts'
import type { Recipient, ReportedRecipient } from './record.ts'

/** An entry of the gateway's list (`identify.ts`). `phone_number` is `null` if the record does not have it. */
export type ReportedEntry = Omit<AirtimeEntry, 'phone_number'> &
  Pick<Recipient, 'phone_number' | 'fingerprint'>

/**
 * Returns the recipient with the state that `entry` reports, or with an alarm if the entry cannot be read. Returns
 * `recipient` itself if nothing changed.
 *
 * @param entry The recipient's entry in the gateway's list.
 * @param repeats The further entries in the list for the same phone number.
 * @param askedAt When the gateway was queried, in milliseconds since the Unix epoch.
 */
export function applyEntry(
  recipient: Recipient,
  entry: ReportedEntry,
  repeats: readonly ReportedEntry[],
  askedAt: number,
): Recipient {
  const reported = reportedIn(entry, askedAt, recipient)
  if (reported === null) {
    return raise(recipient, 'What the gateway has of it cannot be read.', 'reported').record
  }

  const { outcome } = STATUS_RULES.statuses[reported.service_status]
  const difference = findDifference(recipient.amount, outcome, [entry, ...repeats])
  return applyReport(STATUS_RULES, recipient, { ...reported, difference }).record
}

/**
 * Returns a sentence about how the entries differ from the request; `null` if they do not, or if nobody requested
 * airtime for this phone number.
 */
function findDifference(
  requested: string | null,
  outcome: TrackedOutcome,
  [entry, ...repeats]: readonly [ReportedEntry, ...ReportedEntry[]],
): string | null {
  if (requested === null) {
    return null
  }
  if (repeats.length > 0) {
    const statuses = [entry, ...repeats].map(({ service_status }) => service_status ?? 'unreadable')
    return `The gateway has it more than once: ${statuses.join(', ')}.`
  }
  return findAmountDifference(outcome, entry.amount, requested)
}

/**
 * Creates a recipient for an entry that belongs to no recipient of the request, as far as can be told. A person has to
 * check it. Its phone number is not stored, because the merchant did not name it.
 */
export function createUnrequested(entry: ReportedEntry, askedAt: number): Recipient {
  const { fingerprint, amount } = entry
  const newRecipient = { amount: null, reported: null }
  const gatewayHas = `the gateway has ${amount ?? 'an amount that cannot be read'}`
  const why = `No recipient of the request is known to have this number, and ${gatewayHas}.`
  return {
    phone_number: null,
    fingerprint,
    amount: null,
    reported: reportedIn(entry, askedAt, newRecipient),
    missing_since: null,
    alarm: { why, until: 'returned' },
    resolution: null,
    told: [],
  }
}

/** Returns what an entry reports; `null` if its status cannot be read. */
function reportedIn(
  entry: ReportedEntry,
  since: number,
  { amount: requested, reported: before }: Pick<Recipient, 'amount' | 'reported'>,
): ReportedRecipient | null {
  const { service_status, provider_reference, correlation_id, message, amount } = entry
  if (service_status === null) {
    return null
  }

  const { outcome } = STATUS_RULES.statuses[service_status]
  // Of airtime that nobody requested, only what the gateway states has moved.
  const moved = movedAfter(outcome, amount, requested ?? '0', before)
  return { since, service_status, provider_reference, correlation_id, message, difference: null, ...moved }
}
