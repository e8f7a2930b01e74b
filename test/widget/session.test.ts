/** The session machine, over everything that a BFF can say. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { freshView } from '../support/till.ts'
import { transition } from '../../widget/session.ts'
import { IDLE, stateOf } from '../../widget/session/state.ts'
import { eventsBetween } from '../../widget/events.ts'
import { readView } from '../../widget/answer.ts'
import { failure } from '../../widget/failure.ts'
import { CHECKOUT_STATUS, PAYMENT_STATUS } from '../../server/contract/status.ts'

import type { Session } from '../../widget/session/state.ts'
import type { SessionEvent } from '../../widget/session.ts'

const NOBODY = { payer_name: '', payer_email: '', payer_msisdn: '' }
const NOW = Date.parse('2026-11-21T09:00:00Z')

function play(events: readonly SessionEvent[]): { session: Session; told: string[] } {
  let session: Session = IDLE
  const told: string[] = []
  for (const event of events) {
    const before = session
    session = transition(before, event)
    told.push(...eventsBetween(before, session).map(([type]) => type))
  }
  return { session, told }
}

const outcomes = [
  'waiting',
  'paid',
  'partial',
  'unpaid',
  'expired',
  'reversed',
  'refunded',
  'jammed',
  'pending',
  'review',
  'new',
] as const

const answers = fc
  .record({
    status: fc.constantFrom(null, ...Object.values(CHECKOUT_STATUS)),
    outcome: fc.constantFrom(...outcomes),
    settled: fc.boolean(),
    version: fc.integer({ min: 1, max: 5 }),
    payments: fc.array(fc.record({ status: fc.constantFrom(...Object.values(PAYMENT_STATUS)) }), {
      maxLength: 2,
    }),
  })
  .map((news) => readView({ ...freshView(NOW), ...news }))
  .filter((view) => view !== null)

const events: fc.Arbitrary<SessionEvent> = fc.oneof(
  fc.constantFrom<SessionEvent>(
    { type: 'started', payer: NOBODY, page: 'open' },
    { type: 'started', payer: NOBODY, page: 'none' },
    { type: 'page', page: 'open' },
    { type: 'page', page: 'blocked' },
    { type: 'page', page: 'closed' },
    { type: 'page', page: 'none' },
    { type: 'failed', failure: failure('network', true, '') },
    { type: 'failed', failure: failure('no_order', false) },
  ),
  answers.map((view): SessionEvent => ({ type: 'view', view })),
)

test('nothing but a confirmed 801 is ever shown as paid', () => {
  fc.assert(
    fc.property(fc.array(events, { maxLength: 20 }), (history) => {
      const { session } = play(history)
      if (stateOf(session) === 'paid')
        expect(session).toMatchObject({ view: { status: 801, outcome: 'paid' } })
    }),
  )
})

test('once a checkout was seen, no failure makes it an error', () => {
  fc.assert(
    fc.property(answers, fc.array(events, { maxLength: 20 }), (view, history) => {
      const begun: SessionEvent[] = [
        { type: 'started', payer: NOBODY, page: 'open' },
        { type: 'view', view: { ...view, settled: false } },
      ]
      const troubles = history.filter(({ type }) => type === 'failed' || type === 'view')
      expect(stateOf(play([...begun, ...troubles]).session)).not.toBe('error')
    }),
  )
})

test('the end is told once per checkout, however often it is reported', () => {
  fc.assert(
    fc.property(fc.array(answers, { maxLength: 12 }), (views) => {
      const { told } = play([
        { type: 'resumed', checkoutId: 'checkout-1', origin: 'attribute' },
        ...views.map((view): SessionEvent => ({ type: 'view', view })),
      ])
      expect(told.filter((type) => type === 'settled').length).toBeLessThanOrEqual(1)
    }),
  )
})

test('an answer that was overtaken changes nothing', () => {
  const view = freshView(NOW)
  const { session } = play([
    { type: 'resumed', checkoutId: 'checkout-1', origin: 'attribute' },
    { type: 'view', view: { ...view, version: 3, status: 802, outcome: 'partial' } },
    { type: 'view', view: { ...view, version: 2, status: 803, outcome: 'unpaid' } },
  ])
  expect(stateOf(session)).toBe('partial')
})

test('the module loads where there is no browser', async () => {
  expect(Object.keys(await import('../../widget/define.ts')).toSorted()).toEqual([
    'CheckoutEvent',
    'GatewayCheckout',
  ])
})
