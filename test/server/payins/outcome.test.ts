import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { determineOutcome } from '../../../server/checkouts/record.ts'
import { transition } from '../../../server/checkouts/transition.ts'
import { hasMoney, moneyOf } from '../../../server/payins/reported-money.ts'
import { toReportedState } from '../../../server/payins/status-answer.ts'
import { codes } from '../../support/spec/shapes.ts'
import { DAY, MINUTE, SENT } from '../../support/worlds/observed.ts'
import { EXPIRES_AT, openCheckout, payloadOf, REFERENCE } from '../../support/worlds/open-checkout.ts'

import type { CheckoutStatus } from '../../../server/contract/status.ts'
import type { Paid } from '../../support/worlds/open-checkout.ts'

type Fields = Parameters<typeof payloadOf>[2]

function judged(
  status: CheckoutStatus,
  payments: readonly Paid[] = [],
  afterEnd = -MINUTE,
  fields: Fields = {},
) {
  const payload = payloadOf(status, payments, fields)
  const checkout = openCheckout()
  const { record } = transition(checkout, { kind: 'status', payload, at: null }, EXPIRES_AT + afterEnd)
  return determineOutcome({ ...checkout, record })
}

const verdict = (outcome: string, settled: boolean) => ({ outcome, settled, discrepancy: null })
const FAILED: Paid = { status: 701 }
const PAID: Paid = { status: 700 }
const PART: Paid = { status: 700, amount: '500' }
const paid = (amount: string, id?: string | null): Paid => ({
  ...PAID,
  amount,
  ...(id !== undefined && { id }),
})
const GRACE = 2 * MINUTE

