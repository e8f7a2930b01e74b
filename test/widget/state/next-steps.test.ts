import { expect, test } from 'vitest'

import { readProblem } from '../../../widget/bff/answer.ts'
import { failure } from '../../../widget/state/failure.ts'
import { mayPayOnPage, operatorsOf, remedyOf } from '../../../widget/state/next-steps.ts'
import { IDLE } from '../../../widget/state/state.ts'
import { freshView } from '../../support/worlds/scripted-bff.ts'

import type { CheckoutView } from '../../../server/api/view.ts'
import type { Session } from '../../../widget/state/state.ts'

const view = freshView(Date.UTC(2026, 10, 21, 9))
const lost = failure('network')
const fatal = failure('no_order')
const failed: Session = { at: 'error', failure: fatal }
const methods = [
  { code: 'MPESA_KEN', name: 'M-PESA' },
  { code: 'AIRTEL_KEN', name: 'Airtel Money' },
]
const prompt = { methods, method: 'MPESA_KEN' }
const payment = { amount: '1500', currency: 'KES', method: null, paid_at: null }
const open = { ...payment, status: 703, outcome: 'waiting' } as const
const declined = { ...payment, status: 701, outcome: 'failed' } as const

const seen = (fields: Partial<CheckoutView>): Session => ({
  at: 'following',
  checkoutId: 'checkout-01-of-the-tests',
  view: { ...view, ...fields },
  trouble: null,
  page: 'none',
  origin: 'initiate',
})
const refusedWith = (code: string): Session => ({ at: 'error', failure: readProblem({ code }) ?? fatal })

test.each<[Session, number]>([
  [IDLE, 0],
  [seen({ prompt }), 0],
  [seen({ prompt, outcome: 'unpaid', settled: true }), 2],
  [seen({ prompt: { ...prompt, methods: methods.slice(1) }, outcome: 'unpaid', settled: true }), 0],
  [seen({ outcome: 'unpaid', settled: true }), 0],
])('the session %j may choose among %i operators', (session, count) => {
  expect(operatorsOf(session)).toEqual(methods.slice(0, count))
})

test.each<[Session, boolean]>([
  [IDLE, false],
  [refusedWith('too_many_requests'), true],
  [refusedWith('gateway_refused'), true],
  // The element does not know these codes.
  [refusedWith('not_gateway_refused'), false],
  [refusedWith('gateway_refused_early'), false],
  [failed, false],
  [seen({ prompt }), false],
  [seen({ prompt, outcome: 'unpaid', settled: true }), true],
  [seen({ outcome: 'unpaid', settled: true }), false],
])('the session %j may pay on the hosted page instead: %s', (session, may) => {
  expect(mayPayOnPage(session, 'prompt')).toBe(may)
  expect(mayPayOnPage(session, 'page')).toBe(false)
})

test.each([
  ['not_enough_money', 'number'],
  ['limit_reached', 'number'],
  ['number_not_registered', 'number'],
  ['operator_unavailable', 'page'],
  ['wrong_pin', null],
] as const)('a prompt that failed for %s is helped by another %s', (reason, remedy) => {
  const payments = [open, declined, { ...declined, reason }]
  const failed: Partial<CheckoutView> = { outcome: 'unpaid', settled: true, payments }
  expect(remedyOf(seen({ ...failed, prompt }))).toBe(remedy)
  for (const other of [failed, { ...failed, prompt, settled: false }, { ...failed, prompt, payments: [] }]) {
    expect(remedyOf(seen(other))).toBeNull()
  }

  expect(remedyOf({ at: 'error', failure: lost })).toBe('page')
})
