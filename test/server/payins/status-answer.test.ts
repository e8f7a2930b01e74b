import { describe, expect, test } from 'vitest'

import { CheckoutPayload } from '../../../server/contract/checkout.ts'
import { ReportedState } from '../../../server/payins/reported-state.ts'
import { toReportedState } from '../../../server/payins/status-answer.ts'
import { checkoutPayload, paymentRecord } from '../../support/spec/shapes.ts'
import { SENT } from '../../support/worlds/observed.ts'

describe('a report', () => {
  const reported = toReportedState(CheckoutPayload.parse(checkoutPayload), SENT, 'KES')

  test('a report is stored with the fields that are used, and without payer details', () => {
    const { amount, currency, checkout_reference } = checkoutPayload
    expect(reported).toEqual({
      at: SENT,
      since: SENT,
      status: 801,
      amount,
      most: amount,
      known: [{ id: paymentRecord.transaction_id, worth: amount, back: '0', charge: null }],
      was_returned: false,
      currency,
      checkout_reference,
      payments: [
        {
          payment_status: 700,
          amount,
          currency_code: currency,
          payment_method_code: paymentRecord.payment_method_code,
          payment_date: '2026-11-21T09:04:10.000Z',
          account_number: paymentRecord.account_number,
          external_reference: paymentRecord.external_reference,
          payment_id: paymentRecord.transaction_id,
          charge_id: paymentRecord.charge_request_id ?? null,
          service_code: paymentRecord.service_code,
          reason: null,
          receipt: paymentRecord.payer_transaction_id,
          same_reference_as: 0,
          payer: null,
        },
      ],
      unreadable: 0,
    })
    expect(ReportedState.parse(reported)).toEqual(reported)
  })

  test.each([
    [702, '1500.00', 0],
    [705, '1500.00', 0],
    [700, undefined, 1],
    [701, undefined, 1],
    [703, undefined, 1],
  ])(
    'a report that lists a payment with %i and a minus sign has %s',
    (payment_status, amount, unreadable) => {
      const payment = { ...paymentRecord, payment_status, amount: '-1500.00' }
      const payload = CheckoutPayload.parse({ ...checkoutPayload, payments: [payment] })
      const state = toReportedState(payload, SENT, 'KES')
      expect({ amount: state.payments[0]?.amount, unreadable: state.unreadable }).toEqual({
        amount,
        unreadable,
      })
    },
  )

  test('a report with a negative total states none that can be read', () => {
    const payload = CheckoutPayload.parse({ ...checkoutPayload, amount: '-1500.00', payments: [] })
    expect(toReportedState(payload, SENT, 'KES')).toMatchObject({ amount: null, unreadable: 1 })
  })

  test.each([
    ['in the payment', { receiver_narration: 'The PIN was wrong.' }, {}, 'wrong_pin'],
    ['beside the status', {}, { status_description: 'Wrong PIN' }, 'wrong_pin'],
    ['in both, and differs', { message: 'Wrong PIN' }, { message: 'Cancelled by the user' }, 'unknown'],
    ['by the merchant only', { payer_narration: 'Wrong PIN', receiver_narration: null }, {}, 'unknown'],
    ['of a payment that has not failed', { payment_status: 703, message: 'Wrong PIN' }, {}, null],
  ])('a report keeps the reason of a failure that is said %s, and no text', (_, payment, beside, reason) => {
    const failed = { ...paymentRecord, payment_status: 701, ...payment }
    const payload = CheckoutPayload.parse({ ...checkoutPayload, ...beside, payments: [failed] })
    const { payments } = toReportedState(payload, SENT, 'KES')
    expect(payments).toMatchObject([{ reason }])
    expect(JSON.stringify(payments)).not.toMatch(/PIN|user|thanks/)
  })

  test.each([
    ['the payer, before the account', { payment_account_reference: 'CK81YKBHO' }, 'RK71XYZ'],
    ['the account', { payer_transaction_id: 'N/A', payment_account_reference: 'CK81YKBHO' }, 'CK81YKBHO'],
    ['a phone number', { payer_transaction_id: null, payment_account_reference: '254700000001' }, null],
    ['a phone number in its place', { payer_transaction_id: '254700000001' }, null],
    ['a number of an operator', { payer_transaction_id: '25470000000' }, '25470000000'],
    ['nothing', { payer_transaction_id: '', payment_account_reference: 'N/A' }, null],
    [
      'an account of letters',
      { payer_transaction_id: 'N/A', payment_account_reference: 'CKYKBHO' },
      'CKYKBHO',
    ],
    ['a mark before it', { payer_transaction_id: '#RK71XYZ' }, null],
    ['a text', { payer_transaction_id: 'Thank you for <b>paying</b>' }, null],
    ['too few characters', { payer_transaction_id: 'RK7' }, null],
    [
      'a number that goes on after a phone number',
      { payer_transaction_id: 'A254700000001' },
      'A254700000001',
    ],
    ['twelve digits of no phone', { payer_transaction_id: '999999999999' }, '999999999999'],
  ])("a report takes the operator's receipt number from %s", (_, said, receipt) => {
    const payload = CheckoutPayload.parse({ ...checkoutPayload, payments: [{ ...paymentRecord, ...said }] })
    expect(toReportedState(payload, SENT, 'KES').payments).toMatchObject([{ receipt }])
  })

  test('a report lists payments by their dates, if all have one', () => {
    const dated = (transaction_id: string, payment_date: string | null) => ({
      ...paymentRecord,
      transaction_id,
      payment_date,
    })
    const later = dated('TX-2', '2026-11-21T09:05:00Z')
    const idsOf = (...payments: object[]) =>
      toReportedState(CheckoutPayload.parse({ ...checkoutPayload, payments }), SENT, 'KES').payments.map(
        ({ payment_id }) => payment_id,
      )
    const earlier = dated('TX-1', '2026-11-21T09:04:00Z')
    expect(idsOf(later, earlier)).toEqual(['TX-1', 'TX-2'])
    expect(idsOf(later, earlier, dated('TX-3', null))).toEqual(['TX-2', 'TX-1', 'TX-3'])
  })

  test('a report does not take what is said beside the status for the reason of one of several failures', () => {
    const failed = (transaction_id: string) => ({ ...paymentRecord, payment_status: 701, transaction_id })
    const listed = { ...checkoutPayload, message: 'Wrong PIN', payments: [failed('TX-1'), failed('TX-2')] }
    const { payments } = toReportedState(CheckoutPayload.parse(listed), SENT, 'KES')
    expect(payments.map(({ reason }) => reason)).toEqual(['unknown', 'unknown'])
    const retried = { ...listed, payments: [failed('TX-1'), paymentRecord] }
    const [only] = toReportedState(CheckoutPayload.parse(retried), SENT, 'KES').payments
    expect(only?.reason).toBe('wrong_pin')
  })

  test.each<[first: string, second: string | null, order: string[]]>([
    ['2026-11-21T12:05:00+03:00', '2026-11-21T09:10:00Z', ['first', 'second']],
    ['2026-11-21T09:10:00Z', '2026-11-21T12:05:00+03:00', ['second', 'first']],
    ['2026-11-21T09:10:00Z', '2026-11-21T09:10:00Z', ['first', 'second']],
    ['2026-11-21T09:10:00Z', null, ['first', 'second']],
  ])(
    'a report lists payments of %s and %s oldest first, whatever zone dates them',
    (first, second, order) => {
      const payments = [
        { ...paymentRecord, transaction_id: 'first', payment_date: first },
        { ...paymentRecord, transaction_id: 'second', payment_date: second },
      ]
      const payload = CheckoutPayload.parse({ ...checkoutPayload, payments })
      const kept = toReportedState(payload, SENT, 'KES').payments
      expect(kept.map(({ payment_id }) => payment_id)).toEqual(order)
    },
  )

  test('a report counts a payment that is listed twice once, if it has an id', () => {
    const first = paymentRecord
    const second = { ...paymentRecord, transaction_id: 'TX-2' }
    const unnamed = { ...paymentRecord, transaction_id: null, charge_request_id: 'CR-1' }
    const listed = { ...checkoutPayload, payments: [first, second, first, unnamed, second, unnamed, first] }
    const { payments } = toReportedState(CheckoutPayload.parse(listed), SENT, 'KES')
    const ids = payments.map(({ payment_id }) => payment_id)
    expect(ids).toEqual([paymentRecord.transaction_id, 'TX-2', null, null])
  })

  test.each<[string, [status: number, id: string | null, charge?: string | null][], (string | null)[]]>([
    [
      'its steps',
      [
        [703, 'T'],
        [707, 'T'],
        [701, 'T'],
      ],
      ['701 T'],
    ],
    [
      'a step before it had an id',
      [
        [703, null, 'C'],
        [701, 'T', 'C'],
      ],
      ['701 T'],
    ],
    [
      'an end that was processed anew',
      [
        [701, 'T'],
        [707, 'T'],
        [700, 'T'],
      ],
      ['700 T'],
    ],
    [
      'no end that is only contradicted',
      [
        [701, 'T'],
        [700, 'T'],
      ],
      ['701 T', '700 T'],
    ],
    [
      'no success',
      [
        [700, 'T'],
        [707, 'T'],
        [701, 'T'],
      ],
      ['700 T', '701 T'],
    ],
    [
      'no step of another charge',
      [
        [703, null, 'C'],
        [701, 'T', 'D'],
      ],
      ['703 null', '701 T'],
    ],
    [
      'no step without any id',
      [
        [703, null, null],
        [701, 'T', null],
      ],
      ['703 null', '701 T'],
    ],
    [
      'no step after its end',
      [
        [701, 'T'],
        [707, 'T'],
      ],
      ['701 T', '707 T'],
    ],
  ])('of a payment lists its end without %s', (_, given, left) => {
    const records = given.map(([payment_status, transaction_id, charge_request_id = null]) => {
      return { ...paymentRecord, payment_date: null, payment_status, transaction_id, charge_request_id }
    })
    const listed = CheckoutPayload.parse({ ...checkoutPayload, payments: records })
    const { payments } = toReportedState(listed, SENT, 'KES')
    expect(payments.map(({ payment_status, payment_id }) => `${payment_status} ${payment_id}`)).toEqual(left)
  })

  test('counts what cannot be read: the total, and each payment by its status or its amount', () => {
    const unreadable = (total: unknown, ...payments: object[]) => {
      const listed = payments.map((payment) => ({ ...paymentRecord, ...payment }))
      const payload = CheckoutPayload.parse({ ...checkoutPayload, amount: total, payments: listed })
      return toReportedState(payload, SENT, 'KES').unreadable
    }

    expect(unreadable('1500', { payment_status: 709 }, { amount: '1,500.00' }, {})).toBe(2)
    expect(unreadable('1,500.00')).toBe(1)
    for (const nothing of [null, undefined, '']) {
      expect(unreadable(nothing, { amount: nothing })).toBe(0)
    }
  })

  test('a report cuts long text', () => {
    const listed = { ...paymentRecord, payment_method_code: 'x'.repeat(900_000) }
    const payload = CheckoutPayload.parse({ ...checkoutPayload, payments: [listed] })
    const { payments } = toReportedState(payload, SENT, 'KES')
    expect(payments[0]?.payment_method_code).toBe('x'.repeat(1_000))
  })
})
