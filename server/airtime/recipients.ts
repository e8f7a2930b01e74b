/**
 * The recipients of airtime: reads the merchant's list, computes the next state of one recipient from its entry in the
 * gateway's list, and the outcome of one recipient or of several together. Pure. [spec: Airtime service_status]
 */

import type { AirtimeOutcome, AirtimeSummary, Share } from '../api/airtime.ts'
import type { FieldError } from '../api/problem.ts'
import type { AirtimeEntry } from '../contract/airtime.ts'
import type { AirtimeStatus } from '../contract/status.ts'
import type { Ladder } from '../transactions/ladder.ts'
import type { Standing } from '../transactions/transition.ts'
import type { AirtimeRecord, Recipient, ReportedRecipient } from './record.ts'
import { AirtimeRecipient } from '../contract/airtime.ts'
import { add, canonical, compare } from '../contract/decimal.ts'
import { safeParse } from '../contract/safe-parse.ts'
import { localCurrencyOf } from '../contract/countries.ts'
import { exactnessRuleOf, isExactIn } from '../money/currency.ts'
import { MOST_ERRORS } from '../api/refusal.ts'
import { report, standingOn } from '../transactions/ladder.ts'
import { standing } from '../transactions/transition.ts'

/** An entry of the gateway's list. `phone_number` is `null` if it was erased from the record. */
export type ReportedEntry = Omit<AirtimeEntry, 'phone_number'> &
  Pick<Recipient, 'phone_number' | 'fingerprint'>

/**
 * The maximum number of fraction digits of an amount in an unknown currency. [assumed] Every local currency has at most
 * two fraction digits.
 */
const FRACTION_DIGITS = 2

/**
 * Parses a list of recipients. Returns the recipients in the format of the gateway's API. If any recipient is invalid,
 * returns a list of errors instead. Parsing stops as soon as there are more than {@link MOST_ERRORS} errors.
 */
export function readRecipients(
  given: readonly unknown[],
): { recipients: AirtimeRecipient[] } | { errors: FieldError[] } {
  const recipients: AirtimeRecipient[] = []
  const errors: FieldError[] = []
  const first = new Map<string, number>()
  for (const [index, one] of given.entries()) {
    if (errors.length > MOST_ERRORS) break
    const { data, error } = safeParse(AirtimeRecipient, one)
    if (!data) {
      for (const { path, message } of error.issues)
        errors.push({ path: [`recipients[${index}]`, ...path].join('.'), message })
      continue
    }
    recipients.push(data)
    const rule = brokenRuleOf(data)
    if (rule !== null) errors.push({ path: `recipients[${index}].amount`, message: rule })
    const sameAs = first.get(data.phone_number)
    // The gateway identifies a recipient by the request's reference and the phone number, so each number must be
    // unique.
    if (sameAs === undefined) first.set(data.phone_number, index)
    else
      errors.push({
        path: `recipients[${index}].phone_number`,
        message: `is the same as recipients[${sameAs}]`,
      })
  }
  return errors.length > 0 ? { errors } : { recipients }
}

/** An amount is in the local currency of its phone number, and as exact as this currency. [spec: Airtime request] */
function brokenRuleOf({ phone_number, amount }: AirtimeRecipient): string | null {
  const currency = localCurrencyOf(phone_number)
  if (currency !== null) return isExactIn(currency, amount) ? null : exactnessRuleOf(currency)
  const [, fraction = ''] = amount.split('.')
  return fraction.length <= FRACTION_DIGITS ? null : `must have at most ${FRACTION_DIGITS} fraction digits`
}

/**
 * The spec says that 601 and 604 are not final. 600 (not started) and 607 (will be retried) are not final either,
 * because the gateway has yet to process the recipient. [assumed] Only these statuses may follow. After 602, the merchant
 * believes that the airtime was delivered.
 */
const LADDER: Ladder<AirtimeStatus, ReportedRecipient> = {
  statusOf: (reported) => reported.service_status,
  statuses: {
    600: { outcome: 'pending', next: [601, 602, 603, 604, 605, 606, 607] },
    601: { outcome: 'pending', next: [602, 603, 604, 605, 606, 607] },
    604: { outcome: 'needs_attention', next: [600, 601, 602, 603, 605, 606, 607] }, // jammed: stuck at the operator
    607: { outcome: 'pending', next: [600, 601, 602, 603, 604, 605, 606] }, // processing starts again
    602: { outcome: 'succeeded', next: [605, 606], contradictedBy: [603, 604] },
    603: { outcome: 'failed', next: [602, 606, 607] }, // a late success needs a person
    605: { outcome: 'reversed', next: [602, 607] },
    606: { outcome: 'refunded', next: [602, 607] },
  },
}

