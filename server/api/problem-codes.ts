/**
 * Lists the problem documents (RFC 9457) that this server returns. {@link PROBLEMS} has what the documents contain,
 * {@link PROBLEM_HELP} what a developer reads about them: the cause, and what to do.
 *
 * The widget uses the types of this file, so it imports nothing.
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
  unknown_link: { status: 404, title: 'There is no such link', retryable: false },
  unknown_event: { status: 404, title: 'There is no such event', retryable: false },
  unknown_payment: { status: 404, title: 'There is no such payment', retryable: false },
  unknown_reference: { status: 404, title: 'Nothing has this reference', retryable: false },
  reference_reused: { status: 409, title: 'The reference was used for something else', retryable: false },
  record_deleted: { status: 410, title: 'The record was deleted', retryable: false },
  charges_off: { status: 501, title: 'Charges are off', retryable: false },
  no_time_zone: { status: 501, title: 'The days have no time zone', retryable: false },
  charge_not_paid: { status: 409, title: 'There is no money to confirm', retryable: false },
  acknowledged_otherwise: { status: 409, title: 'It was acknowledged otherwise', retryable: false },
  nothing_to_resolve: { status: 409, title: 'Nobody has to check it', retryable: false },
  resolved_otherwise: { status: 409, title: 'It was resolved otherwise', retryable: false },
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
  amount_out_of_bounds: { status: 422, title: 'The operator does not take this amount', retryable: false },
  operator_unavailable: { status: 422, title: 'The operator is not available', retryable: false },
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
  gateway_answer_invalid: {
    status: 502,
    title: 'The gateway gave an answer that does not follow its specification',
    retryable: true,
  },
  gateway_unavailable: { status: 503, title: 'The gateway could not be reached', retryable: true },
  recovery_uncompared: { status: 503, title: 'A person has to compare the restored store', retryable: true },
  store_unavailable: { status: 503, title: 'The store cannot be used', retryable: true },
  internal: { status: 500, title: 'Something went wrong here', retryable: true },
} as const satisfies Record<string, ProblemRow>

/** The `code` of a problem document. Codes never change, so clients can branch on them. */
export type ProblemCode = keyof typeof PROBLEMS

// The type of `Object.keys` does not know that the keys are the codes.
export const PROBLEM_CODES = Object.keys(PROBLEMS) as ProblemCode[]

/**
 * For each problem code, what causes it and what to do about it, for the merchant's developer. The `type` of a problem
 * document leads to this text on the page `/docs`. Parts in backquotes are code.
 */