describe('the outcome of a pay-in', () => {
  test.each<[CheckoutStatus, Paid[], afterEnd: number, string, boolean]>([
    [801, [PAID], -MINUTE, 'paid', true],
    [801, [{ ...PAID, service: 'CHECKOUT-KES', id: null }], -MINUTE, 'paid', true],
    [801, [{ ...PART, amount: '500.50' }, FAILED, { ...PART, amount: '999.50' }], -MINUTE, 'paid', true],
    // A payment that went back before is another payment.
    [801, [{ status: 702, id: null }, paid('1500', null)], -MINUTE, 'paid', true],
    // An empty field is not a discrepancy.
    [801, [{ ...PAID, account: 'N/A', reference: '', currency: '' }], -MINUTE, 'paid', true],
    [802, [PART], -1, 'partial', false],
    [802, [PART], GRACE - 1, 'partial', false],
    [802, [PART], GRACE, 'partial', true],
    [803, [], -MINUTE, 'waiting', false],
    [803, [], GRACE, 'unpaid', true],
    [803, [FAILED], -MINUTE, 'unpaid', false],
    [803, [FAILED], GRACE - 1, 'unpaid', false],
    [803, [FAILED], GRACE, 'unpaid', true],
    [820, [], -MINUTE, 'waiting', false],
    [820, [], GRACE - 1, 'waiting', false],
    [820, [], GRACE, 'expired', true],
    [820, [], DAY, 'expired', true],
    [840, [], -MINUTE, 'reversed', true],
    [840, [], DAY, 'reversed', true],
    // The payer pays again.
    [840, [{ status: 702 }, { status: 703 }], -MINUTE, 'pending', false],
    [840, [{ status: 702 }, { status: 703 }], DAY, 'review', true],
    [840, [{ status: 702 }, FAILED], -MINUTE, 'reversed', true],
    [841, [], -MINUTE, 'refunded', true],
    [841, [], DAY, 'refunded', true],
    [820, [{ status: 703 }], DAY - 1, 'pending', false],
    [820, [{ status: 703 }], DAY, 'review', true],
    [850, [], DAY - 1, 'jammed', false],
    [850, [], DAY, 'review', true],
    [851, [], DAY - 1, 'pending', false],
    [851, [], DAY, 'review', true],
  ])(
    'a pay-in of %i with %j, %i ms after its session, is %s, settled: %s',
    (status, payments, afterEnd, ...expected) => {
      expect(judged(status, payments, afterEnd)).toEqual(verdict(...expected))
    },
  )

  test.each([703, 704, 706, 707, 708] as const)(
    'a pay-in stays open for a day while an attempt is %i',
    (status) => {
      if (status !== 704) {
        expect(judged(803, [FAILED, { status }])).toEqual(verdict('waiting', false))
      }

      expect(judged(803, [{ status }], GRACE).settled).toBe(false)
      expect(judged(802, [PART, { status }], DAY - 1)).toEqual(verdict('partial', false))
      expect(judged(803, [{ status }], DAY)).toEqual(verdict('review', true))
      expect(judged(802, [PART, { status }], DAY)).toMatchObject({ outcome: 'review', discrepancy: 'short' })
    },
  )

  test.each<[CheckoutStatus, Paid[], Fields]>([
    [803, [PAID], { amount: '0' }],
    [803, [FAILED], { amount: '1500' }],
    [803, [{ status: 703 }], { amount: '1500' }],
    [803, [{ status: 700, amount: '0' }], {}],
    [803, [], { unreadable: 1 }],
    [820, [PAID], {}],
    [820, [], { amount: '1500' }],
    [820, [], { unreadable: 1 }],
  ])(
    'a pay-in of %i with %j and %j is for a person to look at, until its session ends and after',
    (status, ...report) => {
      const review = { outcome: 'review', discrepancy: 'amount' }
      expect(judged(status, report[0], -MINUTE, report[1])).toEqual({ ...review, settled: false })
      expect(judged(status, report[0], DAY, report[1])).toEqual({ ...review, settled: true })
    },
  )

  test('a pay-in is paid beside a record that cannot be read if all others agree, and partial until the session ends', () => {
    expect(judged(801, [PAID], 0, { unreadable: 1 })).toEqual(verdict('paid', true))
    expect(judged(802, [PART], -MINUTE, { unreadable: 1 })).toEqual(verdict('partial', false))
    expect(judged(802, [PART], GRACE, { unreadable: 1 }).outcome).toBe('review')
  })

  test('a pay-in of which nothing is stated but that it is paid is for a person to look at, and not short', () => {
    expect(judged(801, [], 0, { amount: '' })).toMatchObject({ outcome: 'review', discrepancy: 'amount' })
  })

  test('a pay-in is paid by a report whose total still counts a payment that went back', () => {
    const payments = [
      { ...PAID, id: 'T1' },
      { status: 705 as const, id: 'T2' },
    ]
    expect(judged(801, payments, 0, { amount: '3000' })).toEqual(verdict('paid', true))
  })

  test('a pay-in is paid by a report that does not name the session', () => {
    expect(judged(801, [PAID], 0, { checkout_reference: '' })).toEqual(verdict('paid', true))
  })

  test('a pay-in is paid by a report without a total, if its payments agree and all can be read', () => {
    for (const amount of ['', '0', 'N/A']) {
      expect(judged(801, [PAID], 0, { amount })).toEqual(verdict('paid', true))
      expect(judged(801, [PART], 0, { amount })).toMatchObject({ outcome: 'review', discrepancy: 'short' })
      expect(judged(801, [PAID], 0, { amount, unreadable: 1 })).toMatchObject({ discrepancy: 'amount' })
    }

    expect(judged(801, [PAID], 0, { amount: 'KES 1500' })).toMatchObject({ discrepancy: 'amount' })
  })

  test('a pay-in is paid by a payment that names the reference in other letters', () => {
    const reference = REFERENCE.toUpperCase()
    expect(judged(801, [{ ...PAID, reference }])).toEqual(verdict('paid', true))
  })

  test('the outcome of a pay-in depends on the later of two attempts, whatever zone dates them', () => {
    const failed: Paid = { status: 701, date: '2026-11-21T12:05:00+03:00' }
    const date = '2026-11-21T09:10:00Z'
    const open: Paid = { status: 703, date }
    for (const [one, other] of [[open, failed] as const, [failed, open] as const]) {
      expect(judged(803, [one, other])).toEqual(verdict('waiting', false))
    }

    expect(judged(803, [open, { ...failed, date }])).toEqual(verdict('unpaid', false))
  })

  test.each<[string, Paid[], Fields]>([
    ['short', [{ status: 700, amount: '1499.99' }], {}],
    ['amount', [], { amount: '1500' }],
    ['amount', [{ status: 700, amount: '10' }], { amount: '1500' }],
    ['amount', [FAILED], { amount: '1500' }],
    ['currency', [PAID], { currency: 'UGX' }],
    ['currency', [{ status: 700, currency: 'UGX' }], {}],
    ['account', [{ status: 700, account: 'ACC-002' }], {}],
    ['service', [{ status: 700, service: 'CHECKOUT-UGX' }], {}],
    ['amount', [paid('3000'), paid('-1500')], {}],
    ['amount', [PAID, paid('0')], {}],
    ['reference', [PAID], { checkout_reference: 'CHK-2' }],
    // With several differences, the most serious one is reported.
    ['reference', [{ status: 700, amount: '10', currency: 'UGX', reference: 'another' }], {}],
    // Two payments with one id, or without an id, may be one payment.
    ['amount', [paid('1500', 'T'), paid('1', 'T')], {}],
    ['amount', [paid('750', 'T'), paid('750.00', 'T')], {}],
    ['amount', [paid('750', null), paid('750', '')], {}],
  ])('a pay-in of 801 that differs by its %s is for a person to look at', (discrepancy, payments, fields) => {
    expect(judged(801, payments, 0, fields)).toEqual({ outcome: 'review', settled: true, discrepancy })
  })

  test.each<[string, Paid[], Fields]>([
    ['amount', [], { amount: '500' }],
    ['amount', [PAID], {}],
    ['amount', [PART], { amount: '1400' }],
    ['amount', [{ status: 700, amount: '-500' }], {}],
    ['amount', [0, 1].map(() => ({ ...PART, id: null })), {}],
    ['currency', [PART], { currency: 'UGX' }],
    ['service', [{ ...PART, service: 'CHECKOUT-UGX' }], {}],
    ['reference', [PART], { checkout_reference: 'CHK-2' }],
  ])('a pay-in of 802 that differs by its %s is for a person to look at', (discrepancy, payments, fields) => {
    expect(judged(802, payments, GRACE, fields)).toEqual({ outcome: 'review', settled: true, discrepancy })
  })

  const HALF: Paid = { status: 700, amount: '750' }
  test.each<[string, Partial<Paid>, Partial<Paid>]>([
    ['receipt', { receipt: 'QK71P0ZX', id: 'T-1' }, { receipt: 'QK71P0ZX', id: 'T-01' }],
    ['receipt, in other letters', { receipt: 'QK71P0ZX' }, { receipt: ' qk71p0zx ' }],
    ['receipt, in full width', { receipt: 'QK71P0ZX' }, { receipt: 'ＱＫ７１Ｐ０ＺＸ' }],
    ['receipt with spaces', { receipt: 'QK 71 P0' }, { receipt: 'QK71 P0' }],
    ['receipt of digits', { receipt: '233241234567' }, { receipt: '233241234567' }],
    ['receipt of two signs', { receipt: '#1' }, { receipt: '#1' }],
    ['long receipt', { receipt: 'A'.repeat(70) }, { receipt: 'A'.repeat(70) }],
    ['receipt and an invisible sign', { receipt: 'QK71P0ZX' }, { receipt: 'QK71P0ZX\u200b' }],
    ['id, in other letters', { id: 'T-1a' }, { id: ' T-1A' }],
    ['missing id', { id: null }, { id: null }],
  ])(
    'a pay-in of two halves with one %s is for a person to look at: they may be one payment',
    (_, first, second) => {
      const halves = [
        { ...first, ...HALF },
        { ...second, ...HALF },
      ]
      expect(judged(801, halves)).toEqual({ outcome: 'review', settled: true, discrepancy: 'amount' })
    },
  )

  test('a pay-in of two halves from one account is paid', () => {
    const fromOneAccount = { ...HALF, payer_account: 'Wanjiku' }
    expect(judged(801, [fromOneAccount, fromOneAccount])).toEqual(verdict('paid', true))
  })

  test('a pay-in of a payment beside a reversal with its receipt is for a person to look at', () => {
    const reversed: Paid = { status: 702, receipt: 'QK71P0ZX' }
    const listed = [{ ...PAID, receipt: 'QK71P0ZX' }, reversed]
    expect(judged(801, listed)).toMatchObject({ outcome: 'review', discrepancy: 'amount' })
    const payload = payloadOf(801, listed)
    expect(hasMoney(moneyOf(toReportedState(payload, SENT, 'KES')))).toBe(true)
  })

  test('a pay-in of a payment that is listed as successful, and otherwise, is for a person to look at', () => {
    const listed = (...statuses: Paid['status'][]) => statuses.map((status) => ({ status, id: 'T' }))
    for (const other of [701, 702, 705] as const) {
      expect(judged(801, listed(700, other))).toMatchObject({ outcome: 'review', discrepancy: 'amount' })
    }
  })
})

