/** What a checkout comes to before and after its session, and what is stored of each observation. */

import { describe, expect, test } from 'vitest'
import type {
  Checkout,
  CheckoutRecord,
  IntendedCheckout,
  OpenCheckout,
} from '../../server/checkouts/record.ts'
import type { Observation } from '../../server/checkouts/transition.ts'
import type { CheckoutStatus } from '../../server/contract/status.ts'
import type { Paid } from '../support/open-checkout.ts'
import { determineOutcome, holdsMoney } from '../../server/checkouts/outcome.ts'
import { planAttempt } from '../../server/checkouts/attempt.ts'
import { transition } from '../../server/checkouts/transition.ts'
import { InitiateRequest } from '../../server/contract/checkout.ts'
import { SERVED } from '../../server/payins/service-confirmation.ts'
import { EXPIRES_AT, openCheckout, payloadOf } from '../support/open-checkout.ts'
import { initiateRequest } from '../support/spec-shapes.ts'

const MINUTE = 60_000
const OPEN = openCheckout().record
const { requested, visit } = OPEN
const SENT = openCheckout().created_at
const PAID: Paid[] = [{ status: 700 }]
const PART: Paid[] = [{ status: 700, amount: '500' }]
const refusal = { status_code: 172, status_description: 'Invalid Service Code', message: '' }

const intended: IntendedCheckout = {
  phase: 'intended',
  requested,
  visit,
  submission: { variant: 'standard', request: InitiateRequest.parse(initiateRequest) },
  unknown: { times: 0, since: null },
  stuck: null,
}
const refused = { phase: 'refused', requested, visit, why: 'No.', refusal } as const
const abandoned = { phase: 'abandoned', requested, visit } as const
const shared: OpenCheckout = {
  ...OPEN,
  requested: { ...requested, splits: [{ account: 'PARTNER-001', amount: 100, reason: 'Cloth' }] },
  confirmation: { stage: 'open' },
}

const row = (record: CheckoutRecord, sent_at: number | null = SENT): Checkout => ({
  ...openCheckout(),
  sent_at,
  record,
})
const observe = (record: CheckoutRecord, observation: Observation, askedAt = SENT + MINUTE) =>
  transition(row(record), observation, askedAt)
const status = (code: CheckoutStatus, payments: readonly Paid[] = []): Observation => ({
  kind: 'status',
  payload: payloadOf(code, payments),
})
const opened = {
  checkout_reference: 'CHK-1',
  redirect_url: 'https://gateway.example/pay/CHK-1',
  expires_at: '2026-11-21T09:30:00Z',
}
const unknown: Observation = { kind: 'unknown' }
const decided: Observation = {
  kind: 'confirmation',
  observation: { kind: 'decided', decision: SERVED },
}

function unchanged(record: CheckoutRecord, observation: Observation, askedAt?: number) {
  const result = observe(record, observation, askedAt)
  expect(result).toEqual({ record, events: [], historyEntry: null })
  expect(result.record).toBe(record)
}

function reported(...given: Parameters<typeof status>): OpenCheckout {
  const { record } = observe(OPEN, status(...given))
  if (record.phase !== 'open') throw new Error(`An open checkout became ${record.phase}.`)
  return record
}

describe('the outcome of a checkout', () => {
  const END = EXPIRES_AT + 2 * MINUTE

  test.each([
    ['before its session', intended, 'waiting', false],
    ['that the gateway refused', refused, 'expired', true],
    ['that the gateway contradicted', { ...refused, refusal: null }, 'review', true],
    ['that the shopper left', abandoned, 'expired', true],
    ['never reported', OPEN, 'waiting', false],
    ['unknown during its session', { ...OPEN, unknown_at: END - 1 }, 'waiting', false],
    ['unknown after its session', { ...OPEN, unknown_at: END }, 'expired', true],
    ['paid, and unknown since', { ...reported(801, PAID), unknown_at: END }, 'paid', true],
  ] satisfies [string, CheckoutRecord, string, boolean][])('%s', (_, record, outcome, settled) => {
    expect(determineOutcome(row(record))).toEqual({ outcome, settled, discrepancy: null })
  })
})

