import { describe, expect, test } from 'vitest'

import { isRefundDue, trackedFulfilmentOf, whyUnserved } from '../../../server/payins/fulfilment.ts'
import {
  about,
  CONFIRMED,
  DECIDED,
  decision,
  failed,
  FAILED,
  of,
  OPEN,
  REFUSED,
  reported,
} from '../../support/worlds/confirmations.ts'

import type { PaymentStatus } from '../../../server/contract/status.ts'
import type { ReportedState } from '../../../server/payins/reported-state.ts'
import type { PaymentConfirmation, ServiceConfirmation } from '../../../server/transactions/kind.ts'

describe('held money waits for a person', () => {
  const why = (payments: PaymentConfirmation[], statuses: PaymentStatus[], told: string[], isPaid = true) =>
    whyUnserved({ confirmation: of(...payments), reported: reported(801, statuses), told }, isPaid)
  const both = [CONFIRMED, about('2', OPEN)]

  test('after the merchant was told of an end, also if a part of it was confirmed', () => {
    expect(why(both, [700, 700], ['succeeded', 'refunded', 'ended'])).toContain('told of its end')
    expect(why(both, [700, 700], ['succeeded'])).toBe(null)
    expect(why([CONFIRMED], [700], ['succeeded', 'ended'])).toBe(null)
  })

  test.each<[PaymentConfirmation[], PaymentStatus[], isCalled: boolean]>([
    [[OPEN, about('2', OPEN)], [702, 700], true],
    [both, [702, 700], true],
    // Also if it is listed no more, or the report does not say which one the merchant was told of.
    [[about('3', CONFIRMED), about('2', OPEN)], [701, 700], true],
    [[{ ...about('2', OPEN), by: 'person' }], [701, 700], true],
    // Heard of before the one that went back, or decided, or after all went back, which the merchant was told.
    [[OPEN, about('2', OPEN)], [700, 705], false],
    [[CONFIRMED, about('2', DECIDED)], [702, 700], false],
    [[CONFIRMED, { ...about('2', OPEN), by: 'api' }], [702, 700], false],
  ])('that took the place of a payment which went back: %j, %j', (payments, statuses, isCalled) => {
    const reason = why(payments, statuses, ['succeeded'])
    expect(reason?.includes('another one is held') ?? false).toBe(isCalled)
  })

  test('about which the gateway has refused a decision, while it is held', () => {
    expect(why([CONFIRMED, about('2', REFUSED)], [700, 700], ['succeeded'])).toBe('Too late.')
    expect(why([CONFIRMED, about('2', REFUSED)], [700, 705], ['succeeded'])).toBe(null)
  })

  test('that was paid in full after FAILED', () => {
    expect(why([FAILED, about('2', { ...DECIDED, decision: failed })], [705, 700], [])).toContain('refused')
  })
})

test('a refund is due when FAILED was confirmed and the money is still there', () => {
  const isDue = (confirmation: ServiceConfirmation | null, state: ReportedState | null) =>
    isRefundDue({ confirmation, reported: state })
  for (const status of [801, 802, 803] as const) {
    expect(isDue(of(FAILED), reported(status))).toBe(true)
  }

  // An excess is refused, and what it exceeds is held.
  const excess = of(CONFIRMED, about('2', FAILED))
  expect(isDue(excess, reported(801, [700, 700]))).toBe(true)
  expect(isDue(excess, { ...reported(841, [700, 705]), most: '3000' })).toBe(false)
  // The gateway lists no payment.
  expect(isDue(of(FAILED), reported(801, []))).toBe(true)

  expect(isDue(of(FAILED), reported(803, []))).toBe(false)
  expect(isDue(of(FAILED), reported(841))).toBe(false)
  expect(isDue(of(FAILED), null)).toBe(false)
  expect(isDue(null, reported(801))).toBe(false)
  expect(isDue(of(CONFIRMED), reported(801))).toBe(false)
  expect(isDue(of({ ...DECIDED, decision: failed }), reported(801))).toBe(false)
})

test.each<[PaymentConfirmation[], object]>([
  [[], { stage: 'open', status: null, narration: null, payment_id: null, message: null }],
  [[OPEN], { stage: 'open', status: null, narration: null, payment_id: null, message: null }],
  [[about('2', DECIDED), FAILED], { stage: 'decided', ...decision, payment_id: '2', message: null }],
  [[CONFIRMED, about('2', OPEN)], { stage: 'confirmed', ...decision, message: 'Taken.' }],
  [[FAILED, about('2', REFUSED)], { stage: 'refused', ...decision, payment_id: '2', message: 'Too late.' }],
  [[REFUSED, about('2', CONFIRMED)], { stage: 'refused', ...decision, message: 'Too late.' }],
])('the merchant sees of %j the stage, the decision and the words of the gateway', (payments, shown) => {
  expect(trackedFulfilmentOf(of(...payments), null)).toEqual(shown)
})

test('the merchant sees a refused decision beside a confirmed one as long as its money is held', () => {
  const shownOf = (...statuses: PaymentStatus[]) =>
    trackedFulfilmentOf(of(REFUSED, about('2', CONFIRMED)), reported(801, statuses))
  expect(shownOf(700, 700)).toMatchObject({ stage: 'refused', payment_id: '1' })
  expect(shownOf(702, 700)).toMatchObject({ stage: 'confirmed', payment_id: '2' })
})
