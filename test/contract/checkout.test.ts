import { describe, expect, test } from 'vitest'

import {
  CheckoutPayload,
  InitiateRequest,
  InitiateResponse,
  UNREADABLE,
} from '../../server/contract/checkout.ts'
import { CheckoutError } from '../../server/contract/errors.ts'
import { failureReasonOf } from '../../server/contract/failure-reason.ts'
import {
  checkoutPayload,
  codes,
  initiateAnswer,
  initiateRequest,
  paymentRecord,
} from '../support/spec/shapes.ts'

/** What the gateway says beside a payment or a status, if it says nothing. */
const NOTHING = { status_code: null, status_description: null, message: null }

type Schema = typeof InitiateRequest | typeof InitiateResponse | typeof CheckoutPayload

function refusedFields(schema: Schema, body: unknown): string[] {
  const parsed = schema.safeParse(body)
  return parsed.success ? [] : [...new Set(parsed.error.issues.map(({ path }) => path.join('.')))]
}

const refusedRequest = (change: object) => refusedFields(InitiateRequest, { ...initiateRequest, ...change })

describe('a checkout request', () => {
  test('a checkout request may have its numbers as text, and unknown fields', () => {
    const variant = { ...initiateRequest, amount: '1500', expires_in: '30', channel: 'WEB' }
    expect(InitiateRequest.parse(variant)).toEqual(initiateRequest)
  })

  test.each([['amount'], ['expires_in']])(
    'a checkout request has a %s that is a whole number from 1',
    (field) => {
      expect(refusedRequest({ [field]: 1 })).toEqual([])
      expect(refusedRequest({ [field]: '2.00' })).toEqual([])
      // With three digits after the point, it may be two thousand.
      for (const wrong of [0, -5, 1.5, '1.5', '2.000', 'many', '0x10', '1e3', NaN, Infinity, 2 ** 53]) {
        expect(refusedRequest({ [field]: wrong }), String(wrong)).toEqual([field])
      }
    },
  )

  test('a checkout request with a number beyond the exact range of JSON is refused as too large', () => {
    const { error } = InitiateRequest.safeParse({ ...initiateRequest, amount: '99999999999999999' })
    expect(error?.issues.map(({ message }) => message)).toEqual(['is too large'])
  })
})

describe('the answer to initiate', () => {
  test('the answer to initiate may have the amount as text, and unknown fields', () => {
    const parsed = InitiateResponse.parse({ ...initiateAnswer, amount: '1500', extra: 1 })
    expect(parsed).toEqual({ ...initiateAnswer, expires_at: expect.any(String) })
  })

  test('the answer to initiate expires in UTC when expires_at has no offset', () => {
    const { expires_at } = InitiateResponse.parse({ ...initiateAnswer, expires_at: '2026-11-21T09:30:00' })
    expect(expires_at).toBe('2026-11-21T09:30:00.000Z')
  })

  test('the answer to initiate may have no usable end of the session', () => {
    for (const expires_at of [undefined, null, '', 'N/A', {}]) {
      expect(InitiateResponse.parse({ ...initiateAnswer, expires_at })).toMatchObject({ expires_at: null })
    }
  })

  const required = Object.keys(initiateAnswer).filter((field) => field !== 'expires_at')
  test.each(required)('the answer to initiate is refused without a usable %s, by its name', (field) => {
    for (const wrong of [undefined, null, {}]) {
      expect(refusedFields(InitiateResponse, { ...initiateAnswer, [field]: wrong })).toEqual([field])
    }
  })

  test('the answer to initiate has an http(s) redirect_url', () => {
    for (const redirect_url of [
      'javascript://checkout.gateway.example/%0aalert(1)',
      'data:text/html,x',
      '/pay',
    ]) {
      expect(refusedFields(InitiateResponse, { ...initiateAnswer, redirect_url })).toEqual(['redirect_url'])
    }
  })
})

