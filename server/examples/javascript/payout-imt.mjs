// Sends money abroad at the current exchange rate.  node payout-imt.mjs FAMILY-77 2000.00 256700000001

import { find, finishPayout, send } from './api.mjs'

const [reference, amount, phone] = process.argv.slice(2)

// Rates change hourly, so a repeated request would differ. If the reference is known, only poll its status.
if (!(await find(`/payouts/${encodeURIComponent(reference)}`))) {
  const quote = await send('GET', `/fx/quote?from=KES&to=UGX&amount=${encodeURIComponent(amount)}`)
  await send('POST', '/payouts/imt', {
    payout_reference: reference,
    service_code: 'IMT-KES',
    sender_first_name: 'Juma',
    sender_last_name: 'Mwangi',
    sender_type: 'INDIVIDUAL',
    sender_document_type: 'PASSPORT',
    sender_document_number: 'A1234567',
    sender_country_code: 'KEN',
    sender_phone_number: '254700000002',
    recipient_first_name: 'Asha',
    recipient_last_name: 'Otieno',
    recipient_type: 'INDIVIDUAL',
    recipient_phone_number: phone,
    recipient_account_number: phone,
    recipient_account_name: 'Asha Otieno',
    recipient_occupation: 'Teacher',
    destination_type: 'MOBILE',
    destination_name: 'MOMO_UGA',
    // Copy amounts and rate as text. Converting them to numbers could lose digits.
    source_currency: quote.source_currency,
    destination_currency: quote.destination_currency,
    exchange_rate: quote.exchange_rate,
    sender_amount: quote.sender_amount,
    recipient_amount: quote.recipient_amount,
    income_source: 'Salary',
    fund_purpose: 'Family support',
    payment_description: 'School fees',
  })
}

await finishPayout(reference)
