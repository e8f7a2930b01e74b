/** What a charge comes to, and what is stored of each observation. */

import { describe, expect, test } from 'vitest'
import type { Charge, ChargeRecord, PostedCharge } from '../../server/charges/record.ts'
import type { Observation } from '../../server/charges/transition.ts'
import type { CheckoutStatus } from '../../server/contract/status.ts'
import type { Paid } from '../support/open-checkout.ts'
import { attentionOf, determineOutcome } from '../../server/charges/outcome.ts'
import { transition } from '../../server/charges/transition.ts'
import { ChargeRequest } from '../../server/contract/charge.ts'
import { SERVED } from '../../server/payins/service-confirmation.ts'
import { toReportedState } from '../../server/payins/reported-state.ts'
import { payloadOf, REFERENCE } from '../support/open-checkout.ts'
import { charge as direct, redirectCharge } from '../support/spec-charges.ts'

const SENT = Date.UTC(2026, 10, 21, 9)
const MINUTE = 60_000
const EXPIRES = SENT + 30 * MINUTE
const refusal = { status_code: 172, status_description: 'Invalid Service Code', message: '' }
const FAILED = { status: 'FAILED', narration: 'Sold out.' } as const
const decided = { ...SERVED, payment_id: null }
const PAID: Paid[] = [{ status: 700 }]
const PART: Paid[] = [{ status: 700, amount: '500' }]

const posted: PostedCharge = {
  phase: 'posted',
  request: ChargeRequest.parse(direct),
  given_digest: 'digest',
  answer: null,
  reported: null,
  settled_at: null,
  confirmation: { stage: 'open' },
  emitted: [],
  contradiction: null,
}
const hosted: PostedCharge = {
  ...posted,
  request: ChargeRequest.parse(redirectCharge),
  answer: {
    charge_request_id: 'CR-1',
    total_amount: '1500',
    redirect_url: 'https://gateway.example/pay',
    expires_at: EXPIRES,
  },
}
const intended: ChargeRecord = {
  phase: 'intended',
  request: posted.request,
  given_digest: 'digest',
  unknown: { times: 0, since: null },
  stuck: null,
}
const refused: ChargeRecord = {
  phase: 'refused',
  request: posted.request,
  given_digest: 'digest',
  why: 'No.',
  refusal,
}

function charge(record: ChargeRecord): Charge {
  return {
    id: 'a-charge',
    kind: 'charge',
    account: { environment: 'sandbox', base_url: 'https://gateway.example', account_number: 'ACC-001' },
    reference: REFERENCE,
    group: REFERENCE,
    attempt: 1,
    version: 1,
    outcome: 'sending',
    created_at: SENT,
    updated_at: SENT,
    sent_at: SENT,
    due_at: null,
    asked_at: null,
    failures: 0,
    record,
  }
}

const seen = (status: CheckoutStatus, payments: readonly Paid[] = [], at = SENT) =>
  toReportedState(payloadOf(status, payments), at)
const judge = (record: ChargeRecord) => {
  const { outcome, settled, discrepancy } = determineOutcome(charge(record))
  return [outcome, settled, discrepancy, attentionOf(charge(record)) !== null]
}
const status = (code: CheckoutStatus, payments: readonly Paid[] = []): Observation => ({
  kind: 'status',
  payload: payloadOf(code, payments),
})
const observe = (record: ChargeRecord, observation: Observation, askedAt = SENT) =>
  transition(charge(record), observation, askedAt)
const decide = (decision: typeof SERVED): Observation => ({
  kind: 'confirmation',
  observation: { kind: 'decided', decision },
})

/** The events of several observations, one after the other. */
function live(...observations: Observation[]) {
  let record: ChargeRecord = posted
  return observations.flatMap((observation, index) => {
    const next = observe(record, observation, SENT + index)
    record = next.record
    return next.events
  })
}

function unchanged(record: ChargeRecord, observation: Observation, askedAt?: number) {
  const result = observe(record, observation, askedAt)
  expect(result).toEqual({ record, events: [], historyEntry: null })
  expect(result.record).toBe(record)
}

