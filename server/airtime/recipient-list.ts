/** Validates a list of airtime recipients and reports every error in the list, not only the first. Pure. */

import { AirtimeRecipient } from '../contract/airtime.ts'
import { compare, round } from '../contract/decimal.ts'

export interface RecipientError {
  /** The index of the invalid recipient in the list, from 0. */
  index: number
  /** The name of the invalid field; `null` if the recipient is not an object. */
  field: string | null
  /**
   * The rule that the field breaks, such as "must be more than zero". If the phone number is repeated, `sameAs` is the
   * index of the earlier recipient with this number.
   */
  rule: string | { sameAs: number }
}

/**
 * The maximum number of fraction digits of an amount. The spec names no currency for airtime amounts. [assumed] Every
 * local currency has at most two fraction digits.
 */
const FRACTION_DIGITS = 2

/**
 * Parses a list of recipients. Returns the recipients in the format of the gateway's API. If any recipient is invalid,
 * returns a list of errors instead.
 *
 * @param mostErrors Parsing stops as soon as there are more errors than this number.
 */
export function readRecipients(
  given: readonly unknown[],
  mostErrors = Infinity,
): { recipients: AirtimeRecipient[] } | { errors: RecipientError[] } {
  const recipients: AirtimeRecipient[] = []
  const errors: RecipientError[] = []
  const first = new Map<string, number>()
  for (const [index, one] of given.entries()) {
    if (errors.length > mostErrors) break
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
    // The gateway identifies a recipient by the request's reference and the phone number, so each number must be
    // unique.
    if (sameAs === undefined) first.set(data.phone_number, index)
    else errors.push({ index, field: 'phone_number', rule: { sameAs } })
  }
  return errors.length > 0 ? { errors } : { recipients }
}
