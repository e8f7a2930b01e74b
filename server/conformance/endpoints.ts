/** Groups the rows of the specification, and the assumptions of the sandbox, by endpoint. */

interface Endpoint {
  /** Ids of rows, or of the sections and rules that the rows belong to. The longest that fits a row decides. */
  rows: readonly string[]
  /** The names in the list of assumptions, in `demo/sandbox/README.md`. */
  assumed: string
}

/** The endpoints, and groups for rows that are about all of them, or about none. */
export const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  'every endpoint': {
    rows: ['General behaviour', 'Endpoints', 'Authentication', 'Versioning', 'Limits'],
    assumed:
      'HTTP statuses; forms; empty request fields; which code; codes without an answer; amounts; fraction digits; countries and currencies; country codes; phone numbers; addresses; values in answers; older generation',
  },
  'POST /v1/auth': {
    rows: [
      'What the service does / Token authentication',
      'Credentials and token',
      'Token response fields',
      'Endpoints / POST {base_url}/v1/auth',
      'Authentication / 1 / token call',
      'Authentication / 2 / token call',
      'Authentication / 3',
      'Authentication / 5',
      'Checkout errors / 131',
      'Checkout errors / 132 / authentication',
      'Limits / Access token lifetime',
    ],
    assumed: 'forms; API keys',
  },
  'GET /v1/fx': {
    rows: [
      'What the service does / Exchange rates',
      'Exchange rates',
      'Endpoints / GET /v1/fx?base_currency=<currency_code>',
      'Endpoints / 1',
      'Limits / Exchange rate refresh',
    ],
    assumed: 'rates',
  },
  'GET /v1/accounts/{account_number}/balance': {
    rows: [
      'What the service does / A float account balance query',
      'Float account balance',
      'Endpoints / GET {base_url}/v1/accounts/<account_number>/balance',
    ],
    assumed: 'accounts',
  },
  'POST /v2/checkout/initiate': {
    rows: [
      'What the service does / Standard checkout',
      'Standard checkout request',
      'Standard checkout response',
      'Standard checkout flow',
      'Endpoints / POST /v2/checkout/initiate',
      'Authentication / 6',
      'Limits / merchant_transaction_id length',
      'Limits / payer_name, payer_email length',
      'Limits / payer_msisdn length',
      'Limits / service_code length',
      'Limits / account_number length',
      'Limits / narration length',
      'Limits / callback_url, redirect_url length',
      'Limits / expires_in',
    ],
    assumed: '`expires_in`; `account_number`; services; the same body; references',
  },
  'GET /v2/checkout/status/{merchant_transaction_id}': {
    rows: [
      'Checkout callback and status payload',
      'Payment record',
      'Checkout overall status',
      'Payment status inside checkout payment records',
      'Standard checkout flow / 5',
      'Endpoints / GET /v2/checkout/status/<merchant_transaction_id>',
    ],
    assumed:
      'order of statuses; open payments; given back; attempts; `event`; fields of payments; `charge_request_id`; `timestamp`; late money; why a payment failed; money given back at a checkout',
  },
  'refusals of checkouts and charges': {
    rows: ['Checkout error object', 'Checkout errors'],
    assumed: 'HTTP statuses; which code; codes without an answer',
  },
  charges: {
    rows: [
      'What the service does / Charge requests',
      'Charge request',
      'Endpoints / 2',
      'Checkout errors / 176',
    ],
    assumed:
      'the flat dialect; return addresses; required fields of a charge; other fields of a charge; codes of charges; `transaction_charge`; references of charges; `expires_at` of a charge; the answer to a charge; dynamic partner accounts; the same body; accounts',
  },
  'POST /transactions/acknowledge': {
    rows: [
      'What the service does / Charge requests / confirmation',
      'Service processing confirmation',
      'Split settlement flow',
      'Endpoints / POST {base_url}/transactions/acknowledge',
      'Authentication / 7',
      'Versioning / 2',
    ],
    assumed: 'a confirmation; charges given back',
  },
  'payouts of every kind': {
    rows: [
      'Payout acknowledgement',
      'Payout acknowledgement codes',
      'Payout error_code values',
      'Payout payment status',
      'Endpoints / 6',
      'Limits / payout amounts',
    ],
    assumed:
      'answers to payouts; order of checks; references; references of payouts; fields of payouts; wallets; fees; results',
  },
  'POST /v1/payouts/initiate': {
    rows: [
      'What the service does / Local payouts',
      'Local payout request',
      'Endpoints / POST /v1/payouts/initiate',
    ],
    assumed: 'rates',
  },
  'POST /v1/payouts/imt/initiate': {
    rows: [
      'What the service does / Local payouts / international',
      'International money transfer request',
      'Endpoints / POST /v1/payouts/imt/initiate',
      'Endpoints / 4 / transfers',
    ],
    assumed: 'token of transfers; required fields; rates; the portal',
  },
  'GET /v1/payouts/{payout_reference}/status': {
    rows: ['Payout result', 'Endpoints / GET /v1/payouts/<payout_reference>/status'],
    assumed: 'results',
  },
  'POST /v1/payouts/b2b/initiate': {
    rows: [
      'What the service does / Business-to-business payouts to a paybill, a till or a bank account',
      'B2B payout request',
      'Endpoints / POST /v1/payouts/b2b/initiate',
    ],
    assumed: 'B2B; `recipient_type` of B2B; country codes',
  },
  'GET /v1/payouts/b2b/{payout_reference}/status': {
    rows: ['B2B callback and status payload', 'Endpoints / GET /v1/payouts/b2b/<payout_reference>/status'],
    assumed: 'results',
  },
  'POST /v1/gw/airtime/send': {
    rows: [
      'What the service does / Bulk airtime purchase for one or more phone numbers per request',
      'Airtime request',
      'Endpoints / POST /v1/gw/airtime/send',
      'Endpoints / 5',
      'Limits / Airtime recipients per request',
      'Checkout errors / airtime error codes',
    ],
    assumed: "answers to airtime; airtime twice; airtime's money; order of checks",
  },
  'GET /v1/gw/airtime/{reference}/status': {
    rows: [
      'Airtime callback and status entry',
      'Airtime service_status',
      'Endpoints / GET /v1/gw/airtime/<reference>/status',
      'Endpoints / 7',
    ],
    assumed: 'answers to airtime',
  },
  callbacks: {
    rows: [
      'Events',
      'General behaviour / 1 / callback',
      'General behaviour / 5 / callbacks',
      'Limits / Payout callback retries',
    ],
    assumed: "callbacks; airtime's callbacks; the portal; addresses",
  },
  'the hosted page': {
    rows: ['Standard checkout flow / 3', 'General behaviour / 5 / PIN'],
    assumed:
      'methods; language of the hosted page; phone numbers on the hosted page; times on the hosted page; why a payment failed',
  },
  'environments and the merchant portal': {
    rows: [
      'General behaviour / 2',
      'General behaviour / 3',
      'General behaviour / 4',
      'General behaviour / 5 / scenarios',
      'Authentication / 2 / portal',
      'Authentication / 4 / tokens',
      'Authentication / 8',
    ],
    assumed:
      'merchant; accounts; services; funding; onboarding; the portal; sign-in of the portal; times of the portal; moves of money in the portal; the statement of a day; API keys; scenarios and durations; faults',
  },
}

/** Returns the key of {@link ENDPOINTS} to which the row belongs, by the longest prefix that fits. */
export function endpointOf(row: string): string {
  const fits = (prefix: string) => row === prefix || row.startsWith(`${prefix} / `)
  const found = Object.entries(ENDPOINTS).flatMap(([endpoint, { rows }]) =>
    rows.filter(fits).map((prefix) => ({ endpoint, length: prefix.length })),
  )
  return found.toSorted((a, b) => b.length - a.length)[0]?.endpoint ?? 'none'
}
