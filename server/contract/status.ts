/**
 * Lists every status code and result code of the specification, as plain data. Code that decides by a status reads it by
 * its name in these tables. The numbers stand only in texts, in the conformance checks, which prove them, and in the
 * element, which loads no table.
 *
 * What a status means is decided elsewhere: of a checkout or a charge in `payins/outcome.ts`, of a payout in
 * `payouts/record.ts`, of airtime in `airtime/record.ts`.
 *
 * The status codes of checkouts (800s), payments and payouts (700s) and airtime (600s) have types of their own. The same
 * number of a payment and of a payout is not the same status. This file imports nothing, because the widget's
 * types include it.
 */

/** The codes of a checkout's overall status. [spec: Checkout overall status] */
export const CHECKOUT_STATUS = {
  paid: 801,
  partial: 802,
  unpaid: 803,
  expired: 820,
  reversed: 840,
  refunded: 841,
  jammed: 850,
  pending: 851,
} as const
export type CheckoutStatus = (typeof CHECKOUT_STATUS)[keyof typeof CHECKOUT_STATUS]

/** The status codes of a payment inside a checkout. [spec: Payment status inside checkout payment records] */
export const PAYMENT_STATUS = {
  successful: 700,
  failed: 701,
  reversed: 702,
  pending: 703,
  jammed: 704,
  refunded: 705,
  accepted: 706,
  reprocessing: 707,
  pendingApproval: 708,
} as const
export type PaymentStatus = (typeof PAYMENT_STATUS)[keyof typeof PAYMENT_STATUS]

/** The status codes of payouts, whether local, international or B2B. [spec: Payout payment status] */
export const PAYOUT_STATUS = {
  processed: 700,
  failed: 701,
  reversed: 702,
  pending: 703,
  jammed: 704,
  refunded: 705,
} as const
export type PayoutStatus = (typeof PAYOUT_STATUS)[keyof typeof PAYOUT_STATUS]

/** The codes of an airtime recipient's status. [spec: Airtime service_status] */
export const AIRTIME_STATUS = {
  unprocessed: 600,
  processing: 601,
  successful: 602,
  failed: 603,
  jammed: 604,
  reversed: 605,
  refunded: 606,
  submittedForReprocessing: 607,
} as const
export type AirtimeStatus = (typeof AIRTIME_STATUS)[keyof typeof AIRTIME_STATUS]

/** The values of `status_code` in the gateway's responses for checkouts and charges. [spec: Checkout errors] */
export const CHECKOUT_CODE = {
  msisdnMissing: 109,
  invalidMsisdn: 110,
  invalidCurrency: 115,
  /**
   * The error code for a missing invoice account number. In the response to a status query, 120 means "Transaction not
   * found".
   */
  accountMissing: 120,
  authenticated: 131,
  invalidCredentials: 132,
  /** The error code for any validation failure. The gateway also uses 172 for "Invalid Service Code". */
  validationFailed: 172,
  success: 173,
  failure: 174,
  chargePosted: 176,
} as const

/**
 * The values of `response_code` in the gateway's acknowledgements of payouts and airtime. [spec: Payout acknowledgement
 * codes]
 */
export const ACKNOWLEDGEMENT_CODE = {
  accepted: 720,
  rejected: 721,
  duplicateIgnored: 722,
  notFound: 723,
} as const
