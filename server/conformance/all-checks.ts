/** All checks, and the rows that HTTP cannot show, each with the reason. */

import { accountChecks } from './checks/account.ts'
import { airtimeChecks } from './checks/airtime.ts'
import { authenticationChecks } from './checks/authentication.ts'
import { callbackChecks } from './checks/callbacks.ts'
import { chargeChecks } from './checks/charges.ts'
import { checkoutFlowChecks } from './checks/checkout-flow.ts'
import { checkoutRequestChecks } from './checks/checkout-request.ts'
import { checkoutStatusChecks } from './checks/checkout-status.ts'
import { payoutRequestChecks } from './checks/payout-requests.ts'
import { payoutResultChecks } from './checks/payout-results.ts'
import { portalChecks } from './checks/portal.ts'
import { productionChecks } from './checks/production.ts'
import { readRows } from './specification.ts'

import type { Check } from './check.ts'

export const CHECKS: readonly Check[] = [
  ...authenticationChecks,
  ...accountChecks,
  ...checkoutRequestChecks,
  ...checkoutStatusChecks,
  ...checkoutFlowChecks,
  ...payoutRequestChecks,
  ...payoutResultChecks,
  ...airtimeChecks,
  ...chargeChecks,
  ...callbackChecks,
  ...portalChecks,
  ...productionChecks,
]

export const NOT_OBSERVABLE: Record<string, string> = {
  'General behaviour / 1 / merchant':
    'About the merchant: test/server/callbacks and test/simulation show that the server queries the status.',
  'General behaviour / 2 / addresses':
    'The addresses are those of the connection: one of them is one environment. That each environment refuses the keys and tokens of the other is checked.',
  'Standard checkout flow / 5 / fulfilment':
    'About the merchant: test/server/checkout shows that an order is fulfilled after a confirmed payment only.',
  'Authentication / 4 / confidential':
    'About the merchant: test/server/refusal-log and test/bundle show that no credential reaches a browser.',
  'Events / 1 / merchant':
    'About the merchant: test/server/callbacks shows that the status is queried after each callback, and without one.',
  'Events / 5 / others': 'Not shown: other event values ("`event`" in the list of demo/sandbox/README.md).',
  'Endpoints / 1':
    'Not shown: the address of the rates API. Ours is that of the gateway; the server can use another by GATEWAY_FX_BASE_URL.',
  'Charge request / required fields':
    'Not shown: which fields a charge requires. Here those without which no charge is possible: external_reference, payer_msisdn, service_code, account_number, currency_code and amount ("required fields of a charge" in the list of demo/sandbox/README.md).',
  'Endpoints / 2':
    'Not shown: where charges are posted. Ours are at POST /v1/charges ("Endpoints" in demo/sandbox/README.md); for another gateway, CONFORMANCE_CHARGE_PATH sets the path.',
  'Endpoints / 3':
    'Not shown: HTTP statuses of success. Checks decide by the body wherever the specification names no status ("answers to payouts" in the list of demo/sandbox/README.md).',
  'Authentication / 7':
    'Not shown: whether the confirmation needs a token. By rule 1 every call except authentication has one, so it is required here ("a confirmation" in the list of demo/sandbox/README.md).',
  'Authentication / 8 / keys':
    'Not shown: roles, scopes and permissions of keys. Each key of a merchant may do everything.',
  'Events / 6':
    'Not shown: signatures of callbacks. None is sent; a callback only makes the server query the status.',
  'Events / 7':
    'Not shown: retries of B2B, airtime and checkout callbacks. They are those of payouts ("callbacks" and "airtime\'s callbacks" in the list of demo/sandbox/README.md).',
  'Payout payment status / transitions':
    'Not shown: the possible transitions. The sandbox goes from pending to paid, failed or jammed, and from paid to reversed or refunded ("Payouts" in demo/sandbox/README.md).',
  'Airtime service_status / transitions': 'Not shown, as for payouts ("Airtime" in demo/sandbox/README.md).',
  'Checkout overall status / transitions':
    'Not shown: the possible transitions ("order of statuses" in the list of demo/sandbox/README.md).',
  'Payment status inside checkout payment records / transitions': 'Not shown, as for the checkout itself.',
  'Checkout errors / 173':
    'Generic success: every endpoint that the specification has has its own success response.',
  'Checkout errors / 131': 'Authentication succeeded: the token call answers with a token and has no code.',
  'Checkout errors / HTTP status codes':
    'Not shown: the table of HTTP statuses ("HTTP statuses" in the list of demo/sandbox/README.md).',
  'Checkout errors / airtime error codes':
    'Not shown. Only 721 is sent, and 723 to the status query of an unknown reference ("answers to airtime" in the list of demo/sandbox/README.md).',
  'Limits / rate limits': 'Not shown; the sandbox has none.',
  'Limits / payout amounts':
    'Not shown; the sandbox accepts any positive amount that the float covers ("fees" and "fraction digits" in the list of demo/sandbox/README.md).',
  'Versioning / 3': 'Not shown: deprecation and negotiation of versions. There is one version of each path.',
}

export function coverage() {
  const rows = readRows()
  const ids = new Set(rows.map(({ id }) => id))
  const proved = new Set(CHECKS.flatMap((check) => check.rows))
  const chosen = new Set(Object.keys(NOT_OBSERVABLE))
  return {
    rows,
    proved,
    chosen,
    uncovered: [...ids].filter((id) => !proved.has(id) && !chosen.has(id)),
    twice: [...chosen].filter((id) => proved.has(id)),
    unknown: [...proved, ...chosen].filter((id) => !ids.has(id)),
  }
}