/**
 * Returns the recipient with the state that `entry` reports, or with an alarm if the entry contradicts the request or
 * cannot be read. Returns `recipient` itself if nothing changed.
 *
 * @param entry The recipient's entry in the gateway's list.
 * @param repeats The number of further entries in the list for the same phone number.
 */
export function reportRecipient(recipient: Recipient, entry: ReportedEntry, repeats: number): Recipient {
  return report(LADDER, recipient, readEntry(recipient.amount, entry, repeats)).record
}

function readEntry(requested: string | null, entry: ReportedEntry, repeats: number) {
  const reported = reportedIn(entry)
  if (requested !== null && repeats > 0) return 'The gateway has it more than once.'
  if (entry.amount === null || reported === null) return 'What the gateway has of it cannot be read.'
  if (requested !== null && compare(entry.amount, requested) !== 0)
    return `The gateway has ${entry.amount} where ${requested} was asked.`
  return reported
}

/**
 * Creates a recipient for a phone number that the gateway lists but the merchant did not request. A person has to check
 * this recipient.
 */
export function addUnrequested(entry: ReportedEntry): Recipient {
  const { phone_number, fingerprint, amount } = entry
  const why = `Nobody asked for it, and the gateway has ${amount ?? 'an amount that cannot be read'}.`
  return {
    phone_number,
    fingerprint,
    amount: null,
    reported: reportedIn(entry),
    alarm: { why, until: 'returned' },
    told: [],
  }
}

function reportedIn(entry: ReportedEntry): ReportedRecipient | null {
  const { service_status, provider_reference, correlation_id, message } = entry
  return service_status && { service_status, provider_reference, correlation_id, message }
}

export function determineOutcome(record: AirtimeRecord, recipient: Recipient): Standing {
  switch (record.phase) {
    case 'intended':
      return standing('sending', record.stuck)
    case 'rejected':
      return standing(record.is_unknown ? 'failed' : 'sending')
    case 'accepted':
      return standingOn(LADDER, recipient)
  }
}

export function isSettled(record: AirtimeRecord): boolean {
  return record.recipients.every((recipient) => determineOutcome(record, recipient).settled)
}

/** Counts the recipients and adds up their requested amounts, for each outcome and in total. */
export function summarise(records: readonly AirtimeRecord[]): AirtimeSummary {
  const summary: AirtimeSummary = {
    total: NOTHING,
    sending: NOTHING,
    pending: NOTHING,
    succeeded: NOTHING,
    failed: NOTHING,
    reversed: NOTHING,
    refunded: NOTHING,
    needs_attention: NOTHING,
  }
  for (const record of records) {
    for (const recipient of record.recipients) {
      const { outcome } = determineOutcome(record, recipient)
      summary.total = counted(summary.total, recipient)
      summary[outcome] = counted(summary[outcome], recipient)
    }
  }
  return summary
}

const NOTHING: Share = { count: 0, amount: '0' }

function counted({ count, amount }: Share, recipient: Recipient): Share {
  return {
    count: count + 1,
    amount: recipient.amount === null ? amount : canonical(add(amount, recipient.amount)),
  }
}

/**
 * Returns the outcome of all recipients together. Checks the outcomes `needs_attention`, `sending` and `pending` in
 * this order, and returns the first outcome that any recipient has. If no recipient has any of these outcomes, returns
 * `succeeded` if all recipients succeeded, `partial` if some succeeded, or `failed` if none succeeded.
 */
export function outcomeOf(summary: AirtimeSummary): AirtimeOutcome {
  if (summary.needs_attention.count > 0) return 'needs_attention'
  if (summary.sending.count > 0) return 'sending'
  if (summary.pending.count > 0) return 'pending'
  if (summary.succeeded.count === summary.total.count) return 'succeeded'
  return summary.succeeded.count > 0 ? 'partial' : 'failed'
}
