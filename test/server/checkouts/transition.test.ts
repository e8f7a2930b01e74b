import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { determineOutcome } from '../../../server/checkouts/record.ts'
import { SERVED } from '../../../server/payins/service-confirmation.ts'
import { UNDECIDED } from '../../../server/transactions/kind.ts'
import { FORGOTTEN } from '../../../server/transactions/missing-report.ts'
import { DAY, MINUTE, missedAt, SENT, STOOD } from '../../support/worlds/observed.ts'
import {
  ABANDONED as abandoned,
  checkoutOf as row,
  checkoutRules,
  END,
  EXPIRES_AT,
  INTENDED as intended,
  KEPT,
  LAST,
  OPEN,
  PAID,
  PART,
  PROMPT as prompt,
  statusOf as status,
  WITH_SPLITS as shared,
} from '../../support/worlds/open-checkout.ts'

import type { CheckoutRecord, IntendedCheckout, OpenCheckout } from '../../../server/checkouts/record.ts'
import type { Observation } from '../../../server/checkouts/transition.ts'
import type { CheckoutStatus } from '../../../server/contract/status.ts'
import type { Alarm } from '../../../server/transactions/alarm.ts'
import type { Paid } from '../../support/worlds/open-checkout.ts'

const refusal = { status_code: 172, status_description: 'Invalid Service Code', message: '' }

const refused: CheckoutRecord = { phase: 'refused', ...KEPT, why: 'No.', refusal }
const alarm: Alarm = { why: 'It differs.', until: 'returned' }
const { observe, expectUnchanged } = checkoutRules
const unknown: Observation = { kind: 'unknown', at: null }
const decided: Observation = { kind: 'decided', decision: SERVED }
const answer = {
  checkout_reference: 'CHK-1',
  charge_request_id: null,
  redirect_url: 'https://gateway.example/pay/CHK-1',
  expires_at: '2026-11-21T09:30:00Z',
}
const opened: Observation = { kind: 'acknowledged', answer, at: null }
const refuse: Observation = { kind: 'refused', why: 'No.', refusal }
const { record: paid } = observe(OPEN, status(801, PAID))
const asked = (...payments: Paid[]) => observe({ ...OPEN, prompt }, status(803, payments)).record
test.each<[string, CheckoutRecord, string, boolean]>([
  ['before its session', intended, 'waiting', false],
  ['that is stuck', { ...intended, stuck: 'It is stuck.' }, 'review', false],
  ['that the phone asks for', asked(), 'waiting', false],
  ['that the phone still asks for', asked({ status: 703 }), 'waiting', false],
  ['that was declined on the phone', asked({ status: 701 }), 'unpaid', true],
  ['that the gateway refused', refused, 'expired', true],
  ['that the gateway contradicted', { ...refused, refusal: null }, 'review', true],
  ['that the shopper left', abandoned, 'expired', true],
  ['never reported', OPEN, 'waiting', false],
  ['unknown during its session', observe(OPEN, [END - 1, unknown]).record, 'waiting', false],
  ['unknown after its session', { ...OPEN, gone_at: END }, 'expired', true],
  [
    'that was prompted, and is unknown',
    observe({ ...OPEN, prompt }, ...missedAt(END, unknown)).record,
    'review',
    false,
  ],
  ['paid, and unknown since', observe(paid, ...missedAt(END, unknown)).record, 'paid', true],
])('the outcome of a checkout %s', (_, record, outcome, settled) => {
  expect(determineOutcome(row(record))).toEqual({ outcome, settled, discrepancy: null })
})

const PAYMENTS = {
  801: PAID,
  802: PART,
  803: [{ status: 701 }],
  820: [],
  840: [{ status: 702 }],
  841: [{ status: 705 }],
  850: [{ status: 704 }],
  851: [{ status: 703 }],
} as const satisfies Record<CheckoutStatus, readonly Paid[]>
const STATUSES = [801, 802, 803, 820, 840, 841, 850, 851] as const

/**
 * The effect of each reported status (column) after each earlier status (row; 0 if there is none).
 *
 * An effect is an event type, `same` (no change), `silent` (a change without an event) or `kept` (the earlier status
 * stays, and a `needs_attention` event occurs once it has stood).
 */
