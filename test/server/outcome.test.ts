import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CheckoutStatus } from '../../server/contract/status.ts'
import type { Paid } from '../support/open-checkout.ts'
import { transition } from '../../server/checkouts/transition.ts'
import { determineOutcome } from '../../server/checkouts/outcome.ts'
import { EXPIRES_AT, openCheckout, payloadOf } from '../support/open-checkout.ts'
import { codes } from '../support/spec-shapes.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
type Fields = Parameters<typeof payloadOf>[2]

/** What is made of one answer, read so many milliseconds after the session's end. */
function judged(
  status: CheckoutStatus,
  payments: readonly Paid[] = [],
  afterEnd = -MINUTE,
  fields: Fields = {},
) {
  const payload = payloadOf(status, payments, fields)
  const checkout = openCheckout()
  const { record } = transition(checkout, { kind: 'status', payload }, EXPIRES_AT + afterEnd)
  return determineOutcome({ ...checkout, record })
}

const verdict = (outcome: string, settled: boolean) => ({ outcome, settled, discrepancy: null })

describe('the table of outcomes', () => {
  test('nothing heard yet is waiting', () => {
    expect(determineOutcome(openCheckout())).toEqual(verdict('waiting', false))
  })

  test('803 without an attempt is waiting', () => {
    expect(judged(803)).toEqual(verdict('waiting', false))
  })

  test.each([703, 706, 707, 708] as const)('803 whose latest attempt is %i is waiting', (status) => {
    expect(judged(803, [{ status: 701 }, { status }])).toEqual(verdict('waiting', false))
  })

  test('803 whose latest attempt failed is unpaid, and no end while the session lives', () => {
    expect(judged(803, [{ status: 701 }])).toEqual(verdict('unpaid', false))
  })

  test('803 is the end two minutes after the session, and not a moment before', () => {
    expect(judged(803, [{ status: 701 }], 2 * MINUTE - 1)).toEqual(verdict('unpaid', false))
    expect(judged(803, [{ status: 701 }], 2 * MINUTE)).toEqual(verdict('unpaid', true))
    expect(judged(803, [], 2 * MINUTE)).toEqual(verdict('unpaid', true))
  })

  test('802 is partial, and the end once the session is over', () => {
    const part: Paid[] = [{ status: 700, amount: '500' }]
    expect(judged(802, part, -1)).toEqual(verdict('partial', false))
    expect(judged(802, part, 0)).toEqual(verdict('partial', true))
  })

  test('an attempt that is still on its way keeps the end open for a day', () => {
    for (const status of [703, 704, 706, 707, 708] as const) {
      expect(judged(803, [{ status }], 2 * MINUTE).settled).toBe(false)
      expect(judged(802, [{ status: 700, amount: '500' }, { status }], DAY - 1).settled).toBe(false)
      expect(judged(803, [{ status }], DAY)).toEqual(verdict('unpaid', true))
    }
  })

  test('803 beside money that was received is not believed for a day', () => {
    expect(judged(803, [{ status: 700 }], 2 * MINUTE)).toEqual(verdict('waiting', false))
    expect(judged(803, [{ status: 700 }], DAY)).toEqual(verdict('unpaid', true))
  })

  test('801 in agreement is paid', () => {
    expect(judged(801, [{ status: 700 }])).toEqual(verdict('paid', true))
  })

  test('801 made up of parts is paid', () => {
    const parts: Paid[] = [
      { status: 700, amount: '500.50' },
      { status: 701 },
      { status: 700, amount: '999.50' },
    ]
    expect(judged(801, parts)).toEqual(verdict('paid', true))
  })

  test.each([
    [820, 'expired', true],
    [840, 'reversed', true],
    [841, 'refunded', true],
    [850, 'jammed', false],
    [851, 'pending', false],
  ] as const)('%i is %s', (status, outcome, settled) => {
    expect(judged(status)).toEqual(verdict(outcome, settled))
    expect(judged(status, [], DAY)).toEqual(verdict(outcome, settled))
  })
})