describe('the outcome of a charge', () => {
  const by = (record: PostedCharge, ...given: Parameters<typeof seen>) => ({
    ...record,
    reported: seen(...given),
  })

  test.each([
    ['not acknowledged', intended, 'sending', false, null, false],
    ['stuck', { ...intended, stuck: 'It is stuck.' }, 'needs_attention', false, null, true],
    ['refused', refused, 'failed', true, null, false],
    ['acknowledged', posted, 'pending', false, null, false],
    ['contradicted', { ...by(posted, 801, PAID), contradiction: 'A' }, 'needs_attention', false, null, true],
    ['contradicted early', { ...posted, contradiction: 'A' }, 'needs_attention', false, null, true],
    ['801', by(posted, 801, PAID), 'succeeded', true, null, false],
    ['801 of more', by(posted, 801, [{ status: 700, amount: '1600' }]), 'succeeded', true, 'excess', false],
    ['801 of less', by(posted, 801, PART), 'needs_attention', false, 'short', true],
    ['802 direct', by(posted, 802, PART), 'needs_attention', false, null, true],
    ['802 hosted', by(hosted, 802, PART), 'pending', false, null, true],
    ['802 hosted, over', by(hosted, 802, PART, EXPIRES), 'needs_attention', false, null, true],
    ['803 direct, open', by(posted, 803, [{ status: 703 }]), 'pending', false, null, false],
    ['803 direct, failed', by(posted, 803, [{ status: 701 }]), 'failed', true, null, false],
    ['803 direct, no attempt', by(posted, 803), 'pending', false, null, false],
    ['803 hosted, failed', by(hosted, 803, [{ status: 701 }]), 'pending', false, null, false],
    ['803 hosted, over', by(hosted, 803, [], EXPIRES + 2 * MINUTE), 'failed', true, null, false],
    ['820', by(posted, 820), 'failed', true, null, false],
    ['840', by(posted, 840), 'reversed', true, null, false],
    ['841', by(posted, 841), 'refunded', true, null, false],
    ['850', by(posted, 850), 'needs_attention', false, null, true],
    ['851', by(posted, 851), 'pending', false, null, false],
  ] satisfies [string, ChargeRecord, ...unknown[]][])('%s', (_, record, ...expected) => {
    expect(judge(record)).toEqual(expected)
  })

  test('compares the money with the total that the gateway answered', () => {
    const answer = { charge_request_id: 'CR-1', total_amount: '1520', redirect_url: null, expires_at: null }
    expect(judge(by({ ...posted, answer }, 801, PAID))).toEqual(['needs_attention', false, 'short', true])
    expect(judge(by({ ...posted, answer }, 801, [{ status: 700, amount: '1520' }]))[0]).toBe('succeeded')
  })

  test('needs a person when the gateway refused the confirmation, in its words', () => {
    const record: PostedCharge = {
      ...by(posted, 801, PAID),
      confirmation: { stage: 'refused', decision: decided, why: 'Too late.' },
    }
    expect(determineOutcome(charge(record)).outcome).toBe('needs_attention')
    expect(attentionOf(charge(record))).toBe('Too late.')
  })

  test.each([
    [{ stage: 'open' }, 'needs_attention'],
    [{ stage: 'decided', decision: decided }, 'succeeded'],
    [{ stage: 'decided', decision: { ...FAILED, payment_id: null } }, 'needs_attention'],
  ] as const)('paid after it failed, with %j, is %s', (confirmation, outcome) => {
    const record: PostedCharge = { ...by(posted, 801, PAID), emitted: ['failed'], confirmation }
    expect(determineOutcome(charge(record)).outcome).toBe(outcome)
    expect(attentionOf(charge(record)) !== null).toBe(outcome === 'needs_attention')
  })
})

describe('what is not acknowledged', () => {
  const answer = {
    status_code: 176,
    status_description: '',
    charge_request_id: 'CR-1',
    external_reference: REFERENCE,
    total_amount: '1500',
    currency_code: 'KES',
  } as const

  test('is posted with the answer to it', () => {
    expect(observe(intended, { kind: 'posted', answer })).toEqual({
      record: {
        ...posted,
        answer: { charge_request_id: 'CR-1', total_amount: '1500', redirect_url: null, expires_at: null },
      },
      events: [],
      historyEntry: 'The gateway took it as CR-1.',
    })
    const page = { redirect_url: 'https://gateway.example/pay', expires_at: '2026-11-21T09:30:00Z' }
    expect(observe(intended, { kind: 'posted', answer: { ...answer, ...page } })).toMatchObject({
      record: { answer: { redirect_url: page.redirect_url, expires_at: EXPIRES } },
    })
    // The first answer stands.
    unchanged(hosted, { kind: 'posted', answer })
    unchanged(refused, { kind: 'posted', answer })
  })

  test('is refused in the words of the gateway', () => {
    expect(observe(intended, { kind: 'refused', why: 'No.', refusal })).toEqual({
      record: refused,
      events: ['failed'],
      historyEntry: 'No.',
    })
    unchanged(posted, { kind: 'refused', why: 'No.', refusal })
    unchanged(refused, status(801, PAID))
  })

  test('is posted when the gateway reports it, and has nothing to confirm before', () => {
    expect(observe(intended, status(801, PAID))).toEqual({
      record: { ...posted, reported: seen(801, PAID), settled_at: SENT, emitted: ['succeeded'] },
      events: ['succeeded'],
      historyEntry: 'The gateway says 801, 1500.00 received: succeeded.',
    })
    unchanged(intended, decide(SERVED))
  })

  test('has failed when it was never sent for two minutes', () => {
    const unsent = { ...charge(intended), sent_at: null }
    const result = transition(unsent, { kind: 'unknown' }, SENT + 2 * MINUTE)
    expect(result).toMatchObject({ record: { phase: 'refused', refusal: null }, events: ['failed'] })
  })
})