const FOLLOWING = {
  //     801          802        803       820        840         841         850                851
  0: ['paid     ', 'partial', 'silent', 'silent ', 'reversed', 'refunded', 'needs_attention', 'silent'],
  801: ['same     ', 'kept   ', 'kept  ', 'kept   ', 'reversed', 'refunded', 'kept           ', 'kept  '],
  802: ['paid     ', 'same   ', 'kept  ', 'kept   ', 'reversed', 'refunded', 'kept           ', 'kept  '],
  803: ['paid     ', 'partial', 'same  ', 'silent ', 'reversed', 'refunded', 'needs_attention', 'silent'],
  820: ['paid     ', 'partial', 'silent', 'same   ', 'reversed', 'refunded', 'needs_attention', 'silent'],
  // What says only that nothing is left after a return says nothing new.
  840: ['kept     ', 'kept   ', 'same  ', 'same   ', 'same    ', 'refunded', 'kept           ', 'kept  '],
  841: ['kept     ', 'kept   ', 'same  ', 'same   ', 'reversed', 'same    ', 'kept           ', 'kept  '],
  850: ['paid     ', 'partial', 'silent', 'kept   ', 'reversed', 'refunded', 'same           ', 'silent'],
  851: ['paid     ', 'partial', 'silent', 'silent ', 'reversed', 'refunded', 'needs_attention', 'same  '],
} as const satisfies Record<CheckoutStatus | 0, readonly string[]>

test.each(
  ([0, ...STATUSES] as const).flatMap((before) =>
    STATUSES.map((after, column) => [before, after, FOLLOWING[before][column]?.trim() ?? ''] as const),
  ),
)('%i, then %i: %s', (before, after, follows) => {
  const first = before === 0 ? OPEN : observe(OPEN, status(before, PAYMENTS[before])).record
  const again = status(after, PAYMENTS[after])
  const { record, events, historyEntry } = observe(first, follows === 'kept' ? [STOOD, again] : again)
  switch (follows) {
    case 'same':
      return expectUnchanged(first, again)
    case 'kept':
      expect(record).toEqual({
        ...first,
        told: [...new Set([...first.told, 'needs_attention'])],
        alarm: { why: historyEntry, until: 'returned' },
        consulted: { about: [expect.any(String)], says: null },
      })
      expect(historyEntry).toMatch(
        new RegExp(`^The gateway said ${after}( with .+)? after ${before}, which is kept\\.$`),
      )
      expectUnchanged(record, status(before || 803, PAYMENTS[before || 803]), status(after, PAYMENTS[after]))
      return expect(events).toEqual(['needs_attention'])
    default:
      expect(record).toMatchObject({ reported: { status: after }, alarm: null })
      expect(historyEntry).not.toBeNull()
      return expect(events).toEqual(follows === 'silent' ? [] : [follows])
  }
})

test.each([801, 802, 840, 841, 850] as const)(
  'after %i, an answer from before changes nothing for two minutes',
  (before) => {
    const { record } = observe(OPEN, status(before, PAYMENTS[before]))
    for (const [column, after] of STATUSES.entries()) {
      const earlier = status(after, PAYMENTS[after])
      if (FOLLOWING[before][column]?.trim() !== 'kept') {
        continue
      }

      expectUnchanged(record, earlier)
      expect(observe(record, [STOOD - 1, earlier])).toMatchObject({ record, events: [] })
      expect(observe(record, [STOOD, earlier])).toMatchObject({ events: ['needs_attention'] })
    }
  },
)

const old: Paid = { status: 700, id: 'old' }
const gone: Paid = { status: 702, id: 'old' }
const repaid = (status: Paid['status'], amount = '1500'): Paid => ({ status, amount, id: 'new' })

describe.each([840, 841] as const)('after %i', (code) => {
  const returned = observe(OPEN, status(801, [old]), status(code, [gone]))

  test.each<[ReturnType<typeof status>, string[]]>([
    [status(801, [gone, repaid(700)]), ['paid_late']],
    [status(801, [repaid(700)]), ['paid_late']],
    [status(802, [gone, repaid(700, '500')]), ['partial']],
    [status(850, [gone, repaid(704)]), ['needs_attention']],
    [status(851, [repaid(703)]), []],
    [status(803, [gone, repaid(706)]), []],
  ])('another payment is new money: %#', (after, events) => {
    const { record, ...result } = observe(returned.record, after)
    expect(record).toMatchObject({ alarm: null, reported: { status: after.payload.status } })
    expect(result.events).toEqual(events)
  })

  test.each([
    [status(801, [old])],
    [status(801, [], { amount: '1500' })],
    [status(802, [{ ...old, amount: '500' }])],
    [status(851, [{ ...old, status: 703 }])],
    [status(851, [])],
    [status(801, [])],
    [status(801, [gone], { amount: '1500' })],
  ])('a payment that went back is none, nor is a payment without an id: %#', (after) => {
    expectUnchanged(returned.record, after)
    expect(observe(returned.record, [STOOD, after]).events).toEqual(['needs_attention'])
  })

  test.each([
    status(803, []),
    status(803, [gone]),
    status(803, [gone, old]),
    status(803, [gone, repaid(701)]),
    status(820, []),
  ])('a report that claims nothing more than what was left is no contradiction: %#', (after) => {
    expectUnchanged(returned.record, [STOOD, after])
  })

  test('a payment that is listed with the return already is new', () => {
    const both = [gone, repaid(700)]
    const { record, events } = observe(returned.record, status(code, both, { amount: '1500' }))
    expect(events).toEqual(['paid_late'])
    expectUnchanged(record, [STOOD, status(801, both, { amount: '1500' })])
  })

  test('a return of money that nobody has heard of is contradicted by a report of none', () => {
    const { record } = observe(OPEN, status(code, []))
    expect(observe(record, [STOOD, status(803, [])]).events).toEqual(['needs_attention'])
  })

  test.each([801, 802, 803] as const)(
    'what was left of the money stays paid under %i, which claims no more',
    (status_) => {
      const kept: Paid = { status: 700, id: 'kept' }
      const left = [kept, { status: code === 840 ? 702 : 705, id: 'old' } as const]
      const { record } = observe(OPEN, status(801, [kept, old]), status(code, left, { amount: '1500' }))
      expect(determineOutcome(row(record))).toMatchObject({ outcome: 'paid' })
      expectUnchanged(record, [STOOD, status(status_, left, { amount: '1500' })])
      expectUnchanged(record, [STOOD, status(status_, [], { amount: '1500' })])
      expect(observe(record, [STOOD, status(status_, [kept, old])]).events).toEqual(['needs_attention'])
    },
  )

  test('another payment that fails leaves it as it was: nobody pays a second time', () => {
    const { events } = observe(returned.record, status(851, [repaid(703)]), [END, status(803, [repaid(701)])])
    expect(events).toEqual(['needs_attention'])
  })
})

