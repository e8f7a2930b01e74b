/**
 * Lists the codes of the problem documents (RFC 9457) that this server returns. This file has only plain data and
 * types: it does not import zod, because the widget bundles it.
 */

interface ProblemRow {
  status: number
  title: string
  /** Whether the same request may succeed if it is sent again later. */
  retryable: boolean
}

export const PROBLEMS = {
  invalid_request: { status: 422, title: 'The request is not valid', retryable: false },
  not_found: { status: 404, title: 'There is nothing here', retryable: false },
  unauthorized: { status: 401, title: 'The credentials are missing or wrong', retryable: false },
  unknown_checkout: { status: 404, title: 'There is no such checkout', retryable: false },
  unknown_callback: { status: 404, title: 'There is no such callback address', retryable: false },
  unknown_payout: { status: 404, title: 'There is no such payout', retryable: false },
  unknown_charge: { status: 404, title: 'There is no such charge', retryable: false },
  unknown_airtime: { status: 404, title: 'There is no such airtime', retryable: false },
  unknown_event: { status: 404, title: 'There is no such event', retryable: false },
  unknown_reference: { status: 404, title: 'Nothing has this reference', retryable: false },
  reference_reused: { status: 409, title: 'The reference was used for something else', retryable: false },
  record_deleted: { status: 410, title: 'The record was deleted', retryable: false },
  charges_off: { status: 501, title: 'Charges are off', retryable: false },
  charge_not_paid: { status: 409, title: 'There is no money to confirm', retryable: false },
  acknowledged_otherwise: { status: 409, title: 'It was acknowledged otherwise', retryable: false },
  too_large: { status: 413, title: 'The request is too large', retryable: false },
  too_many_requests: { status: 429, title: 'Too many requests were refused', retryable: true },
  too_many_streams: { status: 503, title: 'Too many pages are being followed', retryable: true },
  order_unknown: { status: 404, title: 'There is no such order', retryable: false },
  order_invalid: { status: 422, title: 'The signed order is not valid', retryable: false },
  order_expired: { status: 409, title: 'The signed order has expired', retryable: false },
  order_not_payable: { status: 409, title: 'The order can no longer be paid', retryable: false },
  order_changed: { status: 409, title: 'The order has changed', retryable: false },
  orders_unavailable: { status: 503, title: 'The order could not be looked up', retryable: true },
  amount_not_whole: { status: 422, title: 'The amount has a fraction', retryable: false },
  currency_not_supported: { status: 422, title: 'The currency is not supported', retryable: false },
  origin_not_allowed: { status: 403, title: 'This origin may not start checkouts', retryable: false },
  return_url_not_allowed: { status: 422, title: 'The return URL is not allowed', retryable: false },
  gateway_refused: { status: 502, title: 'The gateway refused', retryable: false },
  gateway_unauthorized: {
    status: 502,
    title: 'The gateway does not accept the credentials',
    retryable: false,
  },
  gateway_contradiction: {
    status: 502,
    title: 'The gateway answered about something else',
    retryable: false,
  },
  gateway_unavailable: { status: 503, title: 'The gateway could not be reached', retryable: true },
  store_unavailable: { status: 503, title: 'The store cannot be used', retryable: true },
  internal: { status: 500, title: 'Something went wrong here', retryable: true },
} as const satisfies Record<string, ProblemRow>

/** The `code` of a problem document. Codes never change, so clients can branch on them. */
export type ProblemCode = keyof typeof PROBLEMS

export const PROBLEM_CODES = Object.keys(PROBLEMS).filter(isProblemCode)

function isProblemCode(text: string): text is ProblemCode {
  return Object.hasOwn(PROBLEMS, text)
}