describe('money may be held', () => {
  test.each([
    [801, PAID, true],
    [802, PART, true],
    [803, [], false],
    [803, [{ status: 703 }], true],
    [820, [], false],
    [820, PAID, true],
    [840, [{ status: 702 }], false],
    [841, [{ status: 705 }], false],
    [850, [], true],
    [851, [], true],
  ] satisfies [CheckoutStatus, Paid[], boolean][])('with %i and %j: %s', (code, payments, holds) => {
    expect(holdsMoney(row(reported(code, payments)))).toBe(holds)
  })

  test('with a contradiction that would hold it', () => {
    const reversed = reported(840)
    expect(holdsMoney(row({ ...reversed, contradiction: 801 }))).toBe(true)
    expect(holdsMoney(row({ ...reversed, contradiction: 820 }))).toBe(false)
  })

  test('not before the gateway reported it', () => {
    for (const record of [intended, OPEN, refused, abandoned]) expect(holdsMoney(row(record))).toBe(false)
  })

  test('so that an order which never opened can begin anew', () => {
    expect(planAttempt([row(abandoned)], requested)).toEqual({ kind: 'create', attempt: 2 })
    expect(planAttempt([row(intended)], requested)).toMatchObject({ kind: 'resume' })
    const splits = [{ account: 'PARTNER-001', amount: 100, reason: 'Cloth' }]
    expect(planAttempt([row(OPEN)], { ...requested, splits })).toMatchObject({ kind: 'changed' })
  })
})

describe('what is not acknowledged', () => {
  test('opens with the session of the gateway', () => {
    expect(observe(intended, { kind: 'acknowledged', answer: opened })).toEqual({
      record: OPEN,
      events: [],
      historyEntry: 'The gateway opened checkout CHK-1.',
    })
  })

  test('lives as long as was asked where the gateway names no end', () => {
    const answer = { ...opened, checkout_reference: null, expires_at: null }
    expect(observe(intended, { kind: 'acknowledged', answer }, SENT)).toMatchObject({
      record: { session: { checkout_reference: null, expires_at: EXPIRES_AT } },
      historyEntry: 'The gateway opened it.',
    })
  })

  test('waits for a service confirmation where the order has splits', () => {
    const result = observe(
      { ...intended, requested: shared.requested },
      { kind: 'acknowledged', answer: opened },
    )
    expect(result.record).toEqual(shared)
  })

  test('is refused in the words of the gateway; a contradiction needs a person', () => {
    expect(observe(intended, { kind: 'refused', why: 'No.', refusal })).toEqual({
      record: refused,
      events: [],
      historyEntry: 'No.',
    })
    expect(observe(intended, { kind: 'refused', why: 'No.', refusal: null })).toEqual({
      record: { ...refused, refusal: null },
      events: ['needs_attention'],
      historyEntry: 'No.',
    })
  })

  test('is abandoned when the gateway does not know it after two minutes', () => {
    unchanged(intended, unknown, SENT + 2 * MINUTE - 1)
    const result = observe(intended, unknown, SENT + 2 * MINUTE)
    expect(result).toMatchObject({ record: abandoned, events: [], historyEntry: expect.any(String) })
    expect(result.record).toEqual(abandoned)
  })

  test('is not reported on, nor confirmed', () => {
    unchanged(intended, status(801, PAID))
    unchanged(intended, decided)
  })
})

describe('a visit', () => {
  test('replaces the one before, whatever the checkout has come to', () => {
    const again = { ...visit, launch: 'popup', lang: 'sw' } as const
    for (const record of [intended, OPEN, refused, abandoned])
      expect(observe(record, { kind: 'visit', visit: again })).toEqual({
        record: { ...record, visit: again },
        events: [],
        historyEntry: null,
      })
  })
})

test('a checkout that ended before it opened stays as it is', () => {
  for (const record of [refused, abandoned])
    for (const observation of [status(801, PAID), unknown, { kind: 'acknowledged', answer: opened } as const])
      unchanged(record, observation)
})

