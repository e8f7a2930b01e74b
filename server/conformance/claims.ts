/** Splits rules and notes of the specification that contain several statements. */

/** A statement in a rule or a note. A gateway can break it and obey the others. */
export interface Claim {
  id: string
  /** The words of the specification. All claims of a rule together are the whole rule. */
  says: string
}

/** The rules and notes that have more than one claim, by the id of the rule. Before each claim stands its name. */
const RULES: Readonly<Record<string, string>> = {
  'What the service does / Charge requests':
    '[hosted page] Charge requests (through checkout redirect [direct] or direct charge) [splits] that can carry split settlements, which allocate parts of the amount to partner accounts [confirmation] A service-processing confirmation step follows',
  'What the service does / Exchange rates':
    '[rates] Exchange rates: selling and buying rates per currency for a chosen base currency [hourly] Rates are refreshed hourly',
  'What the service does / Local payouts':
    '[wallets] Local payouts (business to customer) to mobile money wallets [banks] or bank accounts [international] and international money transfer payouts',
  'General behaviour / 1':
    '[acknowledged first] The service is asynchronous. A request is acknowledged [callback] then the final result is delivered by a callback to the merchant [status query] and can be fetched with a status query [merchant] Callbacks must not be the only source of truth: the merchant also queries status',
  'General behaviour / 2':
    '[addresses] Two environments exist: sandbox and production. They have different base addresses and different dashboard addresses [keys] API keys and access tokens are environment specific [new keys] moving to production requires new keys generated in the production portal and the production addresses',
  'General behaviour / 3':
    '[callback URLs] The merchant portal (at {dashboard_url}) is used to set callback URLs (URL types include one for B2C notifications) [API keys] generate and manage API keys (under a business or settings section) [payments] see accepted payments [statements] and financial statements [users] manage users [access levels] and control access levels [service codes] and look up service codes (Settings > Services)',
  'General behaviour / 4':
    '[onboarding] Production use of payouts requires completed onboarding [funds] a funded float wallet [production keys] and production API keys [test funds] Sandbox provides test funds in a sandbox float account',
  'General behaviour / 5':
    '[scenarios] The sandbox simulates transaction scenarios [callbacks] and callbacks [PIN] It cannot show authorization flows (the PIN prompt)',
  'Split settlement flow / 2':
    "[SUCCESSFUL] The system receives the payment service's confirmation of success [FAILED] or failure (the merchant posts the service processing confirmation with status SUCCESSFUL or FAILED)",
  'Split settlement flow / 3':
    '[validated] When the confirmation is successful, the split settlements are validated [distributed] and allocated, and the funds are distributed to the named partner accounts',
  'Standard checkout flow / 1':
    '[unique id] Merchant creates a unique merchant_transaction_id [all fields] and calls checkout initiate with all required fields',
  'Standard checkout flow / 2':
    '[redirect] On success the customer is sent to the returned redirect_url [retry] on error the merchant shows the error and may retry',
  'Standard checkout flow / 5':
    '[status] The merchant fetches the status after the callback [fulfilment] and updates its order; fulfilment follows confirmed payment',
  'Endpoints / 4':
    '[transfers] The international money transfer call is described with the header name Authorization for the token [others] every other call uses x-access-token',
  'Endpoints / 5':
    '[720] Airtime acknowledgement success: response_code 720 with an acceptance description [721] Airtime reference and recipients are validated; failure yields response_code 721',
  'Endpoints / 6':
    '[720] B2B and local payout acknowledgement: response_code 720 means accepted [rejection] a rejection carries response_code and error_code (see Errors) [validated first] The request is validated and acknowledged before processing',
  'Authentication / 1':
    '[calls] Every API call carries header x-access-token with the access token [token call] except the token call itself',
  'Authentication / 2':
    '[token call] The token is obtained with POST /v1/auth, Content-Type application/json, body consumer_key and consumer_secret [portal] keys are generated in the merchant portal under API keys',
  'Authentication / 3':
    '[fields] The response has access_token and expiresIn [one hour] The token is valid for up to one hour [renewal] after expiry the merchant authenticates again',
  'Authentication / 4':
    '[tokens] Tokens and keys differ between sandbox and production [confidential] Keys, tokens and secrets are kept confidential and not placed in client-side code',
  'Authentication / 5':
    '[body] Failed authentication: a body with statusCode (number), message (Invalid Authentication Credentials) and error [error] The error text is Unauthorized with statusCode 401 in one description and Bad Request with statusCode 400 in another',
  'Authentication / 6':
    '[missing] A missing [invalid] invalid [expired] or expired token on checkout yields an HTTP 401 Unauthorized outcome',
  'Authentication / 8':
    '[keys] Roles, scopes and per-key permissions: not shown [users] the portal controls user access levels',
  'Events / 1':
    '[other statuses] Payout callbacks: any status other than 200 counts as not acknowledged [three retries] Delivery is retried 3 times over the next 48 hours [then none] after which no more callbacks are sent [merchant] The merchant does not rely on callbacks alone and uses the status endpoint',
  'Events / 2':
    '[retries] B2B callbacks: the service may retry when no 200 arrives [reference] The merchant checks that payout_reference matches its records and deduplicates by it [public] The callback URL must be publicly accessible',
  'Events / 3':
    '[acknowledged] Airtime callbacks: a 200 response prevents retries [key] Deduplication key is external_reference together with phone_number (the reference alone is also advised)',
  'Events / 4':
    '[HTTPS] Checkout callbacks: callback_url must be HTTPS [public] and publicly reachable [duplicates] Retried delivery can produce duplicates, which the merchant handles by idempotency on merchant_transaction_id [status] The merchant fetches status after a callback',
  'Events / 5':
    '[successful] The payment record field event takes the value successful_payment for a successful payment [others] Other event values: not shown',
  'Versioning / 1':
    '[v1] Version is part of the path: /v1 prefix for authentication, rates, payouts, B2B payouts, airtime and balance [v2] /v2 prefix for standard checkout',
  // Notes of tables.
  'Standard checkout request / merchant_transaction_id':
    '[unique] Unique per checkout (UUID recommended) [idempotency] used for idempotency',
  'Standard checkout request / service_code':
    '[valid] Must be valid [active] and active [own] and belong to the account',
  'Standard checkout request / callback_url':
    '[HTTPS] Must be HTTPS [notifications] receives payment notifications',
  'B2B payout request / callback_url':
    '[updates] Receives status updates [public] must be publicly reachable [POST] and accept POST',
  'B2B payout request / payment_method':
    '[MOMO_B2B] MOMO_B2B for PAYBILL and TILL [BANK] BANK for BANK_ACCOUNT_NUMBER',
  'Checkout errors / 172':
    '[validation] Generic validation failure [unknown service] also returned with description Invalid Service Code when the service code does not exist [disabled service] is disabled [service of another] or does not belong to the account',
  'Checkout errors / 132': '[credentials] Invalid credentials [authentication] authentication failed',
  'Checkout errors / 120':
    '[account] Invoice account number not specified [unknown id] the same code with description Transaction not found is returned by the status query for an unknown merchant transaction id',
}

export const CLAIMS: Readonly<Record<string, readonly Claim[]>> = Object.fromEntries(
  Object.entries(RULES).map(([rule, text]) => [
    rule,
    [...text.matchAll(/\[([^\]]+)\] ([^[]+?)(?= \[|$)/g)].map(([, id = '', says = '']) => ({ id, says })),
  ]),
)