test.each<[string, Observation, Observation]>([
  ['a part', status(802, PART), status(803, [])],
  ['a part, for which another came', status(802, PART), status(802, [{ ...PART[0]!, amount: '400' }])],
  ['what cannot be read', status(803, [], { unreadable: 1 }), status(850, [])],
  ['what cannot be read, which fails', status(803, [], { unreadable: 1 }), status(803, [{ status: 701 }])],
  ['an excess', status(801, [{ status: 700, amount: '3000' }]), status(801, PAID)],
])('%s is not gone without a return', (_, before, after) => {
  const { record } = observe(OPEN, before)
  expectUnchanged(record, after)
  const later = observe(record, [STOOD, after], [END, status(803, [])])
  expect(later.record).toMatchObject({ alarm: { until: 'returned' } })
  expect(later.events).not.toContain('unpaid')
})

test('a part stays when only the rest is listed, which is on its way', () => {
  const { record } = observe(OPEN, status(802, PART), status(851, [{ status: 703, id: 'rest' }]))
  expect(determineOutcome(row(record))).toMatchObject({ outcome: 'pending' })
  const failed = observe(record, [STOOD, status(803, [])])
  expect(failed.record).toMatchObject({ alarm: { until: 'returned' } })
  expect(failed.events).not.toContain('unpaid')
})

test('an answer from before is recognized for two minutes after money came, whatever the status was before', () => {
  const both = status(801, [...PAID, { status: 700 }])
  const { record } = observe(OPEN, status(801, PAID), [END, both])
  expectUnchanged(record, [END + 2 * MINUTE - 1, status(801, PAID)])
  expect(observe(record, [END + 2 * MINUTE, status(801, PAID)]).events).toEqual(['needs_attention'])
})

describe('for every answer of the gateway at every time', () => {
  const at = fc.constantFrom(SENT, EXPIRES_AT, END, EXPIRES_AT + DAY)
  const reported = fc.constantFrom(...STATUSES).map((code) => status(code, PAYMENTS[code]))
  const answers = fc.array(fc.tuple(at, reported), { maxLength: 12 })

  test('for every answer at every time, each outcome causes one event, however often an answer is repeated', () => {
    fc.assert(
      fc.property(answers, (all) => {
        const { record, events } = observe(OPEN, ...all)
        const thrice = all.flatMap((one) => [one, one, one])
        expect(observe(OPEN, ...thrice)).toMatchObject({ record, events })
      }),
    )
  })

  test('received money causes one paid event, until it goes back', () => {
    fc.assert(
      fc.property(answers, (all) => {
        const events: string[] = observe(OPEN, ...all).events
        const isPaid = (type: string | undefined) => type === 'paid' || type === 'paid_late'
        const ofMoney = events.filter((type) => isPaid(type) || type === 'reversed' || type === 'refunded')
        expect(ofMoney.some((type, index) => isPaid(type) && isPaid(ofMoney[index - 1]))).toBe(false)
      }),
    )
  })
})

const left = (code: 840 | 841, amount: string, ...payments: Paid[]) => status(code, payments, { amount })
const paying = (...amounts: string[]): Paid[] => amounts.map((amount) => ({ status: 700, amount }))
const back = (code: 702 | 705, amount: string): Paid => ({ status: code, amount })

