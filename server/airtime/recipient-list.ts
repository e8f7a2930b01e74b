/** Parses a list of recipients and reports every error in it. Pure. */

import { AirtimeRecipient } from '../contract/airtime.ts'
import { compare, round } from '../contract/decimal.ts'

export interface RecipientError {
  /** Index of the recipient, from 0. */
  index: number
  /** `null` when the entry is not an object. */
  field: string | null
  /** The broken rule, or the earlier recipient with the same number. */
  rule: string | { sameAs: number }
}

/** [assumed] The spec names no currency for airtime amounts; no local currency is finer than a hundredth. */
const FRACTION_DIGITS = 2

/** Returns the recipients in the gateway's format, or all errors. */
export function readRecipients(
  given: readonly unknown[],
): { recipients: AirtimeRecipient[] } | { errors: RecipientError[] } {
  const recipients: AirtimeRecipient[] = []
  const errors: RecipientError[] = []
  const first = new Map<string, number>()
  for (const [index, one] of given.entries()) {
    const { data, error } = AirtimeRecipient.safeParse(one)
    if (!data) {
      for (const { path, message } of error.issues)
        errors.push({ index, field: path.join('.') || null, rule: message })
      continue
    }
    recipients.push(data)
    if (compare(round(data.amount, FRACTION_DIGITS, 'down'), data.amount) !== 0)
      errors.push({ index, field: 'amount', rule: `must have at most ${FRACTION_DIGITS} fraction digits` })
    const sameAs = first.get(data.phone_number)
    // The gateway's results identify a recipient by reference and number, so each number must be unique.
    if (sameAs === undefined) first.set(data.phone_number, index)
    else errors.push({ index, field: 'phone_number', rule: { sameAs } })
  }
  return errors.length > 0 ? { errors } : { recipients }
}
