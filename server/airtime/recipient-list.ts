/** Reads a list of recipients as somebody gave it, and names everything that is wrong with it. Pure. */

import { AirtimeRecipient } from '../contract/airtime.ts'
import { compare, round } from '../contract/decimal.ts'

export interface RecipientError {
  /** Of the recipient, from 0. */
  index: number
  /** `null` when it is no recipient at all. */
  field: string | null
  /** What is wrong: a rule that is broken, or the earlier recipient with the same number. */
  rule: string | { sameAs: number }
}

/** [assumed] The spec has amounts in local currency and names none: no coin is finer than a hundredth. */
const FRACTION_DIGITS = 2

/** All of them in the gateway's form, or all errors. */
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
    // A result names its recipient by reference and number, so the two could not be told apart.
    if (sameAs === undefined) first.set(data.phone_number, index)
    else errors.push({ index, field: 'phone_number', rule: { sameAs } })
  }
  return errors.length > 0 ? { errors } : { recipients }
}
