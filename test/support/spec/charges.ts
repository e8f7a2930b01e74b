export { charge } from '../../../server/conformance/requests.ts'

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
