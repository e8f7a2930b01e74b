/** The checks of what the gateway reports of a checkout, in each state and of each payment. */

import {
  amountWithFraction,
  decimalText,
  echoed,
  fieldsOf,
  list,
  moment,
  number,
  object,
  oneOf,
  statusChecks,
  text,
} from '../check.ts'
import {
  expectCheckoutError,
  needsControl,
  paidCheckout,
  pay,
  retrieveCheckout,
  startCheckout,
} from '../checkout.ts'
import { expect } from '../expect.ts'

import type { Check, Sample, Ways } from '../check.ts'
import type { Json } from '../connection.ts'
import type { Gateway } from '../gateway.ts'

const STATUSES: Ways = {
  801: ['paid in full', 'approve'],
  802: ['paid in part', 'partial'],
  803: ['unpaid, because the payment failed', 'wrong_pin'],
  840: ['reversed', 'approve', 'reverse'],
  841: ['refunded', 'approve', 'refund'],
  850: ['jammed', 'jam'],
  851: ['pending', 'slow'],
}

const PAYMENT_STATUSES: Ways = {
  700: ['successful', 'approve'],
  701: ['failed', 'cancel'],
  702: ['reversed', 'approve', 'reverse'],
  703: ['pending, while the prompt is open', 'ignore'],
  704: ['jammed', 'jam'],
  705: ['refunded', 'approve', 'refund'],
  706: ['accepted by the operator', 'slow'],
  707: ['being reprocessed after it was stuck', 'jam', 'slow'],
}
const PAYMENT_STATUS = 'Payment status inside checkout payment records'

export const checkoutStatusChecks: Check[] = [
  {
    rows: [
      'Endpoints / GET /v2/checkout/status/<merchant_transaction_id>',
      'Checkout overall status / 803',
      'Checkout callback and status payload / status',
    ],
    fact: 'a checkout without payments is 803',
    async run(gateway) {
      const { sent, got } = await startCheckout(gateway)
      expect(await retrieveCheckout(gateway, sent)).toMatchObject({
        status: 803,
        checkout_reference: got.checkout_reference,
        payments: [],
      })
    },
  },
  {
    rows: ['Checkout errors / unknown id', 'Checkout errors / 120', 'Checkout errors / 120 / unknown id'],
    fact: 'an unknown id is 120, Transaction not found, with the id in the message',
    async run(gateway) {
      const answer = await gateway.get('/v2/checkout/status/never-begun')
      expectCheckoutError(answer)
      expect(answer.body).toMatchObject({
        status_code: 120,
        status_description: 'Transaction not found',
        message: expect.matching(/never-begun/),
      })
    },
  },
  ...fieldsOf(
    'Checkout callback and status payload',
    paidCheckout,
    {
      amount: decimalText,
      checkout_reference: text,
      currency: (value) => expect(value).toMatch(/^[A-Z]{3}$/),
      merchant_transaction_id: echoed('merchant_transaction_id'),
      narration: echoed('narration'),
      payments: list,
      status: number,
      timestamp: moment,
    },
    ['control'],
  ),
  {
    ...needsControl,
    rows: ['Checkout callback and status payload / amount', 'Payment record / amount'],
    fact: 'the amount is the sum of the received payments',
    async run(gateway) {
      const { sent } = await startCheckout(gateway)
      await pay(gateway, sent, { scenario: 'partial', amount: '200' })
      expect(Number((await retrieveCheckout(gateway, sent)).amount)).toBe(200)
      await pay(gateway, sent, { scenario: 'approve' })
      const { amount, payments } = await retrieveCheckout(gateway, sent)
      expect(Number(amount)).toBe(sent.amount)
      expect(payments.map((payment: Json) => Number(payment.amount))).toEqual([200, sent.amount - 200])
    },
  },
  ...fieldsOf(
    'Payment record',
    payment,
    {
      event: oneOf('successful_payment'),
      amount: amountWithFraction,
      extra_data: object,
      client_code: text,
      country_code: (value) => expect(value).toMatch(/^[A-Z]{2,3}$/),
      payer_msisdn: echoed('payer_msisdn'),
      payment_date: moment,
      service_code: echoed('service_code'),
      currency_code: (value) => expect(value).toMatch(/^[A-Z]{3}$/),
      account_number: echoed('account_number'),
      payment_status: oneOf(700),
      transaction_id: text,
      payer_narration: text,
      charge_request_id: text,
      external_reference: echoed('merchant_transaction_id'),
      receiver_narration: text,
      payment_method_code: text,
      payer_transaction_id: text,
      payment_account_reference: text,
    },
    ['control'],
  ),
  ...statusChecks('Checkout overall status', 'a checkout', STATUSES, async (gateway, scenarios) => {
    const { status, payments } = await checkoutAfter(gateway, scenarios)
    expect(payments).toHaveLength(1)
    return status
  }),
  ...statusChecks(PAYMENT_STATUS, 'a payment', PAYMENT_STATUSES, paymentStatusAfter),
  ...statusChecks(
    PAYMENT_STATUS,
    'a payment',
    { 708: ['waiting for approval', 'ignore'] },
    (gateway, scenarios) => paymentStatusAfter(gateway, scenarios, 'BANK'),
  ),
  {
    ...needsControl,
    rows: ['Events / 5 / successful'],
    fact: 'the event successful_payment is for successful payments only',
    async run(gateway) {
      const { sent } = await startCheckout(gateway)
      await pay(gateway, sent, { scenario: 'cancel' })
      await pay(gateway, sent, { scenario: 'approve' })
      const { payments } = await retrieveCheckout(gateway, sent)
      expect(payments[0].event).not.toBe('successful_payment')
      expect(payments[1].event).toBe('successful_payment')
    },
  },
]

/** Resolves with the checkout after a payment by each scenario. */
async function checkoutAfter(gateway: Gateway, scenarios: readonly string[], method?: string): Promise<Json> {
  const { sent } = await startCheckout(gateway)
  for (const scenario of scenarios) {
    await pay(gateway, sent, { scenario, method })
  }

  return retrieveCheckout(gateway, sent)
}

async function paymentStatusAfter(gateway: Gateway, scenarios: readonly string[], method?: string) {
  const { payments } = await checkoutAfter(gateway, scenarios, method)
  return payments.at(-1).payment_status
}

async function payment(gateway: Gateway): Promise<Sample> {
  const { sent, got } = await paidCheckout(gateway)
  return { sent, got: got?.payments?.[0] }
}
