import { describe, expect, test } from 'vitest'

import { planAttempt, refuseAfterRefusals, refuseChanged } from '../../../server/checkouts/plan.ts'
import { determineOutcome } from '../../../server/checkouts/record.ts'
import { announce, transition } from '../../../server/checkouts/transition.ts'
import { viewOf } from '../../../server/checkouts/view.ts'
import { DAY, MINUTE } from '../../support/worlds/observed.ts'
import {
  ABANDONED,
  EXPIRES_AT,
  INTENDED,
  KEPT,
  openCheckout,
  PAID,
  PART,
  statusOf,
} from '../../support/worlds/open-checkout.ts'

import type { Checkout, IntendedCheckout } from '../../../server/checkouts/record.ts'
import type { CheckoutStatus } from '../../../server/contract/status.ts'
import type { Says } from '../../../server/transactions/resolution.ts'
import type { Paid } from '../../support/worlds/open-checkout.ts'

const OPEN = openCheckout()
const { requested } = KEPT
const abandoned: Checkout = { ...OPEN, record: ABANDONED }
const refused: Checkout = {
  ...OPEN,
  record: { phase: 'refused', ...KEPT, why: 'No.', refusal: null },
}

function reported(
  status: CheckoutStatus,
  payments: readonly Paid[] = [],
  at = EXPIRES_AT + 30 * DAY,
  checkout: Checkout = OPEN,
): Checkout {
  return { ...checkout, record: transition(checkout, statusOf(status, payments), at).record }
}

const planned = (attempts: Checkout[], terms: Partial<typeof requested> = {}) =>
  planAttempt(attempts, { ...requested, ...terms }).kind

test('the first attempt has number 1, and an attempt that never opened is followed by number 2', () => {
  expect(planAttempt([], requested)).toEqual({ kind: 'create', attempt: 1 })
  expect(planAttempt([abandoned], requested)).toEqual({ kind: 'create', attempt: 2 })
})

test('an attempt that certainly never reached the gateway is started again, and does not count', () => {
  const unsent: Checkout = { ...abandoned, attempt: 2, sent_at: null }
  expect(planAttempt([abandoned, unsent], requested)).toEqual({ kind: 'create', attempt: 2 })
  expect(planAttempt([unsent], requested, [{ attempt: 3, outcome: 'expired' }])).toEqual({
    kind: 'create',
    attempt: 4,
  })
  expect(refuseAfterRefusals([...Array(4).fill(refused), unsent])).toBeNull()
  const restarted = { kind: 'restarted', record: INTENDED } as const
  expect(transition(unsent, restarted, EXPIRES_AT).record).toBe(INTENDED)
  const sent: Checkout = { ...abandoned, record: INTENDED }
  for (const checkout of [abandoned, refused, OPEN, sent]) {
    expect(transition(checkout, restarted, EXPIRES_AT)).toEqual({
      record: checkout.record,
      historyEntry: null,
    })
  }
})

describe('another start of an order whose attempt was not sent yet', () => {
  const unsent: Checkout = { ...abandoned, record: INTENDED, sent_at: null }
  const page = { variant: 'charge', request: null } as const
  const visit = { ...INTENDED.visit, order_digests: ['of the second page'] }
  const asked: IntendedCheckout = { ...INTENDED, call: page, visit }
  const restart = (checkout: Checkout, record = asked) =>
    transition(checkout, { kind: 'restarted', record }, EXPIRES_AT).record

  test('another start takes the place of an attempt that was not sent, for both pages', () => {
    const first = { ...INTENDED, visit: { ...INTENDED.visit, order_digests: ['of the first page'] } }
    expect(restart({ ...unsent, record: first })).toEqual({
      ...asked,
      visit: { ...visit, order_digests: ['of the first page', 'of the second page'] },
    })
  })

  test('another start for other terms leaves an attempt that was not sent as it is', () => {
    const other = { ...asked, requested: { ...asked.requested, amount: '10' } }
    expect(restart(unsent, other)).toBe(INTENDED)
  })

  test('another start gives up an attempt whose data cannot be read', () => {
    const unread = { ...INTENDED, requested: { ...INTENDED.requested, narration: null } }
    expect(restart({ ...unsent, record: unread })).toMatchObject({ phase: 'abandoned' })
  })
})