test.each<[string, Paid[], Observation, outcome: string, discrepancy: string | null, events: string[]]>([
  [
    'the excess of two payments',
    paying('1500', '300'),
    left(841, '1500', ...paying('1500'), back(705, '300')),
    'paid',
    null,
    ['overpaid'],
  ],
  [
    'the excess of one',
    paying('1800'),
    left(841, '1500.00', ...paying('1800'), back(705, '300')),
    'paid',
    null,
    ['overpaid'],
  ],
  [
    'a part of the excess',
    paying('1500', '300'),
    left(841, '1600', ...paying('1500'), back(705, '200')),
    'paid',
    'excess',
    ['overpaid'],
  ],
  [
    'one of two whole payments',
    paying('1500', '1500'),
    left(840, '1500', ...paying('1500'), back(702, '1500')),
    'paid',
    null,
    ['overpaid'],
  ],
  [
    'more than the excess',
    paying('1500', '300'),
    left(841, '1499', { ...back(705, '1'), id: 'TX-0' }, { ...back(705, '300'), id: 'TX-1' }),
    'refunded',
    null,
    ['refunded'],
  ],
  [
    'everything, by its status alone',
    paying('1500', '300'),
    left(841, '1800', ...paying('1500', '300')),
    'refunded',
    null,
    ['refunded'],
  ],
  [
    'one of two whole payments, which the total still counts',
    paying('1500', '1500'),
    left(841, '3000', ...paying('1500'), back(705, '1500')),
    'paid',
    null,
    ['overpaid'],
  ],
  [
    'the only payment, which is listed with its return',
    [{ status: 700, id: 'T' }],
    left(840, '1500', { status: 700, id: 'T' }, { status: 702, id: 'T' }),
    'reversed',
    null,
    ['reversed'],
  ],
  [
    'the only payment, which is listed with its return by its receipt,',
    paying('1500'),
    left(840, '1500', { status: 700, receipt: 'QK71P0ZX' }, { status: 702, receipt: 'QK71P0ZX' }),
    'reversed',
    null,
    ['reversed'],
  ],
  [
    'the only payment, or one that nobody had heard of,',
    paying('1500'),
    left(840, '1500', ...paying('1500'), back(702, '1500')),
    'review',
    'amount',
    ['review'],
  ],
  [
    'a part of other money',
    paying('1500', '300'),
    left(841, '1500', { status: 700, currency: 'UGX' }, back(705, '300')),
    'refunded',
    null,
    ['refunded'],
  ],
])('paid, and %s goes back', (_, payments, after, outcome, discrepancy, events) => {
  const paid = observe(OPEN, status(801, payments))
  const { record, ...result } = observe(paid.record, after)
  expect(determineOutcome(row(record))).toEqual({ outcome, settled: true, discrepancy })
  expect(result.events).toEqual(events)
})

test('money that is left can be decided about, and none that went back', () => {
  const decide = (after: Observation) => {
    const { record } = observe(shared, status(801, paying('1500', '300')), after, {
      kind: 'decided',
      decision: { status: 'SUCCESSFUL', narration: 'Shipped.' },
    })
    return record
  }

  const kept = decide(left(841, '1500', ...paying('1500'), back(705, '300')))
  expect(kept).toMatchObject({ confirmation: { payments: [{ stage: 'decided' }, { stage: 'open' }] } })
  const gone = decide(left(841, '0', back(705, '1500'), back(705, '300')))
  expect(gone).toMatchObject({ confirmation: { payments: [{ stage: 'open' }, { stage: 'open' }] } })
})

test('an end that is reported in two ways is told once', () => {
  const { events } = observe(OPEN, [END, status(820, [])], [END, status(820, [{ status: 701 }])])
  expect(events).toEqual(['expired'])
})

const part = (amount: string) => status(802, [{ status: 700, amount }])
const full = (amount: string) => status(801, [{ status: 700, amount }])
const bare = (amount: string) => status(801, [], { amount })
const other = (amount: string) => status(801, [{ status: 701 }], { amount })
const returned = (amount: string, ...more: Paid[]) => {
  const part = { status: 705, amount: String(1500 - Number(amount)), id: 'TX-0' } as const
  return status(841, [...PAID, part, ...more], { amount })
}

