import { describe, expect, test } from 'vitest'

import { hasMoney, moneyOf } from '../../../server/payins/reported-money.ts'
import { toReportedState } from '../../../server/payins/status-answer.ts'
import { SENT } from '../../support/worlds/observed.ts'
import { payloadOf } from '../../support/worlds/open-checkout.ts'

import type { CheckoutStatus } from '../../../server/contract/status.ts'
import type { Paid } from '../../support/worlds/open-checkout.ts'

type Fields = Parameters<typeof payloadOf>[2]

const FAILED: Paid = { status: 701 }
const PAID: Paid = { status: 700 }
const PART: Paid = { status: 700, amount: '500' }

describe('the money of a report', () => {
  const NONE = { received: '0', in_flight: false, returned: false, unreadable: false }
  const moneyIn = (...given: Parameters<typeof payloadOf>) =>
    moneyOf(toReportedState(payloadOf(...given), SENT, 'KES'))

  test.each<[CheckoutStatus, Paid[], Fields, Partial<typeof NONE>]>([
    [803, [FAILED], {}, {}],
    [820, [], {}, {}],
    [840, [{ status: 702 }], {}, { returned: true }],
    [841, [{ status: 705 }], {}, { returned: true }],
    // The total is more than is listed.
    [841, [{ status: 705, amount: '500' }], { amount: '1000' }, { received: '500', unreadable: true }],
    [841, [{ status: 705 }], { amount: '1500' }, { returned: true }],
    [
      841,
      [
        { ...PAID, id: 'T' },
        { status: 705, id: 'T' },
      ],
      {},
      { returned: true },
    ],
    [
      841,
      [
        { ...PAID, id: 'T' },
        { status: 705, amount: '500', id: 'T' },
      ],
      {},
      { received: '1000' },
    ],
    // What went back is counted in the total: one of two payments is left.
    [841, [PART, { status: 705, amount: '1000' }], { amount: '1500' }, { received: '500' }],
    // It is not: two payments, or one with its return.
    [841, [PART, { status: 705, amount: '1000' }], { amount: '1000' }, { received: '500', unreadable: true }],
    [841, [PAID, { status: 705 }], { amount: '1500' }, { received: '1500', unreadable: true }],
    // The total says that it was one payment.
    [840, [PAID, { status: 702 }], { amount: '0' }, { returned: true }],
    [840, [PAID, { status: 702 }], { amount: '' }, { received: '1500', unreadable: true }],
    // The status alone says that it went back.
    [841, [PAID], { amount: '0' }, { returned: true }],
    [840, [PAID], { amount: '1500' }, { returned: true }],
    [841, [], { amount: '1500' }, { returned: true }],
    [801, [PAID], {}, { received: '1500' }],
    // The total counts what went back before.
    [
      801,
      [
        { status: 702, id: 'T1' },
        { ...PAID, id: 'T2' },
      ],
      { amount: '3000' },
      { received: '1500' },
    ],
    [801, [PART], { amount: '1500' }, { received: '1500' }],
    // The total and the list contradict each other.
    [803, [PAID, FAILED], { amount: '0' }, { received: '1500', unreadable: true }],
    [801, [PAID], { amount: '0' }, { received: '1500' }],
    [803, [], { amount: '0.01' }, { received: '0.01' }],
    ...([703, 704, 706, 707, 708] as const).map((status): [803, Paid[], Fields, object] => [
      803,
      [{ status }],
      {},
      { in_flight: true },
    ]),
    [850, [], {}, { in_flight: true }],
    [851, [PART], {}, { in_flight: true, received: '500' }],
    // Money of which the amount is unknown.
    [801, [], {}, { unreadable: true }],
    [802, [], {}, { unreadable: true }],
    [803, [{ status: 700, amount: '0' }], {}, { unreadable: true }],
    [803, [], { unreadable: 1 }, { unreadable: true }],
  ])('the money of a report with %i, %j and %j is %j', (status, payments, fields, money) => {
    const { returned: _, ...held } = money
    expect(moneyIn(status, payments, fields)).toEqual({ ...NONE, ...money })
    expect(hasMoney(moneyIn(status, payments, fields))).toBe(Object.keys(held).length > 0)
  })

  test('there is no money without a report', () => {
    expect(moneyOf(null)).toEqual(NONE)
    expect(hasMoney(NONE)).toBe(false)
  })
})
