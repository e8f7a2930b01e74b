// Charges a payer, shares the money, and says that it was served.  node charge.mjs ORDER-7731 1500.00 254700000001

import { finish, follow, send } from './api.mjs'

const [reference, amount, phone] = process.argv.slice(2)
const path = `/charges/${encodeURIComponent(reference)}`

await send('POST', '/charges', {
  external_reference: reference,
  payer_msisdn: phone,
  currency_code: 'KES',
  country_code: 'KEN',
  amount,
  payment_method_code: 'MOMO_KEN', // The phone asks for the PIN at once.
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
const why = charge.attention ?? charge.refusal?.message
if (why) console.log(why)

// The gateway holds the money until you say whether you served. The first word counts: FAILED gives it back.
if (charge.outcome === 'succeeded') {
  const said = serve()
    ? { status: 'SUCCESSFUL', narration: 'Delivered' }
    : { status: 'FAILED', narration: 'Out of stock' }
  const { status, stage } = await send('POST', `${path}/acknowledge`, said)
  console.log(`${status}: ${stage}`) // "decided" is on its way to the gateway, and goes on by itself.
}
finish(charge)

/** Yours: hand it over once, and remember that you did. */
function serve() {
  return true
}