describe('an open checkout', () => {
  test('is not opened or refused again', () => {
    unchanged(OPEN, { kind: 'acknowledged', answer: opened })
    unchanged(OPEN, { kind: 'refused', why: 'No.', refusal: null })
  })

  test('stores what is reported', () => {
    const { record, historyEntry } = observe(OPEN, status(801, PAID), SENT + 9)
    expect(record).toMatchObject({ settled_at: SENT + 9, paid_emitted: true, unknown_at: null })
    expect(historyEntry).toBe('The gateway says 801, 1500.00 received: paid.')
    expect(reported(803)).toMatchObject({ settled_at: null, paid_emitted: false })
    unchanged(reported(801, PAID), status(801, PAID), SENT + 5 * MINUTE)
  })

  test('is known again after it was unknown or contradicted, once something is new', () => {
    const lost = { ...OPEN, unknown_at: SENT, contradiction: 801 as const }
    expect(observe(lost, status(803)).record).toMatchObject({ unknown_at: null, contradiction: null })
  })

  test('stores the end of the same report after its session', () => {
    const waiting = reported(803)
    const over = observe(waiting, status(803), EXPIRES_AT + 2 * MINUTE)
    expect(over).toMatchObject({ record: { settled_at: EXPIRES_AT + 2 * MINUTE }, events: ['unpaid'] })
    const part = observe(reported(802, PART), status(802, PART), EXPIRES_AT)
    expect(part).toMatchObject({ record: { settled_at: EXPIRES_AT }, events: ['partial'] })
  })

  test('keeps what cannot be followed for a person', () => {
    const paid = reported(801, PAID)
    expect(observe(paid, status(803))).toEqual({
      record: { ...paid, contradiction: 803 },
      events: ['needs_attention'],
      historyEntry: 'The gateway said 803 after 801, which is kept: a person has to look.',
    })
  })
})

describe('an open checkout that the gateway does not know', () => {
  test('is too new for that until two minutes after it was sent', () => {
    unchanged(OPEN, unknown, SENT + 2 * MINUTE - 1)
    const result = observe(OPEN, unknown, SENT + 2 * MINUTE)
    expect(result).toMatchObject({
      record: { unknown_at: SENT + 2 * MINUTE, settled_at: null },
      events: ['needs_attention'],
      historyEntry: expect.any(String),
    })
  })

  test('ends with its session, of which the merchant is told no second time', () => {
    const lost = observe(OPEN, unknown, SENT + 3 * MINUTE).record
    unchanged(lost, unknown, EXPIRES_AT + 2 * MINUTE - 1)
    const over = observe(lost, unknown, EXPIRES_AT + 2 * MINUTE)
    expect(over).toMatchObject({ record: { settled_at: EXPIRES_AT + 2 * MINUTE }, events: [] })
    expect(over.historyEntry).not.toBeNull()
    unchanged(over.record, unknown, EXPIRES_AT + 9 * MINUTE)
  })

  test('stays settled as it was', () => {
    const paid = reported(801, PAID)
    const { record } = observe(paid, unknown, SENT + 9 * MINUTE)
    expect(record).toEqual({ ...paid, unknown_at: SENT + 9 * MINUTE })
  })
})

describe('the service confirmation of a checkout', () => {
  const { record: paid } = observe(shared, status(801, PAID))

  test('is stored where its order has splits, once and for money that is there', () => {
    const result = observe(paid, decided)
    expect(result).toMatchObject({ record: { confirmation: { stage: 'decided' } }, events: [] })
    expect(result.historyEntry).not.toBeNull()
    unchanged(result.record, decided)
    unchanged(shared, decided)
    unchanged(reported(801, PAID), decided)
  })

  test('that the gateway refuses needs a person; one that it takes does not', () => {
    const { record } = observe(paid, decided)
    const refuse = { kind: 'refused', why: 'Too late.' } as const
    expect(observe(record, { kind: 'confirmation', observation: refuse })).toMatchObject({
      record: { confirmation: { stage: 'refused' } },
      events: ['needs_attention'],
    })
    const confirm = { kind: 'confirmed', message: null } as const
    expect(observe(record, { kind: 'confirmation', observation: confirm })).toMatchObject({
      record: { confirmation: { stage: 'confirmed' } },
      events: [],
    })
  })
})