test.each([abandoned, refused])('a checkout that had ended, and is paid, is paid late, once: %#', (ended) => {
  const observation = statusOf(801, PAID)
  const { record } = transition(ended, observation, EXPIRES_AT)
  const paid = { ...ended, record }
  expect(announce(ended, paid).events).toContain('paid_late')
  expect(transition(paid, observation, EXPIRES_AT)).toEqual({ record, historyEntry: null })
  expect(determineOutcome(paid).outcome).toBe('paid')
  expect([planned([ended]), planned([paid])]).toEqual(['create', 'resume'])
})

test('a session that expired leaves its order once a payment of its last minute would be reported', () => {
  expect(planned([reported(820, [], EXPIRES_AT)])).toBe('resume')
  expect(planned([reported(820, [], EXPIRES_AT + 2 * MINUTE - 1)])).toBe('resume')
  expect(planned([reported(820, [], EXPIRES_AT + 2 * MINUTE)])).toBe('create')
  // The gateway ended it before its time.
  const early = reported(820, [], EXPIRES_AT - 10 * MINUTE)
  expect(planned([early])).toBe('resume')
  expect(planned([reported(820, [], EXPIRES_AT - 8 * MINUTE, early)])).toBe('create')
})

test.each([undefined, 851, 850, 802, 803] as const)(
  'a checkout that can be paid is resumed at status %s',
  (status) => {
    const attempts = [status ? reported(status, [], EXPIRES_AT - 1) : OPEN]
    expect(planned(attempts)).toBe('resume')
    expect(planned(attempts, { amount: '1500.00' })).toBe('resume')
  },
)

test.each([
  { amount: '1600' },
  { currency: 'UGX' },
  { stated: { ...requested.stated, service_code: 'ANOTHER' } },
  { stated: { ...requested.stated, account_number: 'ACC-002' } },
  { stated: { ...requested.stated, splits: [{ account: 'PARTNER-001', amount: 100, reason: 'Cloth' }] } },
])('an order with changed terms is refused while its checkout can be paid: %j', (terms) => {
  expect(planned([OPEN], terms)).toBe('changed')
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
    [840, [...PAID, { status: 702, amount: '100' }], true],
    [841, [...PAID, { status: 705, amount: '100' }], true],
    [850, [], true],
    [851, [], true],
  ])(
    'a checkout that ended with %i and %j may hold money: %s, and only then nothing begins',
    (status, payments, holds) => {
      const attempt = reported(status, payments)
      if (!holds) {
        expect(planAttempt([attempt], requested)).toEqual({ kind: 'create', attempt: 2 })
      } else {
        expect(planned([attempt])).toBe('resume')
      }

      expect(planned([attempt], { amount: '1600' })).toBe(holds ? 'changed' : 'create')
    },
  )

  test.each<[CheckoutStatus, Paid[]]>([
    [840, [{ status: 702 }]],
    [841, [{ status: 705 }]],
    [840, []],
    [841, []],
  ])(
    'a checkout that ended with %i and %j, whose money went back, is the last of its order',
    (status, payments) => {
      const attempt = reported(status, payments)
      const returned = { kind: 'returned', checkout: attempt }
      expect(planAttempt([attempt], requested)).toEqual(returned)
      expect(planAttempt([attempt], { ...requested, amount: '1600' })).toEqual(returned)
      expect(planAttempt([attempt, abandoned, reported(820)], requested)).toEqual(returned)
      // As a deleted one is.
      const { outcome } = determineOutcome(attempt)
      expect(planAttempt([], requested, [{ attempt: 1, outcome }])).toEqual({ kind: 'deleted' })
    },
  )

  test.each<[CheckoutStatus, Paid[], CheckoutStatus, Paid[]]>([
    [841, [{ status: 705 }], 801, PAID],
    // Nobody has heard of money that went back.
    [840, [], 803, []],
    [802, PART, 820, []],
  ])(
    'a checkout that ended with %i and %j, and is contradicted by %i, is followed by none',
    (first, before, then, after) => {
      const contradicted = reported(then, after, EXPIRES_AT + 31 * DAY, reported(first, before))
      expect(contradicted.record).toMatchObject({ alarm: { until: 'returned' } })
      expect(planned([contradicted])).toBe('resume')
      expect(planned([contradicted], { amount: '1000' })).toBe('changed')
    },
  )

  test('a checkout that ended and was contradicted needs a person, whatever follows, also when only its outcome is kept', () => {
    const contradicted = reported(820, [], EXPIRES_AT + 31 * DAY, reported(802, PART))
    for (const status of [803, 820] as const) {
      const next = transition(contradicted, statusOf(status, []), EXPIRES_AT + 32 * DAY)
      expect(next).toEqual({ record: contradicted.record, historyEntry: null })
    }

    const returned = reported(840, [{ status: 702 }], EXPIRES_AT + 32 * DAY, contradicted)
    expect(determineOutcome(returned).outcome).toBe('reversed')
  })

  test('a partly paid checkout can be followed by a checkout of exactly the rest, once its session has ended', () => {
    const part = reported(802, PART)
    expect(planned([part], { amount: '1000.00' })).toBe('create')
    expect(planned([part], { amount: '999.99' })).toBe('changed')
    expect(planned([part], { amount: '1000', currency: 'UGX' })).toBe('changed')
    expect(planned([reported(802, PART, EXPIRES_AT - 1)], { amount: '1000' })).toBe('changed')
    // A partial amount under the status 803 (unpaid) is not a partial payment.
    expect(planned([reported(803, PART)], { amount: '1000' })).toBe('changed')
    // The rest may be on its way.
    expect(planned([reported(802, [...PART, { status: 703 }])], { amount: '1000' })).toBe('changed')
  })
})