test.each<[string, (Observation | [askedAt: number, Observation])[], events: string[]]>([
  ['is told for each further part', [part('200'), part('200.00'), part('700')], ['partial', 'partial']],
  ['whose payments are left out stays paid', [full('1500'), bare('1500'), full('1500')], ['paid']],
  ['is told for a later excess', [full('1500'), full('1600'), full('1600')], ['paid', 'overpaid']],
  [
    'is told when the excess went back',
    [
      full('1600'),
      status(801, [
        { status: 700, amount: '1500' },
        { status: 705, amount: '100' },
      ]),
    ],
    ['paid', 'overpaid', 'overpaid'],
  ],
  [
    'is told for each further refund',
    [returned('500'), returned('300'), returned('300', { status: 701 })],
    ['refunded', 'refunded'],
  ],
  [
    'needs a person if it is gone without a return',
    [full('1500'), [STOOD, full('900')], [STOOD, full('800')]],
    ['paid', 'needs_attention'],
  ],
  ['and back is not paid twice', [full('1500'), other('1500'), full('1500')], ['paid', 'review']],
  [
    'and back is no other excess',
    [full('1600'), other('1600'), full('1600')],
    ['paid', 'overpaid', 'review'],
  ],
  [
    'is told as an excess that was in review before',
    [status(801, PAID), status(801, PAID, { amount: '3000' }), status(801, [...PAID, { status: 700 }])],
    ['paid', 'review', 'overpaid'],
  ],
  [
    'that a record confirms late is paid once',
    [bare('1500'), full('1500'), other('1500'), full('1500')],
    ['review', 'paid', 'review'],
  ],
])('money that changes under the same status %s', (_, observations, events) => {
  expect(observe(OPEN, ...observations).events).toEqual(events)
})

describe('a checkout without acknowledgement', () => {
  test('a checkout without acknowledgement opens with the session of the gateway', () => {
    const historyEntry = 'The gateway opened checkout CHK-1.'
    expect(observe(intended, opened)).toEqual({ record: OPEN, events: [], historyEntry })
    expect(observe({ ...intended, requested: shared.requested }, opened).record).toEqual(shared)
  })

  test('a checkout without acknowledgement expires at the requested time if the gateway names no expiry', () => {
    const endless = { ...answer, checkout_reference: null, expires_at: null }
    expect(observe(intended, [SENT, { kind: 'acknowledged', answer: endless, at: null }])).toMatchObject({
      record: { session: { checkout_reference: null, expires_at: EXPIRES_AT } },
      historyEntry: 'The gateway opened it.',
    })
    const dated = { kind: 'acknowledged', answer: endless, at: SENT + MINUTE } as const
    expect(observe(intended, [SENT + DAY, dated]).record).toHaveProperty(
      'session.expires_at',
      EXPIRES_AT + MINUTE,
    )
    const charged = {
      kind: 'acknowledged',
      answer: { ...endless, charge_request_id: 'CR-1' },
      at: null,
    } as const
    const split = { ...intended, requested: shared.requested }
    expect(observe(split, [SENT, charged]).record).toHaveProperty('session.expires_at', SENT + DAY)
  })

  test.each([
    [intended, 801, PAID, ['paid'], EXPIRES_AT],
    [intended, 851, [{ status: 703 }], [], EXPIRES_AT],
    // Who has tried to pay has the page.
    [{ ...intended, requested: shared.requested }, 803, [{ status: 701 }], [], SENT + DAY],
  ] as const)(
    'a checkout without acknowledgement opens with its first status, and without a page: %#',
    (before, code, payments, events, end) => {
      const first = observe(before, [SENT, status(code, payments)])
      const session = { checkout_reference: null, charge_request_id: null, redirect_url: null }
      expect(first).toMatchObject({
        record: { phase: 'open', session: { ...session, expires_at: end }, reported: { status: code } },
        events,
      })
      // The acknowledgement has the page, even if it arrives later.
      const late = observe(first.record, opened)
      expect(late.record).toEqual({ ...first.record, session: OPEN.session })
      expect(late.historyEntry).toBe('The gateway opened checkout CHK-1.')
      expectUnchanged(late.record, opened)
    },
  )

  test.each([
    [refusal, []],
    [null, ['needs_attention']],
  ])(
    'a checkout without acknowledgement is refused with the message of the gateway, %j; a contradiction needs a person',
    (refusal, events) => {
      const record = { ...refused, refusal, told: events }
      const refuse = { kind: 'refused', why: 'No.', refusal } as const
      const asked = refusal === null ? [] : [[SENT, unknown] as [number, Observation]]
      expect(observe(intended, refuse, ...asked)).toEqual({ record, events, historyEntry: 'No.' })
    },
  )

  test('a checkout without acknowledgement is abandoned when the gateway does not know it after two minutes', () => {
    expectUnchanged(intended, [SENT + 2 * MINUTE - 1, unknown])
    expect(observe(intended, [SENT + 2 * MINUTE, unknown])).toEqual({
      record: abandoned,
      events: [],
      historyEntry: expect.any(String),
    })
  })
})

