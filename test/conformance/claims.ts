/** A part of a rule or of a note of the specification that a gateway can break while it obeys the other parts. */
export interface Claim {
  id: string
  /** The words of the specification. All claims of a rule together are the whole rule. */
  says: string
}

const claim = (id: string, says: string): Claim => ({ id, says })

/** The claims of the rules that have more than one, by the id of the rule. */
export const CLAIMS: Readonly<Record<string, readonly Claim[]>> = {
  'What the service does / Charge requests': [
    claim('hosted page', 'Charge requests (through checkout redirect'),
    claim('direct', 'or direct charge)'),
    claim(
      'splits',
      'that can carry split settlements, which allocate parts of the amount to partner accounts',
    ),
    claim('confirmation', 'A service-processing confirmation step follows'),
  ],
  'What the service does / Exchange rates': [
    claim('rates', 'Exchange rates: selling and buying rates per currency for a chosen base currency'),
    claim('hourly', 'Rates are refreshed hourly'),
  ],
  'What the service does / Local payouts': [
    claim('wallets', 'Local payouts (business to customer) to mobile money wallets'),
    claim('banks', 'or bank accounts'),
    claim('international', 'and international money transfer payouts'),
  ],
  'General behaviour / 1': [
    claim('acknowledged first', 'The service is asynchronous. A request is acknowledged'),
    claim('callback', 'then the final result is delivered by a callback to the merchant'),
    claim('status query', 'and can be fetched with a status query'),
    claim('merchant', 'Callbacks must not be the only source of truth: the merchant also queries status'),
  ],
  'General behaviour / 2': [
    claim(
      'addresses',
      'Two environments exist: sandbox and production. They have different base addresses and different dashboard addresses',
    ),
    claim('keys', 'API keys and access tokens are environment specific'),
    claim(
      'new keys',
      'moving to production requires new keys generated in the production portal and the production addresses',
    ),
  ],
  'General behaviour / 3': [
    claim(
      'callback URLs',
      'The merchant portal (at {dashboard_url}) is used to set callback URLs (URL types include one for B2C notifications)',
    ),
    claim('API keys', 'generate and manage API keys (under a business or settings section)'),
    claim('payments', 'see accepted payments'),
    claim('statements', 'and financial statements'),
    claim('users', 'manage users'),
    claim('access levels', 'and control access levels'),
    claim('service codes', 'and look up service codes (Settings > Services)'),
  ],
  'General behaviour / 4': [
    claim('onboarding', 'Production use of payouts requires completed onboarding'),
    claim('funds', 'a funded float wallet'),
    claim('production keys', 'and production API keys'),
    claim('test funds', 'Sandbox provides test funds in a sandbox float account'),
  ],
  'General behaviour / 5': [
    claim('scenarios', 'The sandbox simulates transaction scenarios'),
    claim('callbacks', 'and callbacks'),
    claim('PIN', 'It cannot show authorization flows (the PIN prompt)'),
  ],
  'Split settlement flow / 2': [
    claim('SUCCESSFUL', "The system receives the payment service's confirmation of success"),
    claim(
      'FAILED',
      'or failure (the merchant posts the service processing confirmation with status SUCCESSFUL or FAILED)',
    ),
  ],
  'Split settlement flow / 3': [
    claim('validated', 'When the confirmation is successful, the split settlements are validated'),
    claim('distributed', 'and allocated, and the funds are distributed to the named partner accounts'),
  ],
  'Standard checkout flow / 1': [
    claim('unique id', 'Merchant creates a unique merchant_transaction_id'),
    claim('all fields', 'and calls checkout initiate with all required fields'),
  ],
  'Standard checkout flow / 2': [
    claim('redirect', 'On success the customer is sent to the returned redirect_url'),
    claim('retry', 'on error the merchant shows the error and may retry'),
  ],
  'Standard checkout flow / 5': [
    claim('status', 'The merchant fetches the status after the callback'),
    claim('fulfilment', 'and updates its order; fulfilment follows confirmed payment'),
  ],
  'Endpoints / 4': [
    claim(
      'transfers',
      'The international money transfer call is described with the header name Authorization for the token',
    ),
    claim('others', 'every other call uses x-access-token'),
  ],
  'Endpoints / 5': [
    claim('720', 'Airtime acknowledgement success: response_code 720 with an acceptance description'),
    claim('721', 'Airtime reference and recipients are validated; failure yields response_code 721'),
  ],
  'Endpoints / 6': [
    claim('720', 'B2B and local payout acknowledgement: response_code 720 means accepted'),
    claim('rejection', 'a rejection carries response_code and error_code (see Errors)'),
    claim('validated first', 'The request is validated and acknowledged before processing'),
  ],
  'Authentication / 1': [
    claim('calls', 'Every API call carries header x-access-token with the access token'),
    claim('token call', 'except the token call itself'),
  ],
  'Authentication / 2': [
    claim(
      'token call',
      'The token is obtained with POST /v1/auth, Content-Type application/json, body consumer_key and consumer_secret',
    ),
    claim('portal', 'keys are generated in the merchant portal under API keys'),
  ],
  'Authentication / 3': [
    claim('fields', 'The response has access_token and expiresIn'),
    claim('one hour', 'The token is valid for up to one hour'),
    claim('renewal', 'after expiry the merchant authenticates again'),
  ],
  'Authentication / 4': [
    claim('tokens', 'Tokens and keys differ between sandbox and production'),
    claim(
      'confidential',
      'Keys, tokens and secrets are kept confidential and not placed in client-side code',
    ),
  ],
  'Authentication / 5': [
    claim(
      'body',
      'Failed authentication: a body with statusCode (number), message (Invalid Authentication Credentials) and error',
    ),
    claim(
      'error',
      'The error text is Unauthorized with statusCode 401 in one description and Bad Request with statusCode 400 in another',
    ),
  ],
  'Authentication / 6': [
    claim('missing', 'A missing'),
    claim('invalid', 'invalid'),
    claim('expired', 'or expired token on checkout yields an HTTP 401 Unauthorized outcome'),
  ],
  'Authentication / 8': [
    claim('keys', 'Roles, scopes and per-key permissions: not shown'),
    claim('users', 'the portal controls user access levels'),
  ],
  'Events / 1': [
    claim('other statuses', 'Payout callbacks: any status other than 200 counts as not acknowledged'),
    claim('three retries', 'Delivery is retried 3 times over the next 48 hours'),
    claim('then none', 'after which no more callbacks are sent'),
    claim('merchant', 'The merchant does not rely on callbacks alone and uses the status endpoint'),
  ],
  'Events / 2': [
    claim('retries', 'B2B callbacks: the service may retry when no 200 arrives'),
    claim(
      'reference',
      'The merchant checks that payout_reference matches its records and deduplicates by it',
    ),
    claim('public', 'The callback URL must be publicly accessible'),
  ],
  'Events / 3': [
    claim('acknowledged', 'Airtime callbacks: a 200 response prevents retries'),
    claim(
      'key',
      'Deduplication key is external_reference together with phone_number (the reference alone is also advised)',
    ),
  ],
  'Events / 4': [
    claim('HTTPS', 'Checkout callbacks: callback_url must be HTTPS'),
    claim('public', 'and publicly reachable'),
    claim(
      'duplicates',
      'Retried delivery can produce duplicates, which the merchant handles by idempotency on merchant_transaction_id',
    ),
    claim('status', 'The merchant fetches status after a callback'),
  ],
  'Events / 5': [
    claim(
      'successful',
      'The payment record field event takes the value successful_payment for a successful payment',
    ),
    claim('others', 'Other event values: not shown'),
  ],
  'Versioning / 1': [
    claim(
      'v1',
      'Version is part of the path: /v1 prefix for authentication, rates, payouts, B2B payouts, airtime and balance',
    ),
    claim('v2', '/v2 prefix for standard checkout'),
  ],
  // Notes of tables.
  'Standard checkout request / merchant_transaction_id': [
    claim('unique', 'Unique per checkout (UUID recommended)'),
    claim('idempotency', 'used for idempotency'),
  ],
  'Standard checkout request / service_code': [
    claim('valid', 'Must be valid'),
    claim('active', 'and active'),
    claim('own', 'and belong to the account'),
  ],
  'Standard checkout request / callback_url': [
    claim('HTTPS', 'Must be HTTPS'),
    claim('notifications', 'receives payment notifications'),
  ],
  'B2B payout request / callback_url': [
    claim('updates', 'Receives status updates'),
    claim('public', 'must be publicly reachable'),
    claim('POST', 'and accept POST'),
  ],
  'B2B payout request / payment_method': [
    claim('MOMO_B2B', 'MOMO_B2B for PAYBILL and TILL'),
    claim('BANK', 'BANK for BANK_ACCOUNT_NUMBER'),
  ],
  'Checkout errors / 172': [
    claim('validation', 'Generic validation failure'),
    claim(
      'unknown service',
      'also returned with description Invalid Service Code when the service code does not exist',
    ),
    claim('disabled service', 'is disabled'),
    claim('service of another', 'or does not belong to the account'),
  ],
  'Checkout errors / 132': [
    claim('credentials', 'Invalid credentials'),
    claim('authentication', 'authentication failed'),
  ],
  'Checkout errors / 120': [
    claim('account', 'Invoice account number not specified'),
    claim(
      'unknown id',
      'the same code with description Transaction not found is returned by the status query for an unknown merchant transaction id',
    ),
  ],
}
