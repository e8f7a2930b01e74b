import { describe, expect, test } from 'vitest'
import type { Checkout } from '../../server/checkouts/record.ts'
import type { CheckoutStatus } from '../../server/contract/status.ts'
import type { Paid } from '../support/open-checkout.ts'
import { transition } from '../../server/checkouts/transition.ts'
import { planAttempt } from '../../server/checkouts/attempt.ts'
import { EXPIRES_AT, openCheckout, payloadOf } from '../support/open-checkout.ts'

const DAY = 24 * 3_600_000
const { requested } = openCheckout().record

/** The order's one attempt so far, of which this was heard a month after its end. */
function attempted(
  status: CheckoutStatus,
  payments: readonly Paid[],
  at = EXPIRES_AT + 30 * DAY,
): Checkout[] {
  const checkout = openCheckout()
  const observation = { kind: 'status', payload: payloadOf(status, payments) } as const
  return [{ ...checkout, record: transition(checkout, observation, at).record }]
}

const planned = (attempts: Checkout[], amount = '1500') =>
  planAttempt(attempts, { ...requested, amount }).kind

test('the first attempt is number one', () => {
  expect(planAttempt([], requested)).toEqual({ kind: 'create', attempt: 1 })
})

describe('while a checkout can be paid', () => {
  test.each([undefined, 851, 850, 802, 803] as const)('it is taken up again, at %s', (status) => {
    const attempts: Checkout[] = status ? attempted(status, [], EXPIRES_AT - 1) : [openCheckout()]
    expect(planned(attempts)).toBe('resume')
    expect(planned(attempts, '1500.00')).toBe('resume')
  })

  test.each([
    { amount: '1600' },
    { currency: 'UGX' },
    { service_code: 'ANOTHER' },
    { account_number: 'ACC-002' },
  ])('other terms have to wait: %j', (terms) => {
    expect(planAttempt([openCheckout()], { ...requested, ...terms }).kind).toBe('changed')
  })
})

test('an earlier checkout that was paid late comes before a later one that still can be', () => {
  const [paid] = attempted(801, [{ status: 700 }])
  const later = { ...openCheckout(), id: 'another', attempt: 2 }
  expect(planAttempt([paid!, later], requested)).toEqual({ kind: 'resume', checkout: paid })
})

test('nothing begins beside a contradiction that may hold money', () => {
  const [reversed] = attempted(840, [{ status: 702 }])
  const paidAgain = { kind: 'status', payload: payloadOf(801, [{ status: 700 }]) } as const
  const { record } = transition(reversed!, paidAgain, EXPIRES_AT + 31 * DAY)
  expect(planned([{ ...reversed!, record }])).toBe('resume')
})

describe('a checkout that ended', () => {
  test.each<[CheckoutStatus, Paid[]]>([
    [803, [{ status: 701 }]],
    [803, []],
    [820, []],
    [840, [{ status: 702 }]],
    [841, [{ status: 705 }]],
  ])('with %i holds no money: a new attempt begins', (status, payments) => {
    expect(planAttempt(attempted(status, payments), requested)).toEqual({ kind: 'create', attempt: 2 })
    expect(planned(attempted(status, payments), '1600')).toBe('create')
  })

  test.each<[CheckoutStatus, Paid[]]>([
    [801, [{ status: 700 }]],
    [801, [{ status: 700, amount: '10' }]],
    [802, [{ status: 700, amount: '500' }]],
    [803, [{ status: 703 }]],
    [803, [{ status: 708 }]],
    [803, [{ status: 700 }]],
    [820, [{ status: 700 }]],
  ])('with %i and %j may hold money: nothing begins by itself', (status, payments) => {
    expect(planned(attempted(status, payments))).toBe('resume')
    expect(planned(attempted(status, payments), '1600')).toBe('changed')
  })

  test('with a part leaves room for exactly the rest', () => {
    const attempts = attempted(802, [{ status: 700, amount: '500' }])
    expect(planned(attempts, '1000.00')).toBe('create')
    expect(planned(attempts, '999.99')).toBe('changed')
    expect(planAttempt(attempts, { ...requested, amount: '1000', currency: 'UGX' }).kind).toBe('changed')
  })

  test('with a part leaves no room while the session lives', () => {
    const attempts = attempted(802, [{ status: 700, amount: '500' }], EXPIRES_AT - 1)
    expect(planned(attempts, '1000')).toBe('changed')
  })
})

test('of several attempts the one that holds money counts, and a new one has a new number', () => {
  const [paid] = attempted(801, [{ status: 700 }])
  const [failed] = attempted(803, [{ status: 701 }])
  const attempts = [paid!, { ...failed!, attempt: 2 }]
  expect(planAttempt(attempts, requested)).toEqual({ kind: 'resume', checkout: paid })
  expect(planAttempt([failed!, { ...failed!, attempt: 2 }], requested)).toEqual({
    kind: 'create',
    attempt: 3,
  })
})