describe('a page that nobody has', () => {
  const split: IntendedCheckout = {
    ...intended,
    requested: shared.requested,
    call: { variant: 'charge', request: null },
  }
  const empty = status(803, [])

  test('a page that nobody has ends a charge after three queries over two minutes, whether the gateway knows it or not', () => {
    for (const last of [empty, unknown]) {
      const queries: [number, Observation][] = [
        [SENT + MINUTE, unknown],
        [SENT + MINUTE, empty],
        [SENT + 2 * MINUTE, last],
      ]
      expect(observe(split, ...queries).record).toMatchObject({ phase: 'abandoned' })
      expect(observe(split, ...queries.slice(1)).record).toMatchObject({ phase: 'intended', stuck: null })
    }

    const { historyEntry } = observe(split, [SENT + MINUTE, empty])
    expect(historyEntry).toBe('The gateway knows it, and nobody has the address of its page.')
  })

  test('a page that nobody has ends a checkout whose repetition the gateway refused, at the first query', () => {
    const refuse = { kind: 'refused', why: 'No.', refusal } as const
    expect(observe(intended, refuse, [SENT, empty])).toMatchObject({
      record: { phase: 'refused' },
      events: [],
    })
  })

  test('a page that nobody has takes money all the same, which is late', () => {
    const { record } = observe(
      split,
      ...[1, 2, 3].map((n): [number, Observation] => [SENT + n * MINUTE, empty]),
    )
    expect(observe(record, [SENT + 4 * MINUTE, status(801, PAID)]).events).toEqual([
      'needs_attention',
      'paid_late',
    ])
  })
})

describe('a prompt without acknowledgement', () => {
  const prompted: IntendedCheckout = {
    ...intended,
    prompt,
    call: { variant: 'prompt', request: null },
  }
  const acknowledged = (charge_request_id: string, expires_at: string | null): Observation => ({
    kind: 'acknowledged',
    answer: { checkout_reference: null, charge_request_id, redirect_url: null, expires_at },
    at: null,
  })
  const session = { checkout_reference: null, charge_request_id: 'CR-1', redirect_url: null }

  test('a prompt without acknowledgement opens for as long as a session, without a page', () => {
    expect(observe(prompted, [SENT, acknowledged('CR-1', null)])).toEqual({
      record: {
        ...OPEN,
        prompt,
        session: { ...session, expires_at: EXPIRES_AT },
        answered_at: SENT,
        confirmation: UNDECIDED,
      },
      events: [],
      historyEntry: 'The gateway prompts the payer under CR-1.',
    })
  })

  test('a prompt opens with its first status, and then takes the id and the expiry of a late acknowledgement, once', () => {
    const { record } = observe(prompted, [SENT, status(803, [])])
    const unnamed = { ...session, charge_request_id: null, expires_at: EXPIRES_AT }
    expect(record).toMatchObject({ phase: 'open', prompt, session: unnamed })
    for (const [expiry, expires_at] of [
      [null, EXPIRES_AT],
      [answer.expires_at, EXPIRES_AT],
    ] as const) {
      const late = observe(record, acknowledged('CR-1', expiry))
      expect(late.record).toEqual({ ...record, session: { ...session, expires_at } })
      expect(late.historyEntry).toBe('The gateway prompts the payer under CR-1.')
      expectUnchanged(late.record, acknowledged('CR-2', null))
    }
  })

  test('a prompt without acknowledgement needs a person after two minutes if the gateway finds it only by its own id', () => {
    const unfound: Observation = { kind: 'unfound' }
    const missed = observe(prompted, unfound)
    expect(missed.historyEntry).toContain('only by the id in that answer')
    const { record, events } = observe(missed.record, unfound, [SENT + 3 * MINUTE, unfound])
    expect(events).toEqual(['needs_attention'])
    expect(record).toMatchObject({ stuck: expect.stringContaining('only by the id in that answer') })
    expectUnchanged(OPEN, [END, unfound])
  })
})

test('an observation that does not fit the phase changes nothing', () => {
  expectUnchanged(intended, decided)
  const late: [number, Observation] = [END, unknown]
  for (const ended of [refused, abandoned]) {
    expectUnchanged(ended, status(803, []), late)
  }

  expectUnchanged(OPEN, opened, refuse)
})

test.each([refused, abandoned, { ...refused, prompt }])(
  'an answer that opens a checkout which has ended opens it, and a payment is late: %#',
  (ended) => {
    const { record, events } = observe(ended, opened)
    expect(record).toMatchObject({ phase: 'open', session: { redirect_url: answer.redirect_url } })
    expect(events).toEqual([])
    const waits = 'prompt' in ended ? ['needs_attention'] : []
    expect(observe(record, status(801, PAID)).events).toEqual([...waits, 'paid_late'])
  },
)

