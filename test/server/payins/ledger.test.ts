import { describe, expect, test } from 'vitest'

import { movementsOfPayIn } from '../../../server/payins/movements.ts'
import { moneyOf } from '../../../server/payins/reported-money.ts'
import { isSameReport, ReportedState } from '../../../server/payins/reported-state.ts'
import { toReportedState } from '../../../server/payins/status-answer.ts'
import { canFollow, continued } from '../../../server/payins/succession.ts'
import { SENT } from '../../support/worlds/observed.ts'
import { payloadOf } from '../../support/worlds/open-checkout.ts'

import type { CheckoutStatus, PaymentStatus } from '../../../server/contract/status.ts'
import type { Paid } from '../../support/worlds/open-checkout.ts'

/**
 * What the gateway says: its status, its total (`null` if it states none), and the payments, each as `T1 700 500`, with
 * `-` for one without an id, and with the operator's reference behind it.
 */
type Said = [status: CheckoutStatus, total: string | null, ...payments: string[]]

function reportOf([status, total, ...payments]: Said) {
  const paid = payments.map((text): Paid => {
    const [id = '', code, amount = '', receipt] = text.split(' ')
    const payment = { id: id === '-' ? null : id, status: Number(code) as PaymentStatus, amount }
    return receipt === undefined ? payment : { ...payment, receipt }
  })
  return toReportedState(payloadOf(status, paid, { amount: total ?? '' }), SENT, 'KES')
}

interface Read {
  /** What the gateway holds. */
  held: string
  isUnclear?: boolean
  isInFlight?: boolean
  /** What is booked in the end, as `T1 paid 500`; as a whole, with no id. */
  booked: string[]
}

const T1 = 'T1 700 500'
const T2 = 'T2 700 500'
const PAID = 'T1 paid 500'
const DOUBLE = [PAID, 'T2 paid 500']
const GONE = 'T1 refunded 500'

