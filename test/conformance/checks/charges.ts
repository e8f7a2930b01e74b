/** [spec: Charge request; Service processing confirmation; Split settlement flow] */

import { expect } from 'vitest'
import {
  CONFIRM,
  chargeRequest,
  chargeTable,
  confirm,
  confirmationTable,
  holdingOf,
  needsCharges,
  needsPaidCharges,
  paidCharge,
  post,
  splitTable,
  statusOf,
} from '../charge.ts'
import { echoed, expectRefused, expectAccepted, fieldsOf, text, typed, words } from '../check.ts'
import { expectCheckoutError } from '../checkout.ts'
import type { Check, Sample } from '../check.ts'
import type { Gateway } from '../gateway.ts'

const fieldChecks: Check[] = [
  ...typed(chargeTable, {
    external_reference: [],
    origin_channel_code: [],
    originator_msisdn: ['not a number'],
    payer_msisdn: ['not a number'],
    payer_email: [],
    payer_name: [],
    client_code: [],
    service_code: ['NO-SUCH-SERVICE'],
    account_number: ['not an account'],
    invoice_number: [],
    currency_code: ['shillings'],
    country_code: ['Kenya, the country'],
    amount: ['ten', -10],
    add_transaction_charge: ['perhaps'],
    transaction_charge: ['ten'],
    payment_method_code: ['NO_SUCH_METHOD'],
    paybill: [],
    description: [],
    notify_client: ['perhaps'],
    notify_originator: ['perhaps'],
  }),
  {
    rows: ['Charge request / Fields of the body / extra_data'],
    fact: 'extra_data of a charge is refused as text, a number and a list',
    async run(gateway) {
      for (const extra_data of ['text', 7, ['text']])
        await expectRefused(chargeTable, gateway, { extra_data })
    },
  },
  ...typed(splitTable, {
    account: [null, '', 'NO-SUCH-PARTNER'],
    amount: [null, '', 'ten', -10],
    reason: [null, ''],
  }),
  {
    rows: ['Charge request / amount'],
    fact: 'a share is a number or a numeric string, at most the amount of the charge',
    async run(gateway) {
      await expectAccepted(splitTable, gateway, { amount: 1000 })
      await expectAccepted(splitTable, gateway, { amount: '1000' })
      await expectRefused(splitTable, gateway, { amount: 1_000_000 })
    },
  },
  {
    rows: ['Charge request / split_settlements'],
    fact: 'split_settlements is an array of shares',
    async run(gateway) {
      const [share] = chargeRequest(gateway).extra_data.split_settlements
      for (const split_settlements of [share, 'all', [7]])
        await expectRefused(chargeTable, gateway, { extra_data: { split_settlements } })
    },
  },
  {
    rows: ['Charge request / dynamic accounts'],
    fact: 'shares without a dynamic partner account are refused',
    async run(gateway) {
      const { split_settlements } = chargeRequest(gateway).extra_data
      const { dynamic } = gateway.credentials.partners
      const plain = split_settlements.filter(({ account }: { account: string }) => account !== dynamic)
      expect(plain).toHaveLength(1)
      await expectRefused(chargeTable, gateway, { extra_data: { split_settlements: plain } })
    },
  },
  {
    rows: ['Checkout errors / 176'],
    fact: 'a charge is acknowledged with 176',
    async run(gateway) {
      const { sent, got } = await post(gateway)
      expect(got).toMatchObject({ status_code: 176, external_reference: sent.external_reference })
    },
  },
  {
    rows: ['Checkout errors / 115', 'Charge request / Fields of the body / currency_code'],
    fact: 'a currency that does not exist is 115',
    async run(gateway) {
      const { body } = await expectRefused(chargeTable, gateway, { currency_code: 'XXX' })
      expect(body.status_code).toBe(115)
    },
  },
  ...[
    { code: 109, fields: { payer_msisdn: undefined }, fact: 'a charge without a phone number is 109' },
    {
      code: 110,
      fields: { payer_msisdn: 'not a number' },
      fact: 'a charge with a wrong phone number is 110',
    },
    { code: 120, fields: { account_number: undefined }, fact: 'a charge without an account number is 120' },
    { code: 172, fields: { service_code: 'NO-SUCH-SERVICE' }, fact: 'a charge with a wrong service is 172' },
  ].map(({ code, fields, fact }): Check => ({
    rows: [`Checkout errors / ${code}`],
    fact,
    async run(gateway) {
      const { body } = await expectRefused(chargeTable, gateway, fields)
      expect(body.status_code).toBe(code)
    },
  })),
]