test('that a checkout ended without money is told once, and that money went back of which was told', () => {
  const unpaid: [number, Observation] = [END, status(803, [])]
  const expired: [number, Observation] = [END, status(820, [])]
  expect(observe(OPEN, unpaid, expired, unpaid, expired).events).toEqual(['unpaid'])
  const part: [number, Observation] = [END, status(802, PART)]
  const returned: [number, Observation] = [END, status(803, [{ ...PART[0]!, status: 702 }])]
  expect(observe(OPEN, unpaid, part, returned, expired).events).toEqual(['unpaid', 'partial', 'reversed'])
})

test.each([
  ['the gateway named', answer.expires_at],
  ['is assumed', null],
])('820 counts two minutes after it was first heard, whatever the end that %s', (_, expires_at) => {
  const acknowledged = { kind: 'acknowledged', answer: { ...answer, expires_at }, at: null } as const
  const { record: opened } = observe(intended, acknowledged)
  for (const at of [SENT + 5 * MINUTE, EXPIRES_AT - 1, EXPIRES_AT]) {
    const { record, events } = observe(opened, [at, status(820, [])])
    expect(events).toEqual([])
    expect(determineOutcome(row(record)).settled).toBe(false)
    expectUnchanged(record, [at + 2 * MINUTE - 1, status(820, [])])

    const ended = observe(record, [at + 2 * MINUTE, status(820, [])])
    expect(ended.events).toEqual(['expired'])
    expectUnchanged(ended.record, [END + DAY, status(820, [])])
    expect(observe(record, [at + 2 * MINUTE, status(801, PAID)]).events).toEqual(['paid'])
  }
})

test('820 ends a prompt at once before its time', () => {
  expect(observe({ ...OPEN, prompt }, status(820, [])).events).toEqual(['expired'])
})

test('a payment that is processed anew after it failed can still be paid', () => {
  const failed = { status: 701, id: 'TX-0' } as const
  for (const anew of [703, 704, 707] as const) {
    const { record } = observe({ ...OPEN, prompt }, [
      END,
      status(803, [failed, { status: anew, id: 'TX-0' }]),
    ])
    expect(determineOutcome(row(record)).settled).toBe(false)
  }

  const { record } = observe({ ...OPEN, prompt }, [END, status(803, [{ status: 703, id: 'TX-0' }, failed])])
  expect(determineOutcome(row(record))).toMatchObject({ outcome: 'unpaid', settled: true })
})

test('an id in a callback changes nothing where the gateway finds the checkout by its reference', () => {
  const named: Observation = { kind: 'named', charge_request_id: 'another' }
  expectUnchanged(OPEN, named)
  expect(observe(shared, named).record).toMatchObject({ named_id: 'another' })
})

test('a new alarm and a jam are told as one event', () => {
  const resolution = { says: 'not_paid', by: 'Asha', note: 'Ticket 1.', at: SENT } as const
  const resolved: Observation = { kind: 'resolved', resolution, part: null }
  const { events } = observe(OPEN, status(850, []), resolved, status(851, []), status(850, [{ status: 704 }]))
  expect(events).toEqual(['needs_attention', 'resolved', 'needs_attention'])
})

describe('an open checkout', () => {
  test('an open checkout stores the reported state', () => {
    const { record, historyEntry } = observe(OPEN, [SENT + 9, status(801, PAID)])
    expect(record).toMatchObject({ settled_at: SENT + 9, told: ['paid'], gone_at: null })
    expect(historyEntry).toBe('The gateway says 801, 1500 received: paid.')
    for (const open of [status(803, []), status(820, [{ status: 703 }])]) {
      expect(observe(OPEN, open)).toMatchObject({ record: { settled_at: null, told: [] } })
    }
  })

  test.each([status(803, []), status(801, PAID)])(
    'an open checkout is known by a report that can follow, which ends no contradiction: %#',
    (next) => {
      const { record } = observe(OPEN, next)
      const doubted = { ...record, alarm } as OpenCheckout
      expectUnchanged(doubted, next, next)
      expect(observe(doubted, status(841, [{ status: 705 }])).record).toMatchObject({ alarm: null })
    },
  )

  test.each([
    [status(803, []), END, ['unpaid']],
    [part('500'), END, ['partial', 'partial']],
    [status(803, [{ status: 703 }]), LAST, ['review']],
    [status(851, []), LAST, ['review']],
    [status(850, []), LAST, ['needs_attention', 'review']],
    [status(803, PAID), END, ['review']],
    [status(820, [], { amount: '1500' }), STOOD, ['review']],
    [status(803, [], { unreadable: 1 }), END, ['review']],
  ])(
    'an open checkout stores the end of the same report after its session: %#',
    (same, settled_at, events) => {
      const { record, ...told } = observe(OPEN, same, [settled_at, same])
      expect({ record, ...told }).toMatchObject({ record: { settled_at }, events })
      expectUnchanged(record, [settled_at + DAY, same])
    },
  )
})

