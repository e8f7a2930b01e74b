import { describe, expect, it, test } from 'vitest'

import { ChargeRequest, ChargeResponse, ChargeStatus } from '../../server/contract/charge.ts'
import { CheckoutPayload } from '../../server/contract/checkout.ts'
import { redirectCharge } from '../support/spec/charges.ts'
import { recordedAnswer, recordedCardAnswer, recordedPayment } from '../support/spec/recorded-charges.ts'
import { checkoutPayload } from '../support/spec/shapes.ts'

const refusedFields = (body: unknown) =>
  ChargeStatus.safeParse(body).error?.issues.map(({ path }) => path.join('.')) ?? []

describe('the status of a charge', () => {
  it('the status of a charge is the payload of a checkout', () => {
    expect(ChargeStatus.parse(checkoutPayload)).toEqual(CheckoutPayload.parse(checkoutPayload))
  })

  it('the status of a charge is one payment record, with the charge as its reference and no session', () => {
    expect(ChargeStatus.parse(recordedPayment)).toMatchObject({
      merchant_transaction_id: 'R1',
      checkout_reference: null,
      currency: null,
      status: 801,
      amount: null,
      payments: [
        {
          payment_status: 700,
          amount: '100',
          charge_request_id: '22406',
          external_reference: 'R1',
          account_number: null,
        },
      ],
    })
  })

  test.each([
    [700, 801],
    [701, 803],
    [702, 840],
    [703, 851],
    [704, 850],
    [705, 841],
    [706, 851],
    [707, 851],
    [708, 851],
  ])('a charge with a payment of %i has the status %i, and states no total', (payment_status, status) => {
    expect(ChargeStatus.parse({ ...recordedPayment, payment_status })).toMatchObject({ status, amount: null })
  })

  it('the status of a charge may have numbers as text, and text as numbers', () => {
    const numbers = { payment_status: '700', amount: 100, charge_request_id: 22406, currency_code: 'KES' }
    expect(ChargeStatus.parse({ ...recordedPayment, ...numbers })).toMatchObject({
      status: 801,
      amount: null,
      currency: 'KES',
      payments: [{ charge_request_id: '22406', amount: '100' }],
    })
  })

  test.each([undefined, ''])(
    'the status of a charge as one payment record is refused with the reference %j',
    (external_reference) => {
      expect(refusedFields({ ...recordedPayment, external_reference })).toEqual(['merchant_transaction_id'])
    },
  )

  test.each([
    ['payment_status', 801],
    ['payment_status', 'paid'],
    ['amount', 'ten'],
  ])(
    'a charge as one payment record with the unreadable %s %j is unpaid, with a payment to look at',
    (field, value) => {
      const unreadable = { status: 803, amount: null, payments: [null] }
      expect(ChargeStatus.parse({ ...recordedPayment, [field]: value })).toMatchObject(unreadable)
    },
  )
})

it("a charge's answer needs no currency and no expiry, and its sums are text or numbers", () => {
  expect(ChargeResponse.parse(recordedAnswer)).toMatchObject({
    charge_request_id: '22406',
    total_amount: '100',
    currency_code: null,
    auth_url: null,
    html: null,
  })
  const numbers = { ...recordedAnswer, status_code: '176', total_amount: 100, charge_request_id: 22406 }
  expect(ChargeResponse.parse(numbers)).toMatchObject({ charge_request_id: '22406', total_amount: '100' })
})

test.each([
  [recordedCardAnswer, { auth_url: recordedCardAnswer.auth_url, html: null }],
  [
    { ...recordedAnswer, html: '<form>' },
    { auth_url: null, html: '<form>' },
  ],
  [
    { ...recordedAnswer, auth_url: 'javascript:alert(1)', html: '' },
    { auth_url: null, html: null },
  ],
  [
    { ...recordedAnswer, auth_url: 7, html: 'x'.repeat(20_001) },
    { auth_url: null, html: null },
  ],
  [
    { ...recordedAnswer, redirect_url: null, expires_at: null },
    { redirect_url: null, expires_at: null },
  ],
])("in a charge's answer, %j says where the payer authorizes a card payment", (answer, fields) => {
  expect(ChargeResponse.parse(answer)).toMatchObject(fields)
})

describe('extra_data of a charge', () => {
  const read = (extra_data: unknown) => ChargeRequest.safeParse({ ...redirectCharge, extra_data })
  const errorsOf = (extra_data: unknown) =>
    read(extra_data).error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`)

  it('extra_data of a charge is an object with the addresses of success and failure, or text', () => {
    const urls = {
      success_redirect_url: 'https://shop.example/thanks',
      failed_redirect_url: 'https://shop.example/again',
    }
    for (const given of [urls, 'table 7']) {
      expect(read(given).data?.extra_data).toEqual(given)
    }
  })

  test.each([
    ['', ['extra_data must not be blank']],
    ['x'.repeat(1_001), ['extra_data must be at most 1000 characters']],
    [7, ['extra_data must be an object or text']],
    [['text'], ['extra_data must be an object or text']],
    [{ failed_redirect_url: 'shop' }, ['extra_data.failed_redirect_url must be an absolute URL']],
    [{ split_settlements: [{}] }, [0, 1, 2].map(() => expect.stringMatching(/\[?0\]?\.\w+ (is|must)/))],
  ])('%j as extra_data of a charge is refused, and the error names the rule', (given, errors) => {
    expect(errorsOf(given)).toEqual(errors)
  })
})
