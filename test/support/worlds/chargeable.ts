export const CHARGE = {
  external_reference: 'C-1',
  payer_msisdn: '254700000001',
  currency_code: 'KES',
  amount: 1000,
  payment_method_code: 'MOMO_KEN',
  description: 'Two kangas',
  extra_data: {
    split_settlements: [
      { account: 'PARTNER-001', amount: 600, reason: 'Cloth' },
      { account: 'PARTNER-002', amount: '150.50', reason: 'Delivery' },
    ],
  },
} as const
