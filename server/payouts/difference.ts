/** Finds where the gateway reports another payout than the one that was requested. Pure. */

import { accountKey } from '../contract/comparison-keys.ts'
import { contradicts } from '../gateway/echo.ts'
import { findAmountDifference } from '../money-out/moved-money.ts'
import { requestedTerms, STATUS_RULES } from './record.ts'

import type { B2bResult, PayoutResult } from '../contract/payout.ts'
import type { PayoutStatus } from '../contract/status.ts'
import type { Fingerprints } from '../privacy/personal.ts'
import type { StoredCall } from './record.ts'

/** A report of the gateway, before its personal data are erased. */
export interface Report {
  payment_status: PayoutStatus
  result: PayoutResult | B2bResult
}

/** Returns the status and the terms that the gateway reported. A term that the gateway did not report is `null`. */
export function reportedTerms(result: PayoutResult | B2bResult) {
  if ('data' in result) {
    const { payment_status: status, amount, currency, recipient_phone_number: phone } = result.data
    const { account_number: account, bank_code: bankCode } = result.data
    return { status, amount, currency, recipient: { phone, account, bankCode } }
  }

  const { payment_status: status, amount, currency, account_number: account } = result
  return { status, amount, currency, recipient: { phone: null, account, bankCode: null } }
}

/**
 * Returns a sentence about the first difference between the reported payout and the request; `null` if there is no
 * difference.
 */
export function findDifference(
  call: StoredCall,
  { payment_status, result }: Report,
  isOtherRecipient: boolean,
) {
  const requested = requestedTerms(call)
  const reported = reportedTerms(result)
  const { outcome } = STATUS_RULES.statuses[payment_status]
  const differing = findAmountDifference(outcome, reported.amount, requested.amount)
  if (differing !== null) {
    return differing
  }
  if (contradicts(reported.currency, requested.currency)) {
    return `The gateway has ${reported.currency} where ${requested.currency} was asked.`
  }

  const { phone, account, bankCode } = requested.recipient
  const isOther =
    isOtherRecipient ||
    isOtherNumber(internationalOf(reported.recipient.phone), phone) ||
    isOtherNumber(reported.recipient.account, account) ||
    isOtherNumber(reported.recipient.bankCode, bankCode)
  return isOther ? 'The gateway has another recipient than was asked.' : null
}

/**
 * Returns a reported phone number without the zero with which it is dialled in its country: the country code is then
 * masked. [assumed] Gateways report both forms.
 */
function internationalOf(phone: string | null): string | null {
  return phone?.replace(/^0(?=[1-9])/, '*') ?? null
}

/**
 * Returns whether the gateway reported another number than the merchant requested, by their letters and digits. The
 * gateway may mask digits of the number; the others at both ends are then compared. [assumed] Text that is no number,
 * such as "N/A", is ignored, and so are letters where none were requested.
 */
function isOtherNumber(reported: string | null, requested: string | undefined): boolean {
  const number = accountKey(requested ?? '')
  const written = (reported ?? '').toLowerCase().replaceAll(/[^a-z0-9*•]/g, '')
  const form = /[a-z]/.test(number) ? /^(?=.*\d)([a-z0-9]*)([*•]*)([a-z0-9]*)$/ : /^(\d*)([*x•]*)(\d*)$/
  const parts = form.exec(written)
  if (!parts || number === '') {
    return false
  }

  const [, start = '', mask, end = ''] = parts
  if (mask === '') {
    return start !== '' && start !== number
  }
  return !number.startsWith(start) || !number.endsWith(end)
}

/**
 * Returns whether the gateway reports another recipient than requested. Returns `false` while the request is kept: the
 * transition then compares the numbers. Of an erased request, only the fingerprints of whole numbers can be compared.
 */
export function isOtherRecipient(
  { result }: Report,
  { request, recipient }: StoredCall,
  fingerprints: Fingerprints,
): boolean {
  if (request !== null) {
    return false
  }

  const reported = reportedTerms(result).recipient
  const isOther = (purpose: 'phone' | 'account') => {
    const number = reported[purpose] ?? ''
    const stored = recipient[purpose]
    const isWhole = purpose === 'phone' ? /^\+?[1-9]\d+$/ : /^[+\d\s-]*\d$/
    const isComparable = stored !== undefined && isWhole.test(number)
    const compared = purpose === 'phone' ? number : accountKey(number)
    return isComparable && !fingerprints.all(purpose, compared).includes(stored)
  }

  return isOther('phone') || isOther('account')
}
