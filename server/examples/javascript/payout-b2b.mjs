// Pays a business by its paybill number.  node payout-b2b.mjs SUPPLIER-31 25000.00 400200

import { finishPayout, send } from './api.mjs'

const [reference, amount, paybill] = process.argv.slice(2)

await send('POST', '/payouts/b2b', {
  payout_reference: reference,
  service_code: 'B2B-KES',
  payment_account_reference: 'INV-7731',
  recipient_name: 'Pwani Textiles',
  recipient_type: 'PAYBILL',
  recipient_account_number: paybill,
  amount,
  currency_code: 'KES',
  country_code: 'KEN',
  payment_method: 'MOMO_B2B',
  payment_description: 'Two bales of kanga cloth',
})

await finishPayout(reference)