describe('the payload of callback and status', () => {
  test('the payload of callback and status is read as printed', () => {
    expect({ ...NOTHING, ...checkoutPayload }).toMatchObject({
      ...CheckoutPayload.parse(checkoutPayload),
      payments: [{}],
    })
    const [payment] = CheckoutPayload.parse(checkoutPayload).payments
    expect({ ...NOTHING, ...paymentRecord }).toMatchObject({
      ...payment,
      payment_date: paymentRecord.payment_date,
    })
    expect(Date.parse(payment?.payment_date ?? '')).toBe(Date.parse(paymentRecord.payment_date))
  })

  test.each(codes.checkoutStatus)(
    'the payload of callback and status may have status %i, as a number or as text',
    (status) => {
      expect(CheckoutPayload.parse({ ...checkoutPayload, status }).status).toBe(status)
      expect(CheckoutPayload.parse({ ...checkoutPayload, status: String(status) }).status).toBe(status)
    },
  )

  test.each(codes.paymentStatus)(
    'the payload of callback and status may have a payment of status %i, as a number or as text',
    (status) => {
      for (const payment_status of [status, String(status)]) {
        const payments = [{ ...paymentRecord, payment_status }]
        const [payment] = CheckoutPayload.parse({ ...checkoutPayload, payments }).payments
        expect(payment?.payment_status).toBe(status)
      }
    },
  )

  test.each(['0x321', '8.01e2', ' 801 ', '801.000', '+801', '0b1100100001', true, [801]])(
    'the payload of callback and status has no status that is not written in decimal digits: %j',
    (status) => {
      expect(refusedFields(CheckoutPayload, { ...checkoutPayload, status })).toEqual(['status'])
      expect(CheckoutError.safeParse({ status_code: status }).success).toBe(false)
      const payments = [{ ...paymentRecord, status_code: status }]
      const [payment] = CheckoutPayload.parse({ ...checkoutPayload, payments }).payments
      expect(payment).toMatchObject({ status_code: null })
    },
  )

  test.each(['0x2bc', '7e2', ' 700 ', '700.000'])(
    'the payload of callback and status has a payment that cannot be read with the status %j',
    (payment_status) => {
      const payments = [{ ...paymentRecord, payment_status }]
      expect(CheckoutPayload.parse({ ...checkoutPayload, payments }).payments).toEqual([null])
    },
  )

  test('the payload of callback and status may have its amounts as numbers', () => {
    const payments = [{ ...paymentRecord, amount: 1500.5 }]
    const payload = CheckoutPayload.parse({ ...checkoutPayload, amount: 1500, payments })
    expect([payload.amount, payload.payments[0]?.amount]).toEqual(['1500', '1500.5'])
  })

  test('the payload of callback and status is accepted with wrong display fields', () => {
    const { amount, payment_status } = paymentRecord
    for (const nothing of [undefined, null, '', ' ', 'N/A', 'n/a', {}, [], 7]) {
      const others = Object.keys(paymentRecord).map((field) => [field, nothing])
      const payments = [{ ...Object.fromEntries(others), amount, payment_status }]
      const [checkout_reference, currency, narration, timestamp] = Array.from({ length: 4 }, () => nothing)
      const body = { ...checkoutPayload, checkout_reference, currency, narration, timestamp, payments }
      expect(refusedFields(CheckoutPayload, body), JSON.stringify(nothing)).toEqual([])
      expect(CheckoutPayload.parse(body).payments).toMatchObject([{ amount, payment_status }])
    }
  })

  test('the payload states no total without an amount, and no payment without payments', () => {
    for (const amount of [undefined, null, '', ' ', 'N/A']) {
      const body = { ...checkoutPayload, amount, payments: amount === null ? null : undefined }
      expect(CheckoutPayload.parse(body)).toMatchObject({ amount: null, payments: [] })
    }
  })

  test('the payload of callback and status reads N/A, blank and null as null', () => {
    for (const account_number of ['N/A', '', null, undefined]) {
      const payments = [{ ...paymentRecord, account_number }]
      expect(CheckoutPayload.parse({ ...checkoutPayload, payments }).payments[0]?.account_number).toBeNull()
    }
  })

  test('the payload of callback and status has payment dates in UTC, and null for an invalid date', () => {
    const dates = ['2026-11-21T12:04:10+03:00', '2026-11-21T09:04:10', 'yesterday', null]
    const payments = dates.map((payment_date) => ({ ...paymentRecord, payment_date }))
    const read = CheckoutPayload.parse({ ...checkoutPayload, payments }).payments
    expect(read.map((payment) => payment?.payment_date)).toEqual([
      '2026-11-21T09:04:10.000Z',
      '2026-11-21T09:04:10.000Z',
      null,
      null,
    ])
  })

  test.each(['merchant_transaction_id', 'status'])(
    'the payload of callback and status is refused without a usable %s, by its name',
    (field) => {
      for (const wrong of [undefined, null, {}, '']) {
        expect(refusedFields(CheckoutPayload, { ...checkoutPayload, [field]: wrong })).toEqual([field])
      }

      expect(refusedFields(CheckoutPayload, { ...checkoutPayload, payments: {} })).toEqual(['payments'])
    },
  )

  test('the payload of callback and status is refused with status codes of another kind', () => {
    expect(refusedFields(CheckoutPayload, { ...checkoutPayload, status: 700 })).toEqual(['status'])
  })

  test('the payload of callback and status is read with an unreadable payment record, and with an unreadable amount', () => {
    const payments = [paymentRecord, { ...paymentRecord, payment_status: 801 }]
    expect(CheckoutPayload.parse({ ...checkoutPayload, payments }).payments).toEqual([
      expect.anything(),
      null,
    ])
    for (const amount of ['1,500', '1e3', 'KES 5', '0x10', '.5', '5.', 1e21, Number.NaN, {}, []]) {
      const unreadable = { ...checkoutPayload, amount, payments: [{ ...paymentRecord, amount }] }
      expect(CheckoutPayload.parse(unreadable)).toMatchObject({ amount: UNREADABLE, payments: [null] })
    }
  })
})

