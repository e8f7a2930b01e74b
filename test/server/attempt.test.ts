import { describe, expect, test } from 'vitest'
import type { Checkout } from '../../server/checkouts/record.ts'
import type { CheckoutStatus } from '../../server/contract/status.ts'
import type { Paid } from '../support/open-checkout.ts'
import {
  holdsUnseenMoney,
  planAttempt,
  refuseAfterRefusals,
  refuseChanged,
} from '../../server/checkouts/attempt.ts'
import { determineOutcome, holdsMoney } from '../../server/checkouts/outcome.ts'
import { transition } from '../../server/checkouts/transition.ts'
import { DAY, MINUTE, SENT } from '../support/observed.ts'
import { EXPIRES_AT, openCheckout, payloadOf } from '../support/open-checkout.ts'

const OPEN = openCheckout()
const { requested, visit, people } = OPEN.record
const PAID: Paid[] = [{ status: 700 }]
const PART: Paid[] = [{ status: 700, amount: '500' }]
const kept = { requested, visit, people, contradiction: null }
const abandoned: Checkout = { ...OPEN, record: { phase: 'abandoned', ...kept } }
const refused: Checkout = { ...OPEN, record: { phase: 'refused', ...kept, why: 'No.', refusal: null } }

function reported(
  status: CheckoutStatus,
  payments: readonly Paid[] = [],
  at = EXPIRES_AT + 30 * DAY,
  checkout: Checkout = OPEN,
): Checkout {
  const observation = { kind: 'status', payload: payloadOf(status, payments) } as const
  return { ...checkout, record: transition(checkout, observation, at).record }
}

const planned = (attempts: Checkout[], terms: Partial<typeof requested> = {}) =>
  planAttempt(attempts, { ...requested, ...terms }).kind

test('the first attempt has number 1, and an attempt that never opened is followed by number 2', () => {
  expect(planAttempt([], requested)).toEqual({ kind: 'create', attempt: 1 })
  for (const checkout of [OPEN, abandoned]) expect(holdsMoney(checkout)).toBe(false)
  expect(planAttempt([abandoned], requested)).toEqual({ kind: 'create', attempt: 2 })
})

test('a checkout is kept if it may hold money and its outcome does not say so', () => {
  const reversed = reported(840, [{ status: 702 }])
  const paidAfterAll = reported(801, PAID, EXPIRES_AT + 31 * DAY, reversed)
  expect(paidAfterAll.record).toMatchObject({ contradiction: 801 })
  for (const kept of [
    paidAfterAll,
    reported(820, PAID),
    reported(841, [...PAID, { status: 705, amount: '100' }]),
  ])
    expect(holdsUnseenMoney(kept)).toBe(true)
  for (const prunable of [reversed, reported(801, PAID), reported(802, PART), reported(820), abandoned])
    expect(holdsUnseenMoney(prunable)).toBe(false)
})

test.each([abandoned, refused])(
  'a checkout that had ended, and is paid, needs a person, once: %#',
  (ended) => {
    const observation = { kind: 'status', payload: payloadOf(801, PAID) } as const
    const { record, events } = transition(ended, observation, EXPIRES_AT)
    expect(events).toEqual(['needs_attention'])
    const paid = { ...ended, record }
    expect(transition(paid, observation, EXPIRES_AT)).toEqual({ record, events: [], historyEntry: null })
    expect(determineOutcome(paid).outcome).toBe('review')
    expect([holdsMoney(ended), holdsMoney(paid), planned([paid])]).toEqual([false, true, 'resume'])
  },
)

describe('while a checkout can be paid', () => {
  test.each([undefined, 851, 850, 802, 803] as const)('the checkout is resumed at status %s', (status) => {
    const attempts = [status ? reported(status, [], EXPIRES_AT - 1) : OPEN]
    expect(planned(attempts)).toBe('resume')
    expect(planned(attempts, { amount: '1500.00' })).toBe('resume')
  })

  test.each([
    { amount: '1600' },
    { currency: 'UGX' },
    { service_code: 'ANOTHER' },
    { account_number: 'ACC-002' },
    { splits: [{ account: 'PARTNER-001', amount: 100, reason: 'Cloth' }] },
  ])('an order with changed terms is refused: %j', (terms) => {
    expect(planned([OPEN], terms)).toBe('changed')
  })
})