describe('whether the session is over', () => {
  const askedAt = SENT + 9 * MINUTE
  const dated = (observation: Observation, at: number) => ({ ...observation, at }) as Observation
  /** The observation, at the end of two minutes in which the gateway says the same. */
  const said = (askedAt: number, observation: Observation, at: number): [number, Observation][] => [
    [askedAt - 2 * MINUTE, dated(observation, at - 2 * MINUTE)],
    [askedAt, dated(observation, at)],
  ]

  test.each<[Observation, event: string]>([
    [status(803, []), 'unpaid'],
    [part('500'), 'partial'],
    [unknown, 'expired'],
  ])(
    'the clock of the gateway says whether the session is over, and this one only without a Date: %#',
    (observation, event) => {
      const before = observe(OPEN, ...said(END + DAY, observation, END - 1))
      expect(before.record).toMatchObject({ settled_at: null })
      const over = observe(OPEN, ...said(askedAt, observation, END))
      // When a checkout was settled is told by this server's clock, which times the next queries.
      expect(over.record).toMatchObject({ settled_at: askedAt })
      expect(over.events).toContain(event)
      const undated = observe(OPEN, [END - 2 * MINUTE, observation], [END, observation])
      expect(undated.record).toMatchObject({ settled_at: END })
    },
  )

  test('a first status says when the session ends', () => {
    const first = { ...status(803, [{ status: 701 }]), at: SENT + MINUTE }
    expect(observe(intended, [END, first]).record).toMatchObject({
      session: { expires_at: EXPIRES_AT + MINUTE },
      reported: { at: SENT + MINUTE },
    })
  })
})

describe('an open checkout that the gateway does not know', () => {
  test('an open checkout that the gateway does not know needs a person after two minutes, and expires with its session', () => {
    const first = observe(OPEN, [SENT, unknown])
    expect(first).toMatchObject({ events: [], historyEntry: null })
    expectUnchanged(first.record, [SENT + 2 * MINUTE - 1, unknown])
    const lost = observe(first.record, [SENT + 2 * MINUTE, unknown])
    expect(lost).toMatchObject({
      record: { alarm: { until: 'reported' }, gone_at: null, settled_at: null },
      events: ['needs_attention'],
      historyEntry: expect.any(String),
    })
    expectUnchanged(lost.record, [END - 1, unknown])
    const over = observe(lost.record, [END, unknown])
    const historyEntry: unknown = expect.any(String)
    expect(over).toMatchObject({ record: { settled_at: END }, events: ['expired'], historyEntry })
    expectUnchanged(over.record, [END + MINUTE, unknown])
    const known = observe(over.record, status(801, PAID))
    expect(known).toMatchObject({ record: { gone_at: null, alarm: null }, events: ['paid_late'] })
  })

  test('an open checkout is known if one of two servers of the gateway knows it', () => {
    const flapping = [1, 2, 3, 4, 5].flatMap((minute): [number, Observation][] => [
      [SENT + minute * MINUTE, unknown],
      [SENT + minute * MINUTE + 30_000, status(803, [])],
    ])
    expect(observe(OPEN, ...flapping)).toMatchObject({
      record: { alarm: null, missing_since: null },
      events: [],
    })
  })

  test.each([
    [status(803, []), END, 'unpaid'],
    [status(803, [{ status: 703 }]), LAST, 'review'],
    [status(851, []), LAST, 'review'],
    [part('500'), END, 'partial'],
  ])(
    'an open checkout that the gateway does not know ends with what the gateway last reported, and one event: %#',
    (reported, end, event) => {
      const known = observe(OPEN, reported)
      const missed = missedAt(end - 1, unknown)
      const { record, events } = observe(known.record, ...missed, [end, unknown], [end + DAY, unknown])
      expect(events).toEqual(['needs_attention', event])
      expect(record).toMatchObject({ settled_at: end })
    },
  )

  test('a settled checkout that the gateway does not know is forgotten, which is a line of its history', () => {
    const at = SENT + 9 * MINUTE
    const lost = observe(paid, [at, unknown])
    expect(lost).toEqual({ record: { ...paid, missing_since: at }, events: [], historyEntry: FORGOTTEN })
    expectUnchanged(lost.record, [at + DAY, unknown])
  })

  test('a prompt that the gateway does not know never ends by it: a person has to look', () => {
    const prompted = { ...OPEN, prompt }
    const { record, events } = observe(prompted, ...missedAt(END, unknown), [END + DAY, unknown])
    expect(events).toEqual(['needs_attention', 'review'])
    expect(record).toMatchObject({ alarm: { until: 'reported' }, settled_at: null, gone_at: null })
    expect(observe(record, status(801, PAID)).events).toEqual(['paid'])
  })
})