describe('what is posted', () => {
  test('and unknown after two minutes needs a person, once', () => {
    unchanged(posted, { kind: 'unknown' }, SENT + 2 * MINUTE - 1)
    const lost = observe(posted, { kind: 'unknown' }, SENT + 2 * MINUTE)
    expect(lost).toMatchObject({ events: ['needs_attention'], record: { contradiction: lost.historyEntry } })
    unchanged(lost.record, { kind: 'unknown' }, SENT + 3 * MINUTE)
    // The gateway knows it again, and the contradiction is over.
    expect(observe(lost.record, status(803))).toMatchObject({ record: { contradiction: null }, events: [] })
  })

  test('and reported the same changes nothing; with other details it is stored', () => {
    const { record } = observe(posted, status(801, PAID))
    unchanged(record, status(801, PAID), SENT + 1)
    const more = observe(record, status(801, [{ status: 701 }, ...PAID]), SENT + 1)
    expect(more).toMatchObject({ record: { settled_at: SENT, emitted: ['succeeded'] }, events: [] })
    expect(more.historyEntry).not.toBeNull()
  })

  test('is told of as it changes, each outcome once', () => {
    expect(live(status(851), status(801, PAID), status(841))).toEqual(['succeeded', 'refunded'])
    expect(live(status(850), status(803), status(850))).toEqual(['needs_attention', 'needs_attention'])
    expect(live(status(820), status(803), status(820))).toEqual(['failed'])
    expect(live(status(820), status(801, PAID))).toEqual(['failed', 'needs_attention'])
  })

  test('and contradicted keeps what was reported', () => {
    const { record } = observe(posted, status(801, PAID))
    const why = 'The gateway said 803 after 801, which is kept.'
    expect(observe(record, status(803))).toEqual({
      record: { ...record, contradiction: why },
      events: ['needs_attention'],
      historyEntry: why,
    })
    const back = observe(observe(record, status(803)).record, status(801, PAID))
    expect(back).toMatchObject({ record: { contradiction: null }, events: [] })
  })
})

describe('a service confirmation', () => {
  const { record: paid } = observe(posted, status(801, PAID))

  test('is stored once for money that is there', () => {
    const result = observe(paid, decide(SERVED))
    expect(result).toMatchObject({ record: { confirmation: { stage: 'decided' } }, events: [] })
    unchanged(result.record, decide(SERVED))
    unchanged(posted, decide(SERVED))
  })

  test('that the gateway refuses is told of, each time', () => {
    const refuse: Observation = { kind: 'confirmation', observation: { kind: 'refused', why: 'Too late.' } }
    const first = observe(observe(paid, decide(SERVED)).record, refuse)
    expect(first).toMatchObject({ record: { settled_at: null }, events: ['needs_attention'] })
    const anew = observe(first.record, decide(SERVED), SENT + 5)
    expect(anew).toMatchObject({ record: { settled_at: SENT + 5 }, events: [] })
    expect(observe(anew.record, refuse).events).toEqual(['needs_attention'])
  })

  test('refused beside another reason to look is told of, too', () => {
    const late = { ...posted, emitted: ['failed' as const] }
    const doubted = observe(late, status(801, PAID)).record
    const refuse: Observation = { kind: 'confirmation', observation: { kind: 'refused', why: 'Too late.' } }
    const decidedFailed = observe(doubted, decide(FAILED))
    expect(decidedFailed.events).toEqual([])
    const refusedFailed = observe(decidedFailed.record, refuse)
    expect(refusedFailed.events).toEqual(['needs_attention'])
    // A report while it is refused is no news of the refusal.
    expect(observe(refusedFailed.record, status(801, [{ status: 701 }, ...PAID])).events).toEqual([])
  })
})
