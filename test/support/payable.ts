/** What a merchant's backend asks its API to pay out: the spec's shapes, without the callback_url that is ours to set. */

export type PayoutType = 'local' | 'transfer' | 'b2b'

export const PAYOUT_PATHS = {
  local: '/payouts',
  transfer: '/payouts/imt',
  b2b: '/payouts/b2b',
} as const satisfies Record<PayoutType, string>

/** The field whose last four digits decide what becomes of a payout in the sandbox. */
export const RECIPIENT = {
  local: 'recipient_phone_number',
  transfer: 'recipient_phone_number',
  b2b: 'recipient_account_number',
} as const satisfies Record<PayoutType, string>

export const PAYOUTS = {
  local: {
    payout_reference: 'P-1',
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
    sender_amount: '1000',
    sender_country_code: 'KEN',
    recipient_amount: '1000',
    payment_description: 'Wages',
  },
  transfer: {
    payout_reference: 'P-1',
    service_code: 'IMT-KES',
    sender_first_name: 'Wanjiru',
    sender_last_name: 'Kamau',
    sender_type: 'INDIVIDUAL',
    sender_country_code: 'KEN',
    recipient_type: 'INDIVIDUAL',
    recipient_phone_number: '254700000001',
    recipient_account_number: '254700000001',
    recipient_account_name: 'Asha Otieno',
    recipient_occupation: 'Teacher',
    destination_type: 'MOBILE',
    destination_name: 'MOMO_KEN',
    source_currency: 'KES',
    destination_currency: 'KES',
    income_source: 'Salary',
    fund_purpose: 'Family',
    exchange_rate: '1',
    sender_amount: '1000',
    recipient_amount: '1000',
    payment_description: 'School fees',
  },
  b2b: {
    payout_reference: 'P-1',
    service_code: 'B2B-KES',
    payment_account_reference: 'INV-7',
    recipient_name: 'Nyeri Coffee Mills',
    recipient_type: 'PAYBILL',
    recipient_account_number: '400200',
    amount: '1000',
    payment_description: 'Coffee',
    payment_method: 'MOMO_B2B',
    currency_code: 'KES',
    country_code: 'KEN',
  },
} as const satisfies Record<PayoutType, object>
