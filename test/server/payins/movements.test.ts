import { describe, expect, test } from 'vitest'

import { Secret } from '../../../server/config/secret.ts'
import { ChargeStatus } from '../../../server/contract/charge.ts'
import { movementsOfPayIn } from '../../../server/payins/movements.ts'
import { isSameReport } from '../../../server/payins/reported-state.ts'
import { toReportedState } from '../../../server/payins/status-answer.ts'
import { identifyPayers } from '../../../server/payins/status-query.ts'
import { createFingerprints } from '../../../server/privacy/personal.ts'
import { checkoutPayload, paymentRecord } from '../../support/spec/shapes.ts'
import { HOUR, SENT } from '../../support/worlds/observed.ts'

const fingerprints = createFingerprints([new Secret('a consumer secret')])
const PAID_AT = Date.parse('2026-11-21T09:04:10Z')

function reportOf(
  payments: object[],
  status = 801,
  by = fingerprints,
  amount: string | null = checkoutPayload.amount,
) {
  const payload = ChargeStatus.parse({
    ...checkoutPayload,
    status,
    amount,
    payments: payments.map((payment) => ({ ...paymentRecord, ...payment })),
  })
  const answer = identifyPayers({ kind: 'status', payload, at: SENT + HOUR }, by)
  const payers = answer.kind === 'status' ? answer.payers : []
  return toReportedState(payload, SENT + HOUR, 'KES', payers)
}

const movementsOf = (reported: ReturnType<typeof reportOf>, people: string[] | null = []) =>
  movementsOfPayIn({ created_at: SENT, people, reported, service_code: 'CHECKOUT-KES' })

describe('a payment moves money', () => {
  test('on the day that the gateway states, and is found by its receipt and the number that has paid', () => {
    const receipt = `${paymentRecord.payer_transaction_id.toLowerCase()} `
    expect(movementsOf(reportOf([{ payer_msisdn: '254700000001', payer_transaction_id: receipt }]))).toEqual([
      {
        part: paymentRecord.transaction_id,
        moved: 'paid',
        at: PAID_AT,
        amount: '1500',
        currency: 'KES',
        service: paymentRecord.service_code,
        operator: paymentRecord.payment_method_code,
        isFound: true,
        receipt: paymentRecord.payer_transaction_id,
        phone: fingerprints.of('phone', '254700000001'),
        ends: fingerprints.of('phone_ends', '0001'),
        key: fingerprints.keyId,
      },
    ])
  })

  test.each([
    ['2547*****001', null, null],
    ['2547****0001', null, '0001'],
    [null, null, null],
  ])('and is found by as much as the gateway tells of the number: %s', (payer_msisdn, phone, ends) => {
    expect(movementsOf(reportOf([{ payer_msisdn }]))).toMatchObject([
      { phone, ends: ends && fingerprints.of('phone_ends', ends) },
    ])
  })

  test.each(['1970-01-01T00:00:00Z', new Date(SENT + 2 * HOUR).toISOString(), 'yesterday'])(
    'on the day of the report, if the gateway states an impossible one: %s',
    (payment_date) => {
      expect(movementsOf(reportOf([{ payment_date }]))).toMatchObject([{ at: SENT + HOUR }])
    },
  )

  test.each([
    [702, 840, 'reversed'],
    [705, 841, 'refunded'],
  ])('and goes back on the day on which that is heard: %s', (payment_status, status, moved) => {
    expect(movementsOf(reportOf([{ payment_status }], status))).toMatchObject([
      { moved: 'paid', at: PAID_AT },
      { moved, at: SENT + HOUR, amount: '1500' },
    ])
  })

  test('and goes back once, if a list has it as a reversal and as a refund', () => {
    const listed = [700, 702, 705].map((payment_status) => ({ payment_status }))
    expect(movementsOf(reportOf(listed, 841)).map(({ moved }) => moved)).toEqual(['paid', 'refunded'])
  })

  test('and is the same part with and without its receipt, which can be erased', () => {
    const nameless = { transaction_id: null, charge_request_id: null }
    const partOf = (payer_transaction_id: string | null) =>
      movementsOf(reportOf([{ ...nameless, payer_transaction_id, payment_account_reference: null }])).map(
        ({ part }) => part,
      )
    expect(partOf('QK71P0ZX')).toEqual(partOf(null))
  })

  test.each([701, 703, 704, 706, 707, 708])('but not while it is %s', (payment_status) => {
    const payload = { amount: '0', status: 803 }
    const reported = { ...reportOf([{ payment_status }], payload.status), amount: '0', most: '0' }
    expect(movementsOf(reported)).toEqual([])
  })

  test('also if the gateway names only its amount', () => {
    expect(movementsOf(reportOf([]))).toMatchObject([
      { part: '', moved: 'paid', amount: '1500', receipt: null },
    ])
    expect(movementsOf(reportOf([], 841)).map(({ moved }) => moved)).toEqual(['paid', 'refunded'])
  })

  test.each<[string, { status: number; amount: string | null; most?: string }, object[], string[]]>([
    ['said of the status alone', { status: 841, amount: '0' }, [{}], ['paid 1500', 'refunded 1500']],
    ['said beside the old total', { status: 840, amount: '1500' }, [{}], ['paid 1500', 'reversed 1500']],
    [
      'of a part of one payment',
      { status: 841, amount: '1000' },
      [{}, { payment_status: 705, amount: '500' }],
      ['paid 1500', 'refunded 500'],
    ],
    [
      'of a part, under an id of its own',
      { status: 841, amount: '1000' },
      [{}, { payment_status: 705, amount: '500', transaction_id: 'R1' }],
      ['paid 1500', 'refunded 500'],
    ],
    [
      'seen in the total alone',
      { status: 841, amount: '500', most: '1500' },
      [],
      ['paid 1500', 'refunded 1000'],
    ],
    [
      'of one of two payments that is listed no more',
      { status: 801, amount: '1500', most: '3000' },
      [{}],
      ['paid 1500', 'paid 1500', 'refunded 1500'],
    ],
  ])('and what went back is %s', (_, { status, amount, most }, payments, lines) => {
    const reported = reportOf(payments, status, fingerprints, amount)
    const movements = movementsOf({ ...reported, most: most ?? reported.most })
    expect(movements.map(({ moved, amount: each }) => `${moved} ${each}`)).toEqual(lines)
  })

  test('and what is received beyond what is listed is a movement of its own', () => {
    expect(movementsOf(reportOf([{ amount: '1000' }]))).toMatchObject([
      { part: paymentRecord.transaction_id, amount: '1000' },
      { part: '', moved: 'paid', amount: '500', receipt: null },
    ])
  })

  test('that is not found once the data of the payer were erased', () => {
    expect(movementsOf(reportOf([{}]), null)).toMatchObject([{ isFound: false, amount: '1500' }])
  })
})

test('a replaced secret makes no other report of the same one', () => {
  const later = createFingerprints([new Secret('another secret'), new Secret('a consumer secret')])
  const payment = { payer_msisdn: '254700000001' }
  expect(isSameReport(reportOf([payment]), reportOf([payment], 801, later))).toBe(true)
  expect(isSameReport(reportOf([payment]), reportOf([{ ...payment, payment_status: 702 }], 801))).toBe(false)
})