describe('of several checkouts of an order', () => {
  const part = reported(802, PART)
  const rest: Checkout = {
    ...OPEN,
    attempt: 2,
    record: { ...OPEN.record, requested: { ...requested, amount: '1000' } },
  }
  const live = { ...OPEN, attempt: 2 }
  const late = EXPIRES_AT + MINUTE
  const pending = reported(851, [], late)
  const jammed = reported(850, [], late)
  const review = reported(801, [{ status: 700, amount: '10' }])

  test.each([pending, jammed, review, part, reported(803, [{ status: 703 }], late)])(
    'of several checkouts of an order, one that holds or moves money comes before a live one: %#',
    (held) => {
      expect(planAttempt([held, live], requested)).toEqual({ kind: 'resume', checkout: held })
      expect(planned([held, live], { amount: '1600' })).toBe('changed')
      // Of several, a paid one.
      const paid = { ...reported(801, PAID), attempt: 2 }
      expect(planAttempt([held, paid, { ...held, attempt: 3 }], requested)).toEqual({
        kind: 'resume',
        checkout: paid,
      })
    },
  )

  test('a part that was paid leaves the order to the checkout of the rest, while that is live or holds money', () => {
    const kind = (...given: Parameters<typeof planAttempt>) => {
      const plan = planAttempt(...given)
      return 'checkout' in plan ? [plan.kind, plan.checkout.attempt] : [plan.kind]
    }

    const asked = (amount: string) => ({ ...requested, amount })
    for (const held of [
      rest,
      reported(850, [], late, rest),
      reported(801, [{ status: 700, amount: '1000' }], late, rest),
    ]) {
      expect(kind([part, held], asked('1000'))).toEqual(['resume', 2])
    }

    expect(kind([part, rest], asked('1500'))).toEqual(['changed', 2])
    const left = reported(820, [], EXPIRES_AT + 2 * MINUTE, rest)
    expect(kind([part, left], asked('1000'))).toEqual(['create'])
    expect(kind([part, left], asked('1500'))).toEqual(['resume', 1])
    // More money arrived late: what the live checkout asks for is not the rest any more.
    const more = reported(802, [{ status: 700, amount: '700' }], EXPIRES_AT + 31 * DAY, part)
    for (const amount of ['800', '1000']) {
      expect(kind([more, rest], asked(amount))).toEqual(['changed', 1])
    }

    const twice = reported(802, [{ status: 700, amount: '300' }], EXPIRES_AT + 30 * DAY, rest)
    expect(kind([part, twice], asked('700'))).toEqual(['create'])
    expect(kind([review, { ...part, attempt: 2 }], asked('1000'))).toEqual(['changed', 1])
  })
})