describe('801 that differs from what was asked', () => {
  test('by more money is paid, with the excess named', () => {
    const paid = { outcome: 'paid', settled: true, discrepancy: 'excess' }
    expect(judged(801, [{ status: 700, amount: '1500.01' }])).toEqual(paid)
  })

  test.each<[string, Paid[], Fields]>([
    ['short', [{ status: 700, amount: '1499.99' }], {}],
    ['amount', [], { amount: '1500' }],
    ['amount', [{ status: 700, amount: '10' }], { amount: '1500' }],
    ['amount', [{ status: 701 }], { amount: '1500' }],
    ['currency', [{ status: 700 }], { currency: 'UGX' }],
    ['currency', [{ status: 700, currency: 'UGX' }], {}],
    ['account', [{ status: 700, account: 'ACC-002' }], {}],
    ['reference', [{ status: 700, reference: 'another' }], {}],
    ['reference', [{ status: 700 }], { checkout_reference: 'CHK-2' }],
  ])('by its %s is for a person to look at', (discrepancy, payments, fields) => {
    expect(judged(801, payments, -MINUTE, fields)).toEqual({ outcome: 'review', settled: true, discrepancy })
  })

  test('names the gravest difference', () => {
    const wrong: Paid[] = [{ status: 700, amount: '10', currency: 'UGX', reference: 'another' }]
    expect(judged(801, wrong).discrepancy).toBe('reference')
  })

  test('only by what the gateway leaves out is paid', () => {
    const silent: Paid[] = [{ status: 700, account: 'N/A', reference: '', currency: '' }]
    expect(judged(801, silent)).toEqual(verdict('paid', true))
  })
})

test('of two attempts the later one counts, whatever zone dates them', () => {
  const failed: Paid = { status: 701, date: '2026-11-21T12:05:00+03:00' }
  const open: Paid = { status: 703, date: '2026-11-21T09:10:00Z' }
  expect(judged(803, [open, failed])).toEqual(verdict('waiting', false))
  expect(judged(803, [failed, open])).toEqual(verdict('waiting', false))
})

describe('whatever the gateway says, and whenever', () => {
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
    fields: fc.constantFrom<Fields>({}, {}, {}, { amount: '1500' }, { currency: 'UGX' }),
    afterEnd: fc.constantFrom(-30 * MINUTE, -1, 0, 2 * MINUTE - 1, 2 * MINUTE, DAY - 1, DAY, 30 * DAY),
  })

  const { numRuns = 2_000 } = fc.readConfigureGlobal()

  test('only 801 in full agreement is paid', () => {
    fc.assert(
      fc.property(answer, ({ status, payments, fields, afterEnd }) => {
        const { outcome, discrepancy } = judged(status, payments, afterEnd, fields)
        const received = payments.filter((paid) => paid.status === 700)
        const cents = received.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0)
        const agrees =
          status === 801 &&
          cents >= 150_000 &&
          (fields?.amount === undefined || Number(fields.amount) * 100 === cents) &&
          fields?.currency === undefined &&
          received.every(
            (paid) => paid.currency === 'KES' && paid.reference === '' && paid.account !== 'ACC-002',
          )
        expect(outcome === 'paid').toBe(agrees)
        if (agrees) expect(discrepancy).toBe(cents > 150_000 ? 'excess' : null)
      }),
      { numRuns },
    )
  })

  test('nothing is an end while money may still be on its way', () => {
    fc.assert(
      fc.property(answer, ({ status, payments, fields, afterEnd }) => {
        const { outcome, settled } = judged(status, payments, afterEnd, fields)
        if (['waiting', 'pending', 'jammed'].includes(outcome)) expect(settled).toBe(false)
        const isOpen = payments.some((paid) => [703, 704, 706, 707, 708].includes(paid.status))
        if ((status === 802 || status === 803) && (afterEnd < 0 || (isOpen && afterEnd < DAY)))
          expect(settled).toBe(false)
      }),
      { numRuns },
    )
  })
})
