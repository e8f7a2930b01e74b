/** Computes the next state of one recipient from the gateway's list. Pure. */

import type { AirtimeEntry } from '../contract/airtime.ts'
import type { AirtimeStatus } from '../contract/status.ts'
import type { Recipient, ReportedRecipient } from './record.ts'
import { compare } from '../contract/decimal.ts'
import { canStatusFollow } from '../transactions/transition.ts'

/** [assumed] The spec lists the codes and shows no transitions; this table is ours. */
export const FOLLOWS: Record<AirtimeStatus, readonly AirtimeStatus[]> = {
  600: [601, 602, 603, 604, 605, 606, 607], // unprocessed: anything may happen
  601: [602, 603, 604, 605, 606, 607], // processing
  604: [600, 601, 602, 603, 605, 606, 607], // jammed: an operator decides
  607: [600, 601, 602, 603, 604, 605, 606], // to be tried again: from the beginning
  602: [605, 606], // delivered: the money may only come back
  603: [606], // failed: what was taken for it may be refunded
  605: [],
  606: [],
}

/** Statuses that need a person after `failed`: the merchant may already have sent the airtime in another way. */
const DELIVERED_AFTER_ALL: readonly AirtimeStatus[] = [602, 607]

/** How long a recipient may be missing from the gateway's list: the list may be incomplete at first. */
const MISSING_FOR_LONG_MS = 2 * 60_000

/** @param repeats How many further entries the list has for this number. */
export function reportRecipient(recipient: Recipient, entry: AirtimeEntry, repeats: number): Recipient {
  const { amount, reported } = recipient
  if (amount === null) return withReported(recipient, entry, recipient.attention)
  if (repeats > 0) return doubt(recipient, 'The gateway has it more than once.')
  if (compare(entry.amount, amount) !== 0)
    return doubt(recipient, `The gateway has ${entry.amount} where ${amount} was asked.`)
  const { service_status: status } = entry
  const before = reported?.service_status ?? null
  if (!canStatusFollow(FOLLOWS, before, status)) {
    const isAlarming = before !== 602 && DELIVERED_AFTER_ALL.includes(status)
    return isAlarming ? doubt(recipient, `The gateway says ${status} after ${before}.`) : recipient
  }
  return withReported(recipient, entry, null)
}

/** Adds a recipient for a number that the gateway lists but nobody requested. */
export function addUnrequested(entry: AirtimeEntry): Recipient {
  const { phone_number, amount } = entry
  const attention = `Nobody asked for it, and the gateway has ${amount}.`
  return { phone_number, amount: null, reported: reportedIn(entry), missing_since: null, attention }
}

/** Handles a recipient missing from the gateway's list. Settled recipients may be missing. */
export function missRecipient(recipient: Recipient, isSettled: boolean, askedAt: number): Recipient {
  if (isSettled || recipient.amount === null) return recipient
  const { missing_since } = recipient
  if (missing_since === null) return { ...recipient, missing_since: askedAt }
  if (askedAt - missing_since < MISSING_FOR_LONG_MS) return recipient
  return doubt(recipient, 'The gateway has the request, and leaves this recipient out.')
}

/** Returns the same object if the recipient is unchanged, so that nothing is stored. */
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
