/** What a shopper is told of a checkout that was sent: that it is there, or why the gateway refused it. Pure. */

import { refuseWithReason } from '../api/refusal.ts'
import { CHECKOUT_CODE } from '../contract/status.ts'
import { refuseFailed } from '../gateway/errors.ts'
import { loggedReason } from '../payins/send-error.ts'
import { isCharge, readCheckout } from './record.ts'

import type { FieldError, Refusal } from '../api/refusal.ts'
import type { Submitted } from '../transactions/sender.ts'
import type { Checkout } from './record.ts'

export type SubmittedCheckout = { kind: 'created' | 'existing'; checkout: Checkout } | Refusal

/**
 * The message for the shopper if the gateway refused the checkout. The gateway's own message is only for the merchant.
 */
const NOT_OPENED = 'The payment gateway did not open this payment.'

/**
 * The gateway's refusal codes for a missing or invalid phone number, which the shopper can correct. [spec: Checkout
 * errors]
 */
const REFUSED_MSISDN: readonly number[] = [CHECKOUT_CODE.msisdnMissing, CHECKOUT_CODE.invalidMsisdn]

const WRONG_MSISDN: FieldError = { path: 'payer_msisdn', message: 'is refused by the gateway' }

/** Returns the checkout of a submission, or the refusal that the shopper sees. */
export function readSubmitted(sent: Submitted, as: 'created' | 'existing'): SubmittedCheckout {
  const checkout = readCheckout(sent.transaction)
  const { record } = checkout
  // It is unknown whether the gateway received the request. If the shopper starts the order again, the gateway is
  // asked, and the same request may be sent again. A charge is not: status queries will show what became of it.
  const isFollowed = isCharge(record) && checkout.sent_at !== null
  if (sent.kind === 'unclear' && !isFollowed) {
    return refuseFailed(sent.error)
  }
  if (record.phase !== 'refused') {
    return { kind: as, checkout }
  }

  const { refusal } = record
  const code = refusal ? 'gateway_refused' : 'gateway_contradiction'
  const isPhoneRefused = refusal !== null && REFUSED_MSISDN.includes(refusal.status_code)
  const evidence = isPhoneRefused ? { errors: [WRONG_MSISDN] } : {}
  return refuseWithReason(code, NOT_OPENED, loggedReason(record), evidence)
}