const flowChecks: Check[] = [
  ...typed(confirmationTable, {
    payment_id: ['no-such-payment'],
    status: ['DONE'],
    narration: [],
  }),
  ...words(confirmationTable, 'status', { FAILED: {}, SUCCESSFUL: {} }),
  ...fieldsOf('Service processing confirmation', confirmed, {
    'Response / payment_id': echoed('payment_id'),
    'Response / message': text,
  }),
  {
    rows: ['What the service does / Charge requests'],
    fact: 'a charge with a payment method prompts the payer, and one without returns the hosted page',
    async run(gateway) {
      const direct = await post(gateway)
      expect(direct.got).not.toHaveProperty('redirect_url')
      expect((await statusOf(gateway, direct.sent)).payments).toHaveLength(1)
      const redirect = await post(gateway, { payment_method_code: undefined })
      expect(await gateway.page(redirect.got.redirect_url)).toMatch(/<form[^>]*method="post"/i)
      expect((await statusOf(gateway, redirect.sent)).payments).toEqual([])
    },
  },
  {
    rows: ['Charge request / extra_data'],
    fact: 'extra_data is returned with the payment',
    async run(gateway) {
      const extra_data = { table: '7', waiter: { name: 'Juma' } }
      expect((await paidCharge(gateway, { extra_data })).got.extra_data).toEqual(extra_data)
      await expectRefused(chargeTable, gateway, { extra_data: 'text' })
    },
  },
  {
    rows: ['Split settlement flow / 1'],
    fact: 'the payment of a charge uses the chosen method',
    async run(gateway) {
      const { country } = gateway.credentials
      for (const payment_method_code of [`MOMO_${country}`, 'CARD']) {
        const { sent, got } = await paidCharge(gateway, { payment_method_code })
        expect(got).toMatchObject({ payment_method_code, payment_status: 700 })
        expect(got.external_reference).toBe(sent.external_reference)
        expect((await statusOf(gateway, sent)).status).toBe(801)
      }
    },
  },
  {
    rows: ['Split settlement flow / 2', `Endpoints / POST {base_url}${CONFIRM}`],
    fact: 'the merchant confirms a payment as SUCCESSFUL or FAILED, and an unknown payment is refused',
    async run(gateway) {
      for (const status of ['SUCCESSFUL', 'FAILED']) {
        const { got } = await paidCharge(gateway)
        const answer = await confirm(gateway, { payment_id: got.transaction_id, status })
        expect(answer.status, answer.text).toBe(200)
        expect(answer.body.payment_id).toBe(got.transaction_id)
      }
      expectCheckoutError(await confirm(gateway, { payment_id: 'nobody-made-this' }))
    },
  },
  {
    rows: ['Split settlement flow / 3', 'Charge request / account', 'Charge request / split_settlements'],
    fact: 'partners get their shares once, when the service is confirmed',
    async run(gateway) {
      const { plain, dynamic } = gateway.credentials.partners
      const holdings = async () => [await holdingOf(gateway, plain), await holdingOf(gateway, dynamic)]
      const [first = 0, second = 0] = await holdings()
      const { got } = await paidCharge(gateway)
      expect(await holdings()).toEqual([first, second])
      for (let times = 0; times < 2; times++) {
        await confirm(gateway, { payment_id: got.transaction_id })
        expect(await holdings()).toEqual([first + 1000, second + 20])
      }
    },
  },
  {
    rows: ['Split settlement flow / 3'],
    fact: 'partners get nothing of a charge whose service failed',
    async run(gateway) {
      const { plain } = gateway.credentials.partners
      const before = await holdingOf(gateway, plain)
      const { got } = await paidCharge(gateway)
      const answer = await confirm(gateway, { payment_id: got.transaction_id, status: 'FAILED' })
      expect(answer.status, answer.text).toBe(200)
      expect(await holdingOf(gateway, plain)).toBe(before)
    },
  },
  {
    rows: ['Versioning / 2'],
    fact: 'the confirmation has no version in its path',
    async run(gateway) {
      const { got } = await paidCharge(gateway)
      const body = { payment_id: got.transaction_id, status: 'SUCCESSFUL', narration: 'Delivered' }
      for (const version of ['/v1', '/v2'])
        expect((await gateway.post(version + CONFIRM, body)).status).toBe(404)
      expect((await gateway.post(CONFIRM, body)).status).toBe(200)
    },
  },
]

export const chargeChecks: Check[] = [
  ...fieldChecks.map((check) => ({ ...check, ...needsCharges })),
  ...flowChecks.map((check) => ({ ...check, ...needsPaidCharges })),
]

function confirmed(gateway: Gateway): Promise<Sample> {
  return gateway.remember('a confirmed charge', async () => {
    const { got } = await paidCharge(gateway)
    const { body } = await confirm(gateway, { payment_id: got.transaction_id })
    return { sent: { payment_id: got.transaction_id }, got: body }
  })
}