test('of several attempts the one with money counts, and a new attempt has a new number', () => {
  const paid = reported(801, PAID)
  const failed = { ...reported(803, [{ status: 701 }]), attempt: 2 }
  for (const later of [failed, { ...OPEN, attempt: 2 }]) {
    expect(planAttempt([paid, later], requested)).toEqual({ kind: 'resume', checkout: paid })
  }

  expect(planAttempt([failed, failed], requested)).toEqual({ kind: 'create', attempt: 3 })
})

describe('a page that can still be paid', () => {
  const resolution = { says: 'not_paid', by: 'Asha', note: 'Ticket 1.', at: EXPIRES_AT } as const
  const foreign = (at: number, checkout: Checkout = OPEN) =>
    reported(801, [{ status: 700, currency: 'UGX' }], at, checkout)
  const END = EXPIRES_AT + 2 * MINUTE

  function resolvedAt(at: number, says: Says = 'not_paid'): Checkout {
    const review = foreign(at)
    const resolved = { kind: 'resolved', resolution: { ...resolution, says }, part: null } as const
    return { ...review, record: transition(review, resolved, at).record }
  }

  test('a page that was resolved as not paid is resumed until its session has ended by the latest answer', () => {
    const open = resolvedAt(END - 1)
    expect(planAttempt([open], requested)).toEqual({ kind: 'resume', checkout: open })
    expect(refuseChanged(open, requested)).toMatchObject({ code: 'order_changed' })
    const repeated = foreign(END, open)
    expect(repeated.record).toMatchObject({ resolution: { says: 'not_paid' } })
    expect(planned([repeated])).toBe('create')
    expect(planned([resolvedAt(END)])).toBe('create')
    const earlier = foreign(END - 1, repeated)
    expect(planned([earlier])).toBe('resume')
  })

  test('a page that was resolved otherwise is not paid again while its session is open', () => {
    expect(planned([resolvedAt(END - 1, 'paid')])).toBe('resume')
    expect(refuseChanged(resolvedAt(END - 1, 'paid'), requested)).toMatchObject({
      code: 'order_not_payable',
    })
    expect(planned([resolvedAt(END - 1, 'returned')])).toBe('returned')
  })

  test('a page of which only payments that went back are listed can be paid while its session is open', () => {
    const open = reported(803, [{ status: 702 }], END - 1)
    expect(viewOf(open, EXPIRES_AT - 1)).toMatchObject({
      outcome: 'reversed',
      settled: false,
      redirect_url: 'https://gateway.example/pay/CHK-1',
    })
    expect(viewOf(open, EXPIRES_AT)).not.toHaveProperty('redirect_url')
    expect(planned([open])).toBe('resume')
    const over = reported(803, [{ status: 702 }], END)
    expect(viewOf(over, EXPIRES_AT - 1)).not.toHaveProperty('redirect_url')
    expect(planned([over])).toBe('returned')
    expect(planned([reported(840, [{ status: 702 }], END - 1)])).toBe('returned')
  })
})

test('an order is not started again after a checkout that held money was pruned', () => {
  for (const outcome of ['paid', 'partial', 'reversed', 'refunded']) {
    expect(planAttempt([OPEN], requested, [{ attempt: 1, outcome }])).toEqual({ kind: 'deleted' })
  }

  for (const outcome of ['expired', 'unpaid']) {
    expect(planAttempt([abandoned], requested, [{ attempt: 2, outcome }])).toEqual({
      kind: 'create',
      attempt: 3,
    })
  }
})

test('an order is started again after four checkouts in a row that the gateway did not take, and not after five', () => {
  const four = [refused, refused, abandoned, refused]
  expect(refuseAfterRefusals(four)).toBeNull()
  expect(refuseAfterRefusals([...four, reported(803), ...four])).toBeNull()
  expect(refuseAfterRefusals([reported(803), ...four, abandoned])).toMatchObject({
    code: 'order_not_payable',
  })
})

test.each([
  [OPEN, 'order_changed', null],
  [
    reported(801, PAID),
    'order_not_payable',
    'not started: money was received for the terms 1500 KES (8d2f6a52',
  ],
] as const)('changed terms are refused, with the reason for the log: %#', (checkout, code, reason) => {
  const refusal = refuseChanged(checkout, { ...requested, amount: '1600' })
  expect(refusal).toMatchObject({ code })
  if (reason) {
    expect(refusal.reason).toContain(reason)
  }
})
