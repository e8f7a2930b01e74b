import { expect, test } from 'vitest'

import { determineOutcome } from '../../../server/checkouts/record.ts'
import { SERVED } from '../../../server/payins/service-confirmation.ts'
import { MINUTE, missedAt, overdue, SENT, STOOD } from '../../support/worlds/observed.ts'
import {
  ABANDONED as abandoned,
  checkoutOf as row,
  checkoutRules,
  END,
  INTENDED as intended,
  OPEN,
  PAID,
  PART,
  PROMPT as prompt,
  statusOf as status,
  WITH_SPLITS as shared,
} from '../../support/worlds/open-checkout.ts'

import type { OpenCheckout } from '../../../server/checkouts/record.ts'
import type { Observation } from '../../../server/checkouts/transition.ts'
import type { Paid } from '../../support/worlds/open-checkout.ts'

type Timed = Observation | [askedAt: number, Observation]

const { observe, expectUnchanged } = checkoutRules
const decided = (status: 'SUCCESSFUL' | 'FAILED'): Observation => ({
  kind: 'decided',
  decision: { ...SERVED, status },
})
const taken = (status: 'SUCCESSFUL' | 'FAILED'): Observation => ({
  kind: 'answered',
  answer: { stage: 'confirmed', decision: { ...SERVED, status, payment_id: 'TX-0' }, message: null },
})
const unknown: Observation = { kind: 'unknown', at: null }

test.each<[string, Timed[], held: Paid[], events: string[]]>([
  ['expired', [[END, status(820, [])]], [], ['expired']],
  ['unpaid', [[END, status(803, [])]], [], ['unpaid']],
  ['unknown', missedAt(END, unknown), [], ['needs_attention', 'expired']],
  ['partial', [[END, status(802, PART)]], PART, ['partial']],
])('what is paid after it ended as %s is late, whatever lay between', (_, end, held, events) => {
  const between: [Observation[], string[]][] = [
    [[], []],
    [[status(851, [...held, { status: 706 }])], []],
    [[status(850, [...held, { status: 704 }])], ['needs_attention']],
    [[status(803, [...held, { status: 703 }])], held.length > 0 ? ['review'] : []],
    [[status(801, [{ status: 700, account: 'ACC-009' }])], ['review']],
  ]
  for (const [others, more] of between) {
    for (const [before, waits] of [
      [OPEN, []],
      // A person decides about the service.
      [shared, ['needs_attention']],
    ] as const) {
      const late = observe(before, ...end, ...others, status(801, PAID), status(801, PAID))
      expect(late.events).toEqual([...events, ...more, ...waits, 'paid_late'])
      expect(late.record.told).toEqual(expect.arrayContaining(late.events))
    }
  }
})

test('what is paid after an end that is in doubt is late', () => {
  const contradicted: Timed[] = [status(850, [{ status: 704 }]), [STOOD, status(820, [])]]
  const { events } = observe(OPEN, ...contradicted, [END, status(803, [])], status(801, PAID))
  expect(events).toEqual(['needs_attention', 'needs_attention', 'review', 'paid_late'])
})

test('a part that was paid during the session is no end', () => {
  const observations = [status(802, PART), status(851, PART), status(801, PAID)]
  expect(observe(OPEN, ...observations).events).toEqual(['partial', 'paid'])
})

test('a checkout at its last deadline that has not ended is under review, and a payment is late', () => {
  const { record, ...result } = observe(OPEN, status(851, []), overdue)
  expect(result.events).toEqual(['needs_attention', 'review'])
  expect(determineOutcome(row(record))).toMatchObject({ outcome: 'review', settled: true })
  expectUnchanged(record, overdue, status(851, []))
  expect(observe(record, status(801, PAID)).events).toEqual(['paid_late'])
  expect(observe(record, [END, status(820, [])]).events).toEqual(['expired'])
})

