import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Checkout, OpenCheckout } from '../../server/checkouts/record.ts'
import type { CheckoutStatus } from '../../server/contract/status.ts'
import type { Paid } from '../support/open-checkout.ts'
import { transition } from '../../server/checkouts/transition.ts'
import { EXPIRES_AT, openCheckout, payloadOf } from '../support/open-checkout.ts'

const WHILE_OPEN = EXPIRES_AT - 10 * 60_000

/** For each status payments that fit it. */
const PAYMENTS = {
  801: [
    { status: 700, amount: '500' },
    { status: 700, amount: '1000' },
  ],
  802: [{ status: 700, amount: '500' }],
  803: [{ status: 701 }],
  820: [],
  840: [{ status: 702 }],
  841: [{ status: 705 }],
  850: [{ status: 704 }],
  851: [{ status: 703 }],
} as const satisfies Record<CheckoutStatus, readonly Paid[]>

const STATUSES = [801, 802, 803, 820, 840, 841, 850, 851] as const

/**
 * What follows what, and what the merchant hears of it. `kept`: the later answer is not believed, and a person has
 * to look. `same`: the same again. `silent`: a change of which nobody is told.
 */
const FOLLOWING = {
  //     801          802        803       820        840         841         850                851
  801: ['same     ', 'kept   ', 'kept  ', 'kept   ', 'reversed', 'refunded', 'kept           ', 'kept  '],
  802: ['paid     ', 'same   ', 'silent', 'kept   ', 'reversed', 'refunded', 'needs_attention', 'silent'],
  803: ['paid     ', 'partial', 'same  ', 'expired', 'reversed', 'refunded', 'needs_attention', 'silent'],
  820: ['paid_late', 'partial', 'silent', 'same   ', 'reversed', 'refunded', 'needs_attention', 'silent'],
  840: ['kept     ', 'kept   ', 'kept  ', 'kept   ', 'same    ', 'kept    ', 'kept           ', 'kept  '],
  841: ['kept     ', 'kept   ', 'kept  ', 'kept   ', 'kept    ', 'same    ', 'kept           ', 'kept  '],
  850: ['paid     ', 'partial', 'silent', 'kept   ', 'reversed', 'refunded', 'same           ', 'silent'],
  851: ['paid     ', 'partial', 'silent', 'expired', 'reversed', 'refunded', 'needs_attention', 'same  '],
} as const satisfies Record<CheckoutStatus, readonly string[]>

const PAIRS = STATUSES.flatMap((before) =>
  STATUSES.map((after, column) => [before, after, FOLLOWING[before][column]?.trim() ?? ''] as const),
)

function see(checkout: Checkout<OpenCheckout>, status: CheckoutStatus, askedAt = WHILE_OPEN) {
  const payload = payloadOf(status, PAYMENTS[status])
  const { record, events, historyEntry } = transition(checkout, { kind: 'status', payload }, askedAt)
  if (record.phase !== 'open') throw new Error(`An open checkout became ${record.phase}.`)
  return { checkout: { ...checkout, record }, events, historyEntry }
}

describe('what follows what', () => {
  test.each(PAIRS)('%i, then %i: %s', (before, after, follows) => {
    const first = see(openCheckout(), before)
    const { checkout, events, historyEntry } = see(first.checkout, after)
    const kept = follows === 'kept' || follows === 'same'
    expect(checkout.record.reported?.status).toBe(kept ? before : after)
    const told = follows === 'kept' ? ['needs_attention'] : [follows]
    expect(events).toEqual(follows === 'same' || follows === 'silent' ? [] : told)
    expect(checkout.record.contradiction).toBe(follows === 'kept' ? after : null)
    expect(historyEntry === null).toBe(follows === 'same')
  })
})

describe('the first answer', () => {
  test.each([
    [801, ['paid']],
    [802, ['partial']],
    [803, []],
    [820, ['expired']],
    [840, ['reversed']],
    [841, ['refunded']],
    [850, ['needs_attention']],
    [851, []],
  ] as const)('%i tells the merchant %j', (status, told) => {
    expect(see(openCheckout(), status).events).toEqual(told)
  })
})

describe('each outcome is told once', () => {
  const answers = fc.array(
    fc.record({
      status: fc.constantFrom(...STATUSES),
      askedAt: fc.constantFrom(WHILE_OPEN, EXPIRES_AT, EXPIRES_AT + 2 * 60_000, EXPIRES_AT + 86_400_000),
    }),
    { maxLength: 12 },
  )
  type Answer = { status: CheckoutStatus; askedAt: number }
  const tell = (all: Answer[]) =>
    all.reduce(
      (state, { status, askedAt }) => {
        const next = see(state.checkout, status, askedAt)
        return { checkout: next.checkout, told: [...state.told, ...next.events] }
      },
      { checkout: openCheckout(), told: new Array<string>() },
    )

  test('however often each answer is repeated', () => {
    fc.assert(
      fc.property(answers, (all) => {
        const thrice = all.flatMap((answer) => [answer, answer, answer])
        expect(tell(thrice)).toEqual(tell(all))
      }),
    )
  })

  test('and money that came in once was paid once', () => {
    fc.assert(
      fc.property(answers, (all) => {
        const { told } = tell(all)
        const paid = told.filter((type) => type === 'paid' || type === 'paid_late')
        expect(paid.length).toBeLessThanOrEqual(1)
        if (told.includes('reversed') || told.includes('refunded'))
          expect(['reversed', 'refunded']).toContain(told.findLast((type) => type !== 'needs_attention'))
      }),
    )
  })
})

describe('money that changes under the same status', () => {
  const part = (amount: string) => payloadOf(802, [{ status: 700, amount }])
  const full = (amount: string) => payloadOf(801, [{ status: 700, amount }])
  function after(...payloads: ReturnType<typeof part>[]): string[] {
    let checkout: Checkout = openCheckout()
    return payloads.flatMap((payload) => {
      const { record, events } = transition(checkout, { kind: 'status', payload }, WHILE_OPEN)
      checkout = { ...checkout, record }
      return events
    })
  }

  test('is told for each further part', () => {
    expect(after(part('200'), part('200.00'), part('700'))).toEqual(['partial', 'partial'])
  })

  test('is told for an excess that comes after the payment', () => {
    expect(after(full('1500'), full('1600'), full('1600'))).toEqual(['paid', 'overpaid'])
  })

  test('that contradicts a payment is for a person to look at', () => {
    expect(after(full('1500'), full('900'))).toEqual(['paid', 'review'])
  })

  test('and back, as when an answer left a record out, is not paid a second time', () => {
    const bare = (amount: string) => payloadOf(801, [], { amount })
    expect(after(full('1500'), bare('1500'), full('1500'))).toEqual(['paid', 'review'])
    expect(after(full('1600'), bare('1600'), full('1600'))).toEqual(['paid', 'overpaid', 'review'])
    expect(after(bare('1500'), full('1500'), bare('1500'), full('1500'))).toEqual([
      'review',
      'paid',
      'review',
    ])
  })
})

describe('a checkout that the gateway no longer knows', () => {
  test('keeps what was known, and asks for attention once', () => {
    const paid = see(openCheckout(), 801).checkout
    const lost = transition(paid, { kind: 'unknown' }, WHILE_OPEN)
    expect(lost.events).toEqual(['needs_attention'])
    expect(lost.record).toMatchObject({ phase: 'open', unknown_at: WHILE_OPEN, reported: { status: 801 } })
    expect(transition({ ...paid, record: lost.record }, { kind: 'unknown' }, WHILE_OPEN).events).toEqual([])
  })
})
