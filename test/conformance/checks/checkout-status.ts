/** [spec: Checkout callback and status payload; Checkout overall status; Payment status; Standard checkout flow] */

import { expect } from 'vitest'
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
  text,
} from '../check.ts'
import {
  INITIATE,
  begin,
  checkoutRequest,
  expectCheckoutError,
  needsCallbacks,
  needsControl,
  paidCheckout,
  pay,
  statusOf,
} from '../checkout.ts'
import type { Check, Sample } from '../check.ts'
import type { Gateway } from '../gateway.ts'
import type { Json } from '../json.ts'

const MINUTE = 60_000

/** How a checkout comes to a status, or its latest payment does. */
interface Way {
  means: string
  come: (gateway: Gateway, sent: Json) => Promise<void>
}

const STATUSES: Record<number, Way> = {
  801: {
    means: 'paid in full',
    come: (gateway, sent) => pay(gateway, sent, { scenario: 'approve' }),
  },
  802: {
    means: 'paid in part',
    come: (gateway, sent) => pay(gateway, sent, { scenario: 'partial', amount: '200' }),
  },
  820: {
    means: 'expired without an attempt',
    come: (gateway, sent) => gateway.later(sent.expires_in * MINUTE + MINUTE),
  },
  840: { means: 'reversed', come: (gateway, sent) => givenBack(gateway, sent, 'reverse') },
  841: { means: 'refunded', come: (gateway, sent) => givenBack(gateway, sent, 'refund') },
  850: { means: 'jammed', come: (gateway, sent) => pay(gateway, sent, { scenario: 'jam' }) },
  851: { means: 'pending', come: (gateway, sent) => pay(gateway, sent, { scenario: 'slow' }) },
}

const PAYMENT_STATUSES: Record<number, Way> = {
  700: { means: 'successful', come: (gateway, sent) => pay(gateway, sent, { scenario: 'approve' }) },
  701: { means: 'failed', come: (gateway, sent) => pay(gateway, sent, { scenario: 'cancel' }) },
  702: { means: 'reversed', come: (gateway, sent) => givenBack(gateway, sent, 'reverse') },
  703: {
    means: 'pending, while the prompt is open',
    come: (gateway, sent) => pay(gateway, sent, { scenario: 'ignore' }),
  },
  704: { means: 'jammed', come: (gateway, sent) => pay(gateway, sent, { scenario: 'jam' }) },
  705: { means: 'refunded', come: (gateway, sent) => givenBack(gateway, sent, 'refund') },
  706: {
    means: 'accepted by the operator',
    come: (gateway, sent) => pay(gateway, sent, { scenario: 'slow' }),
  },
  707: {
    means: 'being reprocessed after it was stuck',
    come: async (gateway, sent) => {
      await pay(gateway, sent, { scenario: 'jam' })
      await pay(gateway, sent, { scenario: 'slow' })
    },
  },
  708: {
    means: 'waiting for a second person to approve',
    come: (gateway, sent) => pay(gateway, sent, { scenario: 'ignore', method: 'BANK' }),
  },
}