/** What was reported before, what is reported now, and how it is read. */
const READINGS: Record<string, [before: Said[], now: Said, read: Read][]> = {
  'a payment': [
    [[], [801, '500', T1], { held: '500', booked: [PAID] }],
    [[], [801, null, T1], { held: '500', booked: [PAID] }],
    // Beside a status that says that money is there, a total of 0 states nothing.
    [[], [801, '0', T1], { held: '500', booked: [PAID] }],
    [[], [851, '0', T1], { held: '500', isInFlight: true, booked: [PAID] }],
    [[], [803, '0', T1], { held: '500', isUnclear: true, booked: [PAID] }],
    [[], [801, '300', T1], { held: '500', isUnclear: true, booked: [PAID] }],
    // The total shows money that is not listed.
    [[], [801, '700', T1], { held: '700', booked: [PAID, ' paid 200'] }],
    [[], [801, '500'], { held: '500', booked: [' paid 500'] }],
    [[[801, '500', T1]], [801, '500'], { held: '500', booked: [PAID] }],
    // One id is one payment, worth the most that it is listed with.
    [[], [801, '500', T1, T1], { held: '500', booked: [PAID] }],
    [[], [801, '800', T1, 'T1 700 300'], { held: '800', booked: [PAID, ' paid 300'] }],
    [[], [801, '1000', '- 700 500', '- 700 500'], { held: '1000', booked: ['#0 paid 500', '#1 paid 500'] }],
    [[[802, '50', 'T1 700 50']], [801, '500', T1], { held: '500', booked: [PAID] }],
    [[], [851, '500', T1, 'T2 703 500'], { held: '500', isInFlight: true, booked: [PAID] }],
    [[], [803, '0', 'T1 703 500'], { held: '0', isInFlight: true, booked: [] }],
  ],
  'all of a payment goes back': [
    [[[801, '500', T1]], [841, '0', 'T1 705 500'], { held: '0', booked: [PAID, GONE] }],
    [[[801, '500', T1]], [841, null, 'T1 705 500'], { held: '0', booked: [PAID, GONE] }],
    [[[801, '500', T1]], [841, '500', 'T1 705 500'], { held: '0', booked: [PAID, GONE] }],
    [[[801, '500', T1]], [841, '500', T1, 'T1 705 500'], { held: '0', booked: [PAID, GONE] }],
    [[], [841, '0', 'T1 705 500'], { held: '0', booked: [PAID, GONE] }],
    // As a reversal and as a refund, once.
    [[], [841, '0', 'T1 702 500', 'T1 705 500'], { held: '0', booked: [PAID, GONE] }],
    // By the status alone.
    [[[801, '500', T1]], [841, '0', T1], { held: '0', booked: [PAID, GONE] }],
    [[[801, '500', T1]], [841, '500', T1], { held: '0', booked: [PAID, GONE] }],
    [[[801, '500', T1]], [841, null], { held: '0', booked: [PAID, GONE] }],
    [[], [841, '500'], { held: '0', booked: [' paid 500', ' refunded 500'] }],
    // Under another id or none, once the total says so.
    [[[801, '500', T1]], [841, '0', 'R1 705 500'], { held: '0', booked: [PAID, GONE] }],
    [[[801, '500', T1]], [841, '0', T1, '- 705 500'], { held: '0', booked: [PAID, GONE] }],
    [[[801, '500', T1]], [841, null, T1, 'R1 705 500'], { held: '500', isUnclear: true, booked: [PAID] }],
    [[[801, '500', T1]], [841, '500', T1, 'R1 705 500'], { held: '500', isUnclear: true, booked: [PAID] }],
    [[], [841, '500', 'T1 700 500 QK71', 'R1 705 500 QK71'], { held: '0', booked: [PAID, GONE] }],
  ],
  'a part of a payment goes back': [
    [[[801, '500', T1]], [841, '300', T1, 'T1 705 200'], { held: '300', booked: [PAID, 'T1 refunded 200'] }],
    [[[801, '500', T1]], [841, null, T1, 'T1 705 200'], { held: '300', booked: [PAID, 'T1 refunded 200'] }],
    [[[801, '500', T1]], [841, '500', T1, 'T1 705 200'], { held: '300', booked: [PAID, 'T1 refunded 200'] }],
    // A total of 0 says that nothing is left.
    [
      [[801, '500', T1]],
      [841, '0', T1, 'T1 705 200'],
      { held: '300', isUnclear: true, booked: [PAID, 'T1 refunded 200'] },
    ],
    // It is all that is listed.
    [[[801, '500', T1]], [841, '300', 'T1 705 200'], { held: '300', booked: [PAID, 'T1 refunded 200'] }],
    [[[801, '500', T1]], [841, '500', 'T1 705 200'], { held: '300', booked: [PAID, 'T1 refunded 200'] }],
    [[[801, '500', T1]], [841, null, 'T1 705 200'], { held: '300', booked: [PAID, 'T1 refunded 200'] }],
    [
      [[801, '500', T1]],
      [841, '0', 'T1 705 200'],
      { held: '300', isUnclear: true, booked: [PAID, 'T1 refunded 200'] },
    ],
    [[], [841, '100', 'T1 705 200'], { held: '0', isUnclear: true, booked: [] }],
    [[], [841, '300', 'T1 705 200'], { held: '100', isUnclear: true, booked: [' paid 100'] }],
    // By what is left of it, or by the total alone.
    [[[801, '500', T1]], [841, '300', 'T1 700 300'], { held: '300', booked: [PAID, 'T1 refunded 200'] }],
    [[[801, '500', T1]], [841, null, 'T1 700 300'], { held: '300', booked: [PAID, 'T1 refunded 200'] }],
    [[[801, '500', T1]], [841, '300', T1], { held: '300', booked: [PAID, 'T1 refunded 200'] }],
    [[[801, '500', T1]], [841, '300'], { held: '300', booked: [PAID, 'T1 refunded 200'] }],
    // Under another id.
    [[[801, '500', T1]], [841, '300', T1, 'R1 705 200'], { held: '300', booked: [PAID, 'T1 refunded 200'] }],
    [[[801, '500', T1]], [841, null, T1, 'R1 705 200'], { held: '500', isUnclear: true, booked: [PAID] }],
    [
      [[801, '1000', T1, T2]],
      [841, '800', T1, T2, 'R1 705 200'],
      { held: '800', booked: [...DOUBLE, ' refunded 200'] },
    ],
    // And the rest is paid again.
    [
      [
        [801, '500', T1],
        [841, '300', 'T1 700 300'],
      ],
      [801, '500', 'T1 700 300', 'T2 700 200'],
      { held: '500', booked: [PAID, 'T1 refunded 200', 'T2 paid 200'] },
    ],
  ],
  'several returns of a payment': [
    [
      [
        [801, '500', T1],
        [841, '300', T1, 'T1 705 200'],
      ],
      [840, '300', T1, 'T1 705 200', 'T1 702 300'],
      { held: '0', booked: [PAID, 'T1 reversed 500'] },
    ],
    [
      [
        [801, '500', T1],
        [841, '250', T1, 'T1 705 250'],
      ],
      [841, '0', T1, 'T1 705 250', 'T1 705 250'],
      { held: '0', booked: [PAID, GONE] },
    ],
    [[[801, '500', T1]], [841, null, T1, 'T1 705 250', 'T1 705 250'], { held: '0', booked: [PAID, GONE] }],
    [
      [[801, '500', T1]],
      [841, '200', T1, 'T1 705 100', 'T1 705 200'],
      { held: '200', booked: [PAID, 'T1 refunded 300'] },
    ],
    // No more goes back than was paid.
    [
      [[801, '500', T1]],
      [841, '0', T1, 'T1 705 400', 'T1 702 400'],
      { held: '0', booked: [PAID, 'T1 reversed 500'] },
    ],
    [[], [841, '500', T1, 'T1 700 300', 'T1 705 200'], { held: '300', booked: [PAID, 'T1 refunded 200'] }],
  ],
  'several payments, of which one goes back': [
    [
      [[801, '1000', T1, T2]],
      [841, '500', T1, 'T2 705 500'],
      { held: '500', booked: [...DOUBLE, 'T2 refunded 500'] },
    ],
    [
      [[801, '1000', T1, T2]],
      [841, '1000', T1, 'T2 705 500'],
      { held: '500', booked: [...DOUBLE, 'T2 refunded 500'] },
    ],
    [
      [[801, '1000', T1, T2]],
      [841, null, T1, 'T2 705 500'],
      { held: '500', booked: [...DOUBLE, 'T2 refunded 500'] },
    ],
    [
      [[801, '1000', T1, T2]],
      [801, '500', T1, 'T2 705 500'],
      { held: '500', booked: [...DOUBLE, 'T2 refunded 500'] },
    ],
    [
      [[801, '1000', T1, T2]],
      [801, '1000', T1, 'T2 705 500'],
      { held: '500', booked: [...DOUBLE, 'T2 refunded 500'] },
    ],
    // The other one is listed no more, and still there by the total.
    [
      [[801, '1000', T1, T2]],
      [841, '500', 'T2 705 500'],
      { held: '500', booked: [...DOUBLE, 'T2 refunded 500'] },
    ],
    [
      [[801, '1000', T1, T2]],
      [841, null, 'T2 705 500'],
      { held: '500', isUnclear: true, booked: [...DOUBLE, 'T2 refunded 500'] },
    ],
    // It is the one that is listed no more.
    [
      [[801, '1000', T1, T2]],
      [841, '500', T1],
      { held: '500', booked: ['T2 paid 500', PAID, ' refunded 500'] },
    ],
    [
      [[801, '1000', T1, T2]],
      [841, null, T1],
      { held: '500', isUnclear: true, booked: ['T2 paid 500', PAID, ' refunded 500'] },
    ],
    // A total of nothing that the list may come to.
    [
      [[801, '1000', T1, T2]],
      [841, '700', T1, 'T2 705 500'],
      { held: '500', isUnclear: true, booked: [...DOUBLE, 'T2 refunded 500'] },
    ],
  ],
  'several payments, of which one goes back after the other': [
    [
      [
        [801, '1000', T1, T2],
        [841, '500', T1, 'T2 705 500'],
      ],
      [840, '500', 'T1 702 500', 'T2 705 500'],
      { held: '0', booked: [PAID, 'T1 reversed 500', 'T2 paid 500', 'T2 refunded 500'] },
    ],
    [
      [
        [801, '1000', T1, T2],
        [801, '500', T1, 'T2 705 500'],
      ],
      [840, '500', 'T1 702 500', 'T2 705 500'],
      { held: '0', booked: [PAID, 'T1 reversed 500', 'T2 paid 500', 'T2 refunded 500'] },
    ],
    // The status and the total say that money is there, and the list does not.
    [
      [[801, '1000', T1, T2]],
      [801, '500', 'T1 702 500', 'T2 705 500'],
      {
        held: '500',
        isUnclear: true,
        booked: [PAID, 'T1 reversed 500', 'T2 paid 500', 'T2 refunded 500', ' paid 500'],
      },
    ],
  ],
  'a payment after a return': [
    [
      [
        [801, '500', T1],
        [840, '0', 'T1 702 500'],
      ],
      [801, '500', 'T1 702 500', T2],
      { held: '500', booked: [PAID, 'T1 reversed 500', 'T2 paid 500'] },
    ],
    [
      [
        [801, '500', T1],
        [840, '0', 'T1 702 500'],
        [801, '500', 'T1 702 500', T2],
      ],
      [841, '0', 'T1 702 500', 'T2 705 500'],
      { held: '0', booked: [PAID, 'T1 reversed 500', 'T2 paid 500', 'T2 refunded 500'] },
    ],
    [
      [
        [801, '500', T1],
        [840, '0', 'T1 702 500'],
      ],
      [840, '500', 'T1 702 500', T2],
      { held: '500', booked: [PAID, 'T1 reversed 500', 'T2 paid 500'] },
    ],
  ],
}

const ROWS = Object.entries(READINGS).flatMap(([name, rows]) =>
  rows.map(([before, now, read]) => ({ name, before, now, read, title: JSON.stringify([...before, now]) })),
)

describe('what the reports of a gateway say of the payments', () => {
  test.each(ROWS)('$name: $title', ({ before, now, read }) => {
    const reports = [...before, now].map(reportOf)
    const states = reports.map((_, index) => reports.slice(0, index + 1).reduce(continued))
    const reported = states.at(-1)!
    const money = moneyOf(reported)
    const movements = movementsOfPayIn({ created_at: SENT, people: [], reported, service_code: 'S' })
    expect({
      held: money.received,
      isUnclear: money.unreadable,
      isInFlight: money.in_flight,
      booked: movements.map(({ part, moved, amount }) => `${part} ${moved} ${amount}`),
    }).toEqual({ isUnclear: false, isInFlight: false, ...read })
    expect(reports.every((each, index) => index === 0 || canFollow(states[index - 1]!, each))).toBe(true)
    // Heard again, it says the same.
    const stored = ReportedState.parse(reported)
    expect(isSameReport(stored, continued(stored, reportOf(now)))).toBe(true)
  })
})