describe('for every answer of the gateway at every time', () => {
  const payment = fc.record({
    status: fc.constantFrom(...codes.paymentStatus),
    amount: fc.constantFrom('0', '10', '500', '750', '1000', '1500', '1500.00', '1500.01'),
    currency: fc.constantFrom('KES', 'KES', 'KES', 'UGX'),
    account: fc.constantFrom('ACC-001', 'ACC-001', 'ACC-001', 'N/A', 'ACC-002'),
    reference: fc.constantFrom('', '', '', 'another'),
  })
  const answer = fc.record({
    status: fc.constantFrom(...codes.checkoutStatus),
    payments: fc.array(payment, { maxLength: 4 }),
    fields: fc.constantFrom<Fields>({}, {}, {}, { amount: '1500' }, { currency: 'UGX' }, { unreadable: 1 }),
    afterEnd: fc.constantFrom(-30 * MINUTE, -1, 0, GRACE - 1, GRACE, DAY - 1, DAY, 30 * DAY),
  })

  const { numRuns = process.env.FULL ? 5_000 : 500 } = fc.readConfigureGlobal()

  test('for every answer at every time, only 801 in full agreement is paid, with an excess named, and a return that leaves enough', () => {
    const excess = { outcome: 'paid', settled: true, discrepancy: 'excess' }
    expect(judged(801, [{ status: 700, amount: '1500.01' }])).toEqual(excess)
    fc.assert(
      fc.property(answer, ({ status, payments, fields, afterEnd }) => {
        const { outcome, discrepancy } = judged(status, payments, afterEnd, fields)
        const received = payments.filter((paid) => paid.status === 700)
        const cents = received.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0)
        const sumOfBack = (listed: Paid[]) =>
          listed
            .filter((each) => each.status === 702 || each.status === 705)
            .reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0)
        const firstPaid = payments.findIndex((each) => each.status === 700)
        const backLater = sumOfBack(payments.slice(firstPaid))
        // It may be a part of what was paid before it.
        const isPerhapsBack =
          backLater > 0 && backLater <= cents && sumOfBack(payments.slice(0, firstPaid)) === 0
        const money = moneyOf(toReportedState(payloadOf(status, payments, fields), SENT, 'KES'))
        const isLeft = Number(money.received) >= 1500 && !money.returned
        const isReturn = status === 840 || status === 841
        const isInFull =
          status === 801 &&
          cents >= 150_000 &&
          !isPerhapsBack &&
          received.every(({ amount }) => amount !== '0') &&
          (fields?.amount === undefined || Number(fields.amount) * 100 === cents)
        const isExcess = isReturn ? Number(money.received) > 1500 : cents > 150_000
        const agrees =
          (isInFull || (isReturn && isLeft && !money.unreadable)) &&
          fields?.currency === undefined &&
          received.every(
            (paid) => paid.currency === 'KES' && paid.reference === '' && paid.account !== 'ACC-002',
          )
        expect(outcome === 'paid').toBe(agrees)
        if (agrees) {
          expect(discrepancy).toBe(isExcess ? 'excess' : null)
        }
      }),
      { numRuns },
    )
  })

  test('for every answer at every time, money is neither unpaid nor expired', () => {
    fc.assert(
      fc.property(answer, ({ status, payments, fields, afterEnd }) => {
        const money = moneyOf(toReportedState(payloadOf(status, payments, fields), SENT, 'KES'))
        const { outcome, settled } = judged(status, payments, afterEnd, fields)
        if (hasMoney(money) && settled) {
          expect(['unpaid', 'expired']).not.toContain(outcome)
        }
        if (money.unreadable || Number(money.received) > 0) {
          expect(['unpaid', 'expired', 'waiting']).not.toContain(outcome)
        }
        if (afterEnd >= DAY) {
          expect(settled).toBe(true)
        }
      }),
      { numRuns },
    )
  })

  test('for every answer at every time, nothing is settled while a payment may still arrive', () => {
    fc.assert(
      fc.property(answer, ({ status, payments, fields, afterEnd }) => {
        const { outcome, settled } = judged(status, payments, afterEnd, fields)
        if (['waiting', 'pending', 'jammed'].includes(outcome)) {
          expect(settled).toBe(false)
        }

        const isOpen = payments.some((paid) => [703, 704, 706, 707, 708].includes(paid.status))
        if ((status === 802 || status === 803) && (afterEnd < 0 || (isOpen && afterEnd < DAY))) {
          expect(settled).toBe(false)
        }
      }),
      { numRuns },
    )
  })
})
