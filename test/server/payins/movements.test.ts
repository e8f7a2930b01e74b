import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { Secret } from '../../../server/config/secret.ts'
import { ChargeStatus } from '../../../server/contract/charge.ts'
import { canonical, compare, subtract, sum } from '../../../server/contract/decimal.ts'
import { movementsOfPayIn } from '../../../server/payins/movements.ts'
import { moneyOf } from '../../../server/payins/reported-money.ts'
import { isSameReport } from '../../../server/payins/reported-state.ts'
import { toReportedState } from '../../../server/payins/status-answer.ts'
import { identifyPayers } from '../../../server/payins/status-query.ts'
import { continued } from '../../../server/payins/succession.ts'
import { createFingerprints } from '../../../server/privacy/personal.ts'
import { checkoutPayload, codes, paymentRecord } from '../../support/spec/shapes.ts'
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
  return toReportedState(payload, SENT + HOUR, 'KES', answer.kind === 'status' ? answer : {})
}

/** What went back, as a record of its own. */
const RETURN = { payment_status: 705, payer_transaction_id: null, payment_account_reference: null }
const NAMELESS = { transaction_id: null, charge_request_id: null, payer_transaction_id: null }

const movementsOf = (reported: ReturnType<typeof reportOf>, people: string[] | null = []) =>
  movementsOfPayIn({ created_at: SENT, people, reported, service_code: 'CHECKOUT-KES' })

