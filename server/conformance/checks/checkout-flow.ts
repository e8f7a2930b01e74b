/** The checks of the standard checkout from its start, over an error, to the payment on the hosted page. */

import {
  INITIATE,
  checkoutRequest,
  expectCheckoutError,
  needsControl,
  retrieveCheckout,
  startCheckout,
} from '../checkout.ts'
import { expect } from '../expect.ts'

import type { Check } from '../check.ts'

export const checkoutFlowChecks: Check[] = [
  {
    rows: [
      'What the service does / Standard checkout',
      'Endpoints / POST /v2/checkout/initiate',
      'Standard checkout response / redirect_url',
      'Standard checkout flow / 1 / unique id',
      'Standard checkout flow / 1 / all fields',
    ],
    fact: 'a unique id and all fields create a checkout, which is answered with 200 and a redirect_url',
    async run(gateway) {
      const one = await startCheckout(gateway)
      const two = await startCheckout(gateway)
      expect(one.got.merchant_transaction_id).toBe(one.sent.merchant_transaction_id)
      expect(two.got.checkout_reference).not.toBe(one.got.checkout_reference)
      expect(await gateway.page(one.got.redirect_url)).toMatch(/<html/i)
    },
  },
  {
    rows: ['Standard checkout flow / 2 / retry', 'Standard checkout flow / 2 / redirect'],
    fact: 'after an error the merchant can retry with the same id',
    async run(gateway) {
      const sent = checkoutRequest(gateway)
      expectCheckoutError(await gateway.post(INITIATE, { ...sent, payer_msisdn: 'not a number' }))
      const again = await gateway.post(INITIATE, sent)
      expect(again.status, again.text).toBe(200)
      expect(again.body.redirect_url).toMatch(/^https?:/)
    },
  },
  {
    ...needsControl,
    rows: ['Standard checkout flow / 3'],
    fact: 'the customer pays on the hosted page',
    async run(gateway) {
      const { sent, got } = await startCheckout(gateway, { amount: 1234 })
      const page = await gateway.page(got.redirect_url)
      expect(page).toMatch(/<form[^>]*method="post"/i)
      expect(page).toMatch(/1,?234/)
      const form = { method: `MOMO_${gateway.credentials.country}`, msisdn: gateway.credentials.msisdn }
      await gateway.submit(`${got.redirect_url}/prompt`, form)
      await gateway.submit(`${got.redirect_url}/act`, { scenario: 'approve' })
      expect(await retrieveCheckout(gateway, sent)).toMatchObject({ status: 801, amount: '1234' })
    },
  },
]