describe('a checkout that ended', () => {
  test.each<[CheckoutStatus, Paid[], boolean]>([
    [801, PAID, true],
    [801, [{ status: 700, amount: '10' }], true],
    [802, PART, true],
    [803, [], false],
    [803, [{ status: 701 }], false],
    [803, [{ status: 703 }], true],
    [803, [{ status: 708 }], true],
    [803, PAID, true],
    [820, [], false],
    [820, PAID, true],
    [840, [{ status: 702 }], false],
    [840, [...PAID, { status: 702, amount: '100' }], true],
    [841, [{ status: 705 }], false],
    [841, [...PAID, { status: 705, amount: '100' }], true],
    [850, [], true],
    [851, [], true],
  ])('with %i and %j may hold money: %s, and only then nothing begins', (status, payments, holds) => {
    const attempt = reported(status, payments)
    expect(holdsMoney(attempt)).toBe(holds)
    if (!holds) expect(planAttempt([attempt], requested)).toEqual({ kind: 'create', attempt: 2 })
    else expect(planned([attempt])).toBe('resume')
    expect(planned([attempt], { amount: '1600' })).toBe(holds ? 'changed' : 'create')
  })

  test.each([
    [801, PAID, 'resume'],
    [820, [], 'create'],
  ] as const)('and is contradicted by %i holds the money of that: %s', (status, payments, kind) => {
    const reversed = reported(840, [{ status: 702 }])
    const contradicted = reported(status, payments, EXPIRES_AT + 31 * DAY, reversed)
    expect(contradicted.record).toMatchObject({ contradiction: status })
    expect(planned([contradicted])).toBe(kind)
  })

  test('after a partial payment can be followed by a checkout of exactly the rest, once its session has ended', () => {
    const part = reported(802, PART)
    expect(planned([part], { amount: '1000.00' })).toBe('create')
    expect(planned([part], { amount: '999.99' })).toBe('changed')
    expect(planned([part], { amount: '1000', currency: 'UGX' })).toBe('changed')
    expect(planned([reported(802, PART, EXPIRES_AT - 1)], { amount: '1000' })).toBe('changed')
    // A partial amount under the status 803 (unpaid) is not a partial payment.
    expect(planned([reported(803, PART)], { amount: '1000' })).toBe('changed')
  })
})

test('of several attempts the one with money counts, and a new attempt has a new number', () => {
  const paid = reported(801, PAID)
  const failed = { ...reported(803, [{ status: 701 }]), attempt: 2 }
  for (const later of [failed, { ...OPEN, attempt: 2 }])
    expect(planAttempt([paid, later], requested)).toEqual({ kind: 'resume', checkout: paid })
  expect(planAttempt([failed, failed], requested)).toEqual({ kind: 'create', attempt: 3 })
})

test('an order is not started again after a checkout that held money was pruned', () => {
  for (const outcome of ['paid', 'partial'])
    expect(planAttempt([OPEN], requested, [{ attempt: 1, outcome }])).toEqual({ kind: 'deleted' })
  const pruned = [{ attempt: 2, outcome: 'expired' }]
  expect(planAttempt([abandoned], requested, pruned)).toEqual({ kind: 'create', attempt: 3 })
})

describe('an order of which the gateway has refused checkouts', () => {
  const refusals = (count: number) => Array.from({ length: count }, () => ({ ...refused, created_at: SENT }))

  test.each([
    [19, 0, null],
    [20, -1, null],
    [20, 0, 600],
    [20, 10 * MINUTE - 1, 1],
    [20, 10 * MINUTE, null],
    [99, 10 * MINUTE, null],
    [100, 10 * MINUTE, 85_800],
    [100, DAY, null],
  ])('%i at once is started again %i ms later, or after %j s', (count, ms, retryAfter) => {
    const most = count < 100 ? 20 : 100
    const quota = { name: 'refused_checkouts', most, windowSeconds: most === 20 ? 600 : 86_400, retryAfter }
    const refusal = { code: 'too_many_requests', quota }
    expect(refuseAfterRefusals([...refusals(count), OPEN], SENT + ms)).toEqual(
      retryAfter === null ? null : expect.objectContaining(refusal),
    )
  })
})

test.each([
  [OPEN, 'order_changed', null],
  [
    reported(801, PAID),
    'order_not_payable',
    'not started: money was received for the terms 1500 KES (8d2f6a52',
  ],
  [
    reported(820, PAID),
    'order_not_payable',
    'not started: money may have been received for the terms 1500 KES',
  ],
] as const)('changed terms are refused, with the reason for the log: %#', (checkout, code, reason) => {
  const refusal = refuseChanged(checkout, { ...requested, amount: '1600' })
  expect(refusal).toMatchObject({ code })
  if (reason) expect(refusal.reason).toContain(reason)
})
