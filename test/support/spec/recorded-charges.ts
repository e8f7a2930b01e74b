// These bodies are written from records of other gateways of this family, not from the specification.

/** A recorded response to a charge request. It contains no currency and no time of expiry. */
export const recordedAnswer = {
  status_code: 176,
  total_amount: '100',
  service_amount: '100',
  transaction_charge: 0,
  charge_request_id: '22406',
  external_reference: 'R1',
  auth_available: true,
}

export const recordedCardAnswer = { ...recordedAnswer, auth_url: 'https://bank.example/authorize/22406' }

/** A recorded state of a charge. Callbacks and responses to status queries have this body. */
export const recordedPayment = {
  event: 'successful_payment',
  external_reference: 'R1',
  charge_request_id: '22406',
  payment_status: 700,
  amount: '100',
  account_number: 'N/A',
  extra_data: 'table 7',
  payer_narration: 'Two kangas',
  receiver_narration: 'Payment received',
  payment_account_reference: 'CK81YKBHO',
}

export const recordedPending = {
  ...recordedPayment,
  event: 'pending_payment',
  payment_status: 703,
  receiver_narration: null,
}
