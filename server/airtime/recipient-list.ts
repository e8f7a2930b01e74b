/** Validates a list of airtime recipients and reports every error in the list, not only the first. Pure. */

import type { AirtimeRecipient } from '../contract/airtime.ts'
import { NewAirtimeRecipient } from '../contract/airtime.ts'
import { compare, round } from '../contract/decimal.ts'
import { safeParse } from '../contract/safe-parse.ts'
import { localCurrencyOf } from '../countries.ts'
import { exactnessRuleOf, isExactIn } from '../money/currency.ts'

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
 * The maximum number of fraction digits of an amount in an unknown currency. [assumed] Every local currency has at most
 * two fraction digits.
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
    const { data, error } = safeParse(NewAirtimeRecipient, one)
    if (!data) {
      for (const { path, message } of error.issues)
        errors.push({ index, field: path.join('.') || null, rule: message })
      continue
    }
    recipients.push(data)
    const rule = brokenRuleOf(data)
    if (rule !== null) errors.push({ index, field: 'amount', rule })
    const sameAs = first.get(data.phone_number)
    // The gateway identifies a recipient by the request's reference and the phone number, so each number must be
    // unique.
    if (sameAs === undefined) first.set(data.phone_number, index)
    else errors.push({ index, field: 'phone_number', rule: { sameAs } })
  }
  return errors.length > 0 ? { errors } : { recipients }
}

/** An amount is in the local currency of its phone number, and as exact as this currency. [spec: Airtime request] */
function brokenRuleOf({ phone_number, amount }: AirtimeRecipient): string | null {
  const currency = localCurrencyOf(phone_number)
  if (currency !== null) return isExactIn(currency, amount) ? null : exactnessRuleOf(currency)
  const isExact = compare(round(amount, FRACTION_DIGITS, 'down'), amount) === 0
  return isExact ? null : `must have at most ${FRACTION_DIGITS} fraction digits`
}