export const PROBLEM_HELP: Readonly<Record<ProblemCode, string>> = {
  invalid_request:
    'A field is missing, wrong or unknown here. `errors` names each field and the rule that it breaks. Correct them and send the request again.',
  not_found:
    'No route has this path and method. Compare it with this page, and look for a path that a proxy removes or adds.',
  unauthorized:
    'The header Authorization is missing or has another key. Send `Authorization: Bearer MERCHANT_API_KEY`; callbacks need CALLBACK_BASIC_AUTH.',
  unknown_checkout:
    'No checkout has this id, or it is of another order. Start the checkout again on the page.',
  unknown_callback:
    'The address of the callback is not one of this server, or /api is off. Register the addresses that the command check prints, and do not change CALLBACK_SECRET without CALLBACK_SECRET_PREVIOUS. Or the gateway has sent it about a transaction that is not stored: the log names it. Look it up in the merchant portal, because there may be money.',
  unknown_payout:
    'No payout has this reference in this environment. Look at GATEWAY_ENVIRONMENT, GATEWAY_REHEARSAL and STORE_URL.',
  unknown_charge:
    'No charge has this reference in this environment. Look at GATEWAY_ENVIRONMENT, GATEWAY_REHEARSAL and STORE_URL.',
  unknown_airtime:
    'No airtime has this reference in this environment. Look at GATEWAY_ENVIRONMENT, GATEWAY_REHEARSAL and STORE_URL.',
  unknown_link: 'No link has this id in this environment. List the links.',
  unknown_event: 'No event has this id in this environment. List the events.',
  unknown_payment:
    'The gateway has confirmed no payment that these parameters select, or its data were erased. Compare the code of the SMS letter by letter, or look it up by order, amount or day.',
  unknown_reference: 'No transaction has this reference, order or id in this environment.',
  reference_reused:
    'Another request was sent under this reference: the reference is the idempotency key. Give a new request a new reference; send a repeated request unchanged.',
  record_deleted:
    'The same request settled, and its record was deleted after RETENTION_DAYS. Do not send it under a new reference.',
  charges_off:
    'Charges, and orders with splits, need GATEWAY_CHARGE_PATH. Set it to the path that the gateway has told you.',
  no_time_zone:
    'A day, and a search by day, need the time zone in which your days begin. Set TIME_ZONE of the server, such as Africa/Nairobi.',
  charge_not_paid:
    'There is no money whose service could be confirmed. Wait for charge.succeeded or checkout.paid.',
  acknowledged_otherwise: 'The payment was acknowledged with the other status. The first decision stands.',
  nothing_to_resolve:
    'The outcome needs no person: `detail` has it. The gateway may have reported it since. Retrieve the transaction.',
  resolved_otherwise:
    'A person has resolved it with another `says`, which stands until the gateway contradicts it. The history says who, and why.',
  too_large:
    'The body is larger than this route accepts. Send lists of airtime in parts, under references of their own.',
  too_many_requests:
    'A limit is reached. Wait as long as Retry-After says. If all shoppers are refused together, set TRUSTED_PROXIES to your proxies.',
  too_many_streams: 'Too many pages follow checkouts at once. The element polls instead; nothing is lost.',
  order_unknown:
    'Your function `orders`, or ORDERS_URL, knows no order of this reference. Look at the attribute `order` of the tag. If `detail` says that there is no source of orders, the server was started without `orders`, ORDERS_URL and a key: it pays reusable links alone, and its log says so at the start.',
  order_invalid:
    'The order in the tag has no valid signature. Sign it with ORDER_SIGNING_KEY or a key of ORDER_PUBLIC_KEYS, for `aud` = PUBLIC_URL.',
  order_expired:
    'The signed order is past its `exp`, or older than one that was started before. Render the page again with a newly signed order.',
  order_not_payable:
    'Your backend says that the order can no longer be paid (409), it is paid already, its money went back (a new sale needs a new reference), or money was received for its earlier terms: the log has both terms. Or the gateway did not take five checkouts of the order in a row: give it a new reference.',
  order_changed:
    'A checkout with the earlier terms of the order can still be paid. Give changed terms a new reference, or wait until that checkout has ended. Of the page of a reusable link: something else was chosen on it before, and a fresh page makes another order.',
  orders_unavailable:
    'Your function `orders`, or ORDERS_URL, failed, answered about another order, returned a misspelt field or a reference with other characters than printable ASCII, or did not answer in time. The reason is in the log of this server.',
  amount_not_whole: 'The gateway accepts whole major units only. Give an amount without a fraction.',
  amount_out_of_bounds:
    'The amount is below `least` or above `greatest` of the operator in GATEWAY_CHARGE_METHODS, so no phone was asked. The hosted page may take it.',
  operator_unavailable:
    'GATEWAY_CHARGE_METHODS says that the operator is `away`, so no phone was asked. The shopper can choose another, or pay on the hosted page.',
  currency_not_supported:
    'GATEWAY_SERVICE_CODE has no service for this currency. Add one, such as KES=CODE,UGX=CODE.',
  origin_not_allowed:
    "The page's origin is not in ALLOWED_ORIGINS. Add it exactly as the browser sends it, such as https://shop.example. `null` is the origin of a file, a sandboxed frame, or a form whose page has Referrer-Policy no-referrer: a page has to send strict-origin-when-cross-origin.",
  return_url_not_allowed:
    'The address to return to is below none of RETURN_URLS. Where those are not set, ALLOWED_ORIGINS and the origin of PUBLIC_URL count.',
  gateway_refused:
    'The gateway refused the request; below /api, `gateway` says why, and otherwise the log of this server. Nothing was paid.',
  gateway_unauthorized:
    'The gateway does not accept GATEWAY_CONSUMER_KEY and GATEWAY_CONSUMER_SECRET. Each environment has its own.',
  gateway_contradiction:
    'The gateway answered about something else than was asked. Nothing is assumed; a person should look at the log.',
  gateway_answer_invalid:
    "A field of the gateway's answer is missing or wrong: `detail` and the log name it. Tell the gateway's support. Nothing is lost: the gateway is asked again, and the same request may be sent again.",
  gateway_unavailable:
    'The gateway could not be reached, or answered with an error: the log has its address and the cause. Nothing is lost: send the same request again.',
  recovery_uncompared:
    'The store was restored, and this gateway finds charges only by an id that may be lost. Compare the store with the merchant portal, and run `gateway-checkout-server recover --compared`. Otherwise charges and prompts start again after 30 days.',
  store_unavailable:
    'The database cannot be used at the moment. Nothing is lost: send the same request again, and look at the log.',
  internal: 'This server failed. The log has the reason, with the trace id of the request.',
}
