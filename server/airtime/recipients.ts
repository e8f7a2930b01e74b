/** Reads the merchant's list of recipients of airtime. Pure. [spec: Airtime request] */

import type { FieldError } from '../api/problem.ts'
import { MOST_ERRORS } from '../api/refusal.ts'
import { AirtimeRecipient } from '../contract/airtime.ts'
import { localCurrencyOf } from '../contract/countries.ts'
import { safeParse } from '../contract/safe-parse.ts'
import { exactnessRuleOf, isExactIn } from '../money/currency.ts'

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
