/**
 * For each problem code, what causes it and what to do about it, for the merchant's developer. The page `/docs` shows
 * these texts, and the `type` of a problem document leads there. Plain data.
 */

import type { ProblemCode } from './problem-codes.ts'

export const PROBLEM_HELP: Readonly<Record<ProblemCode, string>> = {
  invalid_request:
    'A field is missing or wrong. `errors` names each field and the rule that it breaks. Correct them and send the request again.',
  not_found:
    'No route has this path and method. Compare it with this page, and look for a path that a proxy removes or adds.',
  unauthorized:
    'The header Authorization is missing or has another key. Send `Authorization: Bearer MERCHANT_API_KEY`; callbacks need CALLBACK_BASIC_AUTH.',
  unknown_checkout:
    'No checkout has this id, or it is of another order. Start the checkout again on the page.',
  unknown_callback:
    'The address of the callback is not one of this server, or /api is off. Register the addresses that the command check prints, and do not change CALLBACK_SECRET without CALLBACK_SECRET_PREVIOUS.',
  unknown_payout:
    'No payout has this reference under this environment and account. Look at GATEWAY_ENVIRONMENT and GATEWAY_ACCOUNT_NUMBER.',
  unknown_charge:
    'No charge has this reference under this environment and account. Look at GATEWAY_ENVIRONMENT and GATEWAY_ACCOUNT_NUMBER.',
  unknown_airtime:
    'No airtime has this reference under this environment and account. Look at GATEWAY_ENVIRONMENT and GATEWAY_ACCOUNT_NUMBER.',
  unknown_event: 'No event has this id under this environment and account. List the events.',
  unknown_reference: 'No transaction has this reference, order or id under this environment and account.',
  reference_reused:
    'Another request was sent under this reference: the reference is the idempotency key. Give a new request a new reference; send a repeated request unchanged.',
  record_deleted:
    'The same request settled, and its record was deleted after RETENTION_DAYS. Do not send it under a new reference.',
  charges_off:
    'Charges, and orders with splits, need GATEWAY_CHARGE_PATH. Set it to the path that the gateway has told you.',
  charge_not_paid:
    'There is no money whose service could be confirmed. Wait for charge.succeeded or checkout.paid.',
  acknowledged_otherwise: 'The payment was acknowledged with the other status. The first decision stands.',
  too_large:
    'The body is larger than this route accepts. Send lists of airtime in parts, under references of their own.',
  too_many_requests:
    'A limit is reached. Wait as long as Retry-After says. If all shoppers are refused together, set TRUSTED_PROXIES to your proxies.',
  too_many_streams: 'Too many pages follow checkouts at once. The element polls instead; nothing is lost.',
  order_unknown:
    'Your function `orders`, or ORDERS_URL, knows no order of this reference. Look at the attribute `order` of the tag.',
  order_invalid:
    'The order in the tag has no valid signature. Sign it with ORDER_SIGNING_KEY or a key of ORDER_PUBLIC_KEYS, for `aud` = PUBLIC_URL.',
  order_expired:
    'The signed order is past its `exp`, or older than one that was started before. Render the page again with a newly signed order.',
  order_not_payable:
    'Your backend says that the order can no longer be paid (409), it is paid already, or money was received for its earlier terms: the log has both terms.',
  order_changed:
    'A checkout with the earlier terms of the order can still be paid. Give changed terms a new reference, or wait until that checkout has ended.',
  orders_unavailable:
    'Your function `orders`, or ORDERS_URL, failed or did not answer in time. The reason is in the log of this server.',
  amount_not_whole: 'The gateway accepts whole major units only. Give an amount without a fraction.',
  currency_not_supported:
    'GATEWAY_SERVICE_CODE has no service for this currency. Add one, such as KES=CODE,UGX=CODE.',
  origin_not_allowed:
    "The page's origin is not in ALLOWED_ORIGINS. Add it exactly as the browser sends it, such as https://shop.example.",
  return_url_not_allowed:
    'The address to return to is below none of RETURN_URLS, or of ALLOWED_ORIGINS where those are not set.',
  gateway_refused:
    'The gateway refused the request; below /api, `gateway` says why, and otherwise the log of this server. Nothing was paid.',
  gateway_unauthorized:
    'The gateway does not accept GATEWAY_CONSUMER_KEY and GATEWAY_CONSUMER_SECRET. Each environment has its own.',
  gateway_contradiction:
    'The gateway answered about something else than was asked. Nothing is assumed; a person should look at the log.',
  gateway_unavailable:
    'The gateway could not be reached, or answered with an error. Nothing is lost: send the same request again.',
  store_unavailable:
    'The database cannot be used at the moment. Nothing is lost: send the same request again, and look at the log.',
  internal: 'This server failed. The log has the reason, with the trace id of the request.',
}
