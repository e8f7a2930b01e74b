// Charges a payer, splits the money, and confirms service.  node charge.mjs ORDER-7731 1500.00 254700000001

import { finish, follow, send } from './api.mjs'

const [reference, amount, phone] = process.argv.slice(2)
const path = `/charges/${encodeURIComponent(reference)}`

await send('POST', '/charges', {
  external_reference: reference,
  payer_msisdn: phone,
  currency_code: 'KES',
  country_code: 'KEN',
  amount,
  payment_method_code: 'MOMO_KEN', // The payer's phone asks for the PIN at once.
  description: 'Two kangas',
  extra_data: {
    split_settlements: [
      { account: 'PARTNER-001', amount: '1000.00', reason: 'Cloth' },
      { account: 'PARTNER-002', amount: '250.50', reason: 'Delivery' },
    ],
  },
})

const charge = await follow(path)
console.log(`${reference}: ${charge.outcome}, ${charge.amount_paid} of ${charge.amount} ${charge.currency}`)
const reason = charge.attention ?? charge.refusal?.message
if (reason) {
  console.log(reason)
}

// The gateway holds the money until you confirm service. The first answer is final; FAILED refunds the payer.
if (charge.outcome === 'succeeded') {
  const said = serve()
    ? { status: 'SUCCESSFUL', narration: 'Delivered' }
    : { status: 'FAILED', narration: 'Out of stock' }
  const { status, stage } = await send('POST', `${path}/acknowledge`, said)
  // "decided": the server is still sending your answer to the gateway.
  console.log(`${status}: ${stage}`)
}

finish(charge)

// Replace this function with your code: deliver the goods once, store that, and return false if you cannot.
function serve() {
  return true
}
