/**
 * Computes the next state of one airtime recipient from the gateway's response to a status query. The response is a
 * list with an entry for each recipient. Pure.
 */

import type { AirtimeEntry } from '../contract/airtime.ts'
import type { AirtimeStatus } from '../contract/status.ts'
import type { Recipient, ReportedRecipient } from './record.ts'
import { compare } from '../contract/decimal.ts'
import { canStatusFollow } from '../transactions/transition.ts'

/** For each service status, the statuses that the gateway may report next. [assumed] */
export const FOLLOWS: Record<AirtimeStatus, readonly AirtimeStatus[]> = {
  600: [601, 602, 603, 604, 605, 606, 607], // unprocessed: every other status may follow
  601: [602, 603, 604, 605, 606, 607], // processing: every status except unprocessed may follow
  604: [600, 601, 602, 603, 605, 606, 607], // jammed (stuck at the operator): every other status may follow
  607: [600, 601, 602, 603, 604, 605, 606], // submitted for reprocessing: processing starts again
  602: [605, 606], // successful: only a reversal or a refund may follow
  603: [606], // failed: the amount may be refunded
  605: [],
  606: [],
}

/**
 * The statuses 602 (successful) and 607 (submitted for reprocessing) mean that airtime was delivered or may still be
 * delivered. If one of them follows 603 (failed), 605 (reversed) or 606 (refunded), a person has to check the
 * recipient: the merchant may already have sent the airtime in another way.
 */
const DELIVERED_AFTER_ALL: readonly AirtimeStatus[] = [602, 607]
/**
 * If 603 (failed) or 604 (jammed) follows 602 (successful), a person has to check the recipient: the merchant believes
 * that the airtime was delivered.
 */
const NOT_DELIVERED: readonly AirtimeStatus[] = [603, 604]

/**
 * After a recipient has been missing from the gateway's list for this time, in milliseconds, a person has to check the
 * recipient. The gateway's list may be incomplete at first.
 */
const MISSING_FOR_LONG_MS = 2 * 60_000

/**
 * Returns the recipient with the state that `entry` reports.
 *
 * If the entry contradicts the request, the stored state is kept and an `attention` text is added. If the entry's
 * status cannot follow the stored status, the stored state is kept, and an `attention` text is added only if the
 * airtime may have been delivered after all.
 *
 * @param entry The recipient's entry in the gateway's list.
 * @param repeats The number of further entries in the list for the same phone number.
 */
export function reportRecipient(recipient: Recipient, entry: AirtimeEntry, repeats: number): Recipient {
  const { amount, reported } = recipient
  if (amount === null) return withReported(recipient, entry, recipient.attention)
  if (repeats > 0) return doubt(recipient, 'The gateway has it more than once.')
  if (compare(entry.amount, amount) !== 0)
    return doubt(recipient, `The gateway has ${entry.amount} where ${amount} was asked.`)
  const { service_status: status } = entry
  const before = reported?.service_status ?? null
  if (!canStatusFollow(FOLLOWS, before, status)) {
    const isAlarming = (before === 602 ? NOT_DELIVERED : DELIVERED_AFTER_ALL).includes(status)
    return isAlarming ? doubt(recipient, `The gateway says ${status} after ${before}.`) : recipient
  }
  return withReported(recipient, entry, null)
}

/**
 * Creates a recipient for a phone number that the gateway lists but the merchant did not request. A person has to check
 * this recipient.
 */
export function addUnrequested(entry: AirtimeEntry): Recipient {
  const { phone_number, amount } = entry
  const attention = `Nobody asked for it, and the gateway has ${amount}.`
  return { phone_number, amount: null, reported: reportedIn(entry), missing_since: null, attention }
}

/**
 * Returns the next state of a recipient that is missing from the gateway's list. If the recipient has been missing for
 * two minutes, an `attention` text is added. A recipient that is settled, or that the merchant did not request, is
 * returned unchanged.
 *
 * @param askedAt When the gateway was queried, in milliseconds since the Unix epoch.
 */
export function missRecipient(recipient: Recipient, isSettled: boolean, askedAt: number): Recipient {
  if (isSettled || recipient.amount === null) return recipient
  const { missing_since } = recipient
  if (missing_since === null) return { ...recipient, missing_since: askedAt }
  if (askedAt - missing_since < MISSING_FOR_LONG_MS) return recipient
  return doubt(recipient, 'The gateway has the request, and leaves this recipient out.')
}

/**
 * Returns the recipient with the state that `entry` reports. Returns `recipient` itself if nothing changed, so that
 * nothing is stored.
 */
function withReported(recipient: Recipient, entry: AirtimeEntry, attention: string | null): Recipient {
  const reported = reportedIn(entry)
  const isSame =
    recipient.missing_since === null &&
    recipient.attention === attention &&
    JSON.stringify(recipient.reported) === JSON.stringify(reported)
  return isSame ? recipient : { ...recipient, reported, missing_since: null, attention }
}

function doubt(recipient: Recipient, attention: string): Recipient {
  return recipient.attention === attention ? recipient : { ...recipient, attention }
}

function reportedIn(entry: AirtimeEntry): ReportedRecipient {
  const { service_status, provider_reference, correlation_id, message } = entry
  return { service_status, provider_reference, correlation_id, message }
}
