/**
 * Computes the next state of one airtime recipient from the gateway's response to a status query. The response is a
 * list with an entry for each recipient. Pure.
 */

import type { AirtimeEntry } from '../contract/airtime.ts'
import type { AirtimeStatus } from '../contract/status.ts'
import type { Alarm } from '../transactions/transition.ts'
import type { Recipient, ReportedRecipient } from './record.ts'
import { compare } from '../contract/decimal.ts'
import { alarmAfter, canStatusFollow, raise } from '../transactions/transition.ts'
import { MEANING } from './outcome.ts'

/** For each service status, the statuses that the gateway may report next. [assumed] */
export const FOLLOWS: Record<AirtimeStatus, readonly AirtimeStatus[]> = {
  600: [601, 602, 603, 604, 605, 606, 607], // unprocessed: every other status may follow
  601: [602, 603, 604, 605, 606, 607], // processing: every status except unprocessed may follow
  604: [600, 601, 602, 603, 605, 606, 607], // jammed (stuck at the operator): every other status may follow
  607: [600, 601, 602, 603, 604, 605, 606], // submitted for reprocessing: processing starts again
  602: [605, 606], // successful: only a reversal or a refund may follow
  603: [602, 606, 607], // failed: the amount may be refunded; a late success needs a person
  605: [602, 607],
  606: [602, 607],
}

/**
 * Returns the recipient with the state that `entry` reports.
 *
 * If the entry contradicts the request or cannot be read, the stored state is kept and an alarm is raised. If the entry's status cannot
 * follow the stored status, the stored state is kept; 603 (failed) or 604 (jammed) after 602 (successful) also raises an
 * alarm, because the merchant believes that the airtime was delivered. Returns `recipient` itself if nothing changed, so
 * that nothing is stored.
 *
 * @param entry The recipient's entry in the gateway's list.
 * @param repeats The number of further entries in the list for the same phone number.
 */
export function reportRecipient(recipient: Recipient, entry: AirtimeEntry, repeats: number): Recipient {
  const { amount } = recipient
  const { amount: stated, service_status: status } = entry
  const before = recipient.reported?.service_status ?? null
  if (amount !== null && repeats > 0)
    return raise(recipient, 'The gateway has it more than once.', 'reported').record
  if (stated === null || status === null)
    return raise(recipient, 'What the gateway has of it cannot be read.', 'reported').record
  if (amount !== null && compare(stated, amount) !== 0)
    return raise(recipient, `The gateway has ${stated} where ${amount} was asked.`, 'reported').record
  if (before === 602 && (status === 603 || status === 604))
    return raise(recipient, `The gateway says ${status} after ${before}.`, 'returned').record
  if (!canStatusFollow(FOLLOWS, before, status)) return recipient
  const reported = reportedIn(entry)
  const alarm = alarmAfter(recipient.alarm, MEANING[status], status !== before)
  const next = { ...recipient, reported, alarm }
  return JSON.stringify(next) === JSON.stringify(recipient) ? recipient : next
}

/**
 * Creates a recipient for a phone number that the gateway lists but the merchant did not request. A person has to check
 * this recipient.
 */
export function addUnrequested(entry: AirtimeEntry): Recipient {
  const { phone_number, amount } = entry
  const alarm: Alarm = {
    why: `Nobody asked for it, and the gateway has ${amount ?? 'an amount that cannot be read'}.`,
    until: 'returned',
  }
  return { phone_number, amount: null, reported: reportedIn(entry), alarm, told: [] }
}

function reportedIn(entry: AirtimeEntry): ReportedRecipient | null {
  const { service_status, provider_reference, correlation_id, message } = entry
  return service_status && { service_status, provider_reference, correlation_id, message }
}
