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

// [assumed] The specification names neither the required fields nor the field of the return URL.
export const redirectCharge = {
  external_reference: 'ORDER-7732',
  payer_msisdn: '254700000001',
  service_code: 'CHECKOUT-KES',
  account_number: 'ACC-001',
  currency_code: 'KES',
  amount: 1500,
  extra_data: {
    redirect_url: 'https://shop.example/return/7732',
    split_settlements: [{ account: 'PARTNER-FEES', amount: 20, reason: 'Platform fee' }],
  },
}

export const confirmation = { payment_id: '771200', status: 'SUCCESSFUL', narration: 'Delivered' }
