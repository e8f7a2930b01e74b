import { expect, test } from 'vitest'
import type { z } from 'zod'
import { AirtimeRecipient, NewAirtimeRecipient } from '../../server/contract/airtime.ts'
import { KeptRequest } from '../../server/charges/record.ts'
import { NewSubmission as NewCheckout, Submission as StoredCheckout } from '../../server/checkouts/record.ts'
import { NewChargeRequest } from '../../server/contract/charge.ts'
import { NewSubmission as NewPayout, Submission as StoredPayout } from '../../server/payouts/record.ts'
import { charge } from '../support/spec-charges.ts'
import { b2bPayout, localPayout, transfer } from '../support/spec-payouts.ts'
import { initiateRequest } from '../support/spec-shapes.ts'

const SHORT = '254700000'
const callback_url = 'https://pay.shop.example/callbacks'

test.each<[string, z.ZodType, z.ZodType, unknown]>([
  [
    'a checkout',
    StoredCheckout,
    NewCheckout,
    { variant: 'standard', request: { ...initiateRequest, payer_msisdn: SHORT } },
  ],
  [
    'a checkout with splits',
    StoredCheckout,
    NewCheckout,
    { variant: 'charge', request: { ...charge, payer_msisdn: SHORT } },
  ],
  ['a charge', KeptRequest, NewChargeRequest, { ...charge, originator_msisdn: SHORT, country_code: 'KEX' }],
  [
    'a payout',
    StoredPayout,
    NewPayout,
    { variant: 'local', request: { ...localPayout, callback_url, recipient_phone_number: SHORT } },
  ],
  [
    'a transfer',
    StoredPayout,
    NewPayout,
    { variant: 'transfer', request: { ...transfer, callback_url, sender_country_code: 'XK' } },
  ],
  [
    'a B2B payout',
    StoredPayout,
    NewPayout,
    { variant: 'b2b', request: { ...b2bPayout, callback_url, country_code: 'KEX' } },
  ],
  ['airtime', AirtimeRecipient, NewAirtimeRecipient, { phone_number: SHORT, amount: '10' }],
])('%s that an earlier version stored is read, and a new one is refused', (_, stored, fresh, value) => {
  expect(stored.safeParse(value).error).toBeUndefined()
  expect(fresh.safeParse(value).error?.issues).toHaveLength(countOf(value))
})

// A request may have several such fields.
const countOf = (value: unknown) => JSON.stringify(value).match(/"(254700000|KEX|XK)"/g)?.length ?? 0
