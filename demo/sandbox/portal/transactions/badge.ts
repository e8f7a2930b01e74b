import {
  AIRTIME_STATUS,
  CHECKOUT_STATUS,
  PAYMENT_STATUS,
  PAYOUT_STATUS,
} from '../../../../server/contract/status.ts'
import type {
  AirtimeStatus,
  CheckoutStatus,
  PaymentStatus,
  PayoutStatus,
} from '../../../../server/contract/status.ts'

/** `good`: money arrived; `bad`: it did not; `warn`: a person is needed; `wait`: not decided; `plain`: all others. */
export type Tone = 'good' | 'bad' | 'warn' | 'wait' | 'plain'

/** A status as a page shows it. */
export interface Badge {
  /** The value of the list's filter. Several codes may share a key. */
  key: string
  label: string
  tone: Tone
  /** The gateway's code; `null` if several codes are summed up. */
  code: number | null
}

// [spec: Checkout overall status]
export const CHECKOUT_BADGES: Readonly<Record<CheckoutStatus, Badge>> = {
  801: badge(CHECKOUT_STATUS.paid, 'Paid', 'good'),
  802: badge(CHECKOUT_STATUS.partial, 'Partly paid', 'wait'),
  803: badge(CHECKOUT_STATUS.unpaid, 'Unpaid', 'wait'),
  820: badge(CHECKOUT_STATUS.expired, 'Expired', 'plain'),
  840: badge(CHECKOUT_STATUS.reversed, 'Reversed', 'plain'),
  841: badge(CHECKOUT_STATUS.refunded, 'Refunded', 'plain'),
  850: badge(CHECKOUT_STATUS.jammed, 'Jammed', 'warn'),
  851: badge(CHECKOUT_STATUS.pending, 'Pending', 'wait'),
}

/** The statuses that payments and payouts share. */
const NOT_MOVED = {
  701: badge(PAYMENT_STATUS.failed, 'Failed', 'bad'),
  702: badge(PAYMENT_STATUS.reversed, 'Reversed', 'plain'),
  704: badge(PAYMENT_STATUS.jammed, 'Jammed', 'warn'),
  705: badge(PAYMENT_STATUS.refunded, 'Refunded', 'plain'),
}

// [spec: Payment status inside checkout payment records]
export const PAYMENT_BADGES: Readonly<Record<PaymentStatus, Badge>> = {
  ...NOT_MOVED,
  700: badge(PAYMENT_STATUS.successful, 'Received', 'good'),
  703: badge(PAYMENT_STATUS.pending, 'Waiting for the payer', 'wait'),
  706: badge(PAYMENT_STATUS.accepted, 'Accepted by the operator', 'wait'),
  707: badge(PAYMENT_STATUS.reprocessing, 'Being reprocessed', 'wait'),
  708: badge(PAYMENT_STATUS.pendingApproval, 'Waiting for approval', 'wait'),
}

// [spec: Payout payment status]
export const PAYOUT_BADGES: Readonly<Record<PayoutStatus, Badge>> = {
  ...NOT_MOVED,
  700: badge(PAYOUT_STATUS.processed, 'Paid out', 'good'),
  703: badge(PAYOUT_STATUS.pending, 'Pending', 'wait'),
}

// [spec: Airtime service_status]
export const AIRTIME_BADGES: Readonly<Record<AirtimeStatus, Badge>> = {
  600: badge(AIRTIME_STATUS.unprocessed, 'Not started', 'wait'),
  601: badge(AIRTIME_STATUS.processing, 'Processing', 'wait'),
  602: badge(AIRTIME_STATUS.successful, 'Delivered', 'good'),
  603: badge(AIRTIME_STATUS.failed, 'Failed', 'bad'),
  604: badge(AIRTIME_STATUS.jammed, 'Jammed', 'warn'),
  605: badge(AIRTIME_STATUS.reversed, 'Reversed', 'plain'),
  606: badge(AIRTIME_STATUS.refunded, 'Refunded', 'plain'),
  607: badge(AIRTIME_STATUS.submittedForReprocessing, 'Being reprocessed', 'wait'),
}

function badge(code: number, label: string, tone: Tone): Badge {
  return { key: String(code), label, tone, code }
}