test('at its last deadline, an unacknowledged checkout is given up; after a lost answer, a prompt needs a person', () => {
  expect(observe(intended, overdue)).toMatchObject({ record: abandoned, events: [] })
  const prompted = observe(
    { ...intended, prompt, call: { variant: 'prompt', request: null } as const },
    overdue,
    overdue,
  )
  expect(prompted).toMatchObject({ record: { phase: 'intended' }, events: ['needs_attention'] })
  expectUnchanged(abandoned, overdue)
  const mismatch = observe(prompted.record, status(801, [{ status: 700, account: 'ACC-009' }]))
  expect(mismatch.events).toEqual(['review'])
})

test('a checkout at its last deadline needs a person if the requested refund was not reported', () => {
  const { record } = observe(shared, status(801, PAID), decided('FAILED'), taken('FAILED'))
  expect(observe(record, overdue, overdue).events).toEqual(['needs_attention'])
})

test('a late payment, and one that is contradicted, are confirmed only by a decision', () => {
  const accepted: Observation = { kind: 'accepted', received: '1500' }
  const contradicted = observe(shared, status(801, PAID), [STOOD, status(803, [])], status(801, PAID))
  expect(contradicted.events).toEqual(['paid', 'needs_attention'])
  expect(observe(contradicted.record, accepted).record).toMatchObject({
    confirmation: { accepted: '1500', payments: [{ stage: 'open' }] },
  })
  const late = observe(shared, [END, status(820, [])], status(801, PAID))
  const sent = observe(
    shared,
    status(801, PAID),
    decided('SUCCESSFUL'),
    [STOOD, status(803, [])],
    taken('SUCCESSFUL'),
  )
  expect(sent.record).toMatchObject({
    confirmation: { payments: [{ stage: 'confirmed' }] },
    alarm: { until: 'returned' },
  })
  for (const { record } of [contradicted, late]) {
    expect(observe(record, decided('SUCCESSFUL')).record).toMatchObject({
      confirmation: { payments: [{ stage: 'decided' }] },
      alarm: null,
    })
  }
})

test('a service confirmation is stored once, for a paid order with splits', () => {
  const held = {
    ...observe(shared, status(801, PAID)).record,
    alarm: { why: 'No.', until: 'returned' },
  } as OpenCheckout
  const result = observe(held, decided('SUCCESSFUL'))
  expect(result).toMatchObject({
    record: { confirmation: { payments: [{ stage: 'decided' }] }, alarm: null },
    events: [],
    historyEntry: expect.any(String),
  })
  for (const before of [result.record, shared, observe(OPEN, status(801, PAID)).record]) {
    expectUnchanged(before, decided('SUCCESSFUL'))
  }

  const decision = { ...SERVED, payment_id: 'TX-0' }
  for (const [answer, events] of [
    [{ stage: 'refused', decision, message: 'Too late.' }, ['needs_attention']],
    [{ stage: 'confirmed', decision, message: null }, []],
  ] as const) {
    expect(observe(result.record, { kind: 'answered', answer })).toMatchObject({
      record: { confirmation: { payments: [answer] } },
      events,
    })
  }
})

test('an accepted event confirms the service once the checkout counts as paid', () => {
  const { record: held } = observe(shared, status(801, PAID))
  const accepted: Observation = { kind: 'accepted', received: '1500' }
  expect(observe(held, accepted).record).toMatchObject({ confirmation: { payments: [{ stage: 'decided' }] } })
  // A gateway that no longer knows a settled checkout casts no doubt on it.
  const forgotten = observe(held, [SENT + 2 * MINUTE, unknown], accepted)
  expect(forgotten.record).toMatchObject({ confirmation: { payments: [{ stage: 'decided' }] } })

  const doubted = observe(held, status(801, [{ status: 700, account: 'ACC-009' }]), accepted)
  expect(doubted.record).toMatchObject({ confirmation: { accepted: '1500', payments: [{ stage: 'open' }] } })
  const cleared = observe(doubted.record, status(801, PAID))
  expect(cleared.record).toMatchObject({
    confirmation: { payments: [{ stage: 'decided', decision: SERVED }] },
  })
})