test("the gateway's refusal needs only its code, as a number or as text", () => {
  expect(CheckoutError.parse({ status_code: '172' })).toEqual({
    status_code: 172,
    status_description: '',
    message: '',
  })
})

test("the gateway's refusal requires a code", () => {
  for (const status_code of [undefined, null, '', 'x', 1.5]) {
    expect(CheckoutError.safeParse({ status_code }).success, JSON.stringify(status_code)).toBe(false)
  }
})

describe('why a payment failed', () => {
  const reasonOf = (said: object) => failureReasonOf({ ...NOTHING, ...said })

  test.each([
    ['not_enough_money', 'There was not enough money.', 'INSUFFICIENT_BALANCE', 'Insufficient funds'],
    ['not_enough_money', 'The balance is insufficient for the transaction', 'Your balance is too low'],
    ['wrong_pin', 'The PIN was wrong.', 'Invalid PIN', 'Customer entered an incorrect M-Money PIN'],
    ['cancelled', 'The prompt was cancelled.', 'Request canceled by user', 'Rejected by the subscriber'],
    ['no_answer', 'The prompt timed out.', 'DS timeout user cannot be reached', 'No response from customer'],
    ['no_answer', 'USSD push timeout', 'The request was not answered'],
    ['limit_reached', 'The limit of the wallet is reached.', 'Daily limit exceeded', 'Amount exceeds limit'],
    ['number_not_registered', 'The number is not registered for mobile money.', 'INVALID_WALLET'],
    ['number_not_registered', 'Wallet does not exist', 'Invalid customer MSISDN', 'INVALID_PHONE_NUMBER'],
    ['operator_unavailable', 'The operator is not available.', 'Service unavailable', 'Operator timed out'],
    ['unknown', 'Card charge declined', 'FAILED', 'Request timed out', 'Transaction not found', '', 'N/A'],
    ['unknown', 'PIN retry limit exceeded', 'Time limit exceeded', 'Spinning wheel', 'Invalid service code'],
    ['unknown', 'Account number not specified', 'The payment was not cancellable', 'ПИН неверный'],
    // A text that speaks of two reasons gives neither.
    ['unknown', 'Cancelled: insufficient balance', 'Customer network unreachable'],
  ])('the reason of a failed payment is %s if the gateway says %j', (reason, ...texts) => {
    for (const text of texts) {
      for (const field of ['receiver_narration', 'status_description', 'message']) {
        expect({ text, reason: reasonOf({ [field]: text }) }).toEqual({ text, reason })
      }
    }
  })

  test.each([
    [null, 'unknown'],
    [110, 'number_not_registered'],
    [174, 'unknown'],
  ])('the reason of a failed payment, by the code %s alone, is %s', (status_code, reason) => {
    expect(reasonOf({ status_code })).toBe(reason)
  })

  test('the reason of a failed payment is unknown if several texts give several reasons, and one if they agree', () => {
    const pin = { message: 'Wrong PIN' }
    const money = { receiver_narration: 'Not enough money' }
    expect(reasonOf({ ...pin, ...money })).toBe('unknown')
    expect(reasonOf({ ...pin, receiver_narration: 'Invalid PIN' })).toBe('wrong_pin')
    expect(failureReasonOf({ ...NOTHING, ...pin }, { ...NOTHING, ...money })).toBe('unknown')
  })
})
