// These examples are written by hand from the specification, and test the schemas of `server/contract/`.

export { initiateRequest } from '../../../server/conformance/requests.ts'

export const authRequest = { consumer_key: 'a-consumer-key', consumer_secret: 'a-consumer-secret' }

export const authAnswer = { access_token: 'an-access-token', expiresIn: 3600 }

// The rates API sends the lifetime of the token, in seconds, as a string in `expires_in`.
export const authAnswerOfRates = { access_token: 'an-access-token', expires_in: '3600' }

// [spec: Authentication, 5]
export const authFailures = [
  { statusCode: 401, message: 'Invalid Authentication Credentials', error: 'Unauthorized' },
  { statusCode: 400, message: 'Invalid Authentication Credentials', error: 'Bad Request' },
]

// Seen in practice, not in the specification.
export const wrongCredentials = {
  statusCode: 400,
  message: 'Incorrect consumerKey and consumerSecret combination',
  error: 'Bad Request',
}

export const initiateAnswer = {
  merchant_transaction_id: '8d2f6a52-7f0d-4c5e-9b3a-2f1f6f1b7c11',
  checkout_reference: 'CHK-20261121-0001',
  currency: 'KES',
  amount: 1500,
  expires_at: '2026-11-21T09:30:00Z',
  redirect_url: 'https://checkout.gateway.example/pay/CHK-20261121-0001',
}

export const checkoutErrors = [
  {
    status_code: 172,
    status_description: 'Invalid Service Code',
    message: 'The service code is not active.',
  },
  { status_code: 120, status_description: 'Transaction not found', message: 'No transaction 8d2f6a52.' },
  { status_code: 110, status_description: 'Invalid customer MSISDN', message: 'The number is not valid.' },
  { status_code: 174, status_description: 'Generic failure', message: 'Try again.' },
]

export const paymentRecord = {
  event: 'successful_payment',
  amount: '1500.00',
  extra_data: {},
  client_code: 'CLIENT',
  country_code: 'KEN',
  payer_msisdn: '254700000001',
  payment_date: '2026-11-21T09:04:10Z',
  service_code: 'CHECKOUT-KES',
  currency_code: 'KES',
  account_number: 'ACC-001',
  payment_status: 700,
  transaction_id: '771200',
  payer_narration: 'Two kangas',
  charge_request_id: '551200',
  external_reference: '8d2f6a52-7f0d-4c5e-9b3a-2f1f6f1b7c11',
  receiver_narration: 'Received with thanks',
  payment_method_code: 'MOMO',
  payer_transaction_id: 'RK71XYZ',
  payment_account_reference: '8d2f6a52',
}

export const checkoutPayload = {
  amount: '1500.00',
  checkout_reference: 'CHK-20261121-0001',
  currency: 'KES',
  merchant_transaction_id: '8d2f6a52-7f0d-4c5e-9b3a-2f1f6f1b7c11',
  narration: 'Two kangas',
  payments: [paymentRecord],
  status: 801,
  timestamp: '2026-11-21T09:04:12Z',
}

export const codes = {
  // [spec: Checkout overall status]
  checkoutStatus: [801, 802, 803, 820, 840, 841, 850, 851],
  // [spec: Payment status inside checkout payment records]
  paymentStatus: [700, 701, 702, 703, 704, 705, 706, 707, 708],
  // [spec: Payout payment status]
  payoutStatus: [700, 701, 702, 703, 704, 705],
  // [spec: Airtime service_status]
  airtimeStatus: [600, 601, 602, 603, 604, 605, 606, 607],
  // [spec: Checkout errors]
  checkoutCode: [109, 110, 115, 120, 131, 132, 172, 173, 174, 176],
  // [spec: Payout acknowledgement codes]
  acknowledgementCode: [720, 721, 722, 723],
} as const