export const checkoutStatusChecks: Check[] = [
  {
    rows: [
      'Endpoints / GET /v2/checkout/status/<merchant_transaction_id>',
      'Checkout overall status / 803',
      'Checkout callback and status payload / status',
    ],
    fact: 'a checkout without payments is 803',
    async run(gateway) {
      const { sent, got } = await begin(gateway)
      expect(await statusOf(gateway, sent)).toMatchObject({
        status: 803,
        checkout_reference: got.checkout_reference,
        payments: [],
      })
    },
  },
  {
    rows: ['Checkout errors / unknown id', 'Checkout errors / 120'],
    fact: 'an unknown id is 120, Transaction not found, with the id in the message',
    async run(gateway) {
      const answer = await gateway.get('/v2/checkout/status/never-begun')
      expectCheckoutError(answer)
      expect(answer.body).toMatchObject({
        status_code: 120,
        status_description: 'Transaction not found',
        message: expect.stringContaining('never-begun'),
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
      const { sent } = await begin(gateway)
      await pay(gateway, sent, { scenario: 'partial', amount: '200' })
      expect(Number((await statusOf(gateway, sent)).amount)).toBe(200)
      await pay(gateway, sent, { scenario: 'approve' })
      const { amount, payments } = await statusOf(gateway, sent)
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
  ...Object.entries(STATUSES).map(([code, { means, come }]): Check => ({
    ...needsControl,
    rows: [`Checkout overall status / ${code}`],
    fact: `${code}: a checkout that is ${means}`,
    async run(gateway) {
      const { sent } = await begin(gateway)
      await come(gateway, sent)
      expect((await statusOf(gateway, sent)).status).toBe(Number(code))
    },
  })),
  {
    ...needsControl,
    rows: ['Checkout overall status / 803'],
    fact: '803: a checkout whose payments failed',
    async run(gateway) {
      const { sent } = await begin(gateway)
      await pay(gateway, sent, { scenario: 'wrong_pin' })
      const { status, payments } = await statusOf(gateway, sent)
      expect({ status, payments: payments.length }).toEqual({ status: 803, payments: 1 })
    },
  },
  ...Object.entries(PAYMENT_STATUSES).map(([code, { means, come }]): Check => ({
    ...needsControl,
    rows: [`Payment status inside checkout payment records / ${code}`],
    fact: `${code}: a payment that is ${means}`,
    async run(gateway) {
      const { sent } = await begin(gateway)
      await come(gateway, sent)
      const { payments } = await statusOf(gateway, sent)
      expect(payments.at(-1).payment_status).toBe(Number(code))
    },
  })),
  {
    ...needsControl,
    rows: ['Events / 5'],
    fact: 'the event successful_payment is for successful payments only',
    async run(gateway) {
      const { sent } = await begin(gateway)
      await pay(gateway, sent, { scenario: 'cancel' })
      await pay(gateway, sent, { scenario: 'approve' })
      const { payments } = await statusOf(gateway, sent)
      expect(payments[0].event).not.toBe('successful_payment')
      expect(payments[1].event).toBe('successful_payment')
    },
  },
  {
    ...needsCallbacks,
    rows: ['Checkout callback and status payload / status query', 'Standard checkout flow / 5'],
    fact: 'the status query returns the payload of the callback',
    async run(gateway) {
      const mailbox = gateway.mailbox()
      const { sent } = await begin(gateway, { callback_url: mailbox.url })
      await pay(gateway, sent, { scenario: 'partial', amount: '200' })
      expect(mailbox.received).toHaveLength(1)
      expect(mailbox.received[0]?.body).toEqual(await statusOf(gateway, sent))
    },
  },
  {
    rows: ['Standard checkout flow / 1'],
    fact: 'a unique id and all fields create a checkout',
    async run(gateway) {
      const [one, two] = [await begin(gateway), await begin(gateway)]
      expect(one.got.merchant_transaction_id).toBe(one.sent.merchant_transaction_id)
      expect(two.got.checkout_reference).not.toBe(one.got.checkout_reference)
    },
  },
  {
    rows: ['Standard checkout flow / 2'],
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
      const { sent, got } = await begin(gateway, { amount: 1234 })
      const page = await gateway.page(got.redirect_url)
      expect(page).toMatch(/<form[^>]*method="post"/i)
      expect(page).toMatch(/1,?234/)
      const form = { method: `MOMO_${gateway.credentials.country}`, msisdn: gateway.credentials.msisdn }
      await gateway.submit(`${got.redirect_url}/prompt`, form)
      await gateway.submit(`${got.redirect_url}/act`, { scenario: 'approve' })
      expect(await statusOf(gateway, sent)).toMatchObject({ status: 801, amount: '1234' })
    },
  },
]

async function givenBack(gateway: Gateway, sent: Json, scenario: 'reverse' | 'refund'): Promise<void> {
  await pay(gateway, sent, { scenario: 'approve' })
  await pay(gateway, sent, { scenario })
}

async function payment(gateway: Gateway): Promise<Sample> {
  const { sent, got } = await paidCheckout(gateway)
  return { sent, got: got?.payments?.[0] }
}
