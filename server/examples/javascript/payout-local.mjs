// Pays a mobile wallet in your own country.  node payout-local.mjs WAGES-2026-11-ASHA 1500.00 254700000001

import { finishPayout, send } from './api.mjs'

// Your reference from your database. A payment keeps its reference; a new reference is a new payment.
const [reference, amount, phone] = process.argv.slice(2)

await send('POST', '/payouts', {
  payout_reference: reference,
  service_code: 'PAYOUT-KES',
  recipient_first_name: 'Asha',
  recipient_last_name: 'Otieno',
  destination_type: 'MOBILE',
  destination_name: 'MOMO_KEN',
  recipient_phone_number: phone,
  recipient_account_number: phone,
  recipient_account_name: 'Asha Otieno',
  source_currency: 'KES',
  destination_currency: 'KES',
  exchange_rate: '1',
  sender_amount: amount,
  recipient_amount: amount,
  sender_country_code: 'KEN',
  payment_description: 'Wages for November',
})

await finishPayout(reference)
