/**
 * A complete request of each kind, with every field that the specification shows. The checks change one field at a time.
 */

// [spec: Standard checkout request]
export const initiateRequest = {
  merchant_transaction_id: '8d2f6a52-7f0d-4c5e-9b3a-2f1f6f1b7c11',
  amount: 1500,
  payer_name: 'Asha Otieno',
  payer_email: 'asha@example.com',
  payer_msisdn: '254700000001',
  service_code: 'CHECKOUT-KES',
  account_number: 'ACC-001',
  expires_in: 30,
  narration: 'Two kangas',
  callback_url: 'https://pay.shop.example/callbacks/checkout/one',
  redirect_url: 'https://pay.shop.example/checkout/return/one',
}

// Characters. [spec: Standard checkout request; Limits]
export const initiateLengths = {
  merchant_transaction_id: 64,
  payer_name: 100,
  payer_email: 100,
  payer_msisdn: 25,
  service_code: 32,
  account_number: 50,
  narration: 255,
  callback_url: 500,
  redirect_url: 500,
}

// [spec: Charge requests]
export const charge = {
  external_reference: 'ORDER-7731',
  origin_channel_code: 'WEB',
  originator_msisdn: '254700000002',
  payer_msisdn: '254700000001',
  payer_email: 'asha@example.com',
  payer_name: 'Asha Otieno',
  client_code: 'SANDBOX',
  service_code: 'CHECKOUT-KES',
  account_number: 'ACC-001',
  invoice_number: 'INV-7731',
  currency_code: 'KES',
  country_code: 'KEN',
  amount: 1500,
  add_transaction_charge: false,
  payment_method_code: 'MOMO_KEN',
  paybill: '400200',
  extra_data: {
    split_settlements: [
      { account: 'PARTNER-001', amount: 1000, reason: 'Cloth' },
      { account: 'PARTNER-002', amount: '250.50', reason: 'Delivery' },
      { account: 'PARTNER-FEES', amount: 20, reason: 'Platform fee' },
    ],
  },
  description: 'Two kangas',
  notify_client: true,
  notify_originator: false,
}

export const localPayout = {
  payout_reference: 'WAGES-1',
  service_code: 'PAYOUT-KES',
  recipient_first_name: 'Asha',
  recipient_last_name: 'Otieno',
  destination_type: 'MOBILE',
  destination_name: 'MOMO_KEN',
  recipient_phone_number: '254700000001',
  recipient_account_number: '254700000001',
  recipient_account_name: 'Asha Otieno',
  source_currency: 'KES',
  destination_currency: 'KES',
  exchange_rate: '1',
  sender_amount: '1500.00',
  sender_country_code: 'KEN',
  recipient_amount: '1500.00',
  payment_description: 'Wages for November',
}

// [spec: International money transfer request]
export const transfer = {
  payout_reference: 'FAMILY-1',
  service_code: 'IMT-KES',
  sender_first_name: 'Juma',
  sender_middle_name: 'Baraka',
  sender_last_name: 'Mwangi',
  sender_type: 'INDIVIDUAL',
  sender_document_type: 'PASSPORT',
  sender_document_number: 'A1234567',
  sender_country_code: 'KEN',
  sender_phone_number: '254700000002',
  recipient_first_name: 'Asha',
  recipient_middle_name: 'Wanjiru',
  recipient_last_name: 'Otieno',
  recipient_type: 'INDIVIDUAL',
  recipient_document_type: 'NATIONAL_ID',
  recipient_document_number: '12345678',
  recipient_phone_number: '254700000001',
  recipient_account_number: '254700000001',
  recipient_account_name: 'Asha Wanjiru Otieno',
  recipient_occupation: 'Teacher',
  destination_type: 'MOBILE',
  destination_name: 'MOMO_KEN',
  source_currency: 'KES',
  destination_currency: 'KES',
  income_source: 'Salary',
  fund_purpose: 'Family support',
  exchange_rate: '1',
  sender_amount: '2000.00',
  recipient_amount: '2000.00',
  payment_description: 'School fees',
}

export const b2bPayout = {
  payout_reference: 'SUPPLIER-1',
  service_code: 'B2B-KES',
  payment_account_reference: 'INV-7731',
  recipient_name: 'Pwani Textiles',
  recipient_type: 'PAYBILL',
  recipient_account_number: '400200',
  amount: '25000.00',
  payment_description: 'Two bales of kanga cloth',
  payment_method: 'MOMO_B2B',
  currency_code: 'KES',
  country_code: 'KEN',
}