describe('a payment moves money', () => {
  test('on the day that the gateway states, and is found by its receipt and the number that has paid', () => {
    const receipt = `${paymentRecord.payer_transaction_id.toLowerCase()} `
    expect(movementsOf(reportOf([{ payer_msisdn: '254700000001', payer_transaction_id: receipt }]))).toEqual([
      {
        part: paymentRecord.transaction_id,
        payment: paymentRecord.transaction_id,
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
    [
      'said of the status alone',
      { status: 841, amount: '0' },
      [{}],
      ['771200 paid 1500', '771200 refunded 1500'],
    ],
    [
      'said beside the old total',
      { status: 840, amount: '1500' },
      [{}],
      ['771200 paid 1500', '771200 reversed 1500'],
    ],
    [
      'of a part of one payment',
      { status: 841, amount: '1000' },
      [{}, { payment_status: 705, amount: '500' }],
      ['771200 paid 1500', '771200 refunded 500'],
    ],
    [
      'of a part, under an id of its own',
      { status: 841, amount: '1000' },
      [{}, { payment_status: 705, amount: '500', transaction_id: 'R1' }],
      ['771200 paid 1500', '771200 refunded 500'],
    ],
    [
      'of a part, under another id and receipt',
      { status: 841, amount: '1000', most: '1500' },
      [{}, { ...RETURN, amount: '500', transaction_id: 'R1' }],
      ['771200 paid 1500', '771200 refunded 500'],
    ],
    [
      'of a part, and neither has an id',
      { status: 841, amount: '1000', most: '1500' },
      [NAMELESS, { ...RETURN, ...NAMELESS, amount: '500' }],
      ['#0 paid 1500', '#0 refunded 500'],
    ],
    [
      'of a part of one of two payments',
      { status: 841, amount: '2000', most: '3000' },
      [
        {},
        { transaction_id: 'T2', payer_transaction_id: 'B' },
        { ...RETURN, amount: '1000', transaction_id: 'R1' },
      ],
      ['771200 paid 1500', 'T2 paid 1500', ' refunded 1000'],
    ],
    [
      'of one of two payments',
      { status: 841, amount: '1500', most: '3000' },
      [{}, { ...RETURN, transaction_id: 'T2' }],
      ['771200 paid 1500', 'T2 paid 1500', 'T2 refunded 1500'],
    ],
    [
      'of a payment that is listed as reversed and as refunded, and no more as paid',
      { status: 841, amount: '0' },
      [{ ...RETURN, payment_status: 702 }, RETURN],
      ['771200 paid 1500', '771200 refunded 1500'],
    ],
    [
      'seen in the total alone',
      { status: 841, amount: '500', most: '1500' },
      [],
      [' paid 1500', ' refunded 1000'],
    ],
    [
      'of one of two payments that is listed no more',
      { status: 801, amount: '1500', most: '3000' },
      [{}],
      ['771200 paid 1500', ' paid 1500', ' refunded 1500'],
    ],
  ])('and what went back is %s', (_, { status, amount, most }, payments, lines) => {
    const reported = reportOf(payments, status, fingerprints, amount)
    const movements = movementsOf({ ...reported, most: most ?? reported.most })
    expect(movements.map(({ part, moved, amount: each }) => `${part} ${moved} ${each}`)).toEqual(lines)
  })

  test('and what is received beyond what is listed is a movement of its own', () => {
    expect(movementsOf(reportOf([{ amount: '1000' }]))).toMatchObject([
      { part: paymentRecord.transaction_id, amount: '1000' },
      { part: '', moved: 'paid', amount: '500', receipt: null },
    ])
  })

  test('only if it counts for this transaction, and what is stated beyond it still does', () => {
    const mine = { transaction_id: 'TX-2', payer_transaction_id: null, amount: '400' }
    const reported = reportOf([{ amount: '500' }, mine], 801, fingerprints, '1000')
    const payments = reported.payments.map((payment, index) =>
      index === 0 ? { ...payment, counted_for: 'C-9' } : payment,
    )
    expect(movementsOf({ ...reported, payments })).toMatchObject([
      { part: 'TX-2', payment: 'TX-2', amount: '400' },
      { part: '', amount: '100' },
    ])
  })

  test('that is not found once the data of the payer were erased', () => {
    expect(movementsOf(reportOf([{}]), null)).toMatchObject([{ isFound: false, amount: '1500' }])
  })
})

describe('for all reports, one after the other', () => {
  const id = fc.constantFrom('T1', 'T2', 'R1', null)
  const payment = fc.record({
    payment_status: fc.constantFrom(...codes.paymentStatus),
    amount: fc.constantFrom('200', '300', '500', '500.00', '1000'),
    transaction_id: id,
    charge_request_id: fc.constant(null),
    payer_transaction_id: fc.constantFrom('QK71P0ZX', null, null, null),
    payment_account_reference: fc.constant(null),
  })
  const report = fc.record({
    status: fc.constantFrom(...codes.checkoutStatus, 840, 841, 841),
    amount: fc.constantFrom('0', '200', '300', '500', '700', '1000', '1500', null),
    payments: fc.array(payment, { maxLength: 4 }),
  })
  const reports = fc.array(report, { minLength: 1, maxLength: 3 }).map((given) => {
    const heard = given.map(({ payments, status, amount }) =>
      reportOf(payments, status, fingerprints, amount),
    )
    return heard.reduce((before, after) => continued(before, after))
  })

  const { numRuns = process.env.FULL ? 20_000 : 500 } = fc.readConfigureGlobal()

  test('what was paid, without what went back, is what the gateway holds', () => {
    fc.assert(
      fc.property(reports, (reported) => {
        const movements = movementsOf(reported)
        const amounts = (isPaid: boolean) =>
          sum(movements.filter(({ moved }) => (moved === 'paid') === isPaid).map(({ amount }) => amount))
        const paid = amounts(true)
        expect(canonical(subtract(paid, amounts(false)))).toBe(canonical(moneyOf(reported).received))
        expect(compare(paid, reported.most)).toBeGreaterThanOrEqual(0)
      }),
      { numRuns },
    )
  })

  test('no more of a payment goes back than was paid, and nothing moves twice', () => {
    fc.assert(
      fc.property(reports, (reported) => {
        const movements = movementsOf(reported)
        const paidOf = (part: string) => movements.find((each) => each.moved === 'paid' && each.part === part)
        for (const { part, moved, amount } of movements) {
          const isListed = moved !== 'paid' && part !== ''
          expect(isListed && compare(amount, paidOf(part)?.amount ?? '0') > 0).toBe(false)
        }
        const places = movements.map(({ part, moved }) => `${part} ${moved === 'paid'}`)
        expect(places).toEqual([...new Set(places)])
      }),
      { numRuns },
    )
  })
})

test('a replaced secret makes no other report of the same one', () => {
  const later = createFingerprints([new Secret('another secret'), new Secret('a consumer secret')])
  const payment = { payer_msisdn: '254700000001' }
  expect(isSameReport(reportOf([payment]), reportOf([payment], 801, later))).toBe(true)
  expect(isSameReport(reportOf([payment]), reportOf([{ ...payment, payment_status: 702 }], 801))).toBe(false)
})

test('a movement has the currency of its payment, also if the report names another one', () => {
  const reported = reportOf([{ currency_code: 'UGX' }])
  const movements = movementsOfPayIn({ created_at: SENT, people: [], reported, service_code: 'S' })
  expect(movements).toMatchObject([{ moved: 'paid', currency: 'UGX' }])
})
